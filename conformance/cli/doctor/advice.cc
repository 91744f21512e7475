// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Holds the advice of `deconv-cts doctor` for each failure class, and for a backend that could not be opened. Some
// advice is chosen by words in the message of the failure. On failures of a step, limits that explain all of them come
// first, then pairs of requirements that only failing cases have together, then what the failure class says.

#include "conformance/cli/doctor/advice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/backends/process_interface.h"
#include "conformance/cli/doctor/declaration_words.h"

namespace conformance {

std::string_view AdviceFor(FailureClass failure, std::string_view backend, std::string_view message,
                           bool takes_resolved) {
  const auto says = [message](std::string_view words) { return message.find(words) != std::string_view::npos; };
  if (says("supports() changed its mind")) {
    return "answer supports from the operator alone: the same operator gets the same answer, whatever ran before";
  }
  if (says("supports() said yes")) return "answer supports with no and a reason where run answers unsupported";
  if (says("supports() returned")) return "return 1 or 0 from supports, and write the reason of a 0 to the message";

  switch (failure) {
    case FailureClass::kWrongValue:
      return "compare with the output of 'explain'; frequent causes are a filter read in the wrong order or flipped, "
             "channels or groups exchanged, and a shift by pads_begin";
    case FailureClass::kWrongNan:
    case FailureClass::kStructuralNan:
      return "write infinity and NaN only where a product of the operands gives them; do not multiply by the zeros of "
             "padding and gaps";
    case FailureClass::kGapNotZero:
    case FailureClass::kUnwritten:
      return "write every element of the output, and zero where no tap reaches: the buffer holds garbage before the "
             "call";
    case FailureClass::kWrongShape:
      if (takes_resolved) {
        switch (StyleOf(backend)) {
          case DeclarationStyle::kHeader:
            return "leave output_rank 0, or write the sizes of `resolved`";
          case DeclarationStyle::kPython:
            return "return an array of the shape [N, O, *geometry.output]";
          case DeclarationStyle::kProtocol:
            return "leave dims out of the answer, or write the sizes of \"resolved\"";
        }
      }
      return "answer with the dims of the declared dialect ('explain' shows them), or declare another dialect";
    case FailureClass::kWrongRefusal:
    case FailureClass::kCannotDo:
      return "support the operator, or declare less (operators, types, ranks, unsupported, max_attribute, max_bytes), "
             "or answer no when supports is asked";
    case FailureClass::kAcceptedInvalid:
      return "check attributes and shapes before computing, and answer refused with a message";
    case FailureClass::kModifiedInput:
      return "do not write to data and filter; copy them if they have to be changed";
    case FailureClass::kOutOfBounds:
      return "write exactly output_bytes bytes";
    case FailureClass::kCrash:
      if (backend.starts_with(kProcessPrefix)) {
        return "read the last lines of its standard error in the message; the process must answer every request and "
               "end only when its standard input is closed";
      }
      return "run the replay line under a debugger; the backend may use only the three buffers, "
             "and their pointers only during the call";
    case FailureClass::kHang:
      return "answer every request, also with a refusal; a process must flush its standard output after each answer";
    case FailureClass::kLeak:
      return "free or close whatever a call takes before it returns, also what belongs to a plan or to a thread";
    case FailureClass::kNondeterministic:
      return "compute the same bits every time, or declare less in 'deterministic'";
    case FailureClass::kAccumulator:
      return "declare the accumulator in which the backend really keeps its sums";
    case FailureClass::kProtocol:
      if (says("is no line of JSON") || says("before it was asked") || says("more than was asked for")) {
        return "write nothing but answers to standard output: send prints and logs to standard error";
      }
      if (says("output_bytes")) return "send as many bytes as the dims take in the data's element type";
      return "read the message: it names what the answer has and what was expected";
    default:
      return "read the message: it says what the adapter did";
  }
}

bool MayBeUndeclaredLimit(FailureClass failure) {
  switch (failure) {
    case FailureClass::kWrongShape:
    case FailureClass::kWrongRefusal:
    case FailureClass::kCannotDo:
    case FailureClass::kError:
      return true;
    default:
      return false;
  }
}

std::string_view AdviceForFailedOpen(std::string_view backend, std::string_view message, bool usage) {
  const auto says = [message](std::string_view words) { return message.find(words) != std::string_view::npos; };
  if (says("did you mean 'cmd:")) return "give a command with the prefix cmd:, in quotes, as in 'cmd:python3 mine.py'";
  if (says("is hidden by the adapter")) return "rename the adapter's file, then run the doctor again";
  if (says("the Python module '")) {
    return "install the module for this Python, or start the adapter with the Python that has it";
  }
  if (says("before it described itself")) {
    return "the command ended at its start: read the end of its standard error above, then run the command by hand";
  }
  if (says("is no line of JSON")) {
    return "write nothing but answers to standard output: send prints and logs to standard error";
  }
  if (says("died while loading")) return "load the library in a program of your own under a debugger";
  if (usage) return "give a name that 'deconv-cts list --backends' prints, a library's path, or cmd:COMMAND";
  if (backend.starts_with(kProcessPrefix)) {
    return "run the command by hand: it must read the line 'describe' and answer it as "
           "conformance/interface/process_protocol.md says";
  }
  return "export deconv_backend_open() from the library as conformance/interface/deconv_backend.h says";
}

std::vector<std::string> AdviceOn(const JudgedCases& judged, const TriedCases& tried, const std::string& backend,
                                  bool takes_resolved) {
  std::vector<std::string> advice;
  const Verdict& first = judged.first_failure().verdict;
  const DeclarationStyle style = StyleOf(backend);
  const TriedCases::Limits limits = tried.LimitsThatExplain(judged.failures(), style);
  if (!limits.words.empty()) {
    advice.push_back(fmt::format("if the library cannot do these, declare {}: then they are not run", limits.words));
  }
  const TriedCases::Pairs pairs = tried.PairsThatExplain(judged.PossibleLimitFailures(), style);
  if (!pairs.texts.empty()) {
    advice.push_back(
        fmt::format("if the library cannot do these, answer no from supports: {}", fmt::join(pairs.texts, "; ")));
    if (!pairs.words.empty()) {
      advice.push_back(fmt::format("or declare {}, which leaves out {} right case{}, too", pairs.words, pairs.right,
                                   pairs.right == 1 ? "" : "s"));
    }
  }
  if (!limits.explains_first || !MayBeUndeclaredLimit(first.failure)) {
    const bool has_words = (limits.explains_first && !limits.words.empty()) || !pairs.texts.empty();
    advice.push_back(fmt::format("{}{}", has_words ? "otherwise " : "",
                                 AdviceFor(first.failure, backend, first.message, takes_resolved)));
  }
  return advice;
}

}  // namespace conformance
