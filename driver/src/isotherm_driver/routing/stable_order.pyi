# SPDX-License-Identifier: Apache-2.0
from typing import Any

def may_shuffle(query: Any) -> bool: ...
