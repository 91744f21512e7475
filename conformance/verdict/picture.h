// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Draws a picture of the positions of wrong outputs, in which a reader may see a pattern, such as a wrong last column.
// WrongGridMaker counts them on a grid while outputs are compared; PictureText draws the grid on a terminal.

#ifndef DECONV_CONFORMANCE_VERDICT_PICTURE_H_
#define DECONV_CONFORMANCE_VERDICT_PICTURE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "conformance/verdict/result.h"
#include "oracle/resolve.h"

namespace conformance {

/// The largest grid: it fits a terminal of 80 columns and half its height, and 5 KB in a report.
inline constexpr std::int64_t kMostGridRows = 24;
inline constexpr std::int64_t kMostGridColumns = 48;

/// Counts the wrong outputs of one plane: the last two spatial axes, at the batch, channel and other axes of the first
/// wrong output. If the output is larger than the grid, a cell counts several outputs.
class WrongGridMaker {
 public:
  explicit WrongGridMaker(const oracle::Geometry& geometry);

  /// Adds the wrong output with the flat index `flat`. The first call chooses the plane that is drawn.
  void Observe(std::int64_t flat);
  /// Returns the grid, or nothing if no output was wrong.
  std::optional<WrongGrid> Build();

 private:
  oracle::Dims dims_;
  WrongGrid grid_;
  bool found_wrong_ = false;
};

/// A few lines of text, each indented: one character a cell, "." where all outputs are right, "#" where all are wrong,
/// "+" where some are. `colours`: for a terminal that shows them.
std::string PictureText(const WrongGrid& grid, const oracle::Dims& output_dims, bool colours);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_PICTURE_H_
