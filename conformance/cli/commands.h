// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The commands of deconv-cts. Each one adds itself to the program's command line and sets the exit code when it is
// chosen.

#ifndef DECONV_CONFORMANCE_CLI_COMMANDS_H_
#define DECONV_CONFORMANCE_CLI_COMMANDS_H_

#include <CLI/CLI.hpp>

namespace conformance {

void AddRunCommand(CLI::App& program, int& exit_code);
void AddReplayCommand(CLI::App& program, int& exit_code);
void AddListCommand(CLI::App& program, int& exit_code);
void AddExplainCommand(CLI::App& program, int& exit_code);
void AddMinimizeCommand(CLI::App& program, int& exit_code);
void AddMergeCommand(CLI::App& program, int& exit_code);
void AddDiffCommand(CLI::App& program, int& exit_code);
void AddPowerCommand(CLI::App& program, int& exit_code);
void AddSupportCommand(CLI::App& program, int& exit_code);
void AddDoctorCommand(CLI::App& program, int& exit_code);
void AddImportCommand(CLI::App& program, int& exit_code);
void AddExportCommand(CLI::App& program, int& exit_code);
void AddJudgeRecordedCommand(CLI::App& program, int& exit_code);
/// Adds `fuzz` for --help alone: see RunFuzzProgram.
void AddFuzzCommand(CLI::App& program);

/// Runs `fuzz` and `power --fuzz`: does not return, or returns the exit code if the program deconv-fuzz cannot be
/// started. Returns a number below 0 for all other commands.
int RunFuzzProgram(int count, char** values);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_COMMANDS_H_
