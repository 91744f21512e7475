// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target of the kernel's C interface (deconv.h): calls it with arguments of which some are wrong, because a
// caller's mistake must never crash the library. The input is a list of numbers ("choices") and a case, the text of an
// operator. The choices say which arguments are wrong: sizes, pointers, names, other numbers, packed filters, or the
// caller's threads. The kernel must return one of its codes, give a message exactly with an error, and not write the
// output of a refused call.

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <deconv/deconv.h>

#include "fuzz/cases/case_input.h"
#include "fuzz/cases/case_mutator.h"
#include "fuzz/cases/kernel_operator.h"
#include "fuzz/cases/require.h"

namespace {

using fuzz::Require;

// The first line of the input has up to 64 choices, which are numbers from 0 to 255. The second line is the case.
constexpr std::size_t kChoices = 64;
// Fills each buffer before a call, so that a write into the output of a refused call is seen.
constexpr std::uint8_t kPoison = 0xa5;

// Reads the choices one after the other. Seeds are inputs with which fuzzing starts. The choices of older seeds must
// keep their meaning, so a new choice is read after all older ones or as Last().
class Choices {
 public:
  explicit Choices(std::string_view line) {
    const auto words = fuzz::Split(line, ' ');
    for (std::size_t i = 0; i < std::min(words.size(), kChoices); ++i) {
      std::from_chars(words[i].data(), words[i].data() + words[i].size(), numbers_[i]);
    }
  }

  // The next number; 0 after the last one.
  std::uint8_t Next() { return next_ < kChoices ? numbers_[next_++] : 0; }
  // The last number. Calls of Next() do not get that far.
  std::uint8_t Last() const { return numbers_.back(); }
  // Whether to pass a wrong value: true for one number of four.
  bool NextIsWrong() { return Next() % 4 == 3; }
  // Returns the right size for three of four numbers, else a size that is slightly wrong or absurd. The lowest two bits
  // of the number say whether it is right, the others which wrong size is meant.
  std::size_t NextSize(std::size_t right) {
    const std::uint8_t choice = Next();
    if (choice % 4 != 3) return right;
    const std::size_t wrong[] = {0, right - 1, right / 2, right + 1, SIZE_MAX, sizeof(std::size_t), 1};
    return wrong[choice / 4 % std::size(wrong)];
  }

