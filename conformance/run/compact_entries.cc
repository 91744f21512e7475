// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds few globs that match many failures, so that --update-expectations writes a short file of known failures. It is
// a greedy covering algorithm. A feature is a part of a case's name, a field of its line, or the clause (numbered rule
// of the specification) of a refusal. A rule is a set of features, written as a glob. For each failure that no rule
// covers yet, find the features of this case that many failures share and no other case has together. At the end keep
// only the rules that are needed. Example: if all cases with strides=2 and type=f16 fail and no others, the one rule is
// "*:strides=2:*:type=f16:*".

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "conformance/case/text/names.h"
#include "conformance/run/update_expectations.h"

namespace conformance {
namespace {

constexpr std::string_view kCommandLine = "command-line";  // the suite of cases that are given on the command line

/// The kinds of features. Prefix, middle and suffix are parts of the name; operator and field are parts of the line.
enum class Part { kClause, kOperator, kField, kPrefix, kMiddle, kSuffix };

/// A feature of a case: which part of a glob it becomes, and its text.
using Feature = std::pair<Part, std::string>;

bool IsOfLine(Part part) { return part == Part::kOperator || part == Part::kField; }
bool IsOfName(Part part) { return part >= Part::kPrefix; }

/// The clause that refuses an invalid operator. Other clauses say how a case was resolved or judged.
std::string RefusalClause(const CaseResult& result) {
  const bool refusal = result.judged.output_dims.empty() && result.judged.clauses.size() == 1 && !result.IsSweep();
  return refusal ? result.judged.clauses.front() : "";
}

/// Example: "numerics/s2.f16" has the prefixes "numerics/" and "numerics/s2.", the suffixes "/s2.f16" and ".f16", and
/// the middle "/s2.".
void AddNameFeatures(const std::string& id, std::vector<Feature>& features) {
  constexpr std::string_view kSeparators = "/.-_";
  std::size_t begin = 0;
  for (std::size_t at = id.find_first_of(kSeparators); at != std::string::npos;
       at = id.find_first_of(kSeparators, at + 1)) {
    features.emplace_back(Part::kPrefix, id.substr(0, at + 1));
    features.emplace_back(Part::kSuffix, id.substr(at));
    if (begin != 0) features.emplace_back(Part::kMiddle, id.substr(begin - 1, at + 2 - begin));
    begin = at + 1;
  }
}

/// Example: ":strides=1,2" has the feature ":strides=1,[2-9]". Failures often need a value above 1, but not always the
/// same one. The values before it stay as they are.
void AddLargeValues(std::string_view field, std::vector<Feature>& features) {
  constexpr std::size_t kMostValues = 3;  // the spatial axes of most operators
  std::size_t at = field.find('=');
  for (std::size_t i = 0; i < kMostValues && at != std::string_view::npos && at + 1 < field.size(); ++i) {
    const char digit = field[at + 1];
    if (digit >= '2' && digit <= '9') {
      features.emplace_back(Part::kField, std::string(field.substr(0, at + 1)) + "[2-9]");
    }
    at = field.find(',', at + 1);
  }
}

/// Example: "Op:data=1,3:type=f16" has the operator "Op:" and, for each field, its text, its name, and its first value
/// of several: ":data=1,3:", ":data=", ":data=1,", ":type=f16:", ":type=".
void AddLineFeatures(std::string_view line, std::vector<Feature>& features) {
  std::size_t colon = line.find(':');
  features.emplace_back(Part::kOperator, line.substr(0, colon == std::string_view::npos ? line.size() : colon + 1));
  while (colon != std::string_view::npos) {
    const std::size_t end = std::min(line.find(':', colon + 1), line.size());
    const std::string_view field = line.substr(colon, end - colon);  // ":name=value"
    features.emplace_back(Part::kField, std::string(field) + ":");
    features.emplace_back(Part::kField, field.substr(0, field.find('=') + 1));
    if (const std::size_t comma = field.find(','); comma != std::string_view::npos) {
      features.emplace_back(Part::kField, field.substr(0, comma + 1));
    }
    AddLargeValues(field, features);
    colon = end == line.size() ? std::string_view::npos : end;
  }
}

/// A set of cases, as one bit for each case.
class CaseSet {
 public:
  /// The empty set, or the set of all `size` cases.
  explicit CaseSet(std::size_t size, bool value = false) : words_((size + 63) / 64, value ? ~std::uint64_t{0} : 0) {
    if (value && size % 64 != 0) words_.back() >>= 64 - size % 64;  // the bits behind the last case are 0
  }
  void Insert(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
  bool Contains(std::size_t i) const { return (words_[i / 64] >> (i % 64) & 1) != 0; }
  void IntersectWith(const CaseSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
  }
  void Remove(const CaseSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
  }
  std::size_t CountCommon(const CaseSet& other) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      count += static_cast<std::size_t>(std::popcount(words_[i] & other.words_[i]));
    }
    return count;
  }

