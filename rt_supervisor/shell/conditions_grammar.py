"""The grammar of `[[ ]]`: words, unary tests such as `-f`, comparisons, `!`, `&&`, `||`, parentheses; with bash's
precedence.

Reads from the lexer by different rules: `<` and `>` compare, and a regular expression follows `=~`, in which
parentheses and bars are literal.
"""

from __future__ import annotations

from . import quoting
from .tree import Logical, Not, SyntaxProblem, Test, Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .lexer import Lexer
    from .tree import Expression, Word

UNARY = frozenset(f"-{letter}" for letter in "abcdefghknoprstuvwxzGLNOS")
BINARY = frozenset(["=", "==", "!=", "=~", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef"])
_ENDS = frozenset(" \t\n;&|<>()")
_REGEX_ENDS = frozenset(" \t\n")


def read_condition(lexer: Lexer, opened: int) -> Expression:
    """Read up to and including `]]`."""
    reader = _Reader(lexer, opened)
    expression = reader.either()
    word = reader.peek()
    if word != "]]":
        reader.fail(word)
    reader.take()
    return expression


class _Reader:
    def __init__(self, lexer: Lexer, opened: int) -> None:
        self._lexer = lexer
        self._opened = opened

    def either(self) -> Expression:
        left = self.both()
        while self.peek() == "||":
            self.take()
            left = Logical("||", left, self.both())
        return left

    def both(self) -> Expression:
        left = self.negation()
        while self.peek() == "&&":
            self.take()
            left = Logical("&&", left, self.negation())
        return left

    def negation(self) -> Expression:
        negated = False
        while self.peek() == "!":
            self.take()
            negated = not negated
        expression = self.primary()
        return Not(expression) if negated else expression

    def primary(self) -> Expression:
        ahead = self.peek()
        at = self._lexer.at
        if ahead == "(":
            self._lexer.nest(at)
            self.take()
            expression = self.either()
            if self.peek() != ")":
                self.fail(self.peek())
            self.take()
            self._lexer.unnest()
            return expression
        if ahead in ("", "]]", ")", "&&", "||", "<", ">", "&", "|", ";"):
            self.fail(ahead)
        if ahead in UNARY:
            self.take()
            if self.peek() in ("]]", "&&", "||", ")", ""):
                if self.peek() == "":
                    self.fail("")
                raise SyntaxProblem(f"Expected a word, but got: {self.peek()}", self._lexer.at)
            if self.peek() not in BINARY or self._only_word_left():
                return Test(ahead, (self.word(),), at)
            self._lexer.at = at
        left = self.word()
        operator = self.peek()
        if operator not in BINARY:
            if operator == "":
                raise SyntaxProblem("Expected a conditional expression operator, but got: EOF", self._lexer.at)
            return Test("-n", (left,), at)
        self.take()
        right = self.regex() if operator == "=~" else self.word()
        return Test(operator, (left, right), at)

    def word(self) -> Word:
        self.peek()
        at = self._lexer.at
        word = self._lexer.read_word(_ENDS)
        if not word.parts:
            self.fail(self.peek())
        if word.literal == "]]" and isinstance(word.parts[0], Text) and not word.parts[0].quoted:
            raise SyntaxProblem("Expected a word, but got: ]]", at)
        return word

    def regex(self) -> Word:
        """Read up to a blank outside of parentheses."""
        self.peek()
        lexer = self._lexer
        at = lexer.at
        parts = list(quoting.read_parts(lexer, _REGEX_ENDS))
        while _open_parentheses(parts) > 0 and lexer.text[lexer.at : lexer.at + 1] in (" ", "\t"):
            parts.append(Text(lexer.text[lexer.at], False, lexer.at))
            lexer.at += 1
            parts += quoting.read_parts(lexer, _REGEX_ENDS)
        if not parts:
            self.fail(self.peek())
        return quoting.make_word(parts, at, lexer.at)

    def peek(self) -> str:
        """Return the text ahead as written: an operator or a bare word ("" at the end of the text)."""
        lexer = self._lexer
        while True:
            lexer.skip_blanks()
            if lexer.text.startswith("\n", lexer.at):
                lexer.at += 1
                continue
            break
        for operator in ("&&", "||", "(", ")", "<", ">", ";", "&", "|"):
            if lexer.text.startswith(operator, lexer.at):
                return operator
        end = lexer.at
        while end < len(lexer.text) and lexer.text[end] not in _ENDS:
            end += 1
        return lexer.text[lexer.at : end]

    def take(self) -> None:
        self._lexer.at += len(self.peek())

    def _only_word_left(self) -> bool:
        """Return whether an apparent operator is an operand, as in `[[ -n = ]]`."""
        lexer = self._lexer
        at = lexer.at
        self.take()
        ahead = self.peek()
        lexer.at = at
        return ahead in ("]]", "&&", "||", ")", "")

    def fail(self, found: str) -> None:
        if found == "":
            raise SyntaxProblem('Unclosed "[["', self._opened)
        raise SyntaxProblem(f'Unexpected "{found}" in "[["', self._lexer.at)


def _open_parentheses(parts: Sequence[object]) -> int:
    texts = [part.text for part in parts if isinstance(part, Text) and not part.quoted]
    return sum(text.count("(") - text.count(")") for text in texts)
