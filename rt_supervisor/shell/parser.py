"""From a text of shell language to its tree (POSIX 2.10, with bash's `[[ ]]`, `(( ))`, `function`, `|&`, `&>`, `<<<`).

`parse` is the way in. Nothing is expanded or looked up. Every problem is a `SyntaxProblem` with its place; what is nested
deeper than `lexer.MOST_NESTED` is one too, so no text can exhaust the stack.
"""

from __future__ import annotations

import sys

from . import quoting
from .lexer import END, NEWLINE, NUMBER, OPERATOR, WORD, Lexer, Token
from .token_reader import REDIRECTS, TokenReader, as_assignment, bare_text, reserved_word
from .tree import (
    AndOr,
    ArithmeticCommand,
    Assignment,
    Case,
    CaseItem,
    For,
    ForArithmetic,
    Function,
    Group,
    If,
    Pipeline,
    Redirection,
    Sequence,
    Simple,
    Subshell,
    SyntaxProblem,
    While,
    Word,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .tree import Command

NO_BACKGROUND = 'Background commands "&" are not supported yet.'
ENOUGH_FRAMES = 50_000  # for `lexer.MOST_NESTED` levels here, and for the deepest calls of functions when it is run
_OPENERS = frozenset(["if", "for", "while", "until", "case", "{", "[[", "function", "select"])
_CLOSERS = frozenset(["then", "elif", "else", "fi", "do", "done", "esac", "}", "]]"])
_PEER_NAMES = {"|": "Pipe", "||": "DoublePipe", "&&": "DoubleAmpersand", ";": "Semicolon", "|&": "PipeAmpersand"}


def parse(text: str) -> Sequence:
    """Return the tree of `text`. Raises SyntaxProblem."""
    if sys.getrecursionlimit() < ENOUGH_FRAMES:
        sys.setrecursionlimit(ENOUGH_FRAMES)  # frames of Python are not on the C stack
    parser = _Parser(Lexer(text, parse_inside=_parse_inside))
    sequence = parser.sequence(())
    token = parser.peek()
    if token.kind != END:
        raise parser.unexpected(token)
    return sequence


def _parse_inside(lexer: Lexer, opened: int) -> Sequence:
    """Read commands up to and with the `)` of a substitution."""
    parser = _Parser(lexer)
    sequence = parser.sequence((")",))
    token = parser.take()
    if token.kind == END:
        raise SyntaxProblem("Unclosed command substitution", opened)
    if token.text != ")":
        raise parser.unexpected(token)
    return sequence


class _Parser(TokenReader):
    """The grammar, a method a rule."""

    # --- lists and pipelines

    def sequence(self, closers: tuple[str, ...]) -> Sequence:
        """Read commands up to an operator or reserved word of `closers`, which is not taken."""
        items: list[Command] = []
        starts_line: list[bool] = []
        follows_newline = True
        self.skip_newlines()
        at = self.peek().at
        while True:
            token = self.peek()
            if token.kind == END or (token.kind == OPERATOR and (token.text in closers or token.text == ")")):
                break
            if reserved_word(token) in closers:
                break
            items.append(self.and_or())
            starts_line.append(follows_newline)
            if self.peek_operator("&"):
                raise SyntaxProblem(NO_BACKGROUND, self.peek().at)
            if self.peek_operator(";"):
                self.take()
            elif self.peek().kind == NEWLINE:
                pass
            else:
                token = self.peek()
                if token.kind == END or token.text in closers or reserved_word(token) in closers:
                    break
                if token.kind == OPERATOR and token.text in (";;", ";&", ";;&") and ";;" in closers:
                    break
                raise self.unexpected(token)
            follows_newline = self.peek().kind == NEWLINE
            self.skip_newlines()
        return Sequence(tuple(items), tuple(starts_line), at)

    def body(self, opener: str, opened: int, *closers: str) -> Sequence:
        """Read a sequence that must not be empty, up to one of `closers`."""
        sequence = self.sequence(closers)
        token = self.peek()
        if token.kind == END or (reserved_word(token) not in closers and token.text not in closers):
            wanted = ", ".join(f'"{word}"' for word in closers[:-1])
            wanted = f'{wanted}, or "{closers[-1]}"' if wanted else f'"{closers[-1]}"'
            raise self.missing(_peer_order(wanted), token, f'the "{opener}"', opened)
        if not sequence.items:
            raise SyntaxProblem(f'Expected a command after "{opener}" but got: {self.named(token)}', token.at)
        return sequence

    def and_or(self) -> Command:
        first = self.pipeline()
        rest: list[tuple[str, Command]] = []
        while self.peek_operator("&&", "||"):
            operator = self.take().text
            self.skip_newlines()
            rest.append((operator, self.pipeline()))
        return AndOr(first, tuple(rest), first.at) if rest else first

    def pipeline(self) -> Command:
        at = self.peek().at
        negated = False
        while self.peek_reserved() == "!":
            self.take()
            negated = not negated
        if negated and (self.peek().kind in (NEWLINE, END) or self.peek_operator(";", ")")):
            return Pipeline((Simple((), (), (), at),), (), True, at)
        stages = [self.command()]
        joins: list[bool] = []
        while self.peek_operator("|", "|&"):
            joins.append(self.take().text == "|&")
            self.skip_newlines()
            if self.peek().kind == END:
                raise SyntaxProblem("Unexpected EOF", self.peek().at)
            stages.append(self.command())
        if len(stages) == 1 and not negated:
            return stages[0]
        return Pipeline(tuple(stages), tuple(joins), negated, at)

    # --- commands

    def command(self) -> Command:
        token = self.peek()
        if token.kind == OPERATOR:
            if token.text == "(":
                return self.parenthesis(token)
            if token.text == ")":
                raise self.unexpected(token)
            if token.text in ("&", "&&", "||", "|", "|&", ";", ";;", ";&", ";;&"):
                name = _PEER_NAMES.get(token.text, token.text)
                if token.text == ";":
                    raise self.unexpected(token)
                raise SyntaxProblem(f'expected a command or assignment but got: "{name}"', token.at)
        if token.kind in (END, NEWLINE):
            raise SyntaxProblem("expected a command or assignment", token.at)
        reserved = reserved_word(token)
        if reserved in _OPENERS:
            return self.compound(reserved)
        if (reserved in _CLOSERS or reserved == "in") and reserved != "in" and reserved != "]]":
            raise self.unexpected(token)
        return self.simple()

    def compound(self, reserved: str) -> Command:
        at = self.take().at
        self.lexer.nest(at)
        command: Command
        if reserved == "{":
            body = self.body("{", at, "}")
            self.take()
            command = Group(body, self.redirections(), at)
        elif reserved == "if":
            command = self.if_command(at)
        elif reserved in ("while", "until"):
            condition = self.body(reserved, at, "do")
            body = self.do_group(reserved, at)
            command = While(condition, body, reserved == "until", self.redirections(), at)
        elif reserved == "for":
            command = self.for_command(at)
        elif reserved == "case":
            command = self.case_command(at)
        elif reserved == "[[":
            from .conditions_grammar import read_condition

            expression = read_condition(self.lexer, at)
            command = _condition(expression, self.redirections(), at)
        elif reserved == "function":
            command = self.function_keyword(at)
        else:
            raise SyntaxProblem(f'"{reserved}" is not supported', at)
        self.lexer.unnest()
        return command

    def parenthesis(self, token: Token) -> Command:
        at = token.at
        text = self.lexer.text
        if text.startswith("((", at):
            end = quoting.closing_of_arithmetic(self.lexer, at + 2)
            if end is not None:
                self.lexer.at = end + 2
                self._ahead = None
                word = quoting.arithmetic_word(self.lexer, at + 2, end)
                return ArithmeticCommand(word, self.redirections(), at)
        self.take()
        self.lexer.nest(at)
        body = self.sequence((")",))
        closing = self.take()
        if closing.kind == END:
            raise SyntaxProblem("Unclosed subshell", at)
        if closing.text != ")":
            raise self.unexpected(closing)
        if not body.items:
            raise SyntaxProblem("Unexpected ')'", closing.at)
        self.lexer.unnest()
        return Subshell(body, self.redirections(), at)

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
        return For(name, words, body, self.redirections(), at)

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
        return ForArithmetic(words[0], words[1], words[2], body, self.redirections(), at)

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
        return Case(word, tuple(items), self.redirections(), at)

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

    def function_keyword(self, at: int) -> Command:
        token = self.take()
        name = token.word.literal if token.kind == WORD and token.word is not None else None
        if not name:
            raise SyntaxProblem('Expected a name after "function"', token.at)
        if self.peek_operator("("):
            self.take()
            if not self.peek_operator(")"):
                raise self.unexpected(self.peek())
            self.take()
        return self.function_body(name, at)

    def function_body(self, name: str, at: int) -> Command:
        self.skip_newlines()
        token = self.peek()
        if reserved_word(token) not in _OPENERS and not (token.kind == OPERATOR and token.text == "("):
            raise self.missing(f'the body of "{name}"', token, "the function", at)
        self.lexer.nest(at)
        body = self.command()
        self.lexer.unnest()
        return Function(name, body, at)

    def simple(self) -> Command:
        at = self.peek().at
        assignments: list[Assignment] = []
        words: list[Word] = []
        redirections: list[Redirection] = []
        while True:
            token = self.peek()
            if token.kind == NUMBER or (token.kind == OPERATOR and token.text in REDIRECTS):
                redirections.append(self.redirection())
            elif token.kind == WORD:
                assert token.word is not None
                assignment = None if words else as_assignment(token.word)
                if assignment is not None:
                    self.take()
                    assignments.append(assignment)
                    self.refuse_array(assignment)
                else:
                    words.append(token.word)
                    self.take()
            elif token.kind == OPERATOR and token.text == "(" and len(words) == 1 and not assignments:
                return self.function_parentheses(words[0], token, at)
            elif token.kind == OPERATOR and token.text == "(":
                raise SyntaxProblem("Unexpected token: `(`", token.at)
            else:
                break
        return Simple(tuple(assignments), tuple(words), tuple(redirections), at)

    def function_parentheses(self, word: Word, token: Token, at: int) -> Command:
        self.take()
        if not self.peek_operator(")"):
            raise SyntaxProblem("Unexpected token: `(`", token.at)
        self.take()
        if not word.literal:
            raise SyntaxProblem("A function needs a plain name", at)
        return self.function_body(word.literal, at)


def _condition(expression: object, redirections: tuple[Redirection, ...], at: int) -> Command:
    from .tree import Condition

    return Condition(expression, redirections, at)  # type: ignore[arg-type]


def _peer_order(wanted: str) -> str:
    return '"else", "elif", or "fi"' if wanted == '"elif", "else", or "fi"' else wanted
