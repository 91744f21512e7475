// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Declares the readers of lines of other tools (import_line.h), and the types that they share: the sizes of a layer,
// which become a case of ConvTranspose, and the error of a line.

#ifndef DECONV_CONFORMANCE_FORMATS_LINES_LINE_LAYER_H_
#define DECONV_CONFORMANCE_FORMATS_LINES_LINE_LAYER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/formats/import_model.h"

namespace conformance::formats {

/// Thrown by the readers of lines, caught in ImportLine.
struct LineError {
  std::string message;
};

/// The largest number in a line. Sums and products of two such numbers fit 64 bits.
inline constexpr std::int64_t kLargestSize = (std::int64_t{1} << 31) - 1;

/// The numbers of one spatial axis in a line.
struct LineAxis {
  std::int64_t data = 0, kernel = 0, output = -1;  ///< output: -1 if the line does not state it
  std::int64_t stride = 1, dilation = 1;
  std::int64_t pads_begin = 0, pads_end = 0, output_padding = 0;

  /// The output size without pads. Throws LineError if a size is negative or does not fit 64 bits.
  std::int64_t SizeWithoutPads() const;
  /// Sets pads_end, or output_padding if that would be negative, so that the axis has the size `output`. Example: data
  /// 5, kernel 3 and stride 2 reach 11. An output of 10 needs pads_end 1, an output of 12 needs output_padding 1.
  void SetEndFromOutput();
};

/// The sizes of a layer. Channels are those of all groups together.
struct LineSizes {
  std::int64_t batch = 1, in_channels = 0, out_channels = 0, groups = 1;
  oracle::ElementType type = oracle::ElementType::kF32;
  std::vector<LineAxis> axes;
};

/// Returns the layer as a ConvTranspose, whose channels are before the spatial axes. Throws LineError if the channels
/// do not fit the groups.
ImportedLayer LayerOf(const LineSizes& sizes);

// Each function reads lines of one tool, and throws LineError if it cannot.
ImportedLayer ReadTorchLine(std::string_view line, const ImportOptions& options);
ImportedLayer ReadTensorFlowLine(std::string_view line, const ImportOptions& options);
ImportedLayer ReadOnednnLine(std::string_view line);

}  // namespace conformance::formats

#endif  // DECONV_CONFORMANCE_FORMATS_LINES_LINE_LAYER_H_
