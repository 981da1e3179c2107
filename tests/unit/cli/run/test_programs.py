"""Constants that `cli.run.programs` repeats because importing their module would slow down every start."""

from __future__ import annotations

from rt_supervisor.cli.run import programs
from rt_supervisor.vocabulary import load_report


def test_the_channel_of_watched_programs_has_one_name() -> None:
    assert programs.WATCH_CHANNEL == load_report.CHANNEL
