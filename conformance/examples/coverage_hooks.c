/* SPDX-FileCopyrightText: the deconv-cts authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a backend with counters (-fsanitize-coverage=inline-8bit-counters,pc-table) calls when it is loaded. Link it
 * into the backend: the engine of a campaign has functions of the same names, which come first. Other programs have
 * none, and there these do nothing.
 */
#include <stdint.h>

void __sanitizer_cov_8bit_counters_init(char* begin, char* end);
void __sanitizer_cov_pcs_init(const uintptr_t* begin, const uintptr_t* end);

__attribute__((weak)) void __sanitizer_cov_8bit_counters_init(char* begin, char* end) { (void)begin, (void)end; }
__attribute__((weak)) void __sanitizer_cov_pcs_init(const uintptr_t* begin, const uintptr_t* end) {
  (void)begin, (void)end;
}
