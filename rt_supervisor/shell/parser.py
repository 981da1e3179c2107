"""Parses shell language into a tree (POSIX 2.10, with bash's `[[ ]]`, `(( ))`, `function`, `|&`, `&>`, `<<<`).

`parse` is the entry point. Nothing is expanded or looked up. Every error is a `SyntaxProblem` with its position,
including nesting deeper than `lexer.MOST_NESTED`, so that no text can exhaust the stack.
"""

from __future__ import annotations

import sys

from . import quoting
from .compound_grammar import CompoundReader
from .lexer import END, NEWLINE, NUMBER, OPERATOR, WORD, Lexer, Token
from .token_reader import DECLARATIONS, REDIRECTS, as_assignment, reserved_word
from .tree import (
    AndOr,
    ArithmeticCommand,
    Assignment,
    Function,
    Group,
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
    from collections.abc import Callable, Iterator

    from .aliases import Aliases
    from .tree import Command

NO_BACKGROUND = 'Background commands "&" are not supported yet.'
ENOUGH_FRAMES = 50_000  # enough for `lexer.MOST_NESTED` levels here, and for the deepest function calls at run time
_OPENERS = frozenset(["if", "for", "while", "until", "case", "{", "[[", "function", "select"])
_CLOSERS = frozenset(["then", "elif", "else", "fi", "do", "done", "esac", "}", "]]"])
_PEER_NAMES = {"|": "Pipe", "||": "DoublePipe", "&&": "DoubleAmpersand", ";": "Semicolon", "|&": "PipeAmpersand"}


def parse(text: str, *, aliases: Aliases | None = None, first_line: int = 1) -> Sequence:
    """Return the tree of `text`, whose first line has the number `first_line`. Raises SyntaxProblem."""
    parser = _parser_of(text, first_line)
    parser.lexer.aliases = aliases
    sequence = parser.sequence(())
    token = parser.peek()
    if token.kind != END:
        raise parser.unexpected(token)
    return sequence


def parse_by_lines(text: str, aliases: Callable[[], Aliases | None], first_line: int = 1) -> Iterator[Sequence]:
    """Parse each line when it is requested, with the `aliases` that are valid at that moment. Raises SyntaxProblem."""
    parser = _parser_of(text, first_line)
    while parser.peek().kind != END:
        parser.lexer.aliases = aliases()
        sequence = parser.sequence((), is_one_line=True)
        token = parser.peek()
        if token.kind not in (NEWLINE, END):
            raise parser.unexpected(token)
        yield sequence


def _parser_of(text: str, first_line: int) -> _Parser:
    if sys.getrecursionlimit() < ENOUGH_FRAMES:
        sys.setrecursionlimit(ENOUGH_FRAMES)  # frames of Python are not on the C stack
    return _Parser(Lexer(text, parse_inside=_parse_inside, first_line=first_line))


def _parse_inside(lexer: Lexer, opened: int) -> Sequence:
    """Read commands up to and including the `)` of a substitution."""
    parser = _Parser(lexer)
    sequence = parser.sequence((")",))
    token = parser.take()
    if token.kind == END:
        raise SyntaxProblem("Unclosed command substitution", opened)
    if token.text != ")":
        raise parser.unexpected(token)
    return sequence


class _Parser(CompoundReader):
    """The grammar, one method per rule."""

    # --- lists and pipelines

    def sequence(self, closers: tuple[str, ...], *, is_one_line: bool = False) -> Sequence:
        """Read commands up to an operator or reserved word of `closers`, which is not consumed, or up to the end of the
        line."""
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
            if follows_newline and is_one_line:
                break
            self.skip_newlines()
        return Sequence(tuple(items), tuple(starts_line), at)

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
            return Pipeline((Simple((), (), (), at, self.lexer.line_of(at)),), (), True, at)
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
        token = self.peek_name()
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
            command = _condition(expression, self.redirections(), at, self.lexer.line_of(at))
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
                return ArithmeticCommand(word, self.redirections(), at, self.lexer.line_of(at))
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
        arrays: list[Assignment] = []
        line = 0
        while True:
            token = self.peek_name() if not words else self.peek_argument()
            if line == 0 and len(words) + len(assignments) == 1:
                line = self.line_behind(token)
            if token.kind == NUMBER or (token.kind == OPERATOR and token.text in REDIRECTS):
                redirections.append(self.redirection())
            elif token.kind == WORD:
                assert token.word is not None
                assignment = None if words else as_assignment(token.word)
                if assignment is not None:
                    self.take()
                    assignments.append(self.array(assignment))
                else:
                    self.take()
                    array = self._declared_array(words, token.word)
                    words.append(token.word if array is None else quoting.name_word(array.name, token.word))
                    arrays += [array] if array is not None else []
            elif token.kind == OPERATOR and token.text == "(" and len(words) == 1 and not assignments:
                return self.function_parentheses(words[0], token, at)
            elif token.kind == OPERATOR and token.text == "(":
                raise SyntaxProblem("Unexpected token: `(`", token.at)
            else:
                break
        line = line or self.lexer.line_of(at)
        return Simple(tuple(assignments), tuple(words), tuple(redirections), at, line, tuple(arrays))

    def _declared_array(self, words: list[Word], word: Word) -> Assignment | None:
        """Return the assignment of an array that begins with `word`, as an argument of a declaration command."""
        if not words or words[0].literal not in DECLARATIONS or not self.lexer.text.startswith("(", word.end):
            return None
        assignment = as_assignment(word)
        if assignment is None:
            return None
        assignment = self.array(assignment)
        return assignment if assignment.elements is not None else None

    def function_parentheses(self, word: Word, token: Token, at: int) -> Command:
        self.take()
        if not self.peek_operator(")"):
            raise SyntaxProblem("Unexpected token: `(`", token.at)
        self.take()
        if not word.literal:
            raise SyntaxProblem("A function needs a plain name", at)
        return self.function_body(word.literal, at)


def _condition(expression: object, redirections: tuple[Redirection, ...], at: int, line: int) -> Command:
    from .tree import Condition

    return Condition(expression, redirections, at, line)  # type: ignore[arg-type]
