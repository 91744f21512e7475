// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The algorithms that the kernel chooses for the list of layers (operators), as the text file choices.txt. It has a
// section for each class of CPUs and target (instruction set). So a test notices a change of costs that changes a
// choice. A machine can compute the sections of the targets that it runs, for any class.
#ifndef DECONV_KERNEL_BENCH_CHOICES_H_
#define DECONV_KERNEL_BENCH_CHOICES_H_

#include <map>
#include <span>
#include <string>
#include <vector>

#include "deconv/deconv.h"
#include "kernel/bench/layers.h"

namespace deconv::bench {

// The lines of each section; its key is "class target". A line has the name of a layer and the chosen algorithm for
// each column: "layer f32/ncx f32/nxc bf16/ncx ...".
using ChoiceSections = std::map<std::string, std::vector<std::string>>;

// A type and layout in which choices are made. `name` is the head of the column, such as "f32/ncx".
struct ChoiceColumn {
  const char* name;
  deconv_type type;
  deconv_layout layout;
};
std::span<const ChoiceColumn> ChoiceColumns();

// The names of all columns, the layer's first, as the file's head has them.
std::string ChoiceHead();

// The sections that this machine can compute: each class whose target it runs, and those of "default" on its targets.
ChoiceSections ChoicesHere(const std::vector<Layer>& layers);

// Reads a file of sections; lines that begin with # are comments. Empty if the file cannot be read.
ChoiceSections ReadChoices(const std::string& path);

// Writes all sections in the order of their keys. Sections with equal lines become one section with several keys.
// Returns false if the file could not be written.
bool WriteChoices(const std::string& path, const ChoiceSections& sections);

}  // namespace deconv::bench

#endif  // DECONV_KERNEL_BENCH_CHOICES_H_
