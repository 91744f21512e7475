# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Makes each case of deconv-cts a test of pytest. plugin.py has the options and the tests, serve.py starts an adapter."""
