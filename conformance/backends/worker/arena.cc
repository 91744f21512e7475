// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the buffers of a run (data, filter, output) as a memory file that the runner shares with the worker, the
// process that runs the backend. The runner maps the whole file; the worker maps the pages of each buffer between two
// inaccessible pages.

#include "conformance/backends/worker/arena.h"

#include <algorithm>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

namespace conformance {
namespace {

constexpr std::byte kCanary{0xCB};

std::uint64_t PageSize() {
  static const auto size = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return size;
}

/// Whether all bytes have the value of a canary: the first byte has it, and each byte equals the next one. memcmp()
/// compares many bytes at a time.
bool IsCanary(std::span<const std::byte> bytes) {
  return bytes.empty() ||
         (bytes.front() == kCanary && std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

}  // namespace

std::uint64_t ArenaLayout::PageBytes(std::size_t buffer) const {
  return (std::max<std::uint64_t>(bytes[buffer], 1) + PageSize() - 1) / PageSize() * PageSize();
}

std::uint64_t ArenaLayout::FileOffset(std::size_t buffer) const {
  std::uint64_t offset = 0;
  for (std::size_t i = 0; i < buffer; ++i) offset += PageBytes(i);
  return offset;
}

std::uint64_t ArenaLayout::FileBytes() const { return FileOffset(kBufferCount); }

std::uint64_t ArenaLayout::Begin(std::size_t buffer) const {
  return placement == Placement::kAgainstBegin ? 0 : PageBytes(buffer) - bytes[buffer];
}

Arena::~Arena() {
  if (memory_ != nullptr) munmap(memory_, memory_bytes_);
  if (file_ >= 0) close(file_);
}

bool Arena::Resize(const ArenaLayout& layout) {
  // An arena larger than this gives its memory back after use. A smaller arena keeps it for the next case.
  constexpr std::uint64_t kKeptBytes = 64u << 20;
  ++resizes_;
  if (file_ < 0) {
    file_ = memfd_create("deconv-cts arena", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file_ < 0) return false;
    // Without this seal a worker could shorten the file, and the runner would crash when it reads the missing pages.
    if (fcntl(file_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL) != 0) return false;
  }
  layout_ = layout;
  // At least 1 MiB is mapped, so that small cases do not map the file again and again.
  const std::uint64_t needed = std::max<std::uint64_t>(layout.FileBytes(), 1u << 20);
  if (memory_ == nullptr || needed > memory_bytes_ || memory_bytes_ > kKeptBytes) {
    if (memory_ != nullptr) munmap(memory_, memory_bytes_);
    memory_ = nullptr;
    if (file_bytes_ != 0 && !ReleasePages()) return false;
    if (needed > file_bytes_) {
      if (ftruncate(file_, static_cast<off_t>(needed)) != 0) return false;
      file_bytes_ = needed;
    }
    void* mapped = mmap(nullptr, needed, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
    if (mapped == MAP_FAILED) return false;
    memory_ = static_cast<std::byte*>(mapped);
    memory_bytes_ = needed;
  }
  FillCanaries();
  return true;
}

bool Arena::ReleasePages() const {
  return fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(file_bytes_)) == 0;
}

void Arena::Place(Placement placement) {
  if (placement == layout_.placement) return;
  const ArenaLayout before = layout_;
  layout_.placement = placement;
  for (const std::size_t i : {kDataBuffer, kFilterBuffer}) {
    std::byte* pages = memory_ + layout_.FileOffset(i);
    std::memmove(pages + layout_.Begin(i), pages + before.Begin(i), layout_.bytes[i]);
  }
  FillCanaries();
}

std::span<std::byte> Arena::buffer(std::size_t index) {
  return {memory_ + layout_.FileOffset(index) + layout_.Begin(index), layout_.bytes[index]};
}

void Arena::FillCanaries() {
  for (std::size_t i = 0; i < kBufferCount; ++i) {
    std::byte* pages = memory_ + layout_.FileOffset(i);
    const std::uint64_t begin = layout_.Begin(i);
    const std::uint64_t end = begin + layout_.bytes[i];
    std::fill(pages, pages + begin, kCanary);
    std::fill(pages + end, pages + layout_.PageBytes(i), kCanary);
  }
}

std::string Arena::BrokenCanary() const {
  for (std::size_t i = 0; i < kBufferCount; ++i) {
    const std::byte* pages = memory_ + layout_.FileOffset(i);
    const std::uint64_t begin = layout_.Begin(i);
    const std::uint64_t end = begin + layout_.bytes[i];
    if (IsCanary({pages, begin}) && IsCanary({pages + end, layout_.PageBytes(i) - end})) continue;
    for (std::uint64_t at = begin; at-- > 0;) {
      if (pages[at] != kCanary) return fmt::format("{} byte(s) before the {} buffer", begin - at, kBufferNames[i]);
    }
    for (std::uint64_t at = end; at < layout_.PageBytes(i); ++at) {
      if (pages[at] != kCanary) return fmt::format("{} byte(s) past the {} buffer", at - end + 1, kBufferNames[i]);
    }
  }
  return {};
}

GuardedView::~GuardedView() { Unmap(); }

void GuardedView::Unmap() {
  if (reserved_ != nullptr) munmap(reserved_, reserved_bytes_);
  reserved_ = nullptr;
}

std::byte* GuardedView::PagesOf(const ArenaLayout& layout, std::size_t buffer) const {
  return reserved_ + layout.FileOffset(buffer) + (buffer + 1) * PageSize();
}

bool GuardedView::Map(int file, const ArenaLayout& layout, Inputs inputs) {
  std::array<std::uint64_t, kBufferCount> pages{};
  for (std::size_t i = 0; i < kBufferCount; ++i) pages.at(i) = layout.PageBytes(i);
  const bool stays = reserved_ != nullptr && file == file_ && pages == pages_;
  if (!(stays ? Protect(layout, inputs) : MapPages(file, layout, inputs))) {
    Unmap();
    return false;
  }
  file_ = file;
  pages_ = pages;
  inputs_ = inputs;
  for (std::size_t i = 0; i < kBufferCount; ++i) {
    buffers_.at(i) = {PagesOf(layout, i) + layout.Begin(i), layout.bytes.at(i)};
  }
  return true;
}

bool GuardedView::Protect(const ArenaLayout& layout, Inputs inputs) {
  if (inputs == inputs_) return true;
  const int protection = inputs == Inputs::kWritable ? PROT_READ | PROT_WRITE : PROT_READ;
  return std::ranges::all_of(std::array{kDataBuffer, kFilterBuffer}, [&](std::size_t i) {
    return mprotect(PagesOf(layout, i), layout.PageBytes(i), protection) == 0;
  });
}

bool GuardedView::MapPages(int file, const ArenaLayout& layout, Inputs inputs) {
  Unmap();
  reserved_bytes_ = layout.FileBytes() + (kBufferCount + 1) * PageSize();
  void* reserved = mmap(nullptr, reserved_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED) return false;
  reserved_ = static_cast<std::byte*>(reserved);
  for (std::size_t i = 0; i < kBufferCount; ++i) {
    const bool writable = i == kOutputBuffer || inputs == Inputs::kWritable;
    void* mapped = mmap(PagesOf(layout, i), layout.PageBytes(i), writable ? PROT_READ | PROT_WRITE : PROT_READ,
                        MAP_SHARED | MAP_FIXED, file, static_cast<off_t>(layout.FileOffset(i)));
    if (mapped == MAP_FAILED) return false;
  }
  return true;
}

}  // namespace conformance
