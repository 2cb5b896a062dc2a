# SPDX-License-Identifier: Apache-2.0
"""The experiments: each is a module or a package with an EXPERIMENT, and one line in the registry."""
