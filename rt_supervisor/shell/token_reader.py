"""What the grammar reads: tokens with one of lookahead, words, assignments, redirections; and the errors for unexpected ones."""

from __future__ import annotations

from . import quoting
from .lexer import END, NEWLINE, NUMBER, OPERATOR, WORD, Lexer, Token
from .tree import Assignment, HereDocument, Redirection, SyntaxProblem, Text, Word

# fmt: off
KEYWORDS = frozenset([
    "if", "then", "elif", "else", "fi", "for", "while", "until", "do", "done", "case", "esac", "{", "}", "!", "[[", "]]", "in", "function",
])
# fmt: on
_RESERVED = KEYWORDS | {"select", "time"}  # `select` is refused, and `time` is a program here
REDIRECTS = frozenset(["<", ">", ">>", ">|", "<>", "<&", ">&", "&>", "&>>", "<<", "<<-", "<<<"])


class TokenReader:
    """One token ahead of the grammar, no more: what follows may have to be read by other rules."""

    def __init__(self, lexer: Lexer) -> None:
        self.lexer = lexer
        self._ahead: Token | None = None

    # --- tokens

    def peek(self) -> Token:
        if self._ahead is None:
            self._ahead = self.lexer.next()
        return self._ahead

    def take(self) -> Token:
        token = self.peek()
        self._ahead = None
        return token

    def reread_from(self, token: Token) -> None:
        """Go back to where `token`, the one ahead, begins: it is read by other rules."""
        self.lexer.at = token.at
        self._ahead = None

    def peek_name(self) -> Token:
        """The token ahead, where a command's name may stand: what an alias stands for is there in its place."""
        token = self.peek()
        if self.lexer.aliases is not None:
            while self.lexer.aliases.replace(self.lexer, token, is_name=True):
                self._ahead = None
                token = self.peek()
        return token

    def peek_argument(self) -> Token:
        """The token ahead, behind a command's name; an alias that ends with a blank has the next word looked at, too."""
        token = self.peek()
        if self.lexer.aliases is not None:
            while self.lexer.aliases.replace(self.lexer, token, is_name=False):
                self._ahead = None
                token = self.peek()
        return token

    def line_behind(self, token: Token) -> int:
        """The line of a command's second word, which bash takes for the command's: that in which the word ends."""
        return self.lexer.line_of(token.end if token.kind in (WORD, NUMBER) else token.at)

    def peek_operator(self, *operators: str) -> bool:
        token = self.peek()
        return token.kind == OPERATOR and token.text in operators

    def peek_reserved(self) -> str:
        """The reserved word ahead, or ""."""
        return reserved_word(self.peek())

    def skip_newlines(self) -> None:
        while self.peek().kind == NEWLINE:
            self.take()

    def unexpected(self, token: Token) -> SyntaxProblem:
        if token.kind == END:
            return SyntaxProblem("Unexpected EOF", token.at)
        if token.kind == NEWLINE:
            return SyntaxProblem("Unexpected newline", token.at)
        if token.kind == OPERATOR:
            return SyntaxProblem(f"Unexpected '{token.text}'", token.at)
        return SyntaxProblem(f'Unexpected "{self.lexer.text[token.at : token.end]}"', token.at)

    def expect_reserved(self, word: str, opener: str, opened: int) -> None:
        token = self.peek()
        if reserved_word(token) != word:
            raise self.missing(f'"{word}"', token, f'the "{opener}"', opened)
        self.take()

    def missing(self, wanted: str, token: Token, what: str, opened: int) -> SyntaxProblem:
        found = self.named(token)
        line = self.lexer.text.count("\n", 0, opened) + 1
        where = f" (for {what} of line {line})" if "\n" in self.lexer.text else ""
        return SyntaxProblem(f"Expected {wanted} but got: {found}{where}", token.at)

    def named(self, token: Token) -> str:
        if token.kind == END:
            return "Eof"
        if token.kind == NEWLINE:
            return "Newline"
        return f'"{self.lexer.text[token.at : token.end]}"'

    # --- words and assignments

    def take_word(self) -> Word:
        """The word ahead; a number before a redirection is a word here."""
        token = self.take()
        if token.word is not None:
            return token.word
        return quoting.make_word([Text(token.text, False, token.at)], token.at, token.end)

    def refuse_array(self, assignment: Assignment) -> None:
        if not assignment.value.parts and self.lexer.text.startswith("(", self.lexer.at):
            raise SyntaxProblem("Arrays are not supported", self.lexer.at)

    # --- redirections

    def redirections(self) -> tuple[Redirection, ...]:
        """Those after a compound command."""
        found: list[Redirection] = []
        while self.peek().kind == NUMBER or (self.peek().kind == OPERATOR and self.peek().text in REDIRECTS):
            found.append(self.redirection())
        return tuple(found)

    def redirection(self) -> Redirection:
        token = self.take()
        descriptor = None
        at = token.at
        if token.kind == NUMBER:
            descriptor = int(token.text)
            token = self.take()
        operator = token.text
        following = self.peek()
        if following.kind not in (WORD, NUMBER):
            raise SyntaxProblem("Redirection with no file", at)
        target = self.take_word()
        if operator not in ("<<", "<<-"):
            return Redirection(operator, descriptor, target, at)
        delimiter = "".join(self.lexer.text[target.at : target.end]) if not _is_texts(target) else _texts(target)
        is_quoted = any(isinstance(part, Text) and part.quoted for part in target.parts)
        document = HereDocument(delimiter, expands=not is_quoted, strips_tabs=operator == "<<-", at=at)
        self.lexer.pending.append(document)
        return Redirection("<<", descriptor, document, at)


def reserved_word(token: Token) -> str:
    """The reserved word that `token` may be: a bare one, without a quote or an expansion."""
    word = token.word
    if word is None or len(word.parts) != 1:
        return ""
    part = word.parts[0]
    return part.text if isinstance(part, Text) and not part.quoted and part.text in _RESERVED else ""


def bare_text(token: Token) -> str:
    word = token.word
    if word is None or len(word.parts) != 1:
        return ""
    part = word.parts[0]
    return part.text if isinstance(part, Text) and not part.quoted else ""


def _is_texts(word: Word) -> bool:
    return all(isinstance(part, Text) for part in word.parts)


def _texts(word: Word) -> str:
    return "".join(part.text for part in word.parts if isinstance(part, Text))


def as_assignment(word: Word) -> Assignment | None:
    """The assignment that `word` is (POSIX 2.10.2 rule 7)."""
    first = word.parts[0] if word.parts else None
    if not isinstance(first, Text) or first.quoted:
        return None
    name, equals, rest = first.text.partition("=")
    appends = name.endswith("+")
    name = name.removesuffix("+")
    if not equals:
        return None
    if "[" in name and quoting.is_name(name.partition("[")[0]):
        raise SyntaxProblem("Arrays are not supported", word.at)
    if not quoting.is_name(name):
        return None
    start = first.at + len(first.text) - len(rest)
    parts = ([Text(rest, False, start)] if rest else []) + list(word.parts[1:])
    return Assignment(name, quoting.make_word(parts, start, word.end), appends, word.at)