 private:
  std::array<std::uint8_t, kChoices> numbers_{};  ///< numbers that the line does not have are 0
  std::size_t next_ = 0;
};

// Requires that the code that a call returned is known and agrees with the call's status. An error has a message, a
// success has none.
void CheckAnswer(deconv_code code, const deconv_status& status) {
  Require(code >= DECONV_OK && code <= DECONV_SELFTEST_FAILED, "an unknown code: " + std::to_string(code));
  Require(status.struct_bytes == sizeof status, "the kernel changed struct_bytes of the status");
  Require(status.code == code, "the status has another code than was returned");
  const bool has_message = status.message[0] != '\0';
  Require(has_message == (code != DECONV_OK), std::string("the message does not go with the code: ") + status.message);
}

// A status with the struct_bytes that the kernel expects.
deconv_status EmptyStatus() {
  deconv_status status = {};
  status.struct_bytes = sizeof status;
  return status;
}

// A buffer on the heap of exactly `bytes`, so that memory checkers see accesses beyond its end.
struct Buffer {
  explicit Buffer(std::size_t size) : bytes(size), memory(new std::uint8_t[size]) {
    std::fill_n(memory.get(), bytes, kPoison);
  }
  std::size_t bytes;
  std::unique_ptr<std::uint8_t[]> memory;
};

// Chooses the size that the kernel is told of a buffer. It is at most the true size, because the kernel cannot detect a
// size that is larger than the memory.
std::size_t ClaimedBytes(Choices& choices, const Buffer& buffer) {
  return std::min(choices.NextSize(buffer.bytes), buffer.bytes);
}

// Changes a byte of a packed filter, as damage of a stored one would.
void ChangeOneByte(const Buffer& buffer, Choices& choices) {
  const std::size_t at = choices.Next() % buffer.bytes;
  buffer.memory[at] ^= choices.Next();
}

// A bad caller's parallel_for, the function by which a run gives its tasks to the caller's threads. It uses one thread
// and runs the tasks in reverse order. If it breaks the contract, it also passes an index or a worker that does not
// exist.
struct Threads {
  std::size_t workers = 1;
  bool breaks_contract = false;
};
void ParallelFor(void* context, std::size_t count, deconv_task task, void* argument) {
  const auto& threads = *static_cast<const Threads*>(context);
  for (std::size_t i = count; i-- > 0;) task(argument, i, i % threads.workers);
  if (threads.breaks_contract) {
    task(argument, count, 0);
    task(argument, 0, threads.workers);
    task(argument, SIZE_MAX, SIZE_MAX);
  }
}

// Packs a filter (brings it into the kernel's own order) and reads and checks the packed filter, with arguments that
// may be wrong.
void CheckPacking(const deconv_plan* plan, const Buffer& filter, const Buffer& packed, Choices& choices) {
  deconv_status status = EmptyStatus();
  if (!choices.NextIsWrong()) {
    const std::size_t filter_bytes = ClaimedBytes(choices, filter);
    const std::size_t packed_bytes = ClaimedBytes(choices, packed);
    const std::uint8_t* const filter_memory = choices.NextIsWrong() ? nullptr : filter.memory.get();
    CheckAnswer(deconv_pack_filter(plan, filter_memory, filter_bytes, packed.memory.get(), packed_bytes, &status),
                status);
  }
  if (choices.NextIsWrong() && packed.bytes != 0) ChangeOneByte(packed, choices);
  deconv_packed_filter_info info = {};
  info.struct_bytes = sizeof info;
  status = EmptyStatus();
  CheckAnswer(deconv_packed_filter_read(packed.memory.get(), ClaimedBytes(choices, packed), &info, &status), status);
  status = EmptyStatus();
  CheckAnswer(deconv_packed_filter_check(plan, packed.memory.get(), ClaimedBytes(choices, packed), &status), status);
}

// Packs a filter and runs the plan, with arguments that may be wrong, and checks the answers.
void CheckPackingAndRun(const deconv_plan* plan, Choices& choices) {
  const std::int64_t batch = choices.NextIsWrong() ? choices.Next() - 128 : 0;  // 0: the batch of the plan
  Threads threads = {.workers = std::size_t{1} + choices.Next() % 3, .breaks_contract = choices.NextIsWrong()};
  const bool parallel = choices.Next() % 2 == 0;
  const std::size_t sample_bytes = deconv_plan_batch_data_bytes(plan, 1);
  if (batch > 0 && sample_bytes > (std::size_t{1} << 20)) return;  // a batch has up to 127 samples: over 127 MiB

  // The kernel gives SIZE_MAX for a negative batch, and for a size that overflows. The buffer is then empty.
  const auto size_or_0 = [&](std::size_t bytes) { return bytes == SIZE_MAX ? 0 : bytes; };
  const Buffer data(size_or_0(batch == 0 ? deconv_plan_data_bytes(plan) : deconv_plan_batch_data_bytes(plan, batch)));
  const Buffer filter(deconv_plan_filter_bytes(plan));
  const Buffer packed(deconv_plan_packed_filter_bytes(plan));
  const Buffer output(
      size_or_0(batch == 0 ? deconv_plan_output_bytes(plan) : deconv_plan_batch_output_bytes(plan, batch)));
  const Buffer workspace(size_or_0(deconv_plan_workspace_bytes(plan, parallel ? threads.workers : 1)));

  CheckPacking(plan, filter, packed, choices);
  deconv_run_args args = {};
  args.struct_bytes = choices.NextSize(sizeof args);
  args.data = choices.NextIsWrong() ? nullptr : data.memory.get();
  args.data_bytes = ClaimedBytes(choices, data);
  args.packed_filter = choices.NextIsWrong() ? nullptr : packed.memory.get();
  args.packed_filter_bytes = ClaimedBytes(choices, packed);
  args.output = choices.NextIsWrong() ? nullptr : output.memory.get();
  args.output_bytes = ClaimedBytes(choices, output);
  args.workspace = choices.NextIsWrong() ? nullptr : workspace.memory.get();
  args.workspace_bytes = ClaimedBytes(choices, workspace);
  args.parallel_for = parallel ? ParallelFor : nullptr;
  args.parallel_context = &threads;
  args.workers = threads.workers;
  args.batch = batch;
  // A struct_bytes above the struct's size would mean a newer version of the struct, whose memory is not there.
  if (args.struct_bytes > sizeof args) args.struct_bytes = sizeof args;
  const bool overlaps = choices.NextIsWrong() && data.bytes > 0 && output.bytes > 0;
  if (overlaps) {
    args.output = data.memory.get();
    args.output_bytes = data.bytes;
  }
  deconv_status status = EmptyStatus();
  const deconv_code code = deconv_run(plan, &args, &status);
  CheckAnswer(code, status);
  Require(code != DECONV_OK || !overlaps, "a run whose output overlaps its data was not refused");
  // A broken contract of parallel_for is noticed only while the run computes, so the output may have been written.
  const bool may_write_output = code == DECONV_OK || (parallel && threads.breaks_contract);
  if (may_write_output) return;
  Require(std::all_of(output.memory.get(), output.memory.get() + output.bytes,
                      [](std::uint8_t byte) { return byte == kPoison; }),
          std::string("the output was written by a run that was refused: ") + status.message);
}

// The options of a plan. The choices make some of them wrong.
deconv_options ChosenOptions(Choices& choices) {
  deconv_options options = {};
  options.struct_bytes = std::min(choices.NextSize(sizeof options), sizeof options);
  // deconv_target and deconv_cpu_class give null for an index above their last. Null means the default.
  const char* const algorithms[] = {nullptr, "phased", "channels", "rows", "col2im", "direct", "nonsense", ""};
  options.algorithm = algorithms[choices.Next() % std::size(algorithms)];
  options.layout = choices.NextIsWrong() ? choices.Next() - 128 : choices.Next() % 2;
  options.target = choices.NextIsWrong() ? "AVX-1024" : deconv_target(choices.Next() % 8);
  // The five lowest bits choose the class of CPUs; 31 is a class that does not exist. The upper three choose
  // keep_subnormals: 2, which is invalid, if the two highest are 1, else the lowest of the three.
  const std::uint8_t last = choices.Last();
  options.cpu = last % 32 == 31 ? "Z80" : deconv_cpu_class(last % 32);
  options.keep_subnormals = last / 64 == 3 ? 2 : last / 32 % 2;
  return options;
}

std::string DrawChoice(conformance::Random& random) { return std::to_string(random.Below(256)); }

}  // namespace