 private:
  std::vector<std::uint64_t> words_;
};

/// The clauses of a case in all runs. An entry with a clause matches each case that names the clause for any reason.
struct Clauses {
  std::set<std::string> named;
  std::string refusal;  ///< empty if the case is not refused
};

/// A rule that becomes an entry: it covers all cases that have its features.
struct Rule {
  std::vector<Feature> features;
  CaseSet covers;        ///< the cases that the rule matches
  std::size_t seed = 0;  ///< the failure from whose features the rule was built
  bool alone = false;    ///< the rule has no features: it covers only this failure, and its entry names the case
};

/// All the cases by name and line, with their features. A free case may be covered but need not be; a rule must not
/// cover any of the other cases.
class Compaction {
 public:
  Compaction(std::span<const CaseResult* const> failures, std::span<const CaseResult* const> free,
             std::span<const CaseResult* const> others, Reach reach)
      : reach_(reach) {
    enum Kind : std::uint8_t { kFree, kFailure, kOther };
    std::map<std::pair<std::string, std::string>, Kind> kinds;  // of all results of a case the largest: kOther wins
    const auto add_results = [&](std::span<const CaseResult* const> results, Kind kind) {
      for (const CaseResult* result : results) {
        Kind& known = kinds.try_emplace({result->id(), result->judged.line}, kind).first->second;
        known = std::max(known, kind);
        if (kind == kFailure) of_case_[{result->id(), result->judged.line}].push_back(result);
        Clauses& clauses = clauses_[{result->id(), result->judged.line}];
        clauses.named.insert(result->judged.clauses.begin(), result->judged.clauses.end());
        if (clauses.refusal.empty()) clauses.refusal = RefusalClause(*result);
      }
    };
    add_results(others, kOther);
    add_results(free, kFree);
    add_results(failures, kFailure);
    // A case that fails in one run may pass in another run. An entry must still match it.
    for (const auto& [key, results] : of_case_) {
      if (kinds[key] == kOther) kinds[key] = kFailure;
    }
    failing_ = CaseSet(kinds.size());
    other_ = CaseSet(kinds.size());
    for (const auto& [key, kind] : kinds) {
      if (kind == kFailure) failing_.Insert(cases_.size());
      if (kind == kOther) other_.Insert(cases_.size());
      for (Feature& feature : FeaturesOf(key)) {
        if (feature.first != Part::kClause) having_[std::move(feature)].push_back(cases_.size());
      }
      for (const std::string& clause : clauses_.at(key).named) {
        having_[{Part::kClause, clause}].push_back(cases_.size());
      }
      cases_.push_back(key);
    }
  }

  /// Finds a rule for each failure that no earlier rule covers, and returns the needed ones as entries.
  std::vector<CompactEntry> FindEntries() {
    std::vector<Rule> rules;
    CaseSet uncovered = failing_;
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      if (!uncovered.Contains(i)) continue;
      rules.push_back(RuleFor(i));
      uncovered.Remove(rules.back().covers);
    }
    return EntriesOf(std::move(rules));
  }

 private:
  using Key = std::pair<std::string, std::string>;  // id and line

  /// The features of a case, sorted, each once.
  std::vector<Feature> FeaturesOf(const Key& key) const {
    std::vector<Feature> features;
    if (const std::string& clause = clauses_.at(key).refusal; !clause.empty())
      features.emplace_back(Part::kClause, clause);
    if (!key.first.starts_with(kCommandLine)) AddNameFeatures(key.first, features);
    if (!key.second.starts_with("sweep")) AddLineFeatures(key.second, features);
    std::ranges::sort(features);
    features.erase(std::ranges::unique(features).begin(), features.end());
    return features;
  }

  /// The cases that have the feature.
  const CaseSet& Having(const Feature& feature) {
    const auto [known, is_new] = sets_.try_emplace(feature, cases_.size());
    if (is_new) {
      for (const std::size_t i : having_[feature]) known->second.Insert(i);
    }
    return known->second;
  }

