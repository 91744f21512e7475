// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The title of each class of defects, for reports.

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
    Title{"B1", "samples of a batch"},
    Title{"C1", "input and output channels are confused"},
    Title{"C2", "tails of channel blocks"},
    Title{"D1", "dilation is missing"},
    Title{"D2", "dilation and stride together"},
    Title{"D3", "what a dilation counts from"},
    Title{"E1", "an accumulator or operand of too few bits"},
    Title{"G1", "where the filters of groups lie"},
    Title{"G2", "the order of channels and groups"},
    Title{"G3", "groups of more than one channel"},
    Title{"I1", "indices and sizes overflow"},
    Title{"I2", "integers saturate that have to wrap"},
    Title{"K1", "the direction of the filter"},
    Title{"K2", "taps at the borders"},
    Title{"K3", "a forward convolution"},
    Title{"L1", "data or filter layouts"},
    Title{"M1", "memory that is not the backend's"},
    Title{"N1", "sums are rounded twice"},
    Title{"N2", "NaN, infinities and signs of zeros"},
    Title{"N3", "subnormal numbers are flushed"},
    Title{"O1", "output_padding is ignored"},
    Title{"O2", "outputs of output_padding are not computed"},
    Title{"O3", "the amount of output_padding"},
    Title{"O4", "the side of output_padding"},
    Title{"P1", "how an odd total of pads is split"},
    Title{"P2", "pads_begin and pads_end are confused"},
    Title{"P3", "auto_pad is misread"},
    Title{"P4", "pads beside an output shape"},
    Title{"P5", "negative pads and totals"},
    Title{"P6", "output_shape is misread"},
    Title{"P7", "sizes are off by a little"},
    Title{"P8", "pads surround the data instead of cropping the output"},
    Title{"R1", "threads race, or never come back"},
    Title{"R2", "something is left from an earlier call"},
    Title{"S1", "the stride of another axis"},
    Title{"S2", "stride phases and gaps"},
    Title{"V1", "invalid operators are accepted"},
    Title{"W1", "tails of rows"},
    Title{"X1", "attributes of axes are exchanged"},
    Title{"X2", "other numbers of axes"},
    Title{"Z1", "sizes of zero"},
};

}  // namespace

std::string_view ClassTitle(std::string_view mutant_class) {
  const auto* found = std::ranges::find(kTitles, mutant_class, &Title::mutant_class);
  return found == kTitles.end() ? std::string_view() : found->title;
}

}  // namespace conformance
