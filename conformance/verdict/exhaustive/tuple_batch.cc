// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Holds a batch of tuples, which are the small operators of a sweep. Lays out their buffers in the arena, which is
// memory shared with the worker process, fills them, and reads the records of the answers back.

#include "conformance/verdict/exhaustive/tuple_batch.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "conformance/case/data_set.h"

namespace conformance {
namespace {

constexpr std::byte kCanary{0xCB};
// Canary bytes between two tensors of a buffer. They are more than the widest vector of 64 bytes, so that a store of
// one vector too many hits only canaries.
constexpr std::uint32_t kCanaries = 80;

// The least multiple of `to` that is at least the value.
std::uint32_t AlignUp(std::uint32_t value, std::uint32_t to) { return (value + to - 1) / to * to; }

bool IsCanary(std::span<const std::byte> bytes) {
  return std::ranges::all_of(bytes, [](std::byte byte) { return byte == kCanary; });
}

/// Chooses the poison, which fills outputs before the run: a byte such that no right output consists of it alone. An
/// output that still holds it was not written. If every byte occurs, as in many outputs of u8, the byte that the fewest
/// right outputs consist of.
std::byte PoisonOf(Expected& expected, DataSet values, const Capabilities& declared) {
  const oracle::Geometry& geometry = expected.geometry();
  // The first poison is a NaN. Where sums may be NaN, use the second poison: a number that small integers do not give.
  const bool has_nan = values == DataSet::kSpecials || values == DataSet::kZeros;
  if (oracle::IsFloat(geometry.type)) return has_nan ? kSecondPoison : kFirstPoison;
  const std::size_t bytes = oracle::ElementBytes(geometry.type);
  std::array<std::int64_t, 256> outputs{};
  for (const oracle::IntegerSum& sum : expected.Sums<oracle::IntegerSum>({0, geometry.OutputCount()})) {
    const std::uint64_t bits = declared.Saturates(geometry.type) ? sum.saturated : sum.wrapped;
    const std::uint64_t low = bits & 0xFF;
    std::uint64_t repeated = 0;
    for (std::size_t i = 0; i < bytes; ++i) repeated = repeated << 8 | low;
    if (bits == repeated) ++outputs.at(low);
  }
  // The search goes from 255 down, so the largest such byte wins.
  const auto fewest = std::min_element(outputs.rbegin(), outputs.rend());
  return static_cast<std::byte>(outputs.rend() - fewest - 1);
}

}  // namespace

std::span<std::byte> TupleBatch::BytesOfTensor(std::size_t buffer, const BatchRecord& record) {
  return arena_.buffer(buffer).subspan(record.offsets.at(buffer), record.bytes.at(buffer));
}

// Lays out the tensors of all tuples one after the other, each at the alignment of its element type only.
bool TupleBatch::PlaceTensors(bool with_values) {
  std::array<std::uint32_t, kBufferCount> ends = {kCanaries, kCanaries, 0};
  ends[kOutputBuffer] = static_cast<std::uint32_t>(tuples_.size() * sizeof(BatchRecord)) + kCanaries;
  for (Tuple& tuple : tuples_) {
    BatchRecord& record = tuple.record;
    record = {};
    record.answer = tuple.left_out ? BatchRecord::kLeftOut : BatchRecord::kNotReached;
    if (tuple.left_out || !with_values || !tuple.resolution.ok()) continue;
    const oracle::Geometry& geometry = *tuple.resolution.geometry;
    const auto element = static_cast<std::uint32_t>(oracle::ElementBytes(geometry.type));
    const std::array counts = {geometry.DataCount(), geometry.FilterCount(), geometry.OutputCount()};
    for (std::size_t i = 0; i < kBufferCount; ++i) {
      record.offsets.at(i) = AlignUp(ends.at(i), element);
      record.bytes.at(i) = static_cast<std::uint32_t>(counts.at(i)) * element;
      ends.at(i) = record.offsets.at(i) + record.bytes.at(i) + kCanaries;
    }
  }
  ArenaLayout layout;
  // Buffers end at the end of their pages, so the begin of a buffer is as aligned as its length. 64 is the alignment
  // that the widest vectors need.
  for (std::size_t i = 0; i < kBufferCount; ++i) layout.bytes.at(i) = AlignUp(ends.at(i), 64);
  return arena_.Resize(layout);
}

bool TupleBatch::SetUp(const SweepCases& cases, std::uint64_t begin, std::uint64_t end, oracle::Dialect dialect,
                       bool with_values, const Capabilities& declared) {
  // The backend declares the sweep's operator. Only these two declarations can exclude some of its tuples.
  const bool leaves_out = declared.unsupported != 0 || declared.max_attribute != 0;
  reached_ = 0;
  tuples_.clear();
  tuples_.resize(end - begin);
  std::vector<Case> tuple_cases(with_values ? end - begin : 1);
  for (std::uint64_t number = begin; number < end; ++number) {
    Case& tuple_case = tuple_cases[with_values ? number - begin : 0];
    cases.Get(number, tuple_case);
    tuples_[number - begin].resolution = oracle::Resolve(tuple_case.op, dialect, oracle::StepTexts::kLeftOut);
    tuples_[number - begin].left_out = leaves_out && !declared.UnsupportedReason(tuple_case.op, dialect).empty();
  }
  if (!PlaceTensors(with_values)) return false;
  const auto output = arena_.buffer(kOutputBuffer);
  if (with_values) {
    for (std::size_t i = 0; i < kBufferCount; ++i) std::ranges::fill(arena_.buffer(i), kCanary);
    for (std::size_t i = 0; i < tuples_.size(); ++i) Fill(tuple_cases[i], tuples_[i], declared);
    const auto data = arena_.buffer(kDataBuffer);
    const auto filter = arena_.buffer(kFilterBuffer);
    data_.assign(data.begin(), data.end());
    filter_.assign(filter.begin(), filter.end());
  }
  for (std::size_t i = 0; i < tuples_.size(); ++i) {
    std::memcpy(output.data() + i * sizeof(BatchRecord), &tuples_[i].record, sizeof(BatchRecord));
  }
  return true;
}

void TupleBatch::Fill(const Case& tuple_case, Tuple& tuple, const Capabilities& declared) {
  if (tuple.left_out || !tuple.resolution.ok()) return;
  const oracle::Geometry& geometry = *tuple.resolution.geometry;
  const auto data = BytesOfTensor(kDataBuffer, tuple.record);
  const auto filter = BytesOfTensor(kFilterBuffer, tuple.record);
  FillTensor(tuple_case.values, tuple_case.seed, geometry, Tensor::kData, data);
  FillTensor(tuple_case.values, tuple_case.seed, geometry, Tensor::kFilter, filter);
  tuple.expected.emplace(oracle::Operands(geometry, data, filter));
  std::ranges::fill(BytesOfTensor(kOutputBuffer, tuple.record), PoisonOf(*tuple.expected, tuple_case.values, declared));
}

bool TupleBatch::HasProgressed() {
  const auto output = arena_.buffer(kOutputBuffer);
  const std::size_t before = reached_;
  while (reached_ < tuples_.size()) {
    BatchRecord record;
    std::memcpy(&record, output.data() + reached_ * sizeof record, sizeof record);
    if (record.answer == BatchRecord::kNotReached) break;
    ++reached_;
  }
  return reached_ != before;
}

// Copies the records, but keeps the offsets and sizes of the buffers, because a faulty backend could have overwritten
// them.
void TupleBatch::ReadRecords() {
  const auto output = arena_.buffer(kOutputBuffer);
  for (std::size_t i = 0; i < tuples_.size(); ++i) {
    BatchRecord record;
    std::memcpy(&record, output.data() + i * sizeof record, sizeof record);
    record.offsets = tuples_[i].record.offsets;
    record.bytes = tuples_[i].record.bytes;
    // The runner alone decides which cases are left out. A worker's record cannot say it.
    if (record.answer == BatchRecord::kLeftOut && !tuples_[i].left_out) record.answer = kContractBroken;
    tuples_[i].record = record;
  }
}

std::span<const std::byte> TupleBatch::Output(std::size_t i) { return BytesOfTensor(kOutputBuffer, tuples_[i].record); }

bool TupleBatch::InputsAreUntouched() {
  return std::ranges::equal(arena_.buffer(kDataBuffer), data_) &&
         std::ranges::equal(arena_.buffer(kFilterBuffer), filter_);
}

std::optional<std::size_t> TupleBatch::BrokenCanary() {
  const auto output = arena_.buffer(kOutputBuffer);
  std::size_t end = tuples_.size() * sizeof(BatchRecord);  // end of the output before
  for (std::size_t i = 0; i < tuples_.size(); ++i) {
    const BatchRecord& record = tuples_[i].record;
    if (record.bytes[kOutputBuffer] == 0) continue;
    if (!IsCanary(output.subspan(end, record.offsets[kOutputBuffer] - end))) return i;
    end = record.offsets[kOutputBuffer] + record.bytes[kOutputBuffer];
    if (!IsCanary(output.subspan(end, kCanaries))) return i;
  }
  return std::nullopt;
}

}  // namespace conformance
