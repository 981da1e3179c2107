"""Values that need interpretation; the error messages are in test_arguments."""

from __future__ import annotations

import pytest

from rt_supervisor.cli.line import flag_values, flags
from rt_supervisor.vocabulary.errors import Failed


@pytest.mark.parametrize(
    ("value", "cpus", "limit"),
    [(None, 4, 4), ("2", 4, 2), ("9", 4, 9), ("50%", 4, 2), ("1%", 4, 1), ("200%", 4, 8), (None, 0, 1)],
)
def test_concurrency(value: str | None, cpus: int, limit: int) -> None:
    assert flag_values.concurrency_limit(value, cpus) == limit


def test_every_check_is_of_a_flag() -> None:
    assert set(flag_values._CHOICE_MESSAGES) | set(flag_values._CHECKS) <= set(flags.BY_NAME)


WITH_CHOICES = [flag for flag in flags.BY_NAME.values() if flag.choices]


@pytest.mark.parametrize("flag", WITH_CHOICES, ids=lambda flag: flag.name)
def test_defaults_are_choices(flag: flags.Flag) -> None:
    assert flag.default is None or flag.default in flag.choices


@pytest.mark.parametrize("flag", WITH_CHOICES, ids=lambda flag: flag.name)
def test_words_that_are_not_choices_are_refused(flag: flags.Flag) -> None:
    with pytest.raises(Failed):
        flag_values.check(flag, "no such word")
