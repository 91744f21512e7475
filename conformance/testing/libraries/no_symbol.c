/* SPDX-FileCopyrightText: the deconv-cts authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * For tests: a library that is no backend, because it does not export deconv_backend_open.
 */
int deconv_backend_opened(void);
int deconv_backend_opened(void) { return 0; }