  /// The rule from the features of the case `seed` that covers the most failures. If there is none, a rule for the case
  /// alone.
  Rule RuleFor(std::size_t seed) {
    Rule alone{{}, CaseSet(cases_.size()), seed, true};
    alone.covers.Insert(seed);
    if (reach_ == Reach::kNone) return alone;
    Rule all{{}, CaseSet(cases_.size(), true), seed};
    const bool every_case = all.covers.CountCommon(other_) == 0 && all.covers.CountCommon(failing_) > 1;
    if (every_case && reach_ == Reach::kAll) return all;
    std::optional<Rule> found;
    const std::vector<Feature> features = FeaturesOf(cases_[seed]);
    for (const bool of_line : {false, true}) {
      if (of_line && reach_ != Reach::kAll) break;
      std::vector<const Feature*> usable;
      for (const Feature& feature : features) {
        const bool usable_here = of_line ? !IsOfName(feature.first) : !IsOfLine(feature.first);
        if (usable_here && Having(feature).CountCommon(failing_) >= 2) usable.push_back(&feature);
      }
      ImproveRule(seed, usable, found);
    }
    return found && CoverWhatGlobMatches(*found, seed) ? std::move(*found) : alone;
  }

  /// Improves `found`. Tries each feature alone (j == i) and each pair. To a pair it adds the best next feature until
  /// the rule covers no other case.
  void ImproveRule(std::size_t seed, const std::vector<const Feature*>& usable, std::optional<Rule>& found) {
    constexpr std::size_t kMostFeatures = 4;  // a guess: a longer glob is no clearer than the cases themselves
    for (std::size_t i = 0; i < usable.size(); ++i) {
      for (std::size_t j = i; j < usable.size(); ++j) {
        Rule rule{{*usable[i]}, Having(*usable[i]), seed};
        if (j != i && !Add(*usable[j], rule)) continue;
        while (rule.covers.CountCommon(other_) != 0 && rule.features.size() < kMostFeatures && j != i) {
          const Feature* next = BestNext(usable, rule);
          if (next == nullptr || !Add(*next, rule)) break;
        }
        if (rule.covers.CountCommon(other_) != 0 || !WithinReach(rule)) continue;
        const std::size_t count = rule.covers.CountCommon(failing_);
        const std::size_t best = found ? found->covers.CountCommon(failing_) : 1;
        if (count > best || (found && count == best && rule.features.size() < found->features.size())) {
          found = std::move(rule);
        }
      }
    }
  }

  /// If only some suites were run, a glob must begin with the name of a suite, which a prefix contains.
  bool WithinReach(const Rule& rule) const {
    const auto is_prefix = [](const Feature& feature) { return feature.first == Part::kPrefix; };
    return reach_ == Reach::kAll || std::ranges::any_of(rule.features, is_prefix);
  }

  /// Whether a glob can express the rule's features together with this one.
  static bool CanAdd(const Feature& feature, const Rule& rule) {
    // A glob of a name has at most one prefix, middle and suffix; a glob of a line has one operator. A rule has one
    // clause.
    const bool is_single = feature.first != Part::kField;
    for (const Feature& has : rule.features) {
      if (has == feature || (is_single && has.first == feature.first)) return false;
    }
    return true;
  }

  /// Adds the feature, or returns false if the rule cannot have it.
  bool Add(const Feature& feature, Rule& rule) {
    if (!CanAdd(feature, rule)) return false;
    rule.features.push_back(feature);
    rule.covers.IntersectWith(Having(feature));
    return true;
  }

  /// The feature that keeps many failures and few other cases in the rule, or null if none keeps two failures. In the
  /// score right^2 / (right + 8 * wrong), a case that must not be covered weighs as much as eight failures (a guess).
  const Feature* BestNext(const std::vector<const Feature*>& usable, const Rule& rule) {
    const Feature* best = nullptr;
    double best_score = 0;
    for (const Feature* feature : usable) {
      if (!CanAdd(*feature, rule)) continue;
      CaseSet covers = rule.covers;
      covers.IntersectWith(Having(*feature));
      const auto right = static_cast<double>(covers.CountCommon(failing_));
      const auto wrong = static_cast<double>(covers.CountCommon(other_));
      const double score = right < 2 ? 0 : right * right / (right + 8 * wrong);
      if (score > best_score) {
        best_score = score;
        best = feature;
      }
    }
    return best;
  }

