# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
#
# In and out: cases from real models, cases for other tools.
find_package(Protobuf REQUIRED)
find_package(ONNX REQUIRED)
# Later releases of ONNX export their targets in a namespace.
set(onnx_targets onnx onnx_proto)
if(TARGET ONNX::onnx)
  set(onnx_targets ONNX::onnx ONNX::onnx_proto)
endif()

add_library(deconv_exchange STATIC
  exchange/case_json.cc exchange/case_json.h
  exchange/case_list.cc exchange/case_list.h
  exchange/forked_call.cc exchange/forked_call.h
  exchange/export_benchdnn.cc
  exchange/export_case.cc exchange/export_case.h
  exchange/export_cpp.cc
  exchange/export_graph_json.cc
  exchange/export_ir.cc
  exchange/export_onnx.cc
  exchange/import_model.cc exchange/import_model.h
  exchange/import_onnx.cc
  exchange/load_file.cc exchange/load_file.h
  exchange/npy.cc exchange/npy.h
  exchange/one_line.h
  exchange/onnx_infer.cc exchange/onnx_infer.h
  exchange/onnx_layer.cc exchange/onnx_layer.h
  exchange/onnx_parse.cc exchange/onnx_parse.h
  exchange/onnx_type.h
  exchange/onnx_values.cc exchange/onnx_values.h
  exchange/onnx_weights.cc exchange/onnx_weights.h
  exchange/worked_case.cc exchange/worked_case.h)
target_link_libraries(deconv_exchange
  PRIVATE deconv_flags deconv_text fmt::fmt nlohmann_json::nlohmann_json ${onnx_targets} protobuf::libprotobuf
  PUBLIC deconv_judgement)

if(DECONV_TESTS)
  deconv_test(exchange_test SOURCES exchange/export_test.cc exchange/import_test.cc
    LIBRARIES deconv_exchange nlohmann_json::nlohmann_json ${onnx_targets} protobuf::libprotobuf)
  target_compile_definitions(exchange_test PRIVATE DECONV_CXX_COMPILER="${CMAKE_CXX_COMPILER}")
endif()
