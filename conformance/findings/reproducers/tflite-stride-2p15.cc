// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reproduces a defect of TensorFlow Lite: strides from 2^15 on make zeros. TRANSPOSE_CONV multiplies 2 and 3 by 1. The
// first output must be 2 and the last one 3, whatever the stride between them. ../README.md describes the defect.
#include <cstdio>
#include <cstdlib>

#include <tensorflow/lite/c/builtin_op_data.h>
#include <tensorflow/lite/interpreter.h>
#include <tensorflow/lite/kernels/register.h>

int main() {
  const float filter[] = {1};
  const TfLiteQuantization none = {kTfLiteNoQuantization, nullptr};
  tflite::ops::builtin::BuiltinOpResolverWithoutDefaultDelegates operators;
  for (const int stride : {32767, 32768, 65535}) {
    const int shape[] = {1, 1, stride + 1, 1};  // batch, height, width, channels
    tflite::Interpreter interpreter;
    interpreter.AddTensors(4);  // 0: shape of the output, 1: filter, 2: data, 3: output
    interpreter.SetTensorParametersReadOnly(0, kTfLiteInt32, "shape", {4}, none, reinterpret_cast<const char*>(shape),
                                            sizeof(shape));
    interpreter.SetTensorParametersReadOnly(1, kTfLiteFloat32, "filter", {1, 1, 1, 1}, none,
                                            reinterpret_cast<const char*>(filter), sizeof(filter));
    interpreter.SetTensorParametersReadWrite(2, kTfLiteFloat32, "data", {1, 1, 2, 1}, none);
    interpreter.SetTensorParametersReadWrite(3, kTfLiteFloat32, "output", {1, 1, stride + 1, 1}, none);
    interpreter.SetInputs({2});
    interpreter.SetOutputs({3});
    auto* parameters = static_cast<TfLiteTransposeConvParams*>(std::calloc(1, sizeof(TfLiteTransposeConvParams)));
    parameters->padding = kTfLitePaddingValid;
    parameters->stride_width = stride;
    parameters->stride_height = 1;
    interpreter.AddNodeWithParameters({0, 1, 2}, {3}, nullptr, 0, parameters,
                                      operators.FindOp(tflite::BuiltinOperator_TRANSPOSE_CONV, 1));
    const bool allocated = interpreter.AllocateTensors() == kTfLiteOk;
    interpreter.typed_input_tensor<float>(0)[0] = 2;
    interpreter.typed_input_tensor<float>(0)[1] = 3;
    const bool ran = allocated && interpreter.Invoke() == kTfLiteOk;
    const float* output = interpreter.typed_output_tensor<float>(0);
    std::printf("stride %d: %s, first %g, last %g\n", stride, ran ? "ran" : "refused", output[0], output[stride]);
  }
}
