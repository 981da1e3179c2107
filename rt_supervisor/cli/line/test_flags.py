"""Node's test flags: `--test`, and those that select tests, configure their run, and direct their results.

Imported only for a flag that is not in rt's table, so that other starts do not pay for it.
"""

from __future__ import annotations

from ...vocabulary.errors import Failed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from ...engine_worker.program.options import Tests

BOOLEANS: Final = (
    "test",
    "test-only",
    "test-force-exit",
    "test-update-snapshots",
    "test-randomize",
    "experimental-test-coverage",
    "test-coverage-include-all",
)
REPEATED: Final = (
    "test-name-pattern",
    "test-skip-pattern",
    "experimental-test-tag-filter",
    "test-reporter",
    "test-reporter-destination",
    "test-coverage-include",
    "test-coverage-exclude",
)
PERCENTS: Final = ("test-coverage-lines", "test-coverage-branches", "test-coverage-functions")
NUMBERS: Final = ("test-concurrency", "test-timeout")
TEXTS: Final = ("test-isolation", "test-global-setup", "test-shard", "test-rerun-failures")
SEED: Final = "test-random-seed"
MOST_SEED: Final = 2**32 - 1
_OLD_NAMES: Final = {"experimental-test-isolation": "test-isolation"}
ISOLATIONS: Final = ("process", "none")


def find_flag(name: str) -> str | None:
    """Return the flag that `name` (without dashes) stands for; None if it is not a test flag."""
    name = name.replace("_", "-")
    name = _OLD_NAMES.get(name, name)
    return name if name in (*BOOLEANS, *REPEATED, *NUMBERS, *PERCENTS, *TEXTS, SEED) else None


def takes_value(name: str) -> bool:
    return name not in BOOLEANS


def put(tests: Tests, name: str, value: str) -> None:
    """Add a flag with its value to `tests`. Raises Failed for an invalid value."""
    given: dict[str, object] = tests  # type: ignore[assignment] # the key is a variable
    if name in BOOLEANS:
        given[name] = True
    elif name in REPEATED:
        earlier = given.get(name)
        given[name] = [*(earlier if isinstance(earlier, list) else []), value]
    elif name in NUMBERS:
        if not value.isdigit():
            raise Failed("invalid-flag-value", f"--{name} must be a number, not '{value}'")
        given[name] = int(value)
    elif name in PERCENTS:
        if not value.isdigit() or int(value) > 100:
            words = f'The value of "--{name}" is out of range. It must be >= 0 && <= 100. Received {value}'
            raise Failed("invalid-flag-value", words)
        given[name] = int(value)
    elif name == SEED:
        if not value.isdigit() or int(value) > MOST_SEED:
            words = f'The value of "--{name}" is out of range. It must be >= 0 && <= {MOST_SEED}. Received {value}'
            raise Failed("invalid-flag-value", words)
        given[name] = int(value)
    elif name == "test-isolation" and value not in ISOLATIONS:
        raise Failed("invalid-flag-value", f"--{name} must be process or none, not '{value}'")
    else:
        given[name] = value
