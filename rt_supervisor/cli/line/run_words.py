"""The words after a command that sees or steers a running run: the run, the tasks, and flags, which stand anywhere among them."""

from __future__ import annotations

from ...vocabulary.errors import Failed
from ...vocabulary.record import record
from . import flags

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@record
class RunWords:
    """The words, and which flags of `flags.OF_RUNS` are given; `lines` is None without --lines."""

    words: tuple[str, ...]
    given: frozenset[str]
    lines: int | None = None

    def has(self, flag: str) -> bool:
        return flag in self.given


FLAGS_OF = {
    "ps": ("json",),
    "logs": ("follow", "lines", "json"),
    "attach": ("no-input", "json"),
    "start": ("json",),
    "restart": ("failed", "json"),
    "stop": ("json",),
}
"""The flags of each command."""


def parse(command: str, words: Iterable[str]) -> RunWords:
    """Parse the words after `command`. Raises Failed for a flag that it does not have, and for bad values."""
    todo = list(words)
    own = [flag for flag in flags.OF_RUNS if flag.name in FLAGS_OF[command]]
    names: list[str] = []
    given: set[str] = set()
    lines: int | None = None
    while todo:
        word = todo.pop(0)
        if word == "--":
            names += todo
            break
        if len(word) < 2 or word[0] != "-":
            names.append(word)
            continue
        flag, value = _find(word, own)
        if flag is None:
            known = ", ".join(f"--{each.name}" for each in own)
            raise Failed("unknown-run-flag", f"rt {command} has no flag {word}\nnote: its flags are {known}")
        given.add(flag.name)
        if flag.kind == flags.NUMBER:
            lines = _number(flag, todo.pop(0) if value is None and todo else value)
        elif value is not None:
            raise Failed("flag-takes-no-value", f"The argument '--{flag.name}' does not take a value.")
    return RunWords(tuple(names), frozenset(given), lines)


def _find(word: str, own: Sequence[flags.Flag]) -> tuple[flags.Flag | None, str | None]:
    """Return the flag that `word` gives, and the value in the word: `--lines=3`, `-n3`."""
    for flag in own:
        if word.startswith("--"):
            name, equals, value = word[2:].partition("=")
            if name == flag.name:
                return flag, value if equals else None
        elif flag.short and word[1] == flag.short:
            return flag, word[2:].removeprefix("=") or None
    return None, None


def _number(flag: flags.Flag, value: str | None) -> int:
    if value is None:
        raise Failed("flag-needs-value", f"The argument '--{flag.name}' requires a value but none was supplied.")
    from . import flag_values

    checked = flag_values.check(flag, value)
    assert isinstance(checked, int)
    return checked
