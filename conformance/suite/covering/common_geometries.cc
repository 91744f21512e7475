// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists the common geometries (kernels, strides and pads that well-known networks use), by the number of axes, and the
// sweeps of suite `dense`, which take kernels and strides from them. Chooses the element types of each kind of
// operator.

#include "conformance/suite/covering/common_geometries.h"

#include <array>
#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "conformance/case/dense_operators.h"
#include "conformance/case/operator_draft.h"
#include "conformance/suite/covering/common_array.h"

namespace conformance {
namespace {

constexpr std::array kGeometries = {
    // Axes, kernel, stride, dilation, pads, output_padding.
    CommonGeometry{1, 1, 1, 1, 0, 0, "projections between channels"},
    CommonGeometry{1, 2, 2, 1, 0, 0, "U-Nets of signals"},
    CommonGeometry{1, 3, 1, 1, 1, 0, "decoders of signals"},
    CommonGeometry{1, 3, 1, 2, 2, 0, "dilated decoders of signals"},
    CommonGeometry{1, 3, 2, 1, 1, 1, "autoencoders of signals"},
    CommonGeometry{1, 4, 2, 1, 1, 0, "MelGAN, HiFi-GAN, BigVGAN, DAC; EnCodec, which crops later"},
    CommonGeometry{1, 4, 4, 1, 0, 0, "decoders that undo patches of four"},
    CommonGeometry{1, 5, 1, 1, 2, 0, "decoders of signals"},
    CommonGeometry{1, 5, 2, 1, 2, 1, "autoencoders of signals"},
    CommonGeometry{1, 6, 3, 1, 2, 1, "vocoders at 24 kHz, with rates 5, 5, 4 and 3"},
    CommonGeometry{1, 8, 4, 1, 2, 0, "HiFi-GAN, BigVGAN, DAC; Demucs and EnCodec, which crop later"},
    CommonGeometry{1, 10, 5, 1, 3, 1, "vocoders at 24 kHz; SoundStream and EnCodec, which crop later"},
    CommonGeometry{1, 16, 8, 1, 4, 0, "MelGAN, HiFi-GAN, DAC; EnCodec and Conv-TasNet, which crop later"},
    CommonGeometry{1, 20, 10, 1, 0, 0, "Conv-TasNet with windows of 20 samples"},
    CommonGeometry{1, 25, 4, 1, 11, 1, "WaveGAN"},
    CommonGeometry{1, 31, 2, 1, 15, 1, "SEGAN"},
    CommonGeometry{2, 1, 1, 1, 0, 0, "PointPillars, SECOND"},
    CommonGeometry{2, 2, 2, 1, 0, 0, "U-Net, Mask R-CNN, SAM, ViTDet, DBNet, PointPillars"},
    CommonGeometry{2, 2, 2, 2, 1, 0, "no known network: a dilation with the smallest kernel"},
    CommonGeometry{2, 3, 1, 1, 1, 0, "DeconvNet; Wav2Lip without pads"},
    CommonGeometry{2, 3, 1, 2, 2, 0, "dilated decoders of images"},
    CommonGeometry{2, 3, 2, 1, 1, 1, "CycleGAN, pix2pixHD, style transfer, LinkNet, Wav2Lip; StyleGAN2 without pads"},
    CommonGeometry{2, 3, 2, 2, 2, 1, "dilated decoders of images"},
    CommonGeometry{2, 3, 3, 1, 0, 0, "decoders with steps of three"},
    CommonGeometry{2, 4, 1, 1, 0, 0, "DCGAN, first layer"},
    CommonGeometry{2, 4, 2, 1, 1, 0, "DCGAN, pix2pix, pose estimation, VQ-VAE, FlowNet, CenterNet"},
    CommonGeometry{2, 4, 4, 1, 0, 0, "DPT, PointPillars"},
    CommonGeometry{2, 5, 1, 1, 2, 0, "decoders of images"},
    CommonGeometry{2, 5, 2, 1, 2, 1, "learned image compression, DCGAN in TensorFlow"},
    CommonGeometry{2, 6, 2, 1, 2, 0, "DBPN, factor 2"},
    CommonGeometry{2, 6, 3, 1, 2, 1, "super-resolution, factor 3"},
    CommonGeometry{2, 7, 2, 1, 3, 1, "autoencoders that mirror a ResNet"},
    CommonGeometry{2, 8, 4, 1, 2, 0, "DBPN, factor 4"},
    CommonGeometry{2, 9, 2, 1, 4, 1, "FSRCNN, factor 2"},
    CommonGeometry{2, 9, 3, 1, 4, 2, "FSRCNN, factor 3"},
    CommonGeometry{2, 10, 5, 1, 3, 1, "super-resolution, factor 5"},
    CommonGeometry{2, 12, 8, 1, 2, 0, "DBPN, factor 8"},
    CommonGeometry{2, 16, 8, 1, 4, 0, "FCN-8s, which crops later"},
    CommonGeometry{3, 1, 1, 1, 0, 0, "projections between channels of volumes"},
    CommonGeometry{3, 2, 2, 1, 0, 0, "V-Net, nnU-Net, UNETR"},
    CommonGeometry{3, 3, 1, 1, 1, 0, "decoders of volumes"},
    CommonGeometry{3, 3, 1, 2, 2, 0, "dilated decoders of volumes"},
    CommonGeometry{3, 3, 2, 1, 1, 1, "PSMNet, MVSNet, 3-D U-Nets"},
    CommonGeometry{3, 3, 3, 1, 0, 0, "decoders with steps of three"},
    CommonGeometry{3, 4, 1, 1, 0, 0, "3D-GAN, first layer"},
    CommonGeometry{3, 4, 2, 1, 1, 0, "3D-GAN"},
    CommonGeometry{3, 4, 4, 1, 0, 0, "decoders that undo patches of four"},
};

}  // namespace

std::span<const CommonGeometry> CommonGeometries() { return kGeometries; }

namespace {

using oracle::ElementType;
using oracle::OperatorKind;

/// The types that libraries have special code for. Suite `common` has the other integers.
std::vector<ElementType> DenseTypesOf(OperatorKind kind) {
  if (kind == OperatorKind::kConvTranspose) return {ElementType::kF32};
  if (kind == OperatorKind::kConvolutionBackwardData) return {ElementType::kF32, ElementType::kBf16, ElementType::kF16};
  return {ElementType::kF32, ElementType::kF16, ElementType::kBf16, ElementType::kF64,
          ElementType::kI8,  ElementType::kU8,  ElementType::kI32,  ElementType::kI64};
}

/// Whether a geometry has at most 64 taps. With more, few channels and sizes fit the limit of multiply-adds.
bool IsSmall(const CommonGeometry& geometry) {
  constexpr std::int64_t kMostTaps = 64;
  std::int64_t taps = 1;
  for (std::size_t j = 0; j < geometry.axes; ++j) taps *= geometry.kernel;
  return geometry.kernel <= kMostDenseExtent && taps <= kMostTaps;
}

}  // namespace

std::vector<DenseSweep> DenseSweeps() {
  std::vector<DenseSweep> sweeps;
  std::set<std::tuple<std::size_t, std::int64_t, std::int64_t>> known;
  for (const CommonGeometry& geometry : CommonGeometries()) {
    if (!IsSmall(geometry) || !known.emplace(geometry.axes, geometry.kernel, geometry.stride).second) continue;
    for (const OperatorKind kind : oracle::kOperatorKinds) {
      for (const ElementType type : DenseTypesOf(kind)) {
        sweeps.push_back({.name = fmt::format("{}d-k{}s{}.{}.{}", geometry.axes, geometry.kernel, geometry.stride,
                                              ShortName(kind), oracle::ElementTypeName(type)),
                          .sweep = {.of = SweepOf::kDense,
                                    .kind = kind,
                                    .dialect = CommonDialectOf(kind),
                                    .type = type,
                                    .stride = geometry.stride,
                                    .kernel = geometry.kernel,
                                    .axes = static_cast<std::int64_t>(geometry.axes)}});
      }
    }
  }
  return sweeps;
}

}  // namespace conformance
