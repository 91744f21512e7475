/* SPDX-FileCopyrightText: the deconv-cts authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Tells whether the library works on this machine. Prints its version and the instruction sets that it can use here,
 * one a line with the best one first, and runs its self-test. Exit status: 0 if all is well, 1 if the self-test fails.
 */
#include <deconv/deconv.h>
#include <stdio.h>

int main(void) {
  deconv_status status = {0};
  status.struct_bytes = sizeof(status);
  printf("deconv %s\n", deconv_version());
  for (size_t i = 0; deconv_target(i) != NULL; ++i) printf("target %s\n", deconv_target(i));
  if (deconv_selftest(&status) != DECONV_OK) {
    fprintf(stderr, "%s\n", status.message);
    return 1;
  }
  printf("selftest passed\n");
  return 0;
}
