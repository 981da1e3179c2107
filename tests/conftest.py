"""Fixtures shared by all tests."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rig import Box, V8Files

# Under nohup, or as a background job of a script, this process inherits ignored signals, and rt would too, as it
# should.
HANDLERS: dict[int, Any] = {
    signal.SIGHUP: signal.SIG_DFL,
    signal.SIGQUIT: signal.SIG_DFL,
    signal.SIGTERM: signal.SIG_DFL,
    signal.SIGINT: signal.default_int_handler,
}
for number, action in HANDLERS.items():
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, action)

os.environ["RT_NO_INSTALL"] = "1"  # a missing package is an error instead of a request to a registry


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Show why tests had to run a second time; the list in tests/flaky.md says what is known about them."""
    for report in terminalreporter.getreports("rerun"):
        terminalreporter.section(f"first run of {report.nodeid}")
        terminalreporter.write_line("\n".join(report.longreprtext.splitlines()[-40:]))


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that all processes of this test run share, including pytest-xdist workers."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@pytest.fixture(scope="session", autouse=True)
def v8_files(shared: Path) -> V8Files:
    """Share V8's files among boxes."""
    Box.v8_files = V8Files(shared / "v8-files")
    return Box.v8_files


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    """Create a fresh folder to run rt in; kill every process that is still alive at the end."""
    folder = tmp_path / "w"
    folder.mkdir()
    made = Box(folder)
    yield made
    made.close()
