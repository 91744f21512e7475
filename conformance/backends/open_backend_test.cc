// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests which names of backends (implementations to judge) the option --backend accepts, and what the messages say when
// a backend cannot be opened.

#include "conformance/backends/open_backend.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <variant>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/interface/backend.h"

namespace conformance {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;

/// The name of a mutant (a backend that is wrong on purpose) in the library of mutants.
std::string InLibrary(const std::string& mutant) { return DECONV_MUTANTS "?" + mutant; }

BackendError ErrorOf(const std::string& name) {
  std::variant<std::unique_ptr<Backend>, BackendError> opened = OpenBackend(name);
  if (const auto* error = std::get_if<BackendError>(&opened)) return *error;
  ADD_FAILURE() << name << " was opened";
  return {};
}

std::unique_ptr<Backend> Open(const std::string& name) {
  std::variant<std::unique_ptr<Backend>, BackendError> opened = OpenBackend(name);
  if (const auto* error = std::get_if<BackendError>(&opened)) {
    ADD_FAILURE() << error->message;
    return nullptr;
  }
  return std::move(std::get<0>(opened));
}

TEST(BackendOpenTest, EveryNameOnTheListOpens) {
  const std::vector<BackendName> names = BuiltInBackends();
  EXPECT_THAT(names, AllOf(Contains(Field(&BackendName::name, "kernel")), Contains(Field(&BackendName::name, "oracle")),
                           Contains(Field(&BackendName::name, "fault:none"))));
  for (const BackendName& name : names) {
    EXPECT_FALSE(name.description.empty()) << name.name;
    const std::unique_ptr<Backend> backend = Open(name.name);
    ASSERT_NE(backend, nullptr);
    EXPECT_EQ(backend->capabilities().name, name.name);
  }
}

TEST(BackendOpenTest, UnknownNamesAreUsageErrorsWithTheNearestName) {
  BackendError error = ErrorOf("kernal");
  EXPECT_TRUE(error.usage);
  EXPECT_THAT(error.message, AllOf(HasSubstr("unknown backend 'kernal'"), HasSubstr("did you mean kernel?"),
                                   HasSubstr("deconv-cts list --backends")));
  error = ErrorOf("fault:filter_fliped");
  EXPECT_TRUE(error.usage);
  EXPECT_THAT(error.message, HasSubstr("did you mean fault:filter_flipped?"));
  EXPECT_TRUE(ErrorOf("").usage);
}

TEST(BackendOpenTest, ConfigurationsThatNobodyReadsAreUsageErrors) {
  for (const char* name :
       {"kernel?fast", "oracle?x", "fault:none?sometimes", "fault:none?every=0", "fault:none?every=1x"}) {
    EXPECT_TRUE(ErrorOf(name).usage) << name;
  }
  EXPECT_NE(Open("fault:crashes_sometimes?every=100"), nullptr);
}

TEST(BackendOpenTest, TheKernelIsBoundToATargetAndANumberOfThreads) {
  for (const char* name :
       {"kernel?target=", "kernel?target=Z80", "kernel?threads=0", "kernel?threads=65", "kernel?threads=2x",
        "kernel?threads", "kernel?threads=1&fast", "kernel?&", "kernel?cpu=Z80", "kernel?subnormals=lost"}) {
    EXPECT_TRUE(ErrorOf(name).usage) << name;
  }
  const BackendError error = ErrorOf("kernel?target=Z80");
  EXPECT_THAT(error.message, HasSubstr("backend kernel: target 'Z80'; expected one of "));
  // The targets of this machine are those that the message names.
  const std::string target = error.message.substr(error.message.rfind(' ') + 1);
  const std::unique_ptr<Backend> bound = Open("kernel?target=" + target + "&threads=2");
  ASSERT_NE(bound, nullptr);
  EXPECT_NE(Open("kernel?cpu=zen4&subnormals=kept"), nullptr);
  EXPECT_EQ(bound->capabilities().max_threads, 0);
  EXPECT_GT(Open("kernel")->capabilities().max_threads, 0);
}

TEST(BackendOpenTest, ALibraryIsOpenedByItsPath) {
  const std::unique_ptr<Backend> example = Open(InLibrary("small"));
  ASSERT_NE(example, nullptr);
  EXPECT_EQ(example->capabilities().name, "fault:small");
  EXPECT_THAT(example->capabilities().dialects, ElementsAre(oracle::Dialect::kOpenvinoRuntime));

  // A name without a slash is looked up in the working directory, not in the system's folders.
  const std::filesystem::path path(DECONV_MUTANTS);
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(path.parent_path());
  EXPECT_NE(Open(path.filename().string() + "?small"), nullptr);
  std::filesystem::current_path(before);
}

TEST(BackendOpenTest, LibrariesThatCannotBeLoadedAreErrors) {
  BackendError error = ErrorOf("./no/such/library.so");
  EXPECT_FALSE(error.usage);
  EXPECT_THAT(error.message, AllOf(HasSubstr("./no/such/library.so"), HasSubstr("cannot be loaded")));
  EXPECT_FALSE(ErrorOf("missing.so.3").usage);

  const std::string text = testing::TempDir() + "not_a_library.so";
  std::ofstream(text) << "no ELF";
  error = ErrorOf(text);
  EXPECT_FALSE(error.usage);
  EXPECT_THAT(error.message, HasSubstr("cannot be loaded"));

  error = ErrorOf(DECONV_NO_SYMBOL);
  EXPECT_FALSE(error.usage);
  EXPECT_THAT(error.message, HasSubstr("does not export the function deconv_backend_open"));
}

TEST(BackendOpenTest, BrokenInterfacesAndDescriptionsAreErrors) {
  const struct {
    const char* mutant;
    const char* message;
  } cases[] = {
      {"no_such", "deconv_backend_open(\"no_such\") returned 1, expected 0"},
      {"interface_other_abi", "deconv_backend.abi: 2, expected 1"},
      {"interface_short", "deconv_backend.size: 8"},
      {"interface_without_describe", "deconv_backend.describe: NULL"},
      {"interface_without_run", "deconv_backend.run: NULL"},
      {"interface_without_description", "describe() returned NULL"},
      {"bad_size", "description size: 16"},
      {"bad_name", "name: expected"},
      {"bad_name_end", "name: expected"},
      {"bad_version", "version: expected"},
      {"bad_dialects", "dialects: NULL"},
      {"bad_dialect", "unknown dialect 'openvino-spek' (did you mean openvino-spec?)"},
      {"bad_dialects_empty", "dialects: none"},
      {"bad_dialects_end", "dialects: no NULL within 32 entries"},
      {"bad_operators", "operators: 0x100"},
      {"bad_types", "element_types: no bit is set"},
      {"bad_ranks", "max_rank: 4, expected 5 to 16"},
      {"bad_max_rank", "max_rank: 1000, expected 3 to 16"},
      {"bad_accumulator", "accumulator: -1"},
      {"bad_rounding", "faithful_rounding: 2"},
      {"bad_subnormals", "subnormals: 9"},
      {"bad_overflow", "overflow: 9"},
      {"bad_deviations", "known_deviations: 4"},
      {"bad_saturating", "saturating_types: 0x2, expected only bits of 0xff0"},
      {"bad_in_f32", "types_in_f32: 0x2, expected only bits of 0xff1"},
      {"bad_resolved", "takes_resolved: 2, expected 0 to 1"},
      {"bad_rows", "arithmetic_count: 5, expected at most 4"},
      {"bad_row_size", "arithmetic[0].size: 8"},
      {"bad_row_sizes", "arithmetic[1].size: 8"},
      {"bad_row_type", "arithmetic[1].element_type: 4, expected 0 to 3"},
      {"bad_row_accumulator", "arithmetic[1].accumulator: 4"},
      {"bad_row_rounding", "arithmetic[1].rounding: 4"},
      {"bad_row_subnormals", "arithmetic[1].subnormals: 2"},
      {"bad_row_twice", "arithmetic[1].element_type: bf16 for the second time"},
  };
  for (const auto& test : cases) {
    const BackendError error = ErrorOf(InLibrary(test.mutant));
    EXPECT_FALSE(error.usage) << test.mutant;
    EXPECT_THAT(error.message, AllOf(HasSubstr(test.message), HasSubstr(DECONV_MUTANTS))) << test.mutant;
  }
  // Backends of the same library whose descriptions are valid.
  EXPECT_NE(Open(InLibrary("none")), nullptr);
  const std::unique_ptr<Backend> rows = Open(InLibrary("declares_rows"));
  ASSERT_NE(rows, nullptr);
  const Capabilities& declared = rows->capabilities();
  const FloatArithmetic own = {.accumulator = DECONV_ACCUMULATOR_F64,
                               .rounding = DECONV_ROUNDING_FAITHFUL,
                               .subnormals = DECONV_SUBNORMALS_FLUSHED};
  EXPECT_EQ(declared.ArithmeticFor(oracle::ElementType::kBf16), own);
  EXPECT_EQ(declared.ArithmeticFor(oracle::ElementType::kF16), own);
  EXPECT_EQ(declared.ArithmeticFor(oracle::ElementType::kF32), FloatArithmetic{});
  const std::unique_ptr<Backend> two = Open(InLibrary("declares_two_dialects"));
  ASSERT_NE(two, nullptr);
  EXPECT_THAT(two->capabilities().dialects, ElementsAre(oracle::Dialect::kOpenvinoSpec, oracle::Dialect::kOnnxruntime));
}

}  // namespace
}  // namespace conformance
