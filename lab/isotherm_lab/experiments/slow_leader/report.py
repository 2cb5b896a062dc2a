# SPDX-License-Identifier: Apache-2.0
"""Runs the slow leader, and writes, shows and judges what came of it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from isotherm_lab.experiments import promises
from isotherm_lab.experiments.result_table import result_table
from isotherm_lab.experiments.slow_leader import promised
from isotherm_lab.experiments.slow_leader.plan import NAME, PLUGIN, STOCK, Plan
from isotherm_lab.experiments.slow_leader.run import Outcome, run
from isotherm_lab.experiments.slow_leader.turn import Turn
from isotherm_lab.load.update_outcomes import exact, refuse_inexact, tally
from isotherm_lab.load.windows import Window
from isotherm_lab.measure import paired, samples, summary
from isotherm_lab.measure.completions import completions, rate
from isotherm_lab.measure.rounding import rounded
from isotherm_lab.progress import Bars


def run_and_report(plan: Plan, folder: Path, console: Console) -> None:
    """Run the plan; everything it leaves is in the folder. LabError when an account or a promise is wrong."""
    with Bars(console, NAME, plan.expected_s()) as bars:
        outcome = run(plan, folder, bars)
    concluded = conclude(plan, outcome)
    file = summary.write(folder, concluded)
    console.print(table(concluded))
    for sentence in accounts(concluded):
        console.print(sentence, highlight=False)
    console.print(f"The numbers are in {file}", soft_wrap=True, highlight=False)
    refuse_inexact(concluded["variants"])
    promises.report(promised.promises(concluded), console)


def conclude(plan: Plan, outcome: Outcome) -> dict[str, Any]:
    """Return the summary: each variant's phases and its account, each turn, and the plan."""
    variants = {}
    for name in plan.variants:
        own = [turn for turn in outcome.turns if turn.variant == name]
        variants[name] = {
            phase: measured([turn for turn in own if turn.phase == phase]) for phase in plan.phases
        } | account(own, outcome.counted[name])
    turns = [
        {"variant": turn.variant, "phase": turn.phase}
        | measured([turn])
        | {"outcomes": dict(turn.outcomes), "queues": _rounded(turn.queues), "processors_busy": turn.processors}
        for turn in outcome.turns
    ]
    compared = {"throughput": throughput(outcome.windows)} if {STOCK, PLUGIN} <= set(outcome.windows) else {}
    return {"experiment": NAME, "variants": variants, **compared, "turns": turns, "settings": asdict(plan)}


def throughput(windows: Mapping[str, Sequence[Window]]) -> dict[str, float]:
    """Return medians of the windows of saturated nodes, and the median of the paired ratios with its 95 % interval."""
    per_s = {name: np.array([each.per_s for each in own]) for name, own in windows.items()}
    ratio = paired.ratio(per_s[PLUGIN].reshape(-1, 2), per_s[STOCK].reshape(-1, 2))
    medians = {f"{name}_per_s": round(float(np.median(own)), 1) for name, own in per_s.items()}
    interval = {"ratio": ratio.median, "ratio_low": ratio.low, "ratio_high": ratio.high}
    return medians | {name: round(value, 4) for name, value in interval.items()}


def measured(turns: Sequence[Turn]) -> dict[str, Any]:
    """Return latencies, throughput and leaders of some turns of one variant together; the mean is of what succeeded."""
    blocks = np.concatenate([samples.between(turn.records, turn.begin, turn.end) for turn in turns])
    answered = blocks["latency_us"][blocks["outcome"] == samples.ANSWERED] / 1000
    rates = [rate(completions(turn.records, samples.ANSWERED), turn.begin, turn.end) for turn in turns]
    leaders: Counter[str] = Counter()
    for turn in turns:
        leaders.update(turn.leaders)
    percentiles = {f"p{str(percent).replace('.', '')}_ms": samples.percentile_ms(blocks, percent)
                   for percent in (50, 99, 99.9)}  # fmt: skip
    mean = {"mean_ms": float(np.mean(answered)) if answered.size else None, "per_s": float(np.mean(rates))}
    return _rounded(percentiles | mean) | {"leaders": dict(leaders)}


def account(turns: Sequence[Turn], counted: int) -> dict[str, int]:
    """Return how many updates were acknowledged, timed out, failed otherwise, and by how much the counters grew."""
    outcomes: Counter[str] = Counter()
    for turn in turns:
        outcomes.update(turn.outcomes)
    return tally(outcomes, counted)


def accounts(concluded: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each variant: what was acknowledged, and what was counted."""
    return [
        f"{name}: {own['acknowledged']} acknowledged, {own['timed_out']} timed out, {own['failed']} failed,"
        f" {own['counted']} counted: {'exact' if exact(own) else 'NOT exact'}"
        for name, own in concluded["variants"].items()
    ]


def table(concluded: Mapping[str, Any]) -> Table:
    """Return the phases for a person."""
    shown = result_table(
        "Counter updates at QUORUM, no, one and two of three nodes slow",
        f"Latencies in ms from the intended time, one that failed infinite, the mean without those that failed; slow:"
        f" {concluded['settings']['slowness']} x the service time.",
        left=["phase", "variant"],
        right=["mean", "p50", "p99", "p99.9", "per s", "led by"],
    )
    for phase in concluded["settings"]["phases"]:
        for name, own in concluded["variants"].items():
            each = own[phase]
            numbers = (each[key] for key in ("mean_ms", "p50_ms", "p99_ms", "p999_ms", "per_s"))
            shown.add_row(
                phase, name, *("-" if number is None else f"{number:.1f}" for number in numbers),
                " ".join(str(led) for _, led in sorted(each["leaders"].items())),
            )  # fmt: skip
    return shown


def _rounded(values: Mapping[str, float | None]) -> dict[str, float | None]:
    return {name: rounded(value, 2) for name, value in values.items()}
