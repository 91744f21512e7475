// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Cuts the work of the algorithm "channels" into tasks: blocks of data, and ranges of output channels. Each way to cut
// the work is rated by the idle time of threads and by the time to copy data more than once; the best way is taken.
#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "kernel/base/checked.h"
#include "kernel/channels/channels_cost.h"
#include "kernel/channels/channels_steps.h"

namespace deconv {
namespace {

// How much the idle time of `count` threads counts in the rating of a way; the weights add up to 1. With these weights
// the layers of kernel/bench/layers.txt have even tasks. Without this step, s1_k3 had 3 tasks and fcn8s_up in bf16 had
// one. On one thread maskrcnn, s1_k3, hifigan_u1 and cyclegan_up1 take as long as before (f32, planar, Zen 5).
struct Threads {
  size_t count = 0;
  double weight = 0;
};
constexpr std::array kThreads = {Threads{2, 0.5}, Threads{4, 0.3}, Threads{8, 0.2}};
constexpr std::array kManyThreads = {Threads{8, 0.7}, Threads{16, 0.3}};
// The least cycles of a task. Assumed: waking a thread for a shorter task takes as long as the task.
constexpr double kLeastTaskCycles = 20000;
// Copies may take at most these shares of the time of the sums. kMostCopies limits all copies if channels are cut into
// ranges. kMostCopiesOfBlocks limits the copies that more blocks add. With many workers (kMostCopiesOfMany) the limit
// is higher, because the workers share the time of the copies, too.
constexpr double kMostCopies = 1.0 / 16;
constexpr double kMostCopiesOfBlocks = 1.0 / 32;
constexpr double kMostCopiesOfMany = 0.5;
// More blocks must be this much better than fewer blocks, because each task has costs of its own.
constexpr double kBetter = 1.02;

// Returns the cycles of the products of a sample.
double CyclesOfSums(const ChannelsLayout& layout) {
  return ProductCycles(layout) * ProductsOfUnit(layout) *
         static_cast<double>(layout.channels.units * layout.channels.vectors * layout.geometry.groups);
}

// Returns the cycles to copy the data of all groups once.
double CyclesOfCopies(const ChannelsLayout& layout) {
  return ChannelsCopyCycles(layout) * static_cast<double>(layout.geometry.groups / layout.tasks.groups);
}

// Returns the outermost axis with several cells, or the last axis.
BlockAxis& OuterAxis(ChannelsLayout& layout) {
  for (BlockAxis& axis : layout.axes) {
    if (axis.phases.cells > 1) return axis;
  }
  return layout.axes.back();
}

// Rates the blocks of an axis. The result is 1 if all threads are busy to the end and no data are copied twice, and
// less otherwise. `copied_once`: the cycles of copies before the axis was cut into more blocks.
double Quality(const ChannelsLayout& layout, const BlockAxis& axis, double sums, double copied_once) {
  const int64_t repeats = layout.geometry.groups / layout.tasks.groups * (BlockCount(layout.axes) / axis.blocks);
  const double copied_again = std::max(0.0, CyclesOfCopies(layout) - copied_once);
  return ShareOfBusyThreads(axis.phases.cells, axis.block_cells, repeats) / (1 + copied_again / sums);
}

}  // namespace

// Simulates the threads: each task goes to the thread that becomes free first.
double ShareOfBusyThreads(int64_t items, int64_t items_of_task, int64_t repeats, bool many_workers) {
  const int64_t tasks = DivideUp(items, items_of_task);
  if (tasks == 0 || repeats == 0 || tasks * repeats >= kEnoughTasks) return 1;
  double evenness = 0;
  for (const Threads& threads : many_workers ? std::span<const Threads>(kManyThreads) : kThreads) {
    std::vector<int64_t> busy_until(threads.count, 0);
    for (int64_t task = 0; task < tasks * repeats; ++task) {
      *std::min_element(busy_until.begin(), busy_until.end()) +=
          std::min(items_of_task, items - task % tasks * items_of_task);
    }
    const int64_t last = *std::max_element(busy_until.begin(), busy_until.end());
    evenness += threads.weight * static_cast<double>(items * repeats) /
                (static_cast<double>(last) * static_cast<double>(threads.count));
  }
  return evenness;
}

void BalanceBlocks(ChannelsLayout& layout) {
  const double sums = CyclesOfSums(layout);
  BlockAxis& axis = OuterAxis(layout);
  const auto most_tasks = static_cast<int64_t>(std::min(sums / kLeastTaskCycles, static_cast<double>(kEnoughTasks)));
  if (BlockCount(layout.axes) == 0 || sums <= 0) return;
  const double copied = CyclesOfCopies(layout);
  const int64_t least_cells = LeastBlockCells(layout);
  const int64_t tasks_of_block = layout.geometry.groups / layout.tasks.groups * (BlockCount(layout.axes) / axis.blocks);
  BlockAxis best = axis;
  double best_quality = Quality(layout, axis, sums, copied);
  for (int64_t blocks = axis.blocks + 1; blocks * tasks_of_block <= most_tasks; ++blocks) {
    const int64_t before = axis.blocks;
    CutAxis(axis, DivideUp(axis.phases.cells, blocks));
    axis.padded = PaddedSize(axis);
    if (axis.blocks == before) continue;
    if (BlockCells(layout) < least_cells || CyclesOfCopies(layout) - copied > kMostCopiesOfBlocks * sums) break;
    const double quality = Quality(layout, axis, sums, copied);
    if (quality <= kBetter * best_quality) continue;
    best = axis;
    best_quality = quality;
  }
  axis = best;
}

namespace {

// Returns how many blocks of channels a task sums. `tasks`: the number of tasks if each has all `blocks` blocks.
int64_t BlocksOfTask(const ChannelsLayout& layout, int64_t blocks, int64_t tasks, bool many_workers) {
  // If the copy regroups channels, each range would copy all groups again.
  if (tasks == 0 || tasks >= kWantedChannelsTasks || layout.IsRegrouped()) return blocks;
  int64_t best = blocks;
  const double sums = CyclesOfSums(layout);
  const double copies = CyclesOfCopies(layout);
  const double most_copies = many_workers ? kMostCopiesOfMany : kMostCopies;
  double best_quality = 0;
  for (int64_t ranges = 1; ranges <= std::min(blocks, DivideUp(kWantedChannelsTasks, tasks)); ++ranges) {
    // One task would leave the second thread idle. Then two ranges are allowed, whatever the copies cost.
    const bool is_pair = ranges == 2 && tasks == 1;
    if (ranges > 1 && static_cast<double>(ranges) * copies > most_copies * sums && !is_pair) break;
    const double share_copied_again = static_cast<double>(ranges - 1) * copies / std::max(1.0, sums);
    const int64_t range = DivideUp(blocks, ranges);
    const double quality = ShareOfBusyThreads(blocks, range, tasks, many_workers) / (1 + share_copied_again);
    if (quality <= best_quality) continue;
    best_quality = quality;
    best = range;
  }
  return best;
}

}  // namespace

void ChooseTasks(ChannelsLayout& layout) {
  const int64_t blocks = layout.tasks.groups * layout.channels.blocks;
  const int64_t sample_tasks = layout.geometry.groups / layout.tasks.groups * BlockCount(layout.axes);
  // kWantedChannelsTasks samples alone give enough tasks; more samples change nothing.
  const int64_t samples = std::min(layout.geometry.batch, kWantedChannelsTasks);
  layout.tasks.block_range = BlocksOfTask(layout, blocks, sample_tasks * samples, layout.tile.many_workers);
  layout.tasks.block_ranges = DivideUp(blocks, layout.tasks.block_range);
  layout.tasks.sample_ranges = DivideUp(blocks, BlocksOfTask(layout, blocks, sample_tasks, false));
}

}  // namespace deconv
