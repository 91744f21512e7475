// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads and writes files of seeds, the inputs with which fuzzing starts. Lines "--- TITLE" separate the seeds. In a
// seed, \\, \n and \xNN stand for bytes that a line of text cannot show. A backslash at the end of a line says that the
// next line continues it.

#include "fuzz/targets/seed_file.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

namespace fuzz {
namespace {

constexpr std::string_view kDivider = "---";
// A longer line is broken in two, if possible after one of these characters.
constexpr std::size_t kMostColumns = 120;
constexpr std::string_view kFolds = ",: ";
// Seeds whose titles begin so are never removed.
constexpr std::string_view kRegression = "regression: ";
constexpr const char* kNewTitle = "found by fuzzing";

bool IsPrintable(char c) { return c >= ' ' && c <= '~'; }

std::string HexEscape(char c) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const auto byte = static_cast<std::uint8_t>(c);
  return {'\\', 'x', kDigits[byte / 16], kDigits[byte % 16]};
}

/// Reads the text of a seed file, line by line.
class SeedReader {
 public:
  explicit SeedReader(const std::filesystem::path& file) : file_(file) {}

  std::variant<SeedFile, std::string> Read(std::string_view text) {
    while (!text.empty() && error_.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      ReadLine(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    EndSeed();
    if (error_.empty() && file_content_.seeds.empty()) {
      Fail(line_number_, "found no seed, expected '--- TITLE' and an input");
    }
    if (!error_.empty()) return error_;
    return std::move(file_content_);
  }

 private:
  /// Sets the error message, unless there is an earlier one.
  void Fail(std::size_t line_number, const std::string& message) {
    if (error_.empty()) error_ = file_.string() + ":" + std::to_string(line_number) + ": " + message;
  }

  void ReadLine(std::string_view line) {
    ++line_number_;
    for (const char c : line) {
      if (!IsPrintable(c)) {
        return Fail(line_number_, "found the byte " + HexEscape(c) + ", expected it written like this");
      }
    }
    if (line.starts_with(kDivider)) {
      EndSeed();
      if (line.size() < kDivider.size() + 2 || line[kDivider.size()] != ' ') {
        return Fail(line_number_,
                    "found '" + std::string(line) + "', expected '--- TITLE', which says what the seed covers");
      }
      file_content_.seeds.push_back(
          {.title = std::string(line.substr(kDivider.size() + 1)), .bytes = {}, .line = line_number_});
    } else if (!file_content_.seeds.empty()) {
      ReadInputLine(line);
    } else if (line.empty() || line.starts_with('#')) {
      file_content_.comment.append(line).append("\n");
    } else {
      Fail(line_number_, "found '" + std::string(line) + "', expected a comment or '--- TITLE'");
    }
  }

  /// Appends a line of the file to the bytes of the last seed.
  void ReadInputLine(std::string_view line) {
    std::string& bytes = file_content_.seeds.back().bytes;
    if (!is_continued_ && has_lines_) bytes.push_back('\n');
    is_continued_ = false;
    has_lines_ = true;
    last_input_line_ = line_number_;
    while (!line.empty()) {
      const char c = line.front();
      line.remove_prefix(1);
      if (c != '\\') {
        bytes.push_back(c);
      } else if (line.empty()) {
        is_continued_ = true;
      } else if (!ReadEscape(line, bytes)) {
        return Fail(line_number_, "found '\\" + std::string(line.substr(0, 3)) +
                                      R"(', expected \\, \n, \xNN or the end of the line behind a backslash)");
      }
    }
  }

  /// Reads the rest of an escape behind its backslash, appends its byte to `bytes`, and removes it from `line`. Returns
  /// false if it is no escape.
  static bool ReadEscape(std::string_view& line, std::string& bytes) {
    const char kind = line.front();
    std::size_t size = 1;
    if (kind == '\\') {
      bytes.push_back('\\');
    } else if (kind == 'n') {
      bytes.push_back('\n');
    } else {
      unsigned byte = 0;
      size = 3;
      const char* const end = line.data() + size;
      if (kind != 'x' || line.size() < size) return false;
      if (std::from_chars(line.data() + 1, end, byte, 16).ptr != end) return false;
      bytes.push_back(static_cast<char>(byte));
    }
    line.remove_prefix(size);
    return true;
  }

  /// Checks the last seed, if there is one: it must be complete, and differ from the earlier ones.
  void EndSeed() {
    if (file_content_.seeds.empty() || !error_.empty()) return;
    const Seed& seed = file_content_.seeds.back();
    if (is_continued_) return Fail(last_input_line_, "found '\\' at the end of a seed, expected another line of it");
    has_lines_ = false;
    const auto [other, is_new] = line_of_seed_.emplace(seed.bytes, seed.line);
    if (!is_new) Fail(seed.line, "found the seed of line " + std::to_string(other->second) + ", expected another one");
  }

  const std::filesystem::path& file_;  ///< its name, for messages
  std::size_t line_number_ = 0;        ///< number of the line that is read, from 1
  SeedFile file_content_;
  bool has_lines_ = false;                           ///< the last seed has at least one line
  std::size_t last_input_line_ = 0;                  ///< number of the last line that belongs to a seed's bytes
  bool is_continued_ = false;                        ///< that line ended in a backslash, so the next one continues it
  std::map<std::string, std::size_t> line_of_seed_;  ///< the number of the line of each seed's title, by its bytes
  std::string error_;                                ///< the first error; empty if there is none
};

/// Whether a line that begins at `at` would look like the title of a seed.
bool SeemsTitle(std::string_view input, std::size_t at) { return input.substr(at).starts_with(kDivider); }

/// The text in the file for the character at `at`: the character itself, or an escape. A space at the end of a line is
/// escaped, because editors remove it. `begins_line`: the text begins a line of the file.
std::string CharacterOrEscape(std::string_view input, std::size_t at, bool begins_line) {
  const char c = input[at];
  if (c == '\n') return "\\n";
  if (c == '\\') return "\\\\";
  const bool ends_line = at + 1 == input.size() || input[at + 1] == '\n';
  if (!IsPrintable(c) || (c == ' ' && ends_line) || (begins_line && SeemsTitle(input, at))) return HexEscape(c);
  return std::string(1, c);
}

/// The lines that stand for an input in the file. A line break of the input becomes a line break. A line break at the
/// end becomes \n, so that it is visible. Long lines are continued on the next line (kMostColumns). Example: of the
/// bytes "{", line break, "a", space, line break, the lines are "{" and "a\x20\n".
std::string InputText(std::string_view input) {
  std::string text;
  std::size_t begin = 0;  // where the current line of `text` begins
  std::size_t fold = 0;   // the last position in `text` where that line may be broken
  for (std::size_t i = 0; i < input.size(); ++i) {
    if (input[i] == '\n' && i + 1 != input.size()) {
      text.push_back('\n');
      begin = text.size();
      continue;
    }
    std::string written = CharacterOrEscape(input, i, text.size() == begin);
    if (text.size() - begin + written.size() >= kMostColumns) {
      // If the line may be broken only in its first half, it is broken here instead, so that no line is short.
      if (fold < begin + kMostColumns / 2) fold = text.size();
      text.insert(fold, "\\\n");
      begin = fold + 2;  // behind the backslash and the line break
      written = CharacterOrEscape(input, i, text.size() == begin);
    }
    text += written;
    if (kFolds.find(input[i]) != std::string_view::npos && !SeemsTitle(input, i + 1)) fold = text.size();
  }
  if (!input.empty()) text.push_back('\n');
  return text;
}

}  // namespace

std::variant<SeedFile, std::string> ParseSeeds(std::string_view text, const std::filesystem::path& file) {
  return SeedReader(file).Read(text);
}

void ReplaceSeeds(SeedFile& seeds, const std::vector<std::string>& inputs) {
  std::set<std::string> wanted(inputs.begin(), inputs.end());
  std::erase_if(seeds.seeds, [&](const Seed& seed) {
    return wanted.erase(seed.bytes) == 0 && !seed.title.starts_with(kRegression);
  });
  for (const std::string& input : inputs) {
    if (wanted.erase(input) != 0) seeds.seeds.push_back({.title = kNewTitle, .bytes = input});
  }
}

std::string SeedsText(const SeedFile& seeds) {
  std::string text = seeds.comment;
  for (const Seed& seed : seeds.seeds) {
    text.append(kDivider).append(" ").append(seed.title).append("\n").append(InputText(seed.bytes));
  }
  return text;
}

namespace {

namespace fs = std::filesystem;

/// Prints the path and what is wrong with it on stderr. Returns false.
bool Complain(const fs::path& path, std::string_view what) {
  std::fprintf(stderr, "%s: %.*s\n", path.c_str(), static_cast<int>(what.size()), what.data());
  return false;
}

/// Appends `path` to `inputs` if it is a file, or all files below it if it is a directory. These are sorted, so that
/// two replays fail at the same input. Returns false after a complaint if the path cannot be read.
bool AddInputs(const fs::path& path, std::vector<fs::path>& inputs) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::is_directory(status)) {
    if (!fs::exists(status)) return Complain(path, "cannot be read: no such file or directory");
    inputs.push_back(path);
    return true;
  }
  std::vector<fs::path> found;
  fs::recursive_directory_iterator entry(path, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    if (entry->is_regular_file(error)) found.push_back(entry->path());
  }
  if (error) return Complain(path, error.message());
  std::sort(found.begin(), found.end());
  inputs.insert(inputs.end(), found.begin(), found.end());
  return true;
}

}  // namespace

std::optional<std::vector<fs::path>> FindInputs(const std::vector<std::string>& paths) {
  std::vector<fs::path> inputs;
  for (const std::string& path : paths) {
    if (!AddInputs(path, inputs)) return std::nullopt;
  }
  return inputs;
}

std::optional<std::string> ReadInput(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (file.is_open() && !file.bad()) return bytes;
  Complain(path, "cannot be read");
  return std::nullopt;
}

}  // namespace fuzz
