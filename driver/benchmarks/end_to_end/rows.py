# SPDX-License-Identifier: Apache-2.0
"""From the rounds of clients to the rows of the summary: means, and intervals of what a policy saves in a round."""

import random
from collections.abc import Callable, Sequence
from statistics import fmean

POLICIES = ("stock", "isotherm", "isotherm-queue-aware")
WITH_ROW_FACTORY = "isotherm and its row factory"
RESAMPLES = 2000


def interval(processes: list[list[float]], statistic: Callable[[list[float]], float] = fmean) -> list[float]:
    """Where 95 % of the statistics lie of samples drawn again: first from the processes, then from their rounds."""
    source = random.Random(5)
    drawn = sorted(
        statistic([each for rounds in source.choices(processes, k=len(processes)) for each in
                   source.choices(rounds, k=len(rounds))])
        for _ in range(RESAMPLES)
    )  # fmt: skip
    return [drawn[round(RESAMPLES * 0.025)], drawn[round(RESAMPLES * 0.975) - 1]]


def _row(reports: list[dict], requests: int, policy: str) -> dict:
    rounds = [report["rounds"] for report in reports]
    processor = [[each[policy][0] / requests * 1e6 for each in process] for process in rounds]
    rate = [[requests / each[policy][1] for each in process] for process in rounds]
    # Rounds are pairs: what is said beside the stock policy is said of the same seconds.
    saved = [[1 - each[policy][0] / each["stock"][0] for each in process] for process in rounds]
    gained = [[each["stock"][1] / each[policy][1] - 1 for each in process] for process in rounds]
    row = {
        "policy": policy,
        "cpu_us_per_request": round(fmean(fmean(each) for each in processor), 2),
        "cpu_us_interval": [round(each, 2) for each in interval(processor)],
        "requests_per_s": round(fmean(fmean(each) for each in rate)),
        "requests_per_s_interval": [round(each) for each in interval(rate)],
    }
    for name, shares in [("cpu_saved", saved), ("requests_per_s_gained", gained)]:
        if policy != "stock":
            row[name] = round(fmean(fmean(each) for each in shares), 4)
            row[f"{name}_interval"] = [round(each, 4) for each in interval(shares)]
    return row


def rows_of(
    reports: dict[tuple[str, int], list[dict]], requests: int, profiles: Sequence[str] = POLICIES
) -> list[dict]:
    """The rows of a summary; `reports` are the clients', by driver and number of nodes."""
    return [
        {"driver": driver, "nodes": nodes} | _row(of_clients, requests, profile)
        for (driver, nodes), of_clients in sorted(reports.items(), key=lambda each: each[0])
        for profile in profiles
    ]


def table(rows: list[dict]) -> str:
    """The rows as text."""
    lines = [f"{'':18}{'nodes':>6}  {'policy':30}{'us/request':>11}{'requests/s':>12}{'CPU saved':>26}{'gained':>26}"]
    for row in rows:
        line = f"{row['driver']:18}{row['nodes']:6}  {row['policy']:30}"
        line += f"{row['cpu_us_per_request']:11.1f}{row['requests_per_s']:12,}"
        for name in ("cpu_saved", "requests_per_s_gained"):
            if name in row:
                low, high = row[f"{name}_interval"]
                line += f"{f'{row[name]:.1%} ({low:.1%} to {high:.1%})':>26}"
        lines.append(line)
    return "\n".join(lines)
