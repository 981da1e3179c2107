"""Command lines that Node refuses, read under the name `node`: the messages and statuses are Node's."""

from __future__ import annotations

import pytest

from rt_supervisor.cli.line import arguments, node_refusals
from rt_supervisor.vocabulary.errors import Failed

REFUSED = {
    "--no-title x": "--no-title is an invalid negation because it is not a boolean option",
    "--eval": "--eval requires an argument",
    "-r": "-r requires an argument",
    "--title= -p 1": "--title= requires an argument",
    "--conditions -p 1": "--conditions requires an argument",
    "--inspect-port=": "--inspect-port= requires an argument",
    "--unhandled-rejections=x -p 1": "invalid value for --unhandled-rejections",
    "--use-largepages=x -p 1": "invalid value for --use-largepages",
    "--secure-heap=3 -p 1": "--secure-heap must be a power of 2",
    "--max-old-space-size-percentage= -p 1": "--max-old-space-size-percentage= requires an argument",
    "--max-old-space-size-percentage=1% -p 1": "--max-old-space-size-percentage must be greater than 0 and up to 100. Got: 1%",
    "--debug-brk x": "[DEP0062]: `node --debug` and `node --debug-brk` are invalid. "
    "Please use `node --inspect` and `node --inspect-brk` instead.",
}


def failure_of(line: str) -> tuple[str | None, int]:
    argv = line.split()
    with pytest.raises(Failed) as caught:
        arguments.parse_as_node(argv, refuses_unknown=True)
    failure = caught.value.failure
    return node_refusals.node_message(failure, argv), node_refusals.status_of(failure)


@pytest.mark.parametrize("line", REFUSED)
def test_refuses_what_node_refuses(line: str) -> None:
    assert failure_of(line) == (REFUSED[line], 9)


def test_an_unknown_reversion_has_a_status_of_its_own() -> None:
    message = "Error: Attempt to revert an unknown CVE [x]"
    assert failure_of("--security-revert=x") == (message, 12)


IGNORED = (
    "--frozen-intrinsics",
    "--harmony-weak",
    "--max_old_space_size=512",
    "--experimental-quic",
    "--no-test",
    "--no-prof",
    "--use-largepages on",
)


@pytest.mark.parametrize("flag", IGNORED)
def test_ignores_flags_without_effect(flag: str) -> None:
    assert arguments.parse_as_node([*flag.split(), "a.js"], refuses_unknown=True).names == ("./a.js",)


@pytest.mark.parametrize("flag", ["--noconcurrent_recompilation", "--stress-compaction"])
def test_asks_v8_for_its_own_flags(flag: str, monkeypatch: pytest.MonkeyPatch) -> None:
    known = frozenset(("concurrent-recompilation", "stress-compaction"))
    monkeypatch.setattr(node_refusals, "_v8_flags", lambda: known)
    assert arguments.parse_as_node([flag, "a.js"], refuses_unknown=True).names == ("./a.js",)


def test_node_options_are_not_refused() -> None:
    assert arguments.parse_as_node(["--no-such-flag", "a.js"]).names == ("./a.js",)


def test_other_failures_are_those_of_rt() -> None:
    failure = Failed("module-not-found", "text").failure
    assert node_refusals.node_message(failure, []) is None
