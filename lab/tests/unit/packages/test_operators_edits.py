# SPDX-License-Identifier: Apache-2.0
"""install.sh where the operator has changed what it wrote while the plugin was installed, or wrote it otherwise."""

from pathlib import Path

import pytest
from packed import HANDLER, OPTIONS, SNITCH, Layout, assert_refuses, done

BEFORE = "# before Isotherm: "


@pytest.mark.parametrize(
    ("line", "becomes", "file", "comment", "restored"),
    [
        (f"snitch: {SNITCH}", "snitch: RackInferringSnitch", "cassandra.yaml", f"{BEFORE}endpoint_snitch: {SNITCH}",
         "endpoint_snitch: RackInferringSnitch"),
        ("query_handler: a.B", "query_handler: c.D", "jvm-server.options", f"{BEFORE}{HANDLER}a.B", f"{HANDLER}c.D"),
    ],
)  # fmt: skip
def test_what_the_node_runs_with_is_not_replaced_by_what_it_ran_with_before(
    archive: Path, layout: Layout, line: str, becomes: str, file: str, comment: str, restored: str
) -> None:
    layout.options.write_text(f"{OPTIONS}{HANDLER}a.B\n")
    done(archive, layout)
    assert line in layout.config.read_text()
    layout.config.write_text(layout.config.read_text().replace(line, becomes))
    assert_refuses(archive, layout, "uninstall", f"{becomes} in {layout.config} is refused; allowed: ")
    edited = layout.conf / file
    assert comment in edited.read_text()
    edited.write_text(edited.read_text().replace(comment, BEFORE + restored))
    done(archive, layout, "uninstall")
    assert f"\n{restored}\n" in edited.read_text()


def test_a_handler_that_was_given_up_meanwhile_is_not_brought_back(archive: Path, layout: Layout) -> None:
    layout.options.write_text(f"{OPTIONS}{HANDLER}a.B\n")
    done(archive, layout)
    layout.config.write_text(layout.config.read_text().replace("query_handler: a.B", ""))
    assert_refuses(archive, layout, "uninstall", f"query_handler: none in {layout.config} is refused; allowed: ")
    layout.options.write_text(layout.options.read_text().replace(f"{BEFORE}{HANDLER}a.B", f"{BEFORE}nothing"))
    done(archive, layout, "uninstall")
    assert layout.options.read_text() == OPTIONS


@pytest.mark.parametrize("option", ["-Disotherm.config=/elsewhere.yaml", f"{HANDLER}a.B"])
def test_an_option_behind_another_one_is_refused(archive: Path, layout: Layout, option: str) -> None:
    layout.options.write_text(f"{OPTIONS}-Xss1m {option}\n")
    assert_refuses(archive, layout, "install", "behind another option")
