"""A row in the table is all that a flag needs: the parser, help, completions, pages and programs know it from there."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import types
from collections.abc import Mapping
from pathlib import Path

import pytest

from rt_supervisor.cli.line import completions, flags, help
from rt_supervisor.cli.line.arguments import parse
from rt_supervisor.cli.line.node_options import with_node_options
from rt_supervisor.cli.run.programs import flag_options, start_values
from rt_supervisor.engine_worker.program.options import ProgramOptions
from rt_supervisor.engine_worker.program.options import start_values as values_of_program
from rt_supervisor.vocabulary.errors import Failed

SCRIPT = Path(__file__).parents[4] / "scripts" / "flag-docs"
FLAGS = (
    flags.Flag(
        "glow", flags.STRING, "Make it glow", value="colour", short="G", choices=("red", "blue"), start="glow",
        in_node_options=True, worker=flags.OWN,
    ),
    flags.Flag("glow-files", flags.STRING, "Files that glow", value="file", repeats=True, splits=True, option="drop", start="shine.files"),
)  # fmt: skip


@pytest.fixture(autouse=True)
def table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add two flags to the table."""
    monkeypatch.setattr(flags, "FLAG_GROUPS", (*flags.FLAG_GROUPS, ("Glowing", FLAGS)))
    for flag in FLAGS:
        monkeypatch.setitem(flags.BY_NAME, flag.name, flag)
    monkeypatch.setitem(flags.BY_SHORT, "G", FLAGS[0])


class Empty:
    """A folder without a project."""

    def script_names(self, folder: str) -> Mapping[str, str]:
        return {}

    def package_names(self, folder: str) -> tuple[str, ...]:
        return ()

    def selected_scripts(self, folder: str, patterns: object) -> Mapping[str, int]:
        return {}

    def running(self, folder: str, words: object) -> Mapping[str, str]:
        return {}


def page_maker() -> types.ModuleType:
    loader = importlib.machinery.SourceFileLoader("flag_docs", str(SCRIPT))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


@pytest.mark.parametrize("words", [["--glow", "red"], ["--glow=red"], ["-Gred"], ["-G", "red"]])
def test_the_parser_reads_it(words: list[str]) -> None:
    assert parse([*words, "a.ts"]).text("glow") == "red"


def test_the_parser_rejects_other_words() -> None:
    with pytest.raises(Failed, match=r'Invalid value for --glow: "green"\. Must be one of "red", "blue"'):
        parse(["--glow=green", "a.ts"])


def test_help_shows_it() -> None:
    assert "-G, --glow=<colour>" in help.run_help(100, colour=False)


def test_completions_offer_it_and_its_choices() -> None:
    assert "--glow\tMake it glow" in completions.answers(["run", "--gl"], Empty())
    assert completions.answers(["run", "--glow", ""], Empty()) == ["red\t", "blue\t"]


def test_the_page_lists_it() -> None:
    assert "| `--glow=<colour>`, `-G` |  | Make it glow |" in page_maker().page()


def test_workers_have_it_among_their_own_flags() -> None:
    assert "  glow: ['start', 'glow', 'text'],\n" in page_maker().worker_table()


def test_a_program_gets_its_start_value() -> None:
    invocation = parse(["--glow=blue", "--glow-files=a,b", "a.ts"])
    options = ProgramOptions("/a.ts", (), "rt", {}, "/", start=start_values(invocation))
    values = values_of_program(options)
    assert (values["glow"], values["shine"]) == ("blue", {"files": ["a", "b"]})


def test_a_program_gets_its_option() -> None:
    assert flag_options(parse(["--glow-files=a,b", "--glow-files=c", "a.ts"])) == {"drop": ("a", "b", "c")}


def test_it_counts_in_node_options() -> None:
    invocation = with_node_options(parse(["a.ts"]), "--glow=red --glow-files=a")
    assert invocation.options == {"glow": "red"}
