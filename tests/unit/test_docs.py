"""Paths, dotted names, links and flags in the documentation exist."""

from __future__ import annotations

import importlib
import re
import tomllib
from pathlib import Path

import pytest

from rt_supervisor.cli.line import flags, node_flags, permission_flags, test_flags

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
FOLDERS = ("rt_supervisor", "native", "tests", "docs", "benchmarks", "scripts", "fixtures", "stubs", "packaging")
GROUPS = (*(group for _, group in flags.FLAG_GROUPS), flags.OF_RUNS, flags.OF_AGENT)
NAMES = {f"--{flag.name}" for group in GROUPS for flag in group if flag.name}


def quoted_texts(page: Path) -> list[str]:
    """Return the texts in backticks, outside of indented examples."""
    text = "\n".join(line for line in page.read_text().split("\n") if not line.startswith("    "))
    return re.findall(r"`([^`\n]+)`", text.replace("\n", " "))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_paths_exist(page: Path) -> None:
    named = [
        word for word in quoted_texts(page) if word.partition("/")[0] in FOLDERS and re.fullmatch(r"[\w./-]+", word)
    ]
    assert [word for word in named if "." not in word.partition("/")[0] and not (ROOT / word).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_symbols_exist(page: Path) -> None:
    for word in quoted_texts(page):
        if re.fullmatch(r"rt_supervisor(\.\w+)+", word):
            assert names_something(word), f"{page.name}: {word}"


def names_something(dotted: str) -> bool:
    """Return whether a dotted name is a module or a member of one."""
    parts = dotted.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            thing: object = importlib.import_module(".".join(parts[:cut]))
        except ModuleNotFoundError:
            continue
        for name in parts[cut:]:
            if not hasattr(thing, name):
                return False
            thing = getattr(thing, name)
        return True
    return False


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, in the form that both GitHub and the site generate."""
    headings = re.findall(r"^#+ (.+)$", re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S), re.M)
    return {re.sub(r"[^\w -]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_anchors_of_links_exist(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]*)#([^)]+)\)", page.read_text())
    assert [
        (file, anchor) for file, anchor in links if anchor not in anchors(page.parent / file if file else page)
    ] == []


def test_every_page_is_in_the_navigation_of_the_site() -> None:
    site = tomllib.loads((ROOT / "zensical.toml").read_text())
    listed = set(re.findall(r"[\w-]+\.md", str(site["project"]["nav"])))
    assert listed == {page.name for page in ROOT.glob("docs/*.md")}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_flags_exist(page: Path) -> None:
    named = {
        match
        for word in quoted_texts(page)
        for match in re.findall(r"(?<![\w-])--[a-z][a-z_-]+(?:\d\.\d|(?<=sigusr)\d)?", word)
    }
    named = {name.replace("_", "-") for name in named}  # V8's spelling
    foreign = {"--flag", "--strict", "--table"}  # "a flag" in general; mypy's; that of a test script
    foreign |= {"--check", "--write", "--fix", "--max-warnings"}  # of programs that run under rt
    foreign |= {
        "--include-workspace-root",
        "--ws",
        "--prefix",
        "--no-bail",
        "--workspace-concurrency",
    }  # of npm and pnpm
    foreign |= {"--dry", "--graph", "--profile"}  # of Turborepo
    foreign |= {"--asan", "--debug-scopes", "--static-libatomic"}  # of scripts/build and of debug builds
    foreign |= {"--preload", "--scheduler-file", "--nthreads"}  # of dask
    foreign |= {"--quick", "--requests", "--seed", "--sources"}  # of scripts/check-development
    foreign |= {"--watch-path", "--run", "--completion-bash"}  # of Node; rt has the last two only under the name node
    foreign |= {"--first-run"}  # of scripts/setup
    named = {name for name in named if not node_flags.is_harmless(name.removeprefix("--"))}
    named = {name for name in named if test_flags.find_flag(name.removeprefix("--")) is None}
    named = {name for name in named if permission_flags.find_flag(name.removeprefix("--")) is None}
    assert named - NAMES - foreign == set()


PROMISES = [*range(1, 4), *range(5, 12), *range(13, 30), 40]


def test_every_promise_has_tests_that_exist() -> None:
    rows = re.findall(r"^\| G(\d+) \|[^|]+\|([^|]+)\|", (ROOT / "docs/reliability.md").read_text(), re.M)
    numbers = [int(number) for number, _ in rows]
    assert numbers[: len(PROMISES)] == PROMISES and numbers == sorted(set(numbers))
    for number, tests in rows:
        named = re.findall(r"`([\w./]+)::(\w+)`", tests)
        assert named, f"G{number} has no test"
        for file, name in named:
            path = ROOT / (file if file.startswith("tests/") else f"tests/specs/reliability/{file}")
            assert re.search(rf"^def {name}\(", path.read_text(), re.M), f"G{number}: {file}::{name}"


def test_the_architecture_names_modules() -> None:
    words = quoted_texts(ROOT / "docs/architecture.md")
    assert sum(word.startswith("rt_supervisor") for word in words) > 20, "this sees nothing"