  /// The glob and the clause of a rule.
  std::pair<std::string, std::string> PatternOf(const Rule& rule) const {
    // Sort the parts as they occur in names and lines. All lines have their fields in the same order.
    std::vector<Feature> features = rule.features;
    const std::string line = cases_[rule.seed].second + ":";
    const auto position = [&](const Feature& feature) {
      // Search for the text before a range such as "[2-9]".
      const std::string_view text(feature.second);
      return std::pair(feature.first, feature.first == Part::kField ? line.find(text.substr(0, text.find('['))) : 0);
    };
    std::ranges::sort(features, {}, position);
    std::string clause;
    std::string glob;
    for (const auto& [part, text] : features) {
      if (part == Part::kClause) {
        clause = text;
      } else if (part == Part::kPrefix || part == Part::kOperator) {
        glob = text;
      } else {
        glob += "*" + text;
      }
    }
    const bool ends = !features.empty() && features.back().first == Part::kSuffix;
    if (!ends && !(glob.empty() && !clause.empty())) glob += "*";
    return {glob, clause};
  }

  bool Matches(const std::string& glob, const std::string& clause, const Key& key) const {
    return (clause.empty() || clauses_.at(key).named.contains(clause)) &&
           (glob.empty() || GlobMatches(glob, key.first) || GlobMatches(glob, key.second) ||
            GlobMatches(glob, key.second + ":"));
  }

  /// Sets `rule.covers` to the cases that its glob really matches. They may differ from the cases with all features,
  /// because parts of a glob may overlap or match elsewhere. Returns whether the rule is still valid.
  bool CoverWhatGlobMatches(Rule& rule, std::size_t seed) const {
    const auto [glob, clause] = PatternOf(rule);
    rule.covers = CaseSet(cases_.size());
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      if (!Matches(glob, clause, cases_[i])) continue;
      if (other_.Contains(i)) return false;
      rule.covers.Insert(i);
    }
    return rule.covers.Contains(seed) && rule.covers.CountCommon(failing_) >= 2;
  }

  /// Chooses the rule that covers the most failures, then the rule that covers most of the rest, and so on.
  std::vector<CompactEntry> EntriesOf(std::vector<Rule> rules) const {
    std::vector<CompactEntry> entries;
    CaseSet uncovered = failing_;
    while (true) {
      const auto covered = [&](const Rule& rule) { return rule.covers.CountCommon(uncovered); };
      const auto largest = std::ranges::max_element(rules, {}, covered);
      if (largest == rules.end() || covered(*largest) == 0) break;
      uncovered.Remove(largest->covers);
      CompactEntry& entry = entries.emplace_back();
      if (!largest->alone) std::tie(entry.pattern, entry.clause) = PatternOf(*largest);
      for (std::size_t i = 0; i < cases_.size(); ++i) {
        if (!largest->covers.Contains(i) || !failing_.Contains(i)) continue;
        const auto& results = of_case_.at(cases_[i]);
        entry.covers.insert(entry.covers.end(), results.begin(), results.end());
        // Cases from the command line have no names that identify them, so their entry has the line.
        if (largest->alone)
          entry.pattern = cases_[i].first.starts_with(kCommandLine) ? cases_[i].second : cases_[i].first;
      }
      std::ranges::sort(entry.covers, {}, [](const CaseResult* result) { return CaseIndexOf(*result); });
    }
    return entries;
  }

  Reach reach_;                                            ///< which globs are allowed
  std::map<Key, std::vector<const CaseResult*>> of_case_;  ///< the failures of each case, from all runs
  std::map<Key, Clauses> clauses_;
  std::vector<Key> cases_;
  std::map<Feature, std::vector<std::size_t>> having_;  ///< the positions in cases_ of the cases with the feature
  std::map<Feature, CaseSet> sets_;                     ///< the same as sets, made when Having() needs them
  CaseSet failing_{0};
  CaseSet other_{0};  ///< the cases that no rule may cover
};

}  // namespace

std::vector<CompactEntry> CompactEntries(std::span<const CaseResult* const> failures,
                                         std::span<const CaseResult* const> free,
                                         std::span<const CaseResult* const> others, Reach reach) {
  if (failures.empty()) return {};
  return Compaction(failures, free, others, reach).FindEntries();
}

}  // namespace conformance
