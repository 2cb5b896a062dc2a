# SPDX-License-Identifier: Apache-2.0
"""What is promised of a hot partition."""

from typing import Any

from isotherm_lab.experiments.hot_partition.promised import promises
from isotherm_lab.experiments.promises import Promise


def states(found: list[Promise]) -> dict[str, str]:
    """Return what is said of each."""
    return {each.what: each.cells()[3] for each in found}


NONE_FAILED = {"background_failed": 0, "failed": 0}


def fair(
    background: float,
    accepted: list[float],
    of_left: float | None = 0.7,
    refused: float = 0,
    again: float = 1,
    **failed: int,
) -> dict[str, Any]:
    """Return what is concluded of hot partitions; of `again` requests/s later as many are refused as of the others'."""
    phases = [
        {"background_per_s": per_s, "background_rejected_per_s": refused, "each_accepted_per_s": accepted,
         "hot_accepted_per_s": again, "hot_rejected_per_s": refused, **NONE_FAILED, **failed}
        for per_s in (200, background, 199)
    ]  # fmt: skip
    return {"phases": phases, "recovered_s": 3.0, "hot_of_left": of_left}


def limited(shares: dict[str, Any], **failed: int) -> dict[str, Any]:
    """Return the summary of a run with these shares; requests failed without a limit, and so many under it."""
    without = {"background_failed": 70, "failed": 700}
    phases = [NONE_FAILED, without, NONE_FAILED | failed]
    return {"under_hot": 0.07, "under_limit": 0.92, "phases": phases, "fair_share": shares}


def test_of_a_hot_partition():
    shares = {"one": fair(184, [29]), "two": fair(170, [16, 23], again=0), "costly": fair(100, [6], 0.45, refused=1)}
    found = states(promises(limited(shares)))
    assert found == {
        "background beside the hot client, of usual": "kept",
        "background under the limit, of usual": "missed",
        "under the limit: background failed": "kept",
        "under the limit: hot failed": "kept",
        "one: background, of usual": "kept",
        "one: background back after": "kept",
        "one: hot, of what is left": "kept",
        "one: background refused": "kept",
        "one: background failed": "kept",
        "one: hot failed": "kept",
        "one: hot refused, 5 s after": "kept",
        "two: background, of usual": "missed",
        "two: background back after": "kept",
        "two: hot, of what is left": "kept",
        "two: background refused": "kept",
        "two: background failed": "kept",
        "two: hot failed": "kept",
        "two: hot refused, 5 s after": "broken",
        "two: one over the other": "missed",
        "costly: background, of usual": "broken",
        "costly: background back after": "kept",
        "costly: hot, of what is left": "missed",
        "costly: background refused": "broken",
        "costly: background failed": "kept",
        "costly: hot failed": "kept",
        "costly: hot refused, 5 s after": "broken",
    }


def test_no_request_may_fail_where_the_plugin_limits_or_shares():
    def judged(**failed: int) -> dict[str, str]:
        shares = {name: fair(184, [29], **failed) for name in ("one", "costly")}
        found = states(promises(limited(shares, **failed)))
        return {what: said for what, said in found.items() if "failed" in what and said != "kept"}

    assert judged() == {}
    assert judged(background_failed=1, failed=1) == {
        f"{where}: background failed": "broken" for where in ("under the limit", "one", "costly")
    }
    assert judged(failed=1) == {
        f"{where}: hot failed": "broken" for where in ("under the limit", "one", "costly")
    }  # fmt: skip
