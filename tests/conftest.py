"""Fixtures that every kind of test uses."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rig import Box, V8Files

# Started by nohup or in the background of a script, this process ignores signals, and rt would too, as it should.
HANDLERS: dict[int, Any] = {
    signal.SIGHUP: signal.SIG_DFL,
    signal.SIGQUIT: signal.SIG_DFL,
    signal.SIGTERM: signal.SIG_DFL,
    signal.SIGINT: signal.default_int_handler,
}
for number, action in HANDLERS.items():
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, action)

os.environ["RT_NO_INSTALL"] = "1"  # what imports a package that is not there is to say so, and to ask no registry


@pytest.fixture(scope="session", autouse=True)
def v8_files(tmp_path_factory: pytest.TempPathFactory) -> V8Files:
    """Let boxes share V8's files, those of pytest-xdist's other workers too."""
    base = tmp_path_factory.getbasetemp()
    Box.v8_files = V8Files((base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "v8-files")
    return Box.v8_files


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    """A fresh folder to run rt in; whatever is still alive at the end is killed."""
    folder = tmp_path / "w"
    folder.mkdir()
    made = Box(folder)
    yield made
    made.close()
