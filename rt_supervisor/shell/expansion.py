"""Word expansion, in the order of POSIX 2.6: braces, tildes, parameters, commands and arithmetic, then field splitting,
pathnames, and quote removal (which the parser has done). Rare expansions are imported at their first use.

During expansion, a word is a list of fields; a field is a list of pieces: text, and whether it is quoted, so that
splitting and patterns only apply to unquoted text.
"""

from __future__ import annotations

import os

from . import parameters
from .problems import ShellProblem
from .quoting import is_name
from .tree import ArithmeticExpansion, CommandSubstitution, Parameter, ProcessSubstitution, Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from .patterns import Pattern, Piece
    from .state import State
    from .tree import Part, Word
    from .tree import Sequence as Commands

    Substitute = Callable[[Commands], str]
    Connect = Callable[[ProcessSubstitution], str]


_EACH = ("@", "[@]")  # ends of names whose values stay separate words within double quotes


class Expander:
    """Expands words for one shell.

    `substitute` runs commands and returns their output; `connect` starts them and returns the path of a pipe to them.
    """

    def __init__(self, state: State, substitute: Substitute, connect: Connect) -> None:
        self.state = state
        self._substitute = substitute
        self._connect = connect

    def words(self, words: Iterable[Word]) -> list[str]:
        """Return the fields of a command's words (POSIX 2.9.1 step 2)."""
        found: list[str] = []
        for word in words:
            if word.literal is not None:
                found.append(word.literal)
            else:
                found += self.fields(word)
        return found

    def fields(self, word: Word) -> list[str]:
        """Return the fields into which `word` expands; none, one or many. Raises ShellProblem."""
        if word.literal is not None:
            return [word.literal]
        if word.has_braces and (len(word.parts) > 1 or not _is_plain_brace(word)):
            from .braces import expand_braces

            return [field for parts in expand_braces(word) for field in self._fields(parts)]
        return self._fields(word.parts)

    def alternatives(self, word: Word) -> list[Word]:
        """Return the words into which `word` expands by brace expansion alone."""
        from .braces import expand_braces
        from .quoting import make_word

        return [make_word(list(parts), word.at, word.end) for parts in expand_braces(word)]

    def string(self, word: Word) -> str:
        """Return the expansion of `word` as one string, without splitting (assignments, `case`, here-documents)."""
        if word.literal is not None:
            return word.literal
        return "".join(text for text, _ in self.pieces(word))

    def assignment_value(self, word: Word) -> str:
        """Return the value of an assignment, in which a tilde is also expanded after each colon (POSIX 2.6.1)."""
        if word.literal is not None and "~" not in word.literal:
            return word.literal
        pieces: list[str] = []
        follows_colon = True
        for part in word.parts:
            if isinstance(part, Text) and not part.quoted and "~" in part.text:
                chunks = part.text.split(":")
                shown = [self._tilde(c) if n or follows_colon else c for n, c in enumerate(chunks)]
                pieces.append(":".join(shown))
            else:
                pieces += [text for text, _ in self._part_pieces(part)]
            follows_colon = isinstance(part, Text) and not part.quoted and part.text.endswith(":")
        return "".join(pieces)

    def pieces(self, word: Word) -> list[Piece]:
        """Return the expansion of `word` without splitting, as pieces of a pattern (unquoted expansions are patterns
        too)."""
        found: list[Piece] = []
        for place, part in enumerate(word.parts):
            if place == 0 and isinstance(part, Text) and not part.quoted and part.text.startswith("~"):
                found += self._tilde_pieces(part.text, is_whole=len(word.parts) == 1)
            else:
                found += self._part_pieces(part)
        return found

    def pattern(self, word: Word) -> Pattern:
        from .patterns import Pattern

        return Pattern(self.pieces(word))

    def number(self, word: Word) -> int:
        """Return the value of an arithmetic expression."""
        from . import arithmetic

        return arithmetic.evaluate(self.string(word), _Names(self))

    # --- parts

    def _part_pieces(self, part: Part) -> list[Piece]:
        if isinstance(part, Text):
            return [(part.text, part.quoted)]
        if isinstance(part, Parameter) and part.operator in parameters.SUBSTITUTES:
            operand = parameters.chosen_operand(part, self)
            if operand is not None:
                return [(text, part.quoted or quoted) for text, quoted in self.pieces(operand)]
        separator = " " if isinstance(part, Parameter) and part.name.endswith(_EACH) else None
        return [(self._text(part, separator=separator), part.quoted)]

    def _text(self, part: Part, *, separator: str | None = None) -> str:
        """Return the value of an expansion as one string."""
        if isinstance(part, Parameter):
            value = parameters.value_of(part, self)
            if isinstance(value, list):
                if separator is None:
                    separator = self.state.variables.ifs[:1] if part.quoted or part.name == "*" else " "
                return separator.join(value)
            return value
        if isinstance(part, CommandSubstitution):
            return self._substitute(part.body)
        if isinstance(part, ProcessSubstitution):
            return self._connect(part)
        if isinstance(part, ArithmeticExpansion):
            try:
                return str(self.number(part.expression))
            except ShellProblem as problem:
                problem.discards = True
                raise
        return part.text

    # --- fields

    def _fields(self, parts: Sequence[Part]) -> list[str]:
        from .patterns import has_special

        builder = _Fields(self.state.variables.ifs)
        self._build(parts, builder, is_operand=False)
        may_match = "noglob" not in self.state.options
        found: list[str] = []
        for pieces in builder.finish():
            if may_match and has_special(pieces):
                found += self._paths(pieces, parts)
            else:
                found.append("".join(text for text, _ in pieces))
        return found

    def _build(self, parts: Sequence[Part], builder: _Fields, *, is_operand: bool) -> None:
        for place, part in enumerate(parts):
            if isinstance(part, Text):
                if part.quoted:
                    builder.add(part.text, True)
                elif place == 0 and part.text.startswith("~"):
                    for text, quoted in self._tilde_pieces(part.text, is_whole=len(parts) == 1):
                        builder.add(text, quoted)
                elif is_operand:
                    builder.split(part.text)
                elif place == 0 and "=~" in part.text:
                    builder.add(self._after_equals(part.text), False)
                else:
                    builder.add(part.text, False)
            elif isinstance(part, Parameter):
                self._build_parameter(part, builder)
            elif part.quoted:
                builder.add(self._text(part), True)
            else:
                builder.split(self._text(part))

    def _after_equals(self, text: str) -> str:
        """Expand the tilde in an argument such as `name=~/x` (`make PREFIX=~/x`), like bash."""
        name, _, value = text.partition("=")
        return f"{name}={self._tilde(value)}" if is_name(name) else text

    def _build_parameter(self, part: Parameter, builder: _Fields) -> None:
        if part.operator in parameters.SUBSTITUTES:
            operand = parameters.chosen_operand(part, self)
            if operand is not None:
                if part.quoted:
                    builder.add("", True)
                self._build(operand.parts, builder, is_operand=True)
                return
        value = parameters.value_of(part, self)
        if not isinstance(value, list):
            builder.add(value, True) if part.quoted else builder.split(value)
        elif part.quoted and part.name.endswith(_EACH):
            builder.add_each(value)
        elif part.quoted:
            builder.add(self.state.variables.ifs[:1].join(value), True)
        elif (separator := self.state.variables.ifs[:1]) and separator not in " \t\n":
            builder.split(separator.join(value))  # as in bash: empty values between others remain fields
        else:
            for place, each in enumerate(value):
                if place:
                    builder.end_field()
                builder.split(each)

    def _paths(self, pieces: Sequence[Piece], parts: Sequence[Part]) -> list[str]:
        """Expand pathnames (POSIX 2.6.6); but a literal `*` that matches nothing is an error, as in the peer."""
        from .globbing import matching_paths

        found = matching_paths(pieces, self.state.folder, dots="dotglob" in self.state.options)
        if found:
            return found
        shown = "".join(text for text, _ in pieces)
        if "nullglob" in self.state.options:
            return []
        if any(isinstance(part, Text) and not part.quoted and "*" in part.text for part in parts):
            raise ShellProblem(f"no matches found: {shown}")
        return [shown]

    # --- tildes (POSIX 2.6.1)

    def _tilde_pieces(self, text: str, *, is_whole: bool) -> list[Piece]:
        name, slash, rest = text.partition("/")
        found = self._home(name[1:]) if is_whole or slash else None
        if found is None:
            return [(text, False)]
        if slash and found.endswith("/"):
            found = found.rstrip("/")
        return [(found, True), (slash + rest, False)]

    def _tilde(self, text: str) -> str:
        if not text.startswith("~"):
            return text
        return "".join(piece for piece, _ in self._tilde_pieces(text, is_whole=True))

    def _home(self, name: str) -> str | None:
        if not name:
            home = self.state.variables.get("HOME")
            if home is not None:
                return home
            import pwd

            try:
                return pwd.getpwuid(os.getuid()).pw_dir
            except KeyError:
                return None
        if name in ("+", "-"):
            return self.state.folder if name == "+" else self.state.variables.get("OLDPWD")
        import pwd

        try:
            return pwd.getpwnam(name).pw_dir
        except (KeyError, ValueError):
            return None


