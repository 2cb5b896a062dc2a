# SPDX-License-Identifier: Apache-2.0
"""Which hosts there are and how far away, the plans over them, and the policies that list, filter or target hosts."""
