"""Values that need more than a look; the messages are in test_arguments."""

from __future__ import annotations

import pytest

from rt_supervisor.cli.line import flag_values, flags


@pytest.mark.parametrize(
    ("value", "cpus", "limit"),
    [(None, 4, 4), ("2", 4, 2), ("9", 4, 9), ("50%", 4, 2), ("1%", 4, 1), ("200%", 4, 8), (None, 0, 1)],
)
def test_concurrency(value: str | None, cpus: int, limit: int) -> None:
    assert flag_values.concurrency_limit(value, cpus) == limit


def test_every_check_is_of_a_flag() -> None:
    assert set(flag_values.CHOICES) | set(flag_values._CHECKS) <= set(flags.BY_NAME)


@pytest.mark.parametrize("name", flag_values.CHOICES)
def test_defaults_are_choices(name: str) -> None:
    default = flags.BY_NAME[name][flags.DEFAULT]
    assert default is None or default in flag_values.CHOICES[name][0]
