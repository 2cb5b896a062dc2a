# SPDX-License-Identifier: Apache-2.0
"""Why a package cannot be made, in a sentence."""


class PackageError(Exception):
    """Something is missing here; the message says what."""
