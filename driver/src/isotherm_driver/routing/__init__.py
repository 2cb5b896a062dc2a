# SPDX-License-Identifier: Apache-2.0
"""From a statement's routing key to its replicas in order, and the token-aware plan over them."""
