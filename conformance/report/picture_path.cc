// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Joins neighbouring cells of a row into strokes.

#include "conformance/report/picture_path.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace conformance {

std::string CellPath(std::int64_t columns, std::int64_t rows,
                     const std::function<bool(std::int64_t column, std::int64_t row)>& drawn) {
  std::string path;
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns;) {
      if (!drawn(column, row)) {
        ++column;
        continue;
      }
      const std::int64_t begin = column;
      while (column < columns && drawn(column, row)) ++column;
      path += fmt::format("M{} {}.5h{}", begin, row, column - begin);
    }
  }
  return path;
}

WrongPicture PictureOf(const WrongGrid& grid, const oracle::Dims& output_dims, const oracle::Dims& first) {
  WrongPicture picture;
  picture.columns = grid.CellColumns();
  picture.rows = grid.CellRows();
  const auto count = [&](std::int64_t column, std::int64_t row) {
    return static_cast<std::int64_t>(grid.wrong[static_cast<std::size_t>(row * picture.columns + column)]);
  };
  const auto size = [&](std::int64_t column, std::int64_t row) {
    return std::min(grid.row_step, grid.rows - row * grid.row_step) *
           std::min(grid.column_step, grid.columns - column * grid.column_step);
  };
  picture.all = CellPath(picture.columns, picture.rows, [&](std::int64_t column, std::int64_t row) {
    return count(column, row) == size(column, row);
  });
  picture.some = CellPath(picture.columns, picture.rows, [&](std::int64_t column, std::int64_t row) {
    return count(column, row) != 0 && count(column, row) != size(column, row);
  });
  if (grid.column_axis < first.size()) picture.first_column = first[grid.column_axis] / grid.column_step;
  if (grid.row_axis < first.size() && grid.row_axis != grid.column_axis) {
    picture.first_row = first[grid.row_axis] / grid.row_step;
  }
  std::vector<std::string> place;
  for (std::size_t i = 0; i < output_dims.size(); ++i) {
    const bool drawn = i == grid.row_axis || i == grid.column_axis;
    place.push_back(drawn ? "*" : fmt::format("{}", grid.plane[i]));
  }
  std::int64_t wrong = 0;
  for (const std::uint32_t cell : grid.wrong) wrong += cell;
  picture.caption = fmt::format("outputs [{}]: {} of {} wrong", fmt::join(place, ","), wrong, grid.rows * grid.columns);
  if (grid.row_step > 1 || grid.column_step > 1) {
    picture.caption += fmt::format(", a cell for {} x {}", grid.row_step, grid.column_step);
  }
  return picture;
}

}  // namespace conformance
