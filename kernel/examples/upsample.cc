// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Shows how to use the kernel from C++20: enlarges planes of 4x4 values to 8x8 by bilinear interpolation, which is a
// transposed convolution of stride 2. The operator is described as ConvolutionBackpropData of OpenVINO. One plan serves
// every batch, that is number of planes.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <vector>

#include <deconv/cxx.h>

namespace {

int Fail(const char* what, const deconv_status& status) {
  std::fprintf(stderr, "%s: %s\n", what, status.message);
  return 1;
}

}  // namespace

int main() {
  // Weights of linear interpolation: each output takes 3/4 of its nearer neighbour and 1/4 of the other one.
  constexpr float kTent[] = {0.25f, 0.75f, 0.75f, 0.25f};
  std::vector<float> filter(16);
  for (std::size_t i = 0; i < filter.size(); ++i) filter[i] = kTent[i / 4] * kTent[i % 4];

  // The operator as its specification describes it. The plan resolves its attributes.
  constexpr std::int64_t kDataDims[] = {1, 1, 4, 4};
  constexpr std::int64_t kFilterDims[] = {1, 1, 4, 4};
  constexpr std::int64_t kTwos[] = {2, 2};
  constexpr std::int64_t kOnes[] = {1, 1};
  auto op = deconv::Tagged<deconv_operator>();
  op.kind = DECONV_CONVOLUTION_BACKPROP_DATA;
  op.dialect = DECONV_OPENVINO_SPEC;
  op.data = deconv::Tensor(DECONV_F32, kDataDims);
  op.filter = deconv::Tensor(DECONV_F32, kFilterDims);
  op.strides = deconv::List(kTwos);
  op.dilations = op.pads_begin = op.pads_end = deconv::List(kOnes);

  auto status = deconv::Tagged<deconv_status>();
  const std::optional<deconv::Plan> plan = deconv::Plan::Create(op, nullptr, &status);
  if (!plan) return Fail("plan", status);
  std::vector<std::byte> packed(plan->PackedFilterBytes());
  std::vector<std::byte> workspace(plan->WorkspaceBytes());
  if (plan->PackFilter(std::as_bytes(std::span(filter)), packed, &status) != DECONV_OK) return Fail("pack", status);

  for (const std::int64_t batch : {1, 3}) {
    std::vector<float> data(plan->DataBytes(batch) / sizeof(float));
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<float>(i);
    std::vector<float> output(plan->OutputBytes(batch) / sizeof(float));
    deconv::Plan::Buffers buffers;
    buffers.data = std::as_bytes(std::span(data));
    buffers.packed_filter = packed;
    buffers.output = std::as_writable_bytes(std::span(output));
    buffers.workspace = workspace;
    buffers.batch = batch;
    if (plan->Run(buffers, &status) != DECONV_OK) return Fail("run", status);
    std::printf("batch %d: output %dx%d by %s on %s\n", static_cast<int>(batch),
                static_cast<int>(plan->OutputDims()[2]), static_cast<int>(plan->OutputDims()[3]), plan->AlgorithmName(),
                plan->TargetName());
    // Prints the second row of the first plane.
    for (std::size_t x = 0; x < 8; ++x) std::printf("%s%g", x == 0 ? "" : " ", static_cast<double>(output[8 + x]));
    std::printf("\n");
  }
}
