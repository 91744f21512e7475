// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reproduces a defect of TensorFlow Lite: NaN and infinities become the largest finite number. TRANSPOSE_CONV
// multiplies a NaN and an infinity by 1, without an activation that would limit the output. ../README.md describes the
// defect.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <tensorflow/lite/c/builtin_op_data.h>
#include <tensorflow/lite/interpreter.h>
#include <tensorflow/lite/kernels/register.h>

int main() {
  const int shape[] = {1, 1, 2, 1};  // batch, height, width, channels
  const float filter[] = {1};
  const TfLiteQuantization none = {kTfLiteNoQuantization, nullptr};
  tflite::ops::builtin::BuiltinOpResolverWithoutDefaultDelegates operators;
  tflite::Interpreter interpreter;
  interpreter.AddTensors(4);  // 0: shape of the output, 1: filter, 2: data, 3: output
  interpreter.SetTensorParametersReadOnly(0, kTfLiteInt32, "shape", {4}, none, reinterpret_cast<const char*>(shape),
                                          sizeof(shape));
  interpreter.SetTensorParametersReadOnly(1, kTfLiteFloat32, "filter", {1, 1, 1, 1}, none,
                                          reinterpret_cast<const char*>(filter), sizeof(filter));
  interpreter.SetTensorParametersReadWrite(2, kTfLiteFloat32, "data", {1, 1, 2, 1}, none);
  interpreter.SetTensorParametersReadWrite(3, kTfLiteFloat32, "output", {1, 1, 2, 1}, none);
  interpreter.SetInputs({2});
  interpreter.SetOutputs({3});
  auto* parameters = static_cast<TfLiteTransposeConvParams*>(std::calloc(1, sizeof(TfLiteTransposeConvParams)));
  parameters->padding = kTfLitePaddingValid;
  parameters->stride_width = 1;
  parameters->stride_height = 1;
  interpreter.AddNodeWithParameters({0, 1, 2}, {3}, nullptr, 0, parameters,
                                    operators.FindOp(tflite::BuiltinOperator_TRANSPOSE_CONV, 1));
  std::printf("allocate: status %d\n", interpreter.AllocateTensors());
  interpreter.typed_input_tensor<float>(0)[0] = NAN;
  interpreter.typed_input_tensor<float>(0)[1] = INFINITY;
  std::printf("invoke: status %d\n", interpreter.Invoke());
  const float* output = interpreter.typed_output_tensor<float>(0);
  std::printf("output: %g %g, expected nan inf\n", output[0], output[1]);
}
