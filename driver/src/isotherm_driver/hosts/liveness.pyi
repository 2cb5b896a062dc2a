# SPDX-License-Identifier: Apache-2.0
from typing import Any

def is_worth_a_try(host: Any) -> bool: ...
