// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes where the weights of a pass lie in the packed filter, and which pass follows. A pass multiplies the cells of
// a panel by the weights of one phase, one kc block and one block of output channels (channels_weights.h).
#include "kernel/channels/channels_weights.h"

#include <algorithm>

namespace deconv {
namespace {

// Returns the phase of a pass along an axis.
const Phase& PhaseOf(const ChannelsLayout& layout, const PassPosition& pass, size_t axis) {
  return layout.axes[axis].phases.phases[pass.phase[axis]];
}

// Goes to the next phase in z and y, or in z alone if panels sum all phases in y. Skips phases without taps. Returns
// false if there is no next phase.
bool NextRows(const ChannelsLayout& layout, PassPosition& pass) {
  auto& [z, y, x] = pass.phase;
  do {
    y += static_cast<size_t>(layout.panels.row_phases);
    if (y >= layout.axes[1].phases.phases.size()) {
      y = 0;
      if (++z == layout.axes[0].phases.phases.size()) return false;
    }
  } while (PhaseOf(layout, pass, 0).taps == 0 || (layout.panels.row_phases == 1 && PhaseOf(layout, pass, 1).taps == 0));
  return true;
}

}  // namespace

int64_t TapsOfPass(const ChannelsLayout& layout, const PassPosition& pass) {
  return PhaseOf(layout, pass, 0).taps * PhaseOf(layout, pass, 1).taps * PhaseOf(layout, pass, 2).taps;
}

int64_t UnitsOfPass(const ChannelsLayout& layout, const PassPosition& pass) {
  return std::min(layout.panels.kc, layout.channels.units - pass.unit);
}

WeightsRange WeightsOfPass(const ChannelsLayout& layout, const TaskBlocks& task, const PassPosition& pass) {
  const ChannelBlock block = layout.Block(pass.block % layout.channels.blocks);
  const int64_t group = task.group + pass.block / layout.channels.blocks;
  const int64_t width = block.vectors * layout.tile.lanes * layout.tile.weight_bytes;
  const int64_t taps = TapsOfPass(layout, pass);
  const int64_t taps_before =
      TapsBefore(layout.axes, PhaseOf(layout, pass, 0), PhaseOf(layout, pass, 1), PhaseOf(layout, pass, 2));
  return {layout.WeightsBefore(group, block.first_vector) * layout.tile.weight_bytes +
              (taps_before * layout.channels.units + taps * pass.unit) * width,
          taps * UnitsOfPass(layout, pass) * width};
}

std::optional<PassPosition> NextPass(const ChannelsLayout& layout, const TaskBlocks& task, PassPosition pass,
                                     bool is_last_panel) {
  if (TapsOfPass(layout, pass) == 0) return std::nullopt;
  pass.unit += layout.panels.kc;
  if (pass.unit < layout.channels.units) return pass;
  pass.unit = 0;
  // Each index goes on by one. At its end it begins anew, and the next outer index goes on. `continue` leads to the
  // test behind `while`: a pass without taps is skipped.
  do {
    if (++pass.phase[2] < layout.axes[2].phases.phases.size()) continue;
    pass.phase[2] = 0;
    if (layout.panels.row_phases > 1) {
      if (++pass.phase[1] < layout.axes[1].phases.phases.size()) continue;
      pass.phase[1] = 0;
    }
    if (++pass.block < task.last_block) continue;
    pass.block = task.first_block;
    if (is_last_panel && !NextRows(layout, pass)) return std::nullopt;
    is_last_panel = false;
  } while (TapsOfPass(layout, pass) == 0);
  return pass;
}

}  // namespace deconv
