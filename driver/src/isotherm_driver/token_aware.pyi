# SPDX-License-Identifier: Apache-2.0
from isotherm_driver.token_router import TokenRouter

class TokenAwareCore(TokenRouter): ...
