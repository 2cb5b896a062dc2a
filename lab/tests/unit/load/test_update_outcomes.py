# SPDX-License-Identifier: Apache-2.0
import json
from pathlib import Path

import pytest

from isotherm_lab.errors import LabError
from isotherm_lab.load import update_outcomes
from isotherm_lab.measure import samples


def client(folder: Path, records: list[tuple[int, int, int, int]], errors: dict[str, int]) -> Path:
    folder.mkdir()
    with open(folder / "requests.bin", "wb") as file:
        samples.append(file, records)
    (folder / "errors.json").write_text(json.dumps([{"type": kind, "count": count} for kind, count in errors.items()]))
    return folder


def test_clients_are_joined_by_intended_time_and_their_outcomes_summed(tmp_path: Path):
    one = client(tmp_path / "1", [(30, 5, 0, 0), (10, 7, 1, 0)], {"WriteTimeout": 1})
    two = client(
        tmp_path / "2", [(20, 6, 0, 0), (40, 1, 1, 0), (50, 1, 2, 0)], {"Unavailable": 1, "OperationTimedOut": 1}
    )
    records, outcomes = update_outcomes.of_clients([one, two])
    assert records["intended_us"].tolist() == [10, 20, 30, 40, 50]
    assert outcomes["acknowledged"] == 2
    assert update_outcomes.timed_out(outcomes) == 2
    assert update_outcomes.failed(outcomes) == 1


def test_a_run_that_lost_an_update_ends_with_an_error():
    kept = {"acknowledged": 10, "timed_out": 1, "failed": 0, "counted": 11}
    update_outcomes.refuse_inexact({"cassandra": kept, "isotherm": kept})
    with pytest.raises(LabError, match=r"lost or counted twice: isotherm\.$"):
        update_outcomes.refuse_inexact({"cassandra": kept, "isotherm": kept | {"counted": 9}})
    with pytest.raises(LabError, match=r"cassandra, isotherm\.$"):
        update_outcomes.refuse_inexact({"cassandra": kept | {"counted": 12}, "isotherm": kept | {"counted": 12}})


def test_a_run_in_which_no_update_was_acknowledged_proves_nothing():
    kept = {"acknowledged": 10, "timed_out": 1, "failed": 0, "counted": 11}
    nothing = {"acknowledged": 0, "timed_out": 0, "failed": 9, "counted": 0}
    with pytest.raises(LabError, match=r"^No update was acknowledged .*: isotherm\.$"):
        update_outcomes.refuse_inexact({"cassandra": kept, "isotherm": nothing})
    with pytest.raises(LabError, match=r"twice: cassandra\.\nNo update .*: isotherm\.$"):
        update_outcomes.refuse_inexact({"cassandra": kept | {"counted": 9}, "isotherm": nothing})
