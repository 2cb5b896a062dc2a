# SPDX-License-Identifier: Apache-2.0
"""How busy hosts are: requests in flight, published queue depths, and the soft-limit rule over both."""
