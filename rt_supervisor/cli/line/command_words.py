"""The words after a command that has flags of its own (`commands.WITH_OWN_FLAGS`): flags stand anywhere among them."""

from __future__ import annotations

from ...vocabulary.errors import Failed
from ...vocabulary.record import record
from . import commands, flags

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import TypeAlias

    Value: TypeAlias = bool | int | str | tuple[str, ...]


@record
class CommandWords:
    """The words that are not flags, and the values of the flags that are given: True, a number, a text, or several texts."""

    words: tuple[str, ...]
    options: Mapping[str, Value]

    def has(self, flag: str) -> bool:
        return flag in self.options

    def number(self, flag: str) -> int | None:
        value = self.options.get(flag)
        return value if isinstance(value, int) else None

    def text(self, flag: str) -> str | None:
        value = self.options.get(flag)
        return value if isinstance(value, str) else None

    def texts(self, flag: str) -> tuple[str, ...]:
        value = self.options.get(flag, ())
        return value if isinstance(value, tuple) else ()


_NAMES_OF = {
    "ps": ("json",),
    "logs": ("follow", "lines", "json"),
    "attach": ("no-input", "json"),
    "start": ("json",),
    "restart": ("failed", "json"),
    "stop": ("json",),
}


def flags_of(command: str) -> tuple[flags.Flag, ...]:
    """Return the flags of a command that has its own."""
    if command == commands.AGENT:
        return flags.OF_AGENT
    return tuple(flag for flag in flags.OF_RUNS if flag.name in _NAMES_OF[command])


def parse(command: str, words: Iterable[str]) -> CommandWords:
    """Parse the words after `command`. Raises Failed for a flag that it does not have, and for bad values."""
    todo = list(words)
    own = flags_of(command)
    names: list[str] = []
    options: dict[str, Value] = {}
    while todo:
        word = todo.pop(0)
        if word == "--":
            names += todo
            break
        if len(word) < 2 or word[0] != "-":
            names.append(word)
            continue
        flag, value = find_flag(word, own)
        if flag is None:
            known = ", ".join(f"--{each.name}" for each in own)
            raise Failed("unknown-run-flag", f"rt {command} has no flag {word}\nnote: its flags are {known}")
        if flag.kind == flags.BOOLEAN:
            if value is not None:
                raise Failed("flag-takes-no-value", f"The argument '--{flag.name}' does not take a value.")
            options[flag.name] = True
            continue
        checked = _check(flag, todo.pop(0) if value is None and todo else value)
        before = options.get(flag.name, ())
        options[flag.name] = (*before, str(checked)) if flag.repeats and isinstance(before, tuple) else checked
    return CommandWords(tuple(names), options)


def find_flag(word: str, own: Sequence[flags.Flag]) -> tuple[flags.Flag | None, str | None]:
    """Return the flag that `word` gives, and the value in the word: `--lines=3`, `-n3`."""
    for flag in own:
        if word.startswith("--"):
            name, equals, value = word[2:].partition("=")
            if name == flag.name:
                return flag, value if equals else None
        elif flag.short and word[1] == flag.short:
            return flag, word[2:].removeprefix("=") or None
    return None, None


def _check(flag: flags.Flag, value: str | None) -> str | int:
    if value is None:
        raise Failed("flag-needs-value", f"The argument '--{flag.name}' requires a value but none was supplied.")
    from . import flag_values

    return flag_values.check(flag, value)
