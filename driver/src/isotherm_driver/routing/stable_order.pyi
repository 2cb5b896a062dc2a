# SPDX-License-Identifier: Apache-2.0
from isotherm_driver.drivers_types import Query

def may_shuffle(query: Query) -> bool: ...