const fuzz::InputForm fuzz::kInputForm = {.draw_word = DrawChoice, .cases = 1};

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto lines = fuzz::Split(fuzz::TextOf({bytes, size}), '\n');
  Choices choices(lines[0]);
  const auto test_case = fuzz::CaseOfText(lines.size() > 1 ? lines[1] : std::string_view());
  if (!test_case || fuzz::IsTooLarge(*test_case)) return fuzz::kNoCase;
  deconv_operator op = fuzz::KernelOperator(*test_case);
  if (choices.NextIsWrong()) op.struct_bytes = std::min(choices.NextSize(sizeof op), sizeof op);
  if (choices.NextIsWrong()) op.kind = choices.Next() - 128;
  if (choices.NextIsWrong()) op.dialect = choices.Next() - 128;
  if (choices.NextIsWrong()) op.data.reserved = 1;
  const deconv_options options = ChosenOptions(choices);

  deconv_status status = EmptyStatus();
  deconv_plan* plan = nullptr;
  // Each choice is a separate statement, because compilers evaluate the arguments of a call in different orders.
  const deconv_operator* const op_argument = choices.NextIsWrong() ? nullptr : &op;
  const deconv_options* const options_argument = choices.NextIsWrong() ? nullptr : &options;
  deconv_plan** const plan_argument = choices.NextIsWrong() ? nullptr : &plan;
  const deconv_code code = deconv_plan_create(op_argument, options_argument, plan_argument, &status);
  CheckAnswer(code, status);
  Require(code == DECONV_OK || plan == nullptr, "a plan was made of what was refused");
  if (plan != nullptr) CheckPackingAndRun(plan, choices);
  deconv_plan_destroy(plan);
  return 0;
}
