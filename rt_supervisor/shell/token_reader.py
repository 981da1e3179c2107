"""The input of the grammar: tokens with one of lookahead, words, assignments, redirections; and errors about unexpected
tokens."""

from __future__ import annotations

from . import quoting
from .lexer import END, NEWLINE, NUMBER, OPERATOR, WORD, Lexer, Token
from .tree import Assignment, Element, HereDocument, Redirection, SyntaxProblem, Text, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .tree import Part

# fmt: off
KEYWORDS = frozenset([
    "if", "then", "elif", "else", "fi", "for", "while", "until", "do", "done", "case", "esac", "{", "}", "!", "[[", "]]", "in", "function",
])
# fmt: on
_RESERVED = KEYWORDS | {"select", "time"}  # `select` is not supported, and `time` is a program here
# Commands whose arguments may be assignments.
DECLARATIONS = frozenset(["alias", "declare", "export", "local", "readonly", "typeset"])
REDIRECTS = frozenset(["<", ">", ">>", ">|", "<>", "<&", ">&", "&>", "&>>", "<<", "<<-", "<<<"])


class TokenReader:
    """Looks one token ahead and no more, because other rules may apply to the text after it."""

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

    def peek_name(self) -> Token:
        """Return the token ahead at the position of a command's name, with aliases expanded."""
        token = self.peek()
        if self.lexer.aliases is not None:
            while self.lexer.aliases.replace(self.lexer, token, is_name=True):
                self._ahead = None
                token = self.peek()
        return token

    def peek_argument(self) -> Token:
        """Return the token ahead after a command's name; expanded if the alias before it ends with a blank."""
        token = self.peek()
        if self.lexer.aliases is not None:
            while self.lexer.aliases.replace(self.lexer, token, is_name=False):
                self._ahead = None
                token = self.peek()
        return token

    def line_behind(self, token: Token) -> int:
        """Return the line in which a command's second word ends, which bash reports as the line of the command."""
        return self.lexer.line_of(token.end if token.kind in (WORD, NUMBER) else token.at)

    def peek_operator(self, *operators: str) -> bool:
        token = self.peek()
        return token.kind == OPERATOR and token.text in operators

    def peek_reserved(self) -> str:
        """Return the reserved word ahead, or ""."""
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
        found = self.describe_token(token)
        line = self.lexer.text.count("\n", 0, opened) + 1
        where = f" (for {what} of line {line})" if "\n" in self.lexer.text else ""
        return SyntaxProblem(f"Expected {wanted} but got: {found}{where}", token.at)

    def describe_token(self, token: Token) -> str:
        if token.kind == END:
            return "Eof"
        if token.kind == NEWLINE:
            return "Newline"
        return f'"{self.lexer.text[token.at : token.end]}"'

    # --- words and assignments

    def take_word(self) -> Word:
        """Read the word ahead; a number before a redirection is a word here."""
        token = self.take()
        if token.word is not None:
            return token.word
        return quoting.make_word([Text(token.text, False, token.at)], token.at, token.end)

    def array(self, assignment: Assignment) -> Assignment:
        """Return `assignment` with the elements of the `(…)` that follows it directly, if there is one."""
        if assignment.value.parts or assignment.subscript or not self.lexer.text.startswith("(", assignment.value.end):
            return assignment
        opened = self.take().at
        elements: list[Element] = []
        while True:
            self.skip_newlines()
            token = self.peek()
            if token.kind == OPERATOR and token.text == ")":
                self.take()
                return Assignment(
                    assignment.name, assignment.value, assignment.appends, assignment.at, None, tuple(elements)
                )
            if token.kind == END:
                raise SyntaxProblem('Unclosed "("', opened)
            if token.kind not in (WORD, NUMBER):
                raise SyntaxProblem(f"Unexpected token: `{token.text}`", token.at)
            elements.append(as_element(self.take_word()))

    # --- redirections

    def redirections(self) -> tuple[Redirection, ...]:
        """Read the redirections after a compound command."""
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
    """Return the reserved word that `token` may be: a bare word, without quotes or expansions."""
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
    """Return `word` as an assignment (POSIX 2.10.2 rule 7), or None."""
    first = word.parts[0] if word.parts else None
    if not isinstance(first, Text) or first.quoted:
        return None
    name, equals, rest = first.text.partition("=")
    base, bracket, _ = first.text.partition("[")
    if bracket and quoting.is_name(base):
        return _as_element_assignment(word, base)
    appends = name.endswith("+")
    name = name.removesuffix("+")
    if not equals:
        return None
    if not quoting.is_name(name):
        return None
    start = first.at + len(first.text) - len(rest)
    parts = ([Text(rest, False, start)] if rest else []) + list(word.parts[1:])
    return Assignment(name, quoting.make_word(parts, start, word.end), appends, word.at)


def _as_element_assignment(word: Word, name: str) -> Assignment | None:
    """Return `word` as an assignment `name[subscript]=value`, or None."""
    found = _split_subscript(word, len(name))
    if found is None:
        return None
    subscript, value, appends = found
    return Assignment(name, value, appends, word.at, subscript)


def as_element(word: Word) -> Element:
    """Return `word` as an element of an array, with a subscript if it begins with `[…]=`."""
    first = word.parts[0] if word.parts else None
    if isinstance(first, Text) and not first.quoted and first.text.startswith("["):
        found = _split_subscript(word, 0)
        if found is not None:
            return Element(found[0], found[1])
    return Element(None, word)


def _split_subscript(word: Word, opened: int) -> tuple[Word, Word, bool] | None:
    """Split `[subscript]=value`, which begins at character `opened` of the first part; None if `word` has another form.

    The last element of the result is whether the operator is `+=`.
    """
    before: list[Part] = []
    for place, part in enumerate(word.parts):
        start = opened + 1 if place == 0 else 0
        if not isinstance(part, Text) or part.quoted:
            before.append(part)
            continue
        end, operator = part.text.find("]=", start), "]="
        appended = part.text.find("]+=", start)
        if appended >= 0 and (end < 0 or appended < end):
            end, operator = appended, "]+="
        if end < 0:
            if part.text[start:]:
                before.append(Text(part.text[start:], False, part.at + start))
            continue
        if part.text[start:end]:
            before.append(Text(part.text[start:end], False, part.at + start))
        at = part.at + end + len(operator)
        rest = part.text[end + len(operator) :]
        after = ([Text(rest, False, at)] if rest else []) + list(word.parts[place + 1 :])
        return (
            quoting.make_word(before, word.at, part.at + end),
            quoting.make_word(after, at, word.end),
            operator == "]+=",
        )
    return None
