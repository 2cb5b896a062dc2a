# SPDX-License-Identifier: Apache-2.0
from isotherm_driver.routing.router import TokenRouter

class TokenAwareCore(TokenRouter): ...
