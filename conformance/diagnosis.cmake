# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
#
# From failures to causes: planted faults as hypotheses, clusters.
add_library(deconv_diagnosis STATIC
  diagnosis/class_evidence.cc diagnosis/class_evidence.h
  diagnosis/class_title.cc
  diagnosis/cluster.cc diagnosis/cluster.h
  diagnosis/diagnose.cc diagnosis/diagnose.h
  diagnosis/evidence.cc diagnosis/evidence.h
  diagnosis/hypothesis.cc diagnosis/hypothesis.h
  diagnosis/likeness.cc diagnosis/likeness.h
  diagnosis/measure.cc diagnosis/measure.h
  diagnosis/minimize.cc diagnosis/minimize.h
  diagnosis/sample.cc diagnosis/sample.h
  diagnosis/scene.cc diagnosis/scene.h
  diagnosis/taps.cc diagnosis/taps.h
  diagnosis/witness.cc diagnosis/witness.h)
target_sources(deconv_judgement PRIVATE diagnosis/picture.cc diagnosis/picture.h)
target_link_libraries(deconv_diagnosis
  PRIVATE deconv_flags fmt::fmt Threads::Threads
  PUBLIC deconv_judgement)

if(DECONV_TESTS)
  deconv_test(diagnosis_test SOURCES diagnosis/diagnosis_test.cc LIBRARIES deconv_diagnosis
    ONCE Diagnosis.NamesWhatOnlyAWorkerSurvives Diagnosis.WithoutTheFaultNamesItsClass Measurement.CountsWhatIsNamed)
endif()
