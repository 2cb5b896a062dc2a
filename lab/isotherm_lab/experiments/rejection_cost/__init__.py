# SPDX-License-Identifier: Apache-2.0
"""What a rejection costs beside the read it spares."""
