// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Joins the tables of planted faults (backends that are wrong on purpose, to test whether the suite finds them), and
// finds a fault or a combination of faults by its name. A fault is a set of hooks, functions and values that change
// steps of a correct loop.

#include "conformance/mutants/faults/fault.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace conformance::faults {
namespace {

const Fault* Find(std::span<const Fault> faults, std::string_view name) {
  const auto found = std::ranges::find(faults, name, &Fault::name);
  return found == faults.end() ? nullptr : &*found;
}

}  // namespace

std::span<const Fault> Faults() {
  static const std::vector<Fault> kFaults = [] {
    std::vector<Fault> faults;
    for (const std::span<const Fault> table :
         {PadFaults(),        GeometryFaults(), ShapeFaults(),   LayoutFaults(),  AxisFaults(),    AxesMixingFaults(),
          PhaseFaults(),      IndexFaults(),    ChannelFaults(), TailFaults(),    SizeFaults(),    OpenFaults(),
          ArithmeticFaults(), RoundingFaults(), SpecialFaults(), IntegerFaults(), RefusalFaults(), AcceptanceFaults(),
          MemoryFaults(),     ConductFaults(),  StateFaults(),   PathFaults()}) {
      faults.insert(faults.end(), table.begin(), table.end());
    }
    return faults;
  }();
  return kFaults;
}

std::span<const Fault> Mutants() {
  static const std::vector<Fault> kMutants = [] {
    std::vector<Fault> mutants;
    for (const std::span<const Fault> table :
         {DeclarationMutants(), SupportsMutants(), RunMutants(), ProtocolMutants()}) {
      mutants.insert(mutants.end(), table.begin(), table.end());
    }
    return mutants;
  }();
  return kMutants;
}

const Fault* FindFault(std::string_view name) {
  if (name.find(kAndAlso) != std::string_view::npos) return FindCombinedFault(name);
  for (const std::span<const Fault> table : {CorrectVariants(), Faults(), Mutants()}) {
    if (const Fault* found = Find(table, name)) return found;
  }
  return nullptr;
}

// Joins several planted faults into one, so that a backend has all of them.

namespace {

// Copies `member` from `from` if it is set there. Returns false if both objects have set it.
template <class Owner, class Member>
bool Merge(Owner& into, const Owner& from, Member Owner::* member) {
  const Member unset = Owner{}.*member;
  if (from.*member == unset) return true;
  if (into.*member != unset) return false;
  into.*member = from.*member;
  return true;
}

bool Merge(Numbers& into, const Numbers& from) {
  return Merge(into, from, &Numbers::loads) && Merge(into, from, &Numbers::multiplies) &&
         Merge(into, from, &Numbers::adds) && Merge(into, from, &Numbers::stores) &&
         Merge(into, from, &Numbers::loads_integer) && Merge(into, from, &Numbers::adds_integer) &&
         Merge(into, from, &Numbers::stores_integer) && Merge(into, from, &Numbers::integers) &&
         Merge(into, from, &Numbers::sums) && Merge(into, from, &Numbers::accumulator);
}

// Appends `from` to `into`. Returns false if there is no room.
bool Merge(SpecialPaths& into, const SpecialPaths& from) {
  const auto is_unset = [](const SpecialPath& path) { return path.effect == PathEffect::kNone; };
  for (const SpecialPath& path : from) {
    if (is_unset(path)) break;
    const auto free = std::ranges::find_if(into, is_unset);
    if (free == into.end()) return false;
    *free = path;
  }
  return true;
}

bool Merge(Hooks& into, const Hooks& from) {
  return Merge(into, from, &Hooks::attributes) && Merge(into, from, &Hooks::accepts) &&
         Merge(into, from, &Hooks::refusing) && Merge(into, from, &Hooks::refuses) &&
         Merge(into, from, &Hooks::unsupported) && Merge(into, from, &Hooks::shape) &&
         Merge(into, from, &Hooks::dims) && Merge(into, from, &Hooks::values) && Merge(into, from, &Hooks::taps) &&
         Merge(into, from, &Hooks::product) && Merge(into, from, &Hooks::sum_of) && Merge(into, from, &Hooks::times) &&
         Merge(into, from, &Hooks::output_index) && Merge(into, from, &Hooks::leaves) &&
         Merge(into, from, &Hooks::starts_from_output) && Merge(into.numbers, from.numbers) &&
         Merge(into.paths, from.paths) && Merge(into, from, &Hooks::before) && Merge(into, from, &Hooks::after) &&
         Merge(into, from, &Hooks::counts_calls) && Merge(into, from, &Hooks::plans) &&
         Merge(into, from, &Hooks::max_threads) && Merge(into, from, &Hooks::declares) &&
         Merge(into, from, &Hooks::interface) && Merge(into, from, &Hooks::writes) && Merge(into, from, &Hooks::takes);
}

}  // namespace

CombinedFault::CombinedFault(std::span<const Fault* const> faults) {
  std::vector<const Fault*> joined;
  for (const Fault* const fault : faults) {
    Hooks hooks = fault_.hooks;
    if (!Merge(hooks, fault->hooks)) {
      // Names an earlier fault that sets the same hook. If no single one does, the special paths have no room left.
      const auto clashes = [fault](const Fault* earlier) {
        Hooks of_both = earlier->hooks;
        return !Merge(of_both, fault->hooks);
      };
      const auto beside = std::ranges::find_if(joined, clashes);
      left_out_.push_back({fault, beside == joined.end() ? joined.front() : *beside});
      continue;
    }
    joined.push_back(fault);
    fault_.hooks = hooks;
    if (!name_.empty()) name_ += kAndAlso;
    if (!sentence_.empty()) sentence_ += ", and ";
    name_ += fault->name;
    sentence_ += fault->sentence;
    if (fault_.mutant_class.empty()) fault_.mutant_class = fault->mutant_class;
  }
  fault_.name = name_;
  fault_.sentence = sentence_;
}

const Fault* FindCombinedFault(std::string_view names) {
  std::vector<const Fault*> faults;
  for (std::size_t from = 0; from <= names.size();) {
    const std::size_t to = std::min(names.find(kAndAlso, from), names.size());
    faults.push_back(FindFault(names.substr(from, to - from)));
    if (faults.back() == nullptr) return nullptr;
    from = to + 1;
  }
  static std::mutex mutex;
  static std::map<std::string, CombinedFault, std::less<>> known;
  const std::scoped_lock lock(mutex);
  const CombinedFault& combined = known.try_emplace(std::string(names), faults).first->second;
  return combined.left_out().empty() ? &combined.fault() : nullptr;
}

}  // namespace conformance::faults
