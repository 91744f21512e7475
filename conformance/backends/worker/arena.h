// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The buffers of a run (data, filter, output), in memory that the runner shares with the worker, the process that runs
// the backend. In the worker each buffer lies between two inaccessible guard pages and touches one of them. The bytes
// between the buffer and its other guard page are canaries: bytes that must not change.
//   kAgainstEnd:   guard page | canaries | buffer | guard page
//   kAgainstBegin: guard page | buffer | canaries | guard page
// Example: with pages of 4096 bytes, a buffer of 13 bytes against the end begins at byte 4083 of its page. A read of
// its 14th byte hits the guard page and ends the process.

#ifndef DECONV_CONFORMANCE_BACKENDS_WORKER_ARENA_H_
#define DECONV_CONFORMANCE_BACKENDS_WORKER_ARENA_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace conformance {

/// The guard page that the buffers touch. Against the end, a buffer of an odd number of bytes has an odd address.
enum class Placement : std::uint32_t { kAgainstEnd, kAgainstBegin };

/// Whether the backend's process can write to data and filter.
enum class Inputs : std::uint32_t { kWritable, kReadOnly };

enum BufferIndex : std::uint8_t { kDataBuffer, kFilterBuffer, kOutputBuffer };
inline constexpr std::size_t kBufferCount = 3;
inline constexpr std::array<const char*, kBufferCount> kBufferNames = {"data", "filter", "output"};

/// The message of a case's verdict if Resize() fails.
inline constexpr std::string_view kNoMemoryForBuffers =
    "the suite could not allocate the buffers of this case; use fewer --jobs or free memory";

/// The sizes of the three buffers, and where they lie in the memory file. All numbers are in bytes.
struct ArenaLayout {
  std::array<std::uint64_t, kBufferCount> bytes = {};
  Placement placement = Placement::kAgainstEnd;

  std::uint64_t PageBytes(std::size_t buffer) const;   ///< of the buffer's pages: a multiple of the page size, never 0
  std::uint64_t FileOffset(std::size_t buffer) const;  ///< offset of the buffer's first page
  std::uint64_t FileBytes() const;
  std::uint64_t Begin(std::size_t buffer) const;  ///< offset of the buffer within its pages
};

/// The runner's side: owns the memory.
class Arena {
 public:
  Arena() = default;
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  /// Makes the memory file large enough for this layout, and fills the canaries. Returns false if memory is lacking.
  bool Resize(const ArenaLayout& layout);
  /// Changes the placement: moves the contents of data and filter, and refills the canaries.
  void Place(Placement placement);

  std::span<std::byte> buffer(std::size_t index);
  void FillCanaries();
  /// Says which buffer has a changed canary, and how far from the buffer. Empty if no canary changed.
  std::string BrokenCanary() const;

  const ArenaLayout& layout() const { return layout_; }
  int file() const { return file_; }
  /// The size of the memory file. A worker cannot make it smaller.
  std::uint64_t file_bytes() const { return file_bytes_; }
  /// The number of calls of Resize(). A caller that remembers the number sees whether the buffers are still its own.
  std::uint64_t resizes() const { return resizes_; }

 private:
  /// Returns the memory of all pages to the system. The pages then read as zeros.
  bool ReleasePages() const;

  int file_ = -1;
  std::uint64_t file_bytes_ = 0;
  std::uint64_t resizes_ = 0;
  ArenaLayout layout_;
  std::byte* memory_ = nullptr;
  std::uint64_t memory_bytes_ = 0;
};

/// The worker's side: maps the same pages between guard pages.
class GuardedView {
 public:
  GuardedView() = default;
  ~GuardedView();
  GuardedView(const GuardedView&) = delete;
  GuardedView& operator=(const GuardedView&) = delete;

  /// Maps the buffers' pages. Returns false if the system refuses. With kReadOnly, a write to the pages of data and
  /// filter ends the process by SIGSEGV. Pages that are mapped already stay: most cases have one page for each buffer,
  /// and mapping them again takes longer than a small operator.
  bool Map(int file, const ArenaLayout& layout, Inputs inputs = Inputs::kWritable);
  std::span<std::byte> buffer(std::size_t index) const { return buffers_[index]; }

 private:
  void Unmap();
  bool MapPages(int file, const ArenaLayout& layout, Inputs inputs);
  bool Protect(const ArenaLayout& layout, Inputs inputs);
  std::byte* PagesOf(const ArenaLayout& layout, std::size_t buffer) const;

  std::byte* reserved_ = nullptr;
  std::size_t reserved_bytes_ = 0;
  int file_ = -1;                                       ///< the file whose pages are mapped
  std::array<std::uint64_t, kBufferCount> pages_ = {};  ///< bytes that are mapped of each buffer
  Inputs inputs_ = Inputs::kWritable;                   ///< how the pages are mapped
  std::array<std::span<std::byte>, kBufferCount> buffers_;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_WORKER_ARENA_H_
