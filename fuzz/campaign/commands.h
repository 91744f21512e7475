// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Declares the commands of deconv-fuzz. Each function adds a command to the program. The command sets `exit_code` when
// it has run.

#ifndef DECONV_FUZZ_CAMPAIGN_COMMANDS_H_
#define DECONV_FUZZ_CAMPAIGN_COMMANDS_H_

#include <CLI/CLI.hpp>

namespace fuzz {

/// `fuzz`: a campaign on a backend.
void AddFuzzCommand(CLI::App& program, int& exit_code);

/// `power`: measures how soon the fuzzer finds planted faults.
void AddPowerCommand(CLI::App& program, int& exit_code);

}  // namespace fuzz

#endif  // DECONV_FUZZ_CAMPAIGN_COMMANDS_H_
