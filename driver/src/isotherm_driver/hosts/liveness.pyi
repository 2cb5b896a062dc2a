# SPDX-License-Identifier: Apache-2.0
from isotherm_driver.drivers_types import Host

def is_worth_a_try(host: Host) -> bool: ...
