// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// What an algorithm is to a plan: sizes, a way to pack a filter, and a fixed number of independent tasks. The tasks
// depend on the geometry and the target alone, never on the number of threads, so that no split changes a bit.
#ifndef DECONV_KERNEL_BASE_ALGORITHM_H_
#define DECONV_KERNEL_BASE_ALGORITHM_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "kernel/base/geometry.h"

namespace deconv {

struct RunBuffers {
  const char* data = nullptr;
  const char* filter = nullptr;  // what Pack wrote
  bool filter_is_finite = true;  // what Pack returned
  char* output = nullptr;
};

class Algorithm {
 public:
  Algorithm() = default;
  Algorithm(const Algorithm&) = delete;
  Algorithm& operator=(const Algorithm&) = delete;
  virtual ~Algorithm() = default;

  virtual const char* Target() const = 0;
  // An estimate of the cycles of a sample on one core; not of the batch, as plans of any batch share packed filters.
  virtual double Cycles() const = 0;
  virtual size_t PackedBytes() const = 0;
  // Of the ways in which the algorithm packs one filter for one target the one that this plan takes.
  virtual uint64_t PackingVariant() const { return 0; }
  // Scratch for one running task; its memory is aligned to kScratchAlignment.
  virtual size_t ScratchBytes() const = 0;
  // Tasks of that many samples: those of sample n come after all of sample n - 1, and are the same ones in any batch.
  virtual int64_t TaskCount(int64_t batch) const = 0;

  // Buffers have any alignment. Returns whether every value of the filter is finite.
  virtual bool Pack(const char* filter, char* packed) const = 0;
  virtual void Run(const RunBuffers& buffers, int64_t task, char* scratch) const = 0;
};

inline constexpr size_t kScratchAlignment = 128;

// One entry of the registry. `create` returns null where the algorithm does not fit, and may
// throw std::bad_alloc. `target` is a bit of Highway's, 0 for the best that this machine has; see targets.h.
struct AlgorithmEntry {
  const char* name;
  std::unique_ptr<Algorithm> (*create)(const Geometry& geometry, int64_t target);
};

std::span<const AlgorithmEntry> Algorithms();

// `name` null: the one with the lowest estimate. Null if none does or the name is unknown.
const AlgorithmEntry* ChooseAlgorithm(const Geometry& geometry, const char* name, int64_t target,
                                      std::unique_ptr<Algorithm>& algorithm);

}  // namespace deconv

#endif  // DECONV_KERNEL_BASE_ALGORITHM_H_
