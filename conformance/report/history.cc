// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes and reads a history, a file with one JSON line for each run, from which a picture shows how a backend has
// changed over time. Unknown members of a line are ignored, because a newer version of the program may have written
// them.

#include "conformance/report/history.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "conformance/case/text/json_text.h"

namespace conformance {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

// The first bytes of each line that HistoryLines writes.
constexpr std::string_view kBegin = R"({"record":"history",)";

/// Reads a count of at most 10^9, more than any run has cases. Returns false for anything else.
bool ReadCount(const json& object, const char* name, std::size_t& count) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_number_unsigned() || found->get<std::uint64_t>() > 1'000'000'000)
    return false;
  count = found->get<std::size_t>();
  return true;
}

/// Reads a text of at most 4096 bytes (a guess: enough for a backend's command). Returns false for anything else.
bool ReadText(const json& object, const char* name, std::string& text) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_string() || found->get_ref<const std::string&>().size() > 4096) return false;
  text = found->get<std::string>();
  return true;
}

/// Reads an entry. Returns an empty string, or the name of the member that is missing or wrong.
std::string_view ReadEntry(const json& object, HistoryEntry& entry) {
  for (const auto& [name, text] : {std::pair{"time", &entry.time},
                                   {"revision", &entry.revision},
                                   {"backend", &entry.backend},
                                   {"version", &entry.version},
                                   {"level", &entry.level}}) {
    if (!ReadText(object, name, *text)) return name;
  }
  for (const auto& [name, count] : {std::pair{"passed", &entry.passed},
                                    {"failed", &entry.failed},
                                    {"expected_failures", &entry.expected},
                                    {"not_run", &entry.not_run}}) {
    if (!ReadCount(object, name, *count)) return name;
  }
  if (entry.expected > entry.failed) return "expected_failures";
  const auto seconds = object.find("seconds");
  if (seconds == object.end() || !seconds->is_number()) return "seconds";
  entry.seconds = seconds->get<double>();
  if (!std::isfinite(entry.seconds) || entry.seconds < 0 || entry.seconds > 1e9) return "seconds";
  const auto code = object.find("exit_code");
  if (code == object.end() || !code->is_number_unsigned() || code->get<std::uint64_t>() > 255) return "exit_code";
  entry.exit_code = code->get<int>();
  return "";
}

}  // namespace

std::vector<HistoryEntry> HistoryOf(std::span<const RunSummary> runs, const RunDescription& description,
                                    const std::string& time, const std::string& revision) {
  std::vector<HistoryEntry> entries;
  for (const RunSummary& summary : runs) {
    const RunRecord& run = *summary.run;
    const Tally& tally = summary.tally;
    const std::size_t right = tally.passed + tally.imprecise + tally.vacuous;
    entries.push_back({.time = time,
                       .revision = revision,
                       .backend = run.backend,
                       .version = run.declared.version,
                       .level = description.level,
                       .passed = right,
                       .failed = tally.failed,
                       .expected = tally.expected,
                       .not_run = run.results.size() + run.unjudged - right - tally.failed,
                       .seconds = run.seconds,
                       .exit_code = description.exit_code});
  }
  return entries;
}

std::string HistoryLines(std::span<const HistoryEntry> entries) {
  std::string lines;
  for (const HistoryEntry& entry : entries) {
    const ordered_json object = {
        {"record", "history"},      {"time", entry.time},       {"revision", entry.revision},
        {"backend", entry.backend}, {"version", entry.version}, {"level", entry.level},
        {"passed", entry.passed},   {"failed", entry.failed},   {"expected_failures", entry.expected},
        {"not_run", entry.not_run}, {"seconds", entry.seconds}, {"exit_code", entry.exit_code}};
    lines += JsonText(object) + "\n";
  }
  return lines;
}

std::string AppendHistory(const std::string& path, std::string_view lines) {
  const auto failure = [&path](const char* what) {
    return fmt::format("{}: cannot be {}: {}", path, what, std::strerror(errno));
  };
  const int file = open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) return failure("opened");
  char last = '\n';
  const off_t size = lseek(file, 0, SEEK_END);
  std::string begin(kBegin.size(), '\0');
  begin.resize(static_cast<std::size_t>(std::max<ssize_t>(0, pread(file, begin.data(), begin.size(), 0))));
  if (!kBegin.starts_with(begin)) {
    close(file);
    return path + ": is not a history, and nothing is added to it; give --history another path";
  }
  // A run that was killed may have left an incomplete last line. Then begin a new line.
  const bool ends_within_line = size > 0 && pread(file, &last, 1, size - 1) == 1 && last != '\n';
  const std::string text = (ends_within_line ? "\n" : "") + std::string(lines);
  const ssize_t written = text.empty() ? 0 : write(file, text.data(), text.size());
  std::string error;
  if (written < 0) error = failure("written");
  if (written >= 0 && static_cast<std::size_t>(written) != text.size()) error = path + ": cannot be written: disk full";
  close(file);
  return error;
}

std::variant<std::vector<HistoryEntry>, std::string> ReadHistory(std::string_view text) {
  std::vector<HistoryEntry> entries;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const json object = ParseJsonIfValid(line);
    if (!object.is_object())
      return fmt::format("line {}: expected a JSON object, as run --history writes it; remove the line", number);
    HistoryEntry entry;
    if (const std::string_view wrong = ReadEntry(object, entry); !wrong.empty()) {
      return fmt::format("line {}: the member {} is missing or wrong; remove the line", number, wrong);
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace conformance
