"""Aliases (POSIX 2.3.1): text that replaces the name of a command before it is parsed.

A name is not replaced within its own replacement. An alias is valid from the line after its definition, so a text that
may define aliases is parsed line by line (`parser.parse_by_lines`), as it runs.
"""

from __future__ import annotations

from .token_reader import bare_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from .lexer import Lexer, Token
    from .state import State
    from .tree import Sequence


class Aliases:
    """The aliases that one lexer expands."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._open: list[tuple[str, int]] = []  # names being replaced here, each with the end of its text
        self._next_at = -1  # from this offset on, the next word may be an alias in any position

    def copy(self) -> Aliases:
        """Return the same aliases for another lexer."""
        return Aliases(self._texts)

    def replace(self, lexer: Lexer, token: Token, *, is_name: bool) -> bool:
        """Insert the replacement of `token` into the lexer's text, to be read next; return whether it is an alias."""
        at = token.at
        name = bare_text(token)
        if not name:
            return False
        self._open = [(open_name, end) for open_name, end in self._open if end > at]
        follows_blank = 0 <= self._next_at <= at
        if follows_blank:
            self._next_at = -1
        text = self._texts.get(name) if is_name or follows_blank else None
        if text is None or any(name == open_name for open_name, _ in self._open):
            return False
        added = len(text) - (token.end - at)
        self._open = [(open_name, end + added) for open_name, end in self._open]
        self._open.append((name, at + len(text)))
        if text.endswith((" ", "\t")):
            self._next_at = at + len(text)
        lexer.text = lexer.text[:at] + text + lexer.text[token.end :]
        lexer.at = at
        return True


def current(state: State) -> Aliases | None:
    """Return the aliases that are valid now; None unless `expand_aliases` is on."""
    return Aliases(state.aliases) if state.aliases and "expand_aliases" in state.options else None


def may_change(text: str, state: State) -> bool:
    """Return whether aliases may change the meaning of `text` while it runs."""
    return bool(state.aliases) or "alias" in text


def lines(text: str, state: State, first_line: int = 1) -> Iterator[Sequence]:
    """Yield the lines of `text`, each parsed with the aliases that are valid at that moment. Raises SyntaxProblem."""
    from .parser import parse_by_lines

    holding: Callable[[], Aliases | None] = lambda: current(state)  # noqa: E731
    return parse_by_lines(text, holding, first_line)
