"""NODE_OPTIONS: flags that precede those of a program's command line. rt applies the flags it supports and ignores the rest.

`allowed_node_options` says which flags programs under the name `node` refuse there, as Node does.
"""

from __future__ import annotations

from ...vocabulary.errors import Failed
from ...vocabulary.record import replace
from . import arguments, flags

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .arguments import Invocation, Value


BAD_OPTION = 9  # Node's status


def with_node_options(invocation: Invocation, text: str, *, as_node: bool = False) -> Invocation:
    """Return `invocation` with the flags of `text` before its own. Raises Failed for a bad value.

    `as_node`: flags that Node refuses in the variable are errors.
    """
    options: dict[str, Value] = {}
    given = words(text)
    if as_node:
        from .allowed_node_options import refuse_others

        refuse_others(given, _flags_with_value())
    else:
        _require_values(given, _flags_with_value())
    parsed = arguments.parse_as_node([*given, "-"])
    for flag, value in parsed.options.items():
        if flags.BY_NAME[flag].in_node_options:
            options[flag] = value
    for flag, value in invocation.options.items():
        before = options.get(flag)
        options[flag] = before + value if isinstance(before, tuple) and isinstance(value, tuple) else value
    if parsed.permission:
        from .permission_flags import merge

        invocation = replace(invocation, permission=merge(parsed.permission, invocation.permission))
    joined: Invocation = replace(invocation, options=options)
    return joined


def _flags_with_value() -> frozenset[str]:
    """Return the flags that take the next word as their value, as they are written."""
    names = {"-r", "-C"}
    for name, flag in flags.BY_NAME.items():
        meant = flags.BY_NAME[flag.means] if flag.kind == flags.ALIAS and "=" not in flag.means else flag
        if meant.kind in (flags.STRING, flags.NUMBER):
            names.add(f"--{name}")
    return frozenset(names)


def _require_values(given: list[str], needs_value: frozenset[str]) -> None:
    """Raise Failed for the first flag of `given` without its value."""
    remaining = iter(given)
    for word in remaining:
        require_value(word, remaining, needs_value)


def require_value(word: str, remaining: Iterator[str], needs_value: frozenset[str], *, spelled: str = "") -> None:
    """Raise Failed if `word` is a flag in `needs_value` without its value, which may be the first of the `remaining` words.

    `spelled` is the name of the flag as it is in `needs_value`, if not as in `word`.
    """
    name, equals, value = word.partition("=")
    if (spelled or name) in needs_value and (not value if equals else next(remaining, "-").startswith("-")):
        raise Failed("flag-needs-value", f"{name}{equals} requires an argument", BAD_OPTION)


def words(text: str) -> list[str]:
    """Return the words of `text`: between spaces, or between double quotes, where a backslash keeps the next character.

    Raises Failed for a quote that is not closed.
    """
    found: list[str] = []
    word, is_started, is_quoted = "", False, False
    characters = iter(text)
    for character in characters:
        if is_quoted and character == "\\":
            kept = next(characters, "")
            if not kept:
                raise _refused("invalid escape")
            word += kept
        elif character == '"':
            is_quoted, is_started = not is_quoted, True
        elif character == " " and not is_quoted:
            if is_started:
                found.append(word)
            word, is_started = "", False
        else:
            word, is_started = word + character, True
    if is_quoted:
        raise _refused("unterminated string")
    return [*found, word] if is_started else found


def _refused(reason: str) -> Failed:
    return Failed("invalid-flag-value", f"invalid value for NODE_OPTIONS ({reason})", BAD_OPTION)
