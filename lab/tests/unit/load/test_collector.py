# SPDX-License-Identifier: Apache-2.0
import gc

import pytest

from isotherm_lab.load.collector import no_collections


def test_no_garbage_is_collected_meanwhile_and_again_afterwards():
    with pytest.raises(ValueError), no_collections():
        assert not gc.isenabled()
        raise ValueError("a window failed")
    assert gc.isenabled()
