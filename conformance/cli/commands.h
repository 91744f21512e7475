// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The commands of the program deconv-cts, such as `run`. Each function adds its command to the program's command line.
// The parser executes the command that the user chose, which sets `exit_code`.

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
/// Adds `fuzz` for --help alone: RunFuzzProgram() runs it.
void AddFuzzCommand(CLI::App& program);

/// If the command is `fuzz` or `power --fuzz`, replaces this process by the program deconv-fuzz and does not return. If
/// that program cannot be started, returns the exit code. Returns a number below 0 for all other commands.
int RunFuzzProgram(int count, char** values);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_COMMANDS_H_
