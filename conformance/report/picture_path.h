// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Draws the cells of a grid as SVG paths: each run of neighbours in a row is one horizontal stroke of width 1.

#ifndef DECONV_CONFORMANCE_REPORT_PICTURE_PATH_H_
#define DECONV_CONFORMANCE_REPORT_PICTURE_PATH_H_

#include <cstdint>
#include <functional>
#include <string>

#include "conformance/verdict/result.h"

namespace conformance {

/// The strokes through the cells that `drawn` takes, row after row; empty if there are none.
std::string CellPath(std::int64_t columns, std::int64_t rows,
                     const std::function<bool(std::int64_t column, std::int64_t row)>& drawn);

/// The picture of a case's wrong outputs.
struct WrongPicture {
  std::int64_t columns = 0;  ///< cells
  std::int64_t rows = 0;
  std::string all;                ///< path of the cells of which all outputs are wrong
  std::string some;               ///< of the others with a wrong output
  std::int64_t first_column = 0;  ///< the cell of the first wrong output
  std::int64_t first_row = 0;
  std::string caption;  ///< "outputs [0,1,*,*]: 12 of 35 wrong"
};

/// `grid` belongs to an output of these dims, which `first` lies in.
WrongPicture PictureOf(const WrongGrid& grid, const oracle::Dims& output_dims, const oracle::Dims& first);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_PICTURE_PATH_H_
