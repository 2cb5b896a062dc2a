# SPDX-License-Identifier: Apache-2.0
"""The experiments, one module each."""
