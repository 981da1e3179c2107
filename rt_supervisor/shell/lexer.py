"""Splits text into tokens: operators, newlines, words; a word is read with everything inside it.

`quoting` reads quotes and `$`, and `parser` implements the grammar; it passes in the function that reads commands
inside words. Here-documents are read at the end of the line that contains them (POSIX 2.7.4).
"""

from __future__ import annotations

from . import quoting
from .tree import HereDocument, SyntaxProblem, Text, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .aliases import Aliases
    from .tree import Part, Sequence

WORD = "word"
OPERATOR = "operator"
NUMBER = "number"  # digits directly before a redirection
NEWLINE = "newline"
END = "end"

# The longest first, because they are tried in this order.
_OPERATORS = (
    *("&&", "&>>", "&>", "&", "||", "|&", "|", ";;&", ";;", ";&", ";"),
    *("<<<", "<<-", "<<", "<&", "<>", "<", ">>", ">&", ">|", ">", "(", ")"),
)
_BY_FIRST = {first: tuple(op for op in _OPERATORS if op[0] == first) for first in "&|;<>()"}
_REDIRECTS = ("<", ">")
MOST_NESTED = 250


class Token:
    """`text` is an operator or digits, `word` the contents of a WORD; `at` and `end` are offsets."""

    __slots__ = ("at", "end", "kind", "text", "word")

    def __init__(self, kind: str, text: str, word: Word | None, at: int, end: int) -> None:
        self.kind = kind
        self.text = text
        self.word = word
        self.at = at
        self.end = end


class Lexer:
    """Reads `text` once; `next` returns tokens until END."""

    def __init__(
        self, text: str, *, parse_inside: Callable[[Lexer, int], Sequence], depth: int = 0, first_line: int = 1
    ) -> None:
        """`parse_inside` reads commands up to and including a closing parenthesis; its argument is the offset of the
        opening one."""
        self.text = text
        self.at = 0
        self.depth = depth
        self.parse_inside = parse_inside
        self.looked_ahead = 0  # characters examined to decide whether `((` is arithmetic
        self.pending: list[HereDocument] = []  # here-documents of this line
        self.aliases: Aliases | None = None
        self._line = first_line  # of offset `_line_at`
        self._line_at = 0

    def next(self) -> Token:
        """Return the next token. Raises SyntaxProblem."""
        text = self.text
        self.skip_blanks()
        at = self.at
        if at >= len(text):
            if self.pending:
                self._read_here_documents()
            return Token(END, "", None, at, at)
        character = text[at]
        if character == "\n":
            self.at = at + 1
            if self.pending:
                self._read_here_documents()
            return Token(NEWLINE, "\n", None, at, at + 1)
        if character in _BY_FIRST and not quoting.begins_process_substitution(text, at):
            return self._operator(character, at)
        if "0" <= character <= "9":
            end = at
            while end < len(text) and "0" <= text[end] <= "9":
                end += 1
            if end < len(text) and text[end] in _REDIRECTS and not text.startswith("(", end + 1) and end - at < 5:
                self.at = end
                return Token(NUMBER, text[at:end], None, at, end)
        word = self.read_word()
        return Token(WORD, "", word, at, self.at)

    def _operator(self, character: str, at: int) -> Token:
        for operator in _BY_FIRST[character]:
            if self.text.startswith(operator, at):
                self.at = at + len(operator)
                return Token(OPERATOR, operator, None, at, self.at)
        raise AssertionError(character)

    def read_word(self, ends: frozenset[str] = quoting.WORD_ENDS) -> Word:
        """Read a word up to an unquoted character of `ends`."""
        at = end = self.at
        text, length = self.text, len(self.text)
        while end < length and text[end] in quoting.PLAIN:
            end += 1
        # Most words consist of plain characters.
        if end > at and (end == length or (text[end] in ends and not quoting.begins_process_substitution(text, end))):
            self.at = end
            plain = text[at:end]
            return Word((Text(plain, False, at),), at, end, plain)
        parts = quoting.read_parts(self, ends)
        return quoting.make_word(parts, at, self.at)

    def skip_blanks(self) -> None:
        """Skip blanks, line continuations and a comment."""
        text, at, length = self.text, self.at, len(self.text)
        while at < length:
            character = text[at]
            if character in " \t\r" and (character != "\r" or text.startswith("\r\n", at)):
                at += 1
            elif character == "\\" and text.startswith("\\\n", at):
                at += 2
            elif character == "#":
                end = text.find("\n", at)
                at = length if end < 0 else end
            else:
                break
        self.at = at

    def nest(self, at: int) -> None:
        """Record that a level was opened at offset `at`; `unnest` closes it."""
        self.depth += 1
        if self.depth > MOST_NESTED:
            raise SyntaxProblem(f"Nested too deep: more than {MOST_NESTED} levels", at)

    def unnest(self) -> None:
        self.depth -= 1

    def commands_inside(self, at: int) -> Sequence:
        """Read commands up to and including `)`, opened at `at`, with their own here-documents."""
        pending, self.pending = self.pending, []
        self.nest(at)
        body = self.parse_inside(self, at)
        self.unnest()
        self.pending = pending
        return body

    def line_of(self, at: int) -> int:
        """Return the line number of offset `at`."""
        if at >= self._line_at:
            self._line += self.text.count("\n", self._line_at, at)
        else:
            self._line -= self.text.count("\n", at, self._line_at)
        self._line_at = at
        return self._line

    def of_text(self, text: str, at: int) -> Lexer:
        """Return a lexer for another text, which is located at offset `at` of this one and has the same depth."""
        inner = Lexer(text, parse_inside=self.parse_inside, depth=self.depth, first_line=self.line_of(at))
        if self.aliases is not None:
            inner.aliases = self.aliases.copy()
        return inner

    # --- here-documents

    def _read_here_documents(self) -> None:
        for document in self.pending:
            self._read_here_document(document)
        self.pending.clear()

    def _read_here_document(self, document: HereDocument) -> None:
        lines: list[str] = []
        start = self.at
        while True:
            if self.at >= len(self.text):
                raise SyntaxProblem(f'Unclosed here-document: no line is "{document.delimiter}"', document.at)
            end = self.text.find("\n", self.at)
            end = len(self.text) if end < 0 else end
            line = self.text[self.at : end]
            self.at = min(end + 1, len(self.text))
            if document.strips_tabs:
                line = line.lstrip("\t")
            if line == document.delimiter:
                break
            lines.append(line + "\n")
            # A continued line (POSIX 2.7.4) is compared as a whole.
            while document.expands and _continues(line) and self.at < len(self.text):
                end = self.text.find("\n", self.at)
                end = len(self.text) if end < 0 else end
                line = self.text[self.at : end]
                self.at = min(end + 1, len(self.text))
                lines.append(line + "\n")
        document.body = self._here_body("".join(lines), document, start)

    def _here_body(self, text: str, document: HereDocument, start: int) -> Word:
        if not document.expands:
            return quoting.make_word([quoting.quoted_text(text, start)], start, self.at)
        inner = self.of_text(text, start)
        inner.nest(document.at)
        parts: list[Part] = quoting.read_double_quoted(inner, start, closer="")
        return quoting.make_word(parts, start, self.at)


def _continues(line: str) -> bool:
    return (len(line) - len(line.rstrip("\\"))) % 2 == 1
