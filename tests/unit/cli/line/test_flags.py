"""The flag table: complete against the specification's list, consistent, and cheap."""

from __future__ import annotations

import subprocess
import sys

import pytest

from rt_supervisor.cli.line import commands, flags
from rt_supervisor.engine_worker.program.options import ProgramOptions

# Specification 4.2, flag by flag (long names; short letters after a slash).
SPECIFIED = [
    "silent",
    "if-present",
    "eval/e",
    "print/p",
    "help/h",
    "elide-lines",
    "filter/F",
    "workspaces",
    "parallel",
    "sequential",
    "no-exit-on-error",
    "rt/b",
    "shell",
    "interactive",
    "smol",
    "expose-gc",
    "no-deprecation",
    "throw-deprecation",
    "title",
    "zero-fill-buffers",
    "no-addons",
    "unhandled-rejections",
    "console-depth",
    "watch",
    "watch-kill-signal",
    "hot",
    "no-clear-screen",
    "inspect",
    "inspect-wait",
    "inspect-brk",
    "preload/r",
    "require",
    "import",
    "no-install",
    "install",
    "prefer-offline",
    "prefer-latest",
    "conditions/C",
    "main-fields",
    "preserve-symlinks",
    "preserve-symlinks-main",
    "extension-order",
    "tsconfig-override",
    "define/d",
    "drop",
    "loader/l",
    "no-macros",
    "jsx-factory",
    "jsx-fragment",
    "jsx-import-source",
    "jsx-runtime",
    "jsx-side-effects",
    "ignore-dce-annotations",
    "port",
    "fetch-preconnect",
    "max-http-header-size",
    "dns-result-order",
    "use-system-ca",
    "use-openssl-ca",
    "use-bundled-ca",
    "redis-preconnect",
    "sql-preconnect",
    "user-agent",
    "env-file",
    "cwd",
    "config/c",
]
DEFAULTS = {
    "elide-lines": 10,
    "console-depth": 2,
    "watch-kill-signal": "SIGTERM",
    "install": "auto",
    "extension-order": ".tsx,.ts,.jsx,.cts,.cjs,.js,.mjs,.mts,.json,.node",
    "jsx-import-source": "react",
    "jsx-runtime": "automatic",
    "max-http-header-size": 16384,
    "dns-result-order": "verbatim",
    "grace-period": 5000,
}
ALL = [flag for _, group in flags.FLAG_GROUPS for flag in group]


@pytest.mark.parametrize("entry", SPECIFIED)
def test_every_flag_of_the_specification_exists(entry: str) -> None:
    name, _, short = entry.partition("/")
    assert flags.BY_NAME[name].short == short


def test_install_has_its_short_form() -> None:
    assert flags.BY_SHORT["i"].means == "install=fallback"


@pytest.mark.parametrize(("name", "default"), DEFAULTS.items())
def test_defaults(name: str, default: object) -> None:
    assert flags.BY_NAME[name].default == default


def test_names_and_letters_are_unique() -> None:
    names = [flag.name for flag in ALL if flag.name]
    letters = [flag.short for flag in ALL if flag.short]
    assert len(names) == len(set(names))
    assert len(letters) == len(set(letters))


@pytest.mark.parametrize("flag", ALL, ids=lambda flag: flag.name or flag.short)
def test_rows_are_consistent(flag: flags.Flag) -> None:
    assert flag.help
    assert not flag.help.endswith(".")
    assert (flag.kind in (flags.ALIAS, flags.NEGATION)) == bool(flag.means)
    if flag.means:
        assert flag.means.partition("=")[0] in flags.BY_NAME
    if flag.kind in (flags.STRING, flags.NUMBER, flags.OPTIONAL):
        assert flag.value
    if flag.kind in (flags.BOOLEAN, flags.NEGATION):
        assert not flag.value
    assert flag.repeats or not flag.splits
    if flag.worker == flags.OWN:
        assert flag.option or (flag.start and "." not in flag.start)


@pytest.mark.parametrize("flag", ALL, ids=lambda flag: flag.name or flag.short)
def test_options_are_fields_of_a_program(flag: flags.Flag) -> None:
    assert not flag.option or flag.option in ProgramOptions.__match_args__


def test_no_command_is_both_there_and_absent() -> None:
    assert commands.NAMES.isdisjoint(commands.ABSENT)


def test_the_table_imports_nothing() -> None:
    script = (
        "import sys; before = set(sys.modules); import rt_supervisor.cli.line.flags; print(*set(sys.modules) - before)"
    )
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    assert set(loaded) <= {
        "__future__",
        "rt_supervisor",
        "rt_supervisor.cli",
        "rt_supervisor.cli.line",
        "rt_supervisor.cli.line.flags",
    }
