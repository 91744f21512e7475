// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Counts wrong outputs on a grid, and draws the grid as lines of text.

#include "conformance/verdict/picture.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/verdict/element.h"

namespace conformance {
namespace {

/// The outputs that one cell covers, so that at most `cells` cells cover `size` outputs. It adds nothing to `size`,
/// because an axis of an empty output may have any size, and the sum could overflow.
std::int64_t StepFor(std::int64_t size, std::int64_t cells) {
  return std::max<std::int64_t>(1, size / cells + (size % cells != 0 ? 1 : 0));
}

}  // namespace

WrongGridMaker::WrongGridMaker(const oracle::Geometry& geometry) : dims_(geometry.OutputDims()) {
  const std::size_t first_axis = geometry.layout == oracle::DataLayout::kNxc ? 1 : 2;
  grid_.column_axis = first_axis + geometry.axes.size() - 1;
  const bool plane = geometry.axes.size() > 1;
  grid_.row_axis = plane ? grid_.column_axis - 1 : grid_.column_axis;
  grid_.columns = dims_[grid_.column_axis];
  grid_.rows = plane ? dims_[grid_.row_axis] : 1;
  grid_.row_step = StepFor(grid_.rows, kMostGridRows);
  grid_.column_step = StepFor(grid_.columns, kMostGridColumns);
}

void WrongGridMaker::Observe(std::int64_t flat) {
  if (!found_wrong_) {
    found_wrong_ = true;
    grid_.plane = CoordinateOf(flat, dims_);
    grid_.wrong.resize(static_cast<std::size_t>(grid_.CellRows() * grid_.CellColumns()));
  }
  // CoordinateOf would allocate a list for each of perhaps millions of outputs.
  std::int64_t row = 0;
  std::int64_t column = 0;
  for (std::size_t i = dims_.size(); i-- > 0; flat /= dims_[i]) {
    const std::int64_t index = flat % dims_[i];
    if (i == grid_.column_axis) {
      column = index;
    } else if (i == grid_.row_axis) {
      row = index;
    } else if (index != grid_.plane[i]) {
      return;
    }
  }
  const std::int64_t cell = row / grid_.row_step * grid_.CellColumns() + column / grid_.column_step;
  ++grid_.wrong[static_cast<std::size_t>(cell)];
}

std::optional<WrongGrid> WrongGridMaker::Build() {
  if (!found_wrong_) return std::nullopt;
  return std::move(grid_);
}

std::string PictureText(const WrongGrid& grid, const oracle::Dims& output_dims, bool colours) {
  std::vector<std::string> plane;
  for (std::size_t i = 0; i < output_dims.size(); ++i) {
    const bool is_drawn = i == grid.row_axis || i == grid.column_axis;
    plane.push_back(is_drawn ? "*" : fmt::format("{}", grid.plane[i]));
  }
  std::int64_t wrong = 0;
  for (const std::uint32_t count : grid.wrong) wrong += count;
  std::string text =
      fmt::format("     wrong outputs of [{}]: {} of {}", fmt::join(plane, ","), wrong, grid.rows * grid.columns);
  if (grid.row_step > 1 || grid.column_step > 1) {
    text += fmt::format(", a character for {} x {}", grid.row_step, grid.column_step);
  }
  text += '\n';
  for (std::int64_t row = 0; row < grid.CellRows(); ++row) {
    text += "       ";
    for (std::int64_t column = 0; column < grid.CellColumns(); ++column) {
      const std::int64_t height = std::min(grid.row_step, grid.rows - row * grid.row_step);
      const std::int64_t width = std::min(grid.column_step, grid.columns - column * grid.column_step);
      const std::uint32_t count = grid.wrong[static_cast<std::size_t>(row * grid.CellColumns() + column)];
      const char mark = count == 0 ? '.' : static_cast<std::int64_t>(count) == height * width ? '#' : '+';
      if (colours && count != 0) {
        text += fmt::format("\x1b[31m{}\x1b[0m", mark);
      } else {
        text += mark;
      }
    }
    text += '\n';
  }
  return text;
}

}  // namespace conformance
