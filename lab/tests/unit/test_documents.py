# SPDX-License-Identifier: Apache-2.0
"""What the documents point at is there."""

import html
import re
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[3]
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))


def documents() -> list[Path]:
    """Return the Markdown files that belong to the project."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [ROOT / line for line in listed.stdout.splitlines()]


def anchors(document: Path) -> set[str]:
    """Return the anchors of a document's headings, as the forges make them."""
    headings = re.findall(r"^#+ (.*)$", document.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", documents(), ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", document.read_text()):
        if re.match(r"\w+://|mailto:", target):
            continue
        path, _, anchor = target.partition("#")
        file = document if not path else document.parent / path
        assert file.exists(), target
        assert not anchor or anchor in anchors(file), target


@pytest.mark.parametrize("document", documents(), ids=lambda path: str(path.relative_to(ROOT)))
def test_each_table_has_a_head(document: Path) -> None:
    # Without one its rows are shown as they are written.
    for lines in re.findall(r"(?:^\|.*\n)+", document.read_text(), re.MULTILINE):
        assert re.match(r".*\n\|[-:| ]+\|$", lines, re.MULTILINE), lines


def test_the_marks_of_integration_tests_are_explained() -> None:
    declared = re.search(
        r"^_MARKS = \{\n(.*?)^\}", (ROOT / "lab/tests/integration/conftest.py").read_text(), re.S | re.M
    )
    assert declared
    (table,) = re.findall(r"^\| mark \| says \|\n((?:\|.*\n)+)", (ROOT / "lab/README.md").read_text(), re.MULTILINE)
    assert re.findall(r"^\| `(\w+)", table, re.MULTILINE) == re.findall(r'^    "(\w+)', declared[1], re.MULTILINE)


@pytest.mark.parametrize(
    "document", [ROOT / "docs" / "architecture.md", ROOT / "CONTRIBUTING.md"], ids=lambda p: p.name
)
def test_a_class_is_linked_under_its_own_name(document: Path) -> None:
    named = re.findall(r"\[`(\w+)`\]\(([^)]+)\)", document.read_text())
    assert named
    for name, path in named:
        assert Path(path).stem == name, path


@pytest.mark.parametrize("picture", ["house", "ways"])
def test_pictures_show_what_their_source_says(picture: str) -> None:
    source = (ROOT / "docs" / f"{picture}.dot").read_text()
    drawn = html.unescape((ROOT / "docs" / f"{picture}.svg").read_text())
    words = {word for label in re.findall(r'label="([^"]+)"', source) for word in label.split("\\n")}
    assert words
    assert not [word for word in words if word not in drawn]


def lines_of_the_log() -> list[str]:
    """Return the patterns of the log's lines that the operator's page says: any value may stand for `…`."""
    table = (ROOT / "docs" / "operating.md").read_text().split("## What the log says")[1].split("\n## ")[0]
    lines = re.findall(r"`([^`]* [^`]*)`", "".join(re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)))
    return [re.escape(line).replace("…", ".*") for line in lines]


def sources() -> str:
    """Return the plugin's sources, with the pieces of a long text put together."""
    files = sorted((ROOT / "cassandra" / "src" / "main").rglob("*.java"))
    return re.sub(r'"\s*\+\s*"', "", "".join(file.read_text() for file in files))


def test_the_log_has_the_lines_that_the_page_says() -> None:
    texts = re.findall(r'"((?:[^"\\\n]|\\.)*)"', sources())
    patterns = lines_of_the_log()
    assert len(patterns) > 10
    assert not [line for line in patterns if not any(re.fullmatch(line, text) for text in texts)]


def test_the_page_says_the_lines_that_the_log_has() -> None:
    calls = re.findall(r"\b(?:(?:log|logger|begins|ends)\.info|say)\(([^;]*);", sources())
    said = [text for call in calls for text in re.findall(r'"([^"\n]*\{\}[^"\n]*)"', call)]
    assert len(said) > 10
    patterns = lines_of_the_log()
    assert not [text for text in said if not any(re.fullmatch(line, text) for line in patterns)]


@pytest.mark.parametrize("form", FORMS, ids=lambda path: path.name)
def test_issue_forms_are_forms(form: Path) -> None:
    content = yaml.safe_load(form.read_text())
    if form.name == "config.yml":
        assert isinstance(content["blank_issues_enabled"], bool)
        return
    assert content["name"] and content["description"]
    for field in content["body"]:
        assert field["type"] in {"textarea", "input", "dropdown", "checkboxes", "markdown"}
        assert field["attributes"]
    ids = [field["id"] for field in content["body"] if field["type"] != "markdown"]
    assert len(ids) == len(set(ids))
