"""The table itself: complete against the specification's list, consistent, and cheap."""

from __future__ import annotations

import subprocess
import sys

import pytest

from rt_supervisor.cli.line import commands, flags

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
    "conditions",
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
def test_every_flag_of_the_specification_is_there(entry: str) -> None:
    name, _, short = entry.partition("/")
    assert flags.BY_NAME[name][flags.SHORT] == short


def test_install_has_its_short_form() -> None:
    assert flags.BY_SHORT["i"][flags.MEANS] == "install=fallback"


@pytest.mark.parametrize(("name", "default"), DEFAULTS.items())
def test_defaults(name: str, default: object) -> None:
    assert flags.BY_NAME[name][flags.DEFAULT] == default


def test_names_and_letters_are_unique() -> None:
    names = [flag[flags.NAME] for flag in ALL if flag[flags.NAME]]
    letters = [flag[flags.SHORT] for flag in ALL if flag[flags.SHORT]]
    assert len(names) == len(set(names))
    assert len(letters) == len(set(letters))


@pytest.mark.parametrize("flag", ALL, ids=lambda flag: flag[flags.NAME] or flag[flags.SHORT])
def test_rows_are_consistent(flag: flags.Flag) -> None:
    kind = flag[flags.KIND]
    assert flag[flags.HELP]
    assert not flag[flags.HELP].endswith(".")
    assert (kind in (flags.ALIAS, flags.NEGATION)) == bool(flag[flags.MEANS])
    if flag[flags.MEANS]:
        assert flag[flags.MEANS].partition("=")[0] in flags.BY_NAME
    if kind in (flags.STRING, flags.NUMBER, flags.OPTIONAL):
        assert flag[flags.VALUE]
    if kind in (flags.BOOLEAN, flags.NEGATION):
        assert not flag[flags.VALUE]


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
