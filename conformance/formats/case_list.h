// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes imported layers as a file of case lines. Layers with equal cases share one line. Its comment names the first
// four of them.

#ifndef DECONV_CONFORMANCE_FORMATS_CASE_LIST_H_
#define DECONV_CONFORMANCE_FORMATS_CASE_LIST_H_

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "conformance/formats/import_model.h"

namespace conformance::formats {

/// The cases of all imported models.
class CaseList {
 public:
  /// Adds the layers of a model. `origin`: the model's name in comments.
  void Add(const ImportedModel& model, const std::string& origin);

  std::size_t layers() const { return layers_; }
  std::size_t cases() const { return entries_.size(); }
  /// The text of the file: one case for each line, in the order of their first layers. Every command can read it.
  std::string Text() const;

 private:
  struct Entry {
    std::string line;
    std::vector<std::string> names;
  };
  std::vector<Entry> entries_;
  std::map<std::string, std::size_t> indices_;  ///< index of each line in entries_
  std::size_t layers_ = 0;
};

}  // namespace conformance::formats

#endif  // DECONV_CONFORMANCE_FORMATS_CASE_LIST_H_
