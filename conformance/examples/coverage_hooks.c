/* SPDX-FileCopyrightText: the deconv-cts authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Lets all programs load a backend (the library under test) that was built for coverage-guided fuzzing. With the
 * compiler option -fsanitize-coverage=inline-8bit-counters,pc-table a backend calls these functions when it is loaded.
 * Link this file into the backend. The fuzzer (deconv-cts fuzz) has functions of the same names, and the backend then
 * calls those. In other programs the functions of this file do nothing.
 */
#include <stdint.h>

void __sanitizer_cov_8bit_counters_init(char* begin, char* end);
void __sanitizer_cov_pcs_init(const uintptr_t* begin, const uintptr_t* end);

__attribute__((weak)) void __sanitizer_cov_8bit_counters_init(char* begin, char* end) { (void)begin, (void)end; }
__attribute__((weak)) void __sanitizer_cov_pcs_init(const uintptr_t* begin, const uintptr_t* end) {
  (void)begin, (void)end;
}
