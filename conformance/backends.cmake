# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
#
# The doors: whatever --backend can name. The only target of conformance/ that links the kernel, for its adapter.
add_library(deconv_backends STATIC
  backend.cc backend.h
  backend_builtin.h
  backend_description.cc backend_description.h
  backend_kernel.cc
  backend_open.cc
  backend_oracle.cc
  door/answer.cc door/answer.h
  door/deconv_backend.h
  door/describe_operator.cc door/describe_operator.h
  faults/arithmetic_faults.cc
  faults/attributes.cc faults/attributes.h
  faults/conduct_faults.cc
  faults/fault.cc faults/fault.h
  faults/faulty_backend.cc faults/faulty_backend.h
  faults/faulty_loop.cc faults/faulty_loop.h
  faults/geometry_faults.cc
  faults/index_faults.cc
  faults/number.cc faults/number.h
  faults/plan.cc faults/plan.h
  faults/refusal_faults.cc)
target_link_libraries(deconv_backends
  PUBLIC deconv::oracle
  PRIVATE deconv_flags deconv_text deconv::kernel fmt::fmt ${CMAKE_DL_LIBS})