class _Names:
    """Variables in arithmetic: with `nounset`, an unset one is an error."""

    def __init__(self, expander: Expander) -> None:
        self._expander = expander

    def get(self, name: str) -> str | None:
        if name.endswith("]"):
            name = self._resolve(name)
        value = parameters.variable(name, self._expander.state)
        if value is None and "nounset" in self._expander.state.options:
            raise ShellProblem(f"{name}: unbound variable", fatal=True)
        return value

    def set(self, name: str, value: str) -> None:
        if not name.endswith("]"):
            self._expander.state.variables.set(name, value)
            return
        from .arrays import assign_element

        assign_element(self._resolve(name), value, self._expander.state)

    def _resolve(self, name: str) -> str:
        from .arrays import resolve

        return resolve(name, self._expander)


class _Fields:
    """Builds fields (POSIX 2.6.5)."""

    def __init__(self, ifs: str) -> None:
        self._ifs = ifs
        self._done: list[list[Piece]] = []
        self._current: list[Piece] | None = None

    def add(self, text: str, quoted: bool) -> None:
        if self._current is None:
            self._current = []
        self._current.append((text, quoted))

    def add_each(self, values: list[str]) -> None:
        """Add the values of `"$@"`: the first joins the text before, the last the text after."""
        for place, value in enumerate(values):
            if place:
                self.end_field()
            self.add(value, True)

    def end_field(self) -> None:
        if self._current is not None:
            self._done.append(self._current)
            self._current = None

    def split(self, value: str) -> None:
        """Add an unquoted expansion, split at characters of IFS."""
        ifs = self._ifs
        if not value:
            return
        if not ifs or not any(character in value for character in ifs):
            self.add(value, False)
            return
        blank = "".join(character for character in ifs if character in " \t\n")
        start = 0
        at = 0
        length = len(value)
        while at < length:
            if value[at] not in ifs:
                at += 1
                continue
            if at > start:
                self.add(value[start:at], False)
            delimiters = 0
            while at < length and value[at] in ifs:
                if value[at] not in blank:
                    delimiters += 1
                    if delimiters > 1:
                        break
                at += 1
            if delimiters and self._current is None:
                self._current = [("", False)]  # an empty field before a delimiter
            self.end_field()
            start = at
        if start < length:
            self.add(value[start:], False)

    def finish(self) -> list[list[Piece]]:
        self.end_field()
        return self._done


def _is_plain_brace(word: Word) -> bool:
    part = word.parts[0]
    return isinstance(part, Text) and part.text in ("{", "}", "{}")
