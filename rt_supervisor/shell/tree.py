"""The syntax tree of shell language: commands, words, and parts of words.

Plain values, each with the offset (`at`) where it begins in the text; commands that expand words have their `line`
number. `parser` and `lexer` create them, `interpreter` and `expansion` execute them, `explain` prints them. Quotes are
removed; text that they protected is marked as `quoted`.
"""

from __future__ import annotations

from ..vocabulary.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Part: TypeAlias = "Text | Parameter | CommandSubstitution | ArithmeticExpansion | ProcessSubstitution"
    Command: TypeAlias = (
        "Simple | Pipeline | AndOr | Sequence | Subshell | Group | If | While | For | ForArithmetic | Case | Function"
        " | Condition | ArithmeticCommand"
    )
    Expression: TypeAlias = "Test | Logical | Not"


# --- words


class Text:
    """Literal characters; unquoted ones may still be a tilde, braces or a pattern.

    Texts and words are so frequent that they are plain classes, not records: their constructors take a third of all
    parsing time.
    """

    __slots__ = ("at", "quoted", "text")

    def __init__(self, text: str, quoted: bool, at: int) -> None:
        self.text = text
        self.quoted = quoted
        self.at = at


@record
class Parameter:
    """`$name`, `${name}` and `${name operator operand}`.

    `operator` is one of "" (the value), "length", ":-" "-" ":=" "=" ":?" "?" ":+" "+", "#" "##" "%" "%%", "/" "//" "/#"
    "/%", ":" (substring: `operand` is the offset, `second` the length), "^" "^^" "," ",,", "@Q" and other letters,
    "names" (`${!prefix*}`) and "keys" (`${!name[@]}`). `indirect` is `${!name}`. For all elements of an array, the name
    ends with "[@]" or "[*]"; `subscript` selects one element.
    """

    name: str
    operator: str
    operand: Word | None
    second: Word | None
    indirect: bool
    quoted: bool
    at: int
    subscript: Word | None = None


@record
class CommandSubstitution:
    """`$(body)` or the same in backquotes; `from_file` is `$(< file)`."""

    body: Sequence
    quoted: bool
    at: int


@record
class ArithmeticExpansion:
    """`$((expression))`; the expression is expanded as in double quotes, then evaluated."""

    expression: Word
    quoted: bool
    at: int


@record
class ProcessSubstitution:
    """`<(body)`, whose output can be read (`reads`), or `>(body)`, which reads what is written; never split into fields."""

    body: Sequence
    reads: bool
    quoted: bool
    at: int


class Word:
    """One word as written. `literal` is its value if it contains nothing to expand, otherwise None."""

    __slots__ = ("at", "end", "has_braces", "has_substitution", "literal", "parts")

    def __init__(
        self,
        parts: tuple[Part, ...],
        at: int,
        end: int,
        literal: str | None,
        *,
        has_braces: bool = False,
        has_substitution: bool = False,
    ) -> None:
        self.parts = parts
        self.at = at
        self.end = end
        self.literal = literal
        self.has_braces = has_braces
        self.has_substitution = has_substitution


# --- commands


class HereDocument:
    """The lines between `<<END` and `END`; they follow the rest of the line, so the body is filled in later."""

    __slots__ = ("at", "body", "delimiter", "expands", "strips_tabs")

    def __init__(self, delimiter: str, *, expands: bool, strips_tabs: bool, at: int) -> None:
        self.delimiter = delimiter
        self.expands = expands
        self.strips_tabs = strips_tabs
        self.at = at
        self.body: Word | None = None


@record
class Redirection:
    """`descriptor operator target`; a here-document has lines instead of a target."""

    operator: str
    descriptor: int | None
    target: Word | HereDocument
    at: int


@record
class Assignment:
    """`name=value`, `name+=value`, `name[subscript]=value`, and `name=(elements)`, in which case `value` is empty."""

    name: str
    value: Word
    appends: bool
    at: int
    subscript: Word | None = None
    elements: tuple[Element, ...] | None = None


@record
class Element:
    """One word of `name=(…)`: `value`, or `[subscript]=value`."""

    subscript: Word | None
    value: Word


@record
class Simple:
    """A simple command; `arrays` are the arguments of a declaration command that assign arrays (`local a=(1 2)`)."""

    assignments: tuple[Assignment, ...]
    words: tuple[Word, ...]
    redirections: tuple[Redirection, ...]
    at: int
    line: int
    arrays: tuple[Assignment, ...] = ()


@record
class Pipeline:
    """`a | b`; `joins_errors[i]` means that stage i is followed by `|&`."""

    stages: tuple[Command, ...]
    joins_errors: tuple[bool, ...]
    negated: bool
    at: int


@record
class AndOr:
    """`first && a || b`: the operators have equal precedence and are left-associative."""

    first: Command
    rest: tuple[tuple[str, Command], ...]
    at: int


@record
class Sequence:
    """`starts_line[i]` means that a newline precedes item i."""

    items: tuple[Command, ...]
    starts_line: tuple[bool, ...]
    at: int


@record
class Subshell:
    body: Sequence
    redirections: tuple[Redirection, ...]
    at: int


@record
class Group:
    body: Sequence
    redirections: tuple[Redirection, ...]
    at: int


@record
class If:
    """`branches` are (condition, body) of `if` and each `elif`."""

    branches: tuple[tuple[Sequence, Sequence], ...]
    otherwise: Sequence | None
    redirections: tuple[Redirection, ...]
    at: int


@record
class While:
    """`while`, or `until`, which inverts the condition."""

    condition: Sequence
    body: Sequence
    is_until: bool
    redirections: tuple[Redirection, ...]
    at: int


@record
class For:
    """`for name in words`; without `in` (None), it iterates over the positional parameters."""

    name: str
    words: tuple[Word, ...] | None
    body: Sequence
    redirections: tuple[Redirection, ...]
    at: int
    line: int


@record
class ForArithmetic:
    start: Word
    condition: Word
    step: Word
    body: Sequence
    redirections: tuple[Redirection, ...]
    at: int
    line: int


@record
class CaseItem:
    """`ending` is ";;" (stop), ";&" (run the next body too) or ";;&" (continue testing)."""

    patterns: tuple[Word, ...]
    body: Sequence
    ending: str


@record
class Case:
    word: Word
    items: tuple[CaseItem, ...]
    redirections: tuple[Redirection, ...]
    at: int
    line: int


@record
class Function:
    name: str
    body: Command
    at: int


@record
class Test:
    """One test of `[[ ]]`: `-f word`, or `word = word`, or a word alone (operator "-n")."""

    operator: str
    operands: tuple[Word, ...]
    at: int


@record
class Logical:
    operator: str
    left: Expression
    right: Expression


@record
class Not:
    expression: Expression


@record
class Condition:
    """`[[ expression ]]`"""

    expression: Expression
    redirections: tuple[Redirection, ...]
    at: int
    line: int


@record
class ArithmeticCommand:
    """`(( expression ))`"""

    expression: Word
    redirections: tuple[Redirection, ...]
    at: int
    line: int


class SyntaxProblem(Exception):
    """A syntax error at offset `at`."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.message = message
        self.at = at

    @property
    def wants_more(self) -> bool:
        """Return whether more text could complete the command: a quote or command is unclosed, or a command is
        missing."""
        words = self.message
        is_open = words.startswith("Unclosed") or words in ("Unexpected EOF", "expected a command or assignment")
        return is_open or "but got: Eof" in words
