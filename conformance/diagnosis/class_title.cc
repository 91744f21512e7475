// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The title of each class of defects, such as K1, for reports.

#include <algorithm>
#include <array>

#include "conformance/diagnosis/diagnose.h"

namespace conformance {
namespace {

struct Title {
  std::string_view mutant_class;
  std::string_view title;
};

constexpr std::array kTitles = {
    Title{"A39", "structural zeros are multiplied"},
    Title{"B1", "samples of a batch are confused"},
    Title{"C1", "input and output channels are confused"},
    Title{"C2", "the last, incomplete block of channels is wrong"},
    Title{"D1", "dilation is missing"},
    Title{"D2", "dilation and stride are wrong together"},
    Title{"D3", "dilation is counted from the wrong base"},
    Title{"E1", "an accumulator or operand has too few bits"},
    Title{"G1", "the filters of groups are read from the wrong place"},
    Title{"G2", "channels and groups are in the wrong order"},
    Title{"G3", "groups of more than one channel are wrong"},
    Title{"I1", "indices and sizes overflow"},
    Title{"I2", "integers saturate instead of wrapping"},
    Title{"K1", "the filter is read in the wrong direction"},
    Title{"K2", "taps at the borders are wrong"},
    Title{"K3", "a forward convolution is computed instead"},
    Title{"L1", "the layout of data or filter is wrong"},
    Title{"M1", "memory outside the backend's buffers is used"},
    Title{"N1", "sums are rounded twice"},
    Title{"N2", "NaN, infinities or signs of zeros are wrong"},
    Title{"N3", "subnormal numbers are flushed"},
    Title{"O1", "output_padding is ignored"},
    Title{"O2", "outputs of output_padding are not computed"},
    Title{"O3", "output_padding has the wrong size"},
    Title{"O4", "output_padding is on the wrong side"},
    Title{"P1", "an odd total of pads is split wrongly"},
    Title{"P2", "pads_begin and pads_end are confused"},
    Title{"P3", "auto_pad is misread"},
    Title{"P4", "pads are wrong when an output shape is given"},
    Title{"P5", "negative pads or totals are wrong"},
    Title{"P6", "output_shape is misread"},
    Title{"P7", "sizes are off by a little"},
    Title{"P8", "pads surround the data instead of cropping the output"},
    Title{"R1", "threads race or hang"},
    Title{"R2", "state from an earlier call remains"},
    Title{"R3", "the state of the caller is left changed"},
    Title{"S1", "the stride of another axis is used"},
    Title{"S2", "stride phases or gaps are wrong"},
    Title{"U1", "one special path for a common geometry is wrong"},
    Title{"V1", "operators are wrongly accepted or refused"},
    Title{"W1", "the last elements of rows are wrong"},
    Title{"X1", "attributes of axes are exchanged"},
    Title{"X2", "other numbers of axes are wrong"},
    Title{"Z1", "sizes of zero are wrong"},
};

}  // namespace

std::string_view ClassTitle(std::string_view mutant_class) {
  const auto* found = std::ranges::find(kTitles, mutant_class, &Title::mutant_class);
  return found == kTitles.end() ? std::string_view() : found->title;
}

}  // namespace conformance
