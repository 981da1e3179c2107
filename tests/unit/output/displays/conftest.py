"""The elided view on an emulated terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from rt_supervisor.output.displays.elided import ElidedDisplay

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..conftest import MakePlan, Run, RunOf, Terminal

    Shown = tuple[Terminal, Run, ElidedDisplay]
    Show = Callable[..., Shown]


@pytest.fixture
def show(make_plan: MakePlan, make_terminal: Callable[..., Terminal], run_of: RunOf) -> Show:
    def make(*scripts: str, columns: int = 80, rows: int = 24, colour: bool = False, **options: Any) -> Shown:
        terminal = make_terminal(columns, rows)
        display = ElidedDisplay(make_plan(*scripts), out=terminal, size=terminal.size, colour=colour, **options)
        return terminal, run_of(display), display

    return make
