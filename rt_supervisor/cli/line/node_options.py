"""NODE_OPTIONS: flags that precede those of a program's command line. rt applies the flags it supports and ignores the rest.

Node rejects unknown flags there; rt does not, since the variable applies to every program of a shell.
"""

from __future__ import annotations

from ...vocabulary.record import replace
from . import arguments, flags

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .arguments import Invocation, Value


def with_node_options(invocation: Invocation, text: str) -> Invocation:
    """Return `invocation` with the flags of `text` before its own. Raises Failed for a bad value."""
    options: dict[str, Value] = {}
    parsed = arguments.parse_as_node([*words(text), "-"])
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


def words(text: str) -> list[str]:
    """Return the words of `text`: between spaces, or between double quotes, where a backslash keeps the next character."""
    found: list[str] = []
    word, is_begun, is_quoted = "", False, False
    characters = iter(text)
    for character in characters:
        if is_quoted and character == "\\":
            word += next(characters, "")
        elif character == '"':
            is_quoted, is_begun = not is_quoted, True
        elif character == " " and not is_quoted:
            if is_begun:
                found.append(word)
            word, is_begun = "", False
        else:
            word, is_begun = word + character, True
    return [*found, word] if is_begun else found
