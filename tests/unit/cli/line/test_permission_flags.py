"""`--permission` and the flags that grant rights: on the command line, from NODE_OPTIONS, and on their own."""

from __future__ import annotations

from typing import Any

import pytest

from rt_supervisor.cli.line import arguments, permission_flags
from rt_supervisor.cli.line.node_options import with_node_options
from rt_supervisor.vocabulary.errors import Failed


def limits(*argv: str, options: str = "") -> Any:
    invocation = arguments.parse([*argv, "a.js"])
    if options:
        invocation = with_node_options(invocation, options)
    return permission_flags.limits(invocation.permission, ("/p/a.js", ""))


def test_nothing_is_limited_without_the_flag() -> None:
    assert limits() is None
    assert limits("--no-permission") is None


def test_paths_are_written_with_a_space_or_a_sign_of_equality() -> None:
    found = limits("--permission", "--allow-fs-read", "/a", "--allow-fs-read=/b/*", "--allow-fs-write=*")
    assert (found["read"], found["write"], found["own"]) == (["/a", "/b/*"], ["*"], ["/p/a.js"])


def test_other_rights_are_words_and_the_last_word_counts() -> None:
    found = limits("--permission", "--allow-net", "--allow_worker", "--allow-wasi", "--no-allow-wasi")
    assert found["granted"] == ["net", "worker"]
    assert found["isAudit"] is False
    assert limits("--permission-audit")["isAudit"] is True


def test_node_options_and_the_command_line_add_up() -> None:
    found = limits("--allow-fs-read=/a", options="--permission --allow-fs-read=/b --allow-net")
    assert (found["read"], found["granted"]) == (["/b", "/a"], ["net"])


def test_a_permission_requires_the_flag() -> None:
    with pytest.raises(Failed, match="--permission is required"):
        limits("--allow-net")
