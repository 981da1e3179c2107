"""The request of a run, before names are resolved."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rt_supervisor.cli.line.arguments import parse, parse_as_node
from rt_supervisor.cli.request import make_request, places_of, program_environment
from rt_supervisor.vocabulary.errors import Failed


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FROM", "shell")
    (tmp_path / ".env").write_text("A=default\nFROM=file")
    (tmp_path / "my.env").write_text("B=mine\nFROM=file")
    return tmp_path


def test_scripts_see_named_files_only(folder: Path) -> None:
    plain = make_request(parse(["run", "x"]))
    assert (plain.folder, plain.environment.get("A")) == (str(folder), None)
    named = make_request(parse(["--env-file=my.env", "run", "x"])).environment
    assert (named.get("A"), named["B"], named["FROM"]) == (None, "mine", "shell")


def test_programs_see_the_default_files_unless_configured_otherwise(folder: Path) -> None:
    def environment(*argv: str) -> tuple[str | None, str | None, str]:
        found = program_environment(make_request(parse([*argv, "x.ts"])))
        return found.get("A"), found.get("B"), found["FROM"]

    assert environment() == ("default", None, "shell")
    assert environment("--env-file=my.env") == (None, "mine", "shell")
    assert environment("--no-env-file") == (None, None, "shell")


def test_rejected_values_are_warned_about_once(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / ".env").write_text("PATH=x\nLD_PRELOAD=y")
    assert program_environment(make_request(parse(["x.ts"])))["PATH"] == os.environ["PATH"]
    printed = capfd.readouterr().err
    assert printed.count("warn") == 1
    assert "PATH (.env), LD_PRELOAD (.env) were not loaded" in printed


def test_flags_in_the_config_apply_where_they_make_sense(folder: Path) -> None:
    (folder / "rtfig.toml").write_text('[run]\nparallel = true\nfilter = "a"\nwatch = true\nsilent = true')

    def options(*argv: str) -> set[str]:
        return set(make_request(parse(argv)).invocation.options)

    assert options("run", "x") == {"parallel", "filter", "watch", "silent"}
    assert options("x.ts") == {"watch", "silent"}
    assert options("run") == {"watch", "silent"}
    assert options("--filter", "b", "x") == {"filter", "watch", "silent"}
    as_node = make_request(parse_as_node(["x.js"]), as_node=True)
    assert set(as_node.invocation.options) == {"silent"}
    request = make_request(parse(["run", "--sequential", "x"]))
    assert (request.given, request.invocation.options["filter"]) == ({"sequential"}, ("a",))


def test_the_places_where_a_request_looks(folder: Path) -> None:
    places = places_of(make_request(parse("--extension-order .js,.ts --loader .md:text x".split())), {"a": "b"}, "p")  # noqa: SIM905
    assert (places.folder, places.scripts, places.problem) == (str(folder), {"a": "b"}, "p")
    assert list(places.extensions) == [".js", ".ts"]
    assert list(places.loaders) == [".md"]


def test_a_folder_that_is_gone(folder: Path) -> None:
    gone = folder / "gone"
    gone.mkdir()
    os.chdir(gone)
    gone.rmdir()
    with pytest.raises(Failed, match="cannot determine the working folder"):
        make_request(parse(["x"]))
    assert make_request(parse(["x"]), as_node=True).folder == "/"
