"""The grammar of `if`, `for`, `case` and the bodies between reserved words (POSIX 2.10); `parser` parses their
contents."""

from __future__ import annotations

from . import quoting
from .lexer import END, NEWLINE, NUMBER, OPERATOR, WORD, Token
from .token_reader import TokenReader, bare_text, reserved_word
from .tree import Case, CaseItem, For, ForArithmetic, If, Sequence, SyntaxProblem, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .tree import Command


class CompoundReader(TokenReader):
    """One method per rule."""

    def sequence(self, closers: tuple[str, ...], *, is_one_line: bool = False) -> Sequence:
        """Read commands up to one of `closers`."""
        raise NotImplementedError

    def body(self, opener: str, opened: int, *closers: str) -> Sequence:
        """Read a sequence that must not be empty, up to one of `closers`."""
        sequence = self.sequence(closers)
        token = self.peek()
        if token.kind == END or (reserved_word(token) not in closers and token.text not in closers):
            wanted = ", ".join(f'"{word}"' for word in closers[:-1])
            wanted = f'{wanted}, or "{closers[-1]}"' if wanted else f'"{closers[-1]}"'
            raise self.missing(_peer_order(wanted), token, f'the "{opener}"', opened)
        if not sequence.items:
            raise SyntaxProblem(f'Expected a command after "{opener}" but got: {self.describe_token(token)}', token.at)
        return sequence

    def do_group(self, opener: str, opened: int) -> Sequence:
        self.expect_reserved("do", opener, opened)
        body = self.body("do", opened, "done")
        self.take()
        return body

    def if_command(self, at: int) -> Command:
        branches = []
        otherwise = None
        word = "if"
        while True:
            condition = self.body(word, at, "then")
            self.take()
            body = self.body("then", at, "elif", "else", "fi")
            branches.append((condition, body))
            word = reserved_word(self.take())
            if word == "elif":
                continue
            if word == "else":
                otherwise = self.body("else", at, "fi")
                self.take()
            return If(tuple(branches), otherwise, self.redirections(), at)

    def for_command(self, at: int) -> Command:
        token = self.peek()
        if token.kind == OPERATOR and token.text == "(" and self.lexer.text.startswith("((", token.at):
            return self.for_arithmetic(at, token)
        self.take()
        name = bare_text(token)
        if not quoting.is_name(name):
            raise SyntaxProblem('Expected the name of a variable after "for"', token.at)
        self.skip_newlines()
        words: tuple[Word, ...] | None = None
        if self.peek_reserved() == "in":
            self.take()
            found: list[Word] = []
            while self.peek().kind in (WORD, NUMBER):
                found.append(self.take_word())
            words = tuple(found)
            if not self.peek_operator(";") and self.peek().kind != NEWLINE:
                raise self.missing('";" or a newline', self.peek(), 'the "for"', at)
        if self.peek_operator(";"):
            self.take()
        self.skip_newlines()
        if self.peek_reserved() == "{":
            self.take()
            body = self.body("{", at, "}")
            self.take()
        else:
            body = self.do_group("for", at)
        return For(name, words, body, self.redirections(), at, self.lexer.line_of(at))

    def for_arithmetic(self, at: int, token: Token) -> Command:
        start = token.at + 2
        end = quoting.closing_of_arithmetic(self.lexer, start)
        if end is None:
            raise SyntaxProblem('Unclosed "((" of the "for"', token.at)
        pieces = self.lexer.text[start:end].split(";")
        if len(pieces) != 3:
            raise SyntaxProblem('Expected three expressions, separated by ";", in "for (("', token.at)
        words = []
        for piece in pieces:
            words.append(quoting.arithmetic_word(self.lexer, start, start + len(piece)))
            start += len(piece) + 1
        self.lexer.at = end + 2
        self._ahead = None
        if self.peek_operator(";"):
            self.take()
        self.skip_newlines()
        body = self.do_group("for", at)
        return ForArithmetic(words[0], words[1], words[2], body, self.redirections(), at, self.lexer.line_of(at))

    def case_command(self, at: int) -> Command:
        token = self.peek()
        if token.kind not in (WORD, NUMBER):
            raise SyntaxProblem('Expected a word after "case"', token.at)
        word = self.take_word()
        self.skip_newlines()
        self.expect_reserved("in", "case", at)
        items: list[CaseItem] = []
        self.skip_newlines()
        while self.peek_reserved() != "esac":
            items.append(self.case_item(at))
            self.skip_newlines()
        self.take()
        return Case(word, tuple(items), self.redirections(), at, self.lexer.line_of(at))

    def case_item(self, opened: int) -> CaseItem:
        if self.peek_operator("("):
            self.take()
        patterns: list[Word] = []
        while True:
            token = self.peek()
            if token.kind not in (WORD, NUMBER):
                raise self.missing("a pattern", token, 'the "case"', opened)
            patterns.append(self.take_word())
            if not self.peek_operator("|"):
                break
            self.take()
        if not self.peek_operator(")"):
            raise self.missing("')'", self.peek(), 'the "case"', opened)
        self.take()
        body = self.sequence(("esac", ";;", ";&", ";;&"))
        token = self.peek()
        if token.kind == OPERATOR and token.text in (";;", ";&", ";;&"):
            return CaseItem(tuple(patterns), body, self.take().text)
        if reserved_word(token) != "esac":
            raise self.missing('";;" or "esac"', token, 'the "case"', opened)
        return CaseItem(tuple(patterns), body, ";;")


def _peer_order(wanted: str) -> str:
    return '"else", "elif", or "fi"' if wanted == '"elif", "else", or "fi"' else wanted
