"""G8: rt's exit status is the first failing script's, for every code and signal, in every mode."""

from __future__ import annotations

import signal
from concurrent.futures import ThreadPoolExecutor

import pytest
from rig import Box


@pytest.mark.parametrize("mode", ["plain", "parallel", "filter"])
def test_every_exit_code(box: Box, mode: str) -> None:
    box.write({"package.json": {"workspaces": ["p"], "scripts": {"x": "exit $CODE"}}})
    box.write({"p/package.json": {"name": "p", "scripts": {"x": "exit $CODE"}}})
    arguments = {"plain": ("run", "x"), "parallel": ("run", "--parallel", "x"), "filter": ("run", "--filter", "p", "x")}

    def run(code: int) -> int:
        return box.run(*arguments[mode], environment={"CODE": str(code)}).returncode

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(run, range(256))) == list(range(256))


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, signal.SIGKILL, signal.SIGABRT, signal.SIGSEGV, signal.SIGUSR1, signal.SIGPIPE]
)
def test_signals(box: Box, number: int) -> None:
    box.scripts(die=f"kill -{int(number)} $$")
    assert box.run("run", "die").returncode == -number
    assert box.run("run", "--parallel", "die").returncode == 128 + number


def test_the_first_failing_script_in_listing_order_counts(box: Box) -> None:
    box.scripts(a="until [ -e b.done ]; do sleep 0.01; done; exit 3", b="touch b.done; exit 5", c="true")
    assert box.run("run", "--parallel", "--no-exit-on-error", "a", "b", "c").returncode == 3
