# SPDX-License-Identifier: Apache-2.0
"""The replicas from which nodes under affinity placement read a partition."""
