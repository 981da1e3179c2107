"""Prints the syntax tree of a text, to show how rt's shell parses it (`rt shell --explain`)."""

from __future__ import annotations

from .tree import (
    AndOr,
    ArithmeticCommand,
    ArithmeticExpansion,
    Case,
    CommandSubstitution,
    Condition,
    For,
    ForArithmetic,
    Function,
    Group,
    HereDocument,
    If,
    Logical,
    Not,
    Parameter,
    Pipeline,
    ProcessSubstitution,
    Sequence,
    Simple,
    Subshell,
    Test,
    Text,
    While,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from .tree import Command, Expression, Part, Redirection, Word


def explain(tree: Sequence) -> str:
    """Return one line for each command and each word, indented by nesting."""
    lines: list[str] = []
    _command(tree, 0, lines)
    return "".join(f"{line}\n" for line in lines)


def _command(command: Command, depth: int, lines: list[str]) -> None:
    """Append the lines of a command and of its contents."""

    def say(text: str, more: int = 0) -> None:
        lines.append("  " * (depth + more) + text)

    match command:
        case Sequence():
            if len(command.items) == 1:
                _command(command.items[0], depth, lines)
                return
            say("one after the other:" if command.items else "nothing")
            for item in command.items:
                _command(item, depth + 1, lines)
        case AndOr():
            say("list:")
            _command(command.first, depth + 1, lines)
            for operator, following in command.rest:
                say(f"{operator}  (if that {'succeeds' if operator == '&&' else 'fails'})", 1)
                _command(following, depth + 1, lines)
        case Pipeline():
            say(
                "not:"
                if command.negated and len(command.stages) == 1
                else "pipeline, negated:"
                if command.negated
                else "pipeline:"
            )
            for place, stage in enumerate(command.stages):
                if place:
                    say("|& (output and errors)" if command.joins_errors[place - 1] else "|", 1)
                _command(stage, depth + 1, lines)
        case Simple():
            say("command:" if command.words else "assignments:" if command.assignments else "redirections:")
            for assignment in command.assignments:
                say(f"{assignment.name} {'+=' if assignment.appends else '='}", 1)
                for element in assignment.elements or ():
                    _word(element.value, depth + 2, lines)
                if assignment.elements is None:
                    _word(assignment.value, depth + 2, lines)
            for word in command.words:
                _word(word, depth + 1, lines)
        case If():
            for place, (condition, body) in enumerate(command.branches):
                say("elif:" if place else "if:")
                _command(condition, depth + 1, lines)
                say("then:")
                _command(body, depth + 1, lines)
            if command.otherwise is not None:
                say("else:")
                _command(command.otherwise, depth + 1, lines)
        case While():
            say("until:" if command.is_until else "while:")
            _command(command.condition, depth + 1, lines)
            say("do:")
            _command(command.body, depth + 1, lines)
        case For():
            say(f"for each {command.name} in:" if command.words is not None else f"for each {command.name} in $@:")
            for word in command.words or ():
                _word(word, depth + 1, lines)
            say("do:")
            _command(command.body, depth + 1, lines)
        case ForArithmetic():
            say("for ((start; condition; step)):")
            for word in (command.start, command.condition, command.step):
                _word(word, depth + 1, lines)
            say("do:")
            _command(command.body, depth + 1, lines)
        case Case():
            say("case:")
            _word(command.word, depth + 1, lines)
            for each in command.items:
                say("pattern:", 1)
                for word in each.patterns:
                    _word(word, depth + 2, lines)
                _command(each.body, depth + 2, lines)
        case Function():
            say(f"function {command.name}:")
            _command(command.body, depth + 1, lines)
        case Subshell() | Group():
            say("subshell:" if isinstance(command, Subshell) else "group:")
            _command(command.body, depth + 1, lines)
        case Condition():
            say("condition [[ ]]:")
            _expression(command.expression, depth + 1, lines)
        case ArithmeticCommand():
            say("arithmetic (( )):")
            _word(command.expression, depth + 1, lines)
    for redirection in _redirections(command):
        _redirection(redirection, depth + 1, lines)


def _redirections(command: Command) -> Iterable[Redirection]:
    found: tuple[Redirection, ...] = getattr(command, "redirections", ())
    return found


def _redirection(redirection: Redirection, depth: int, lines: list[str]) -> None:
    number = "" if redirection.descriptor is None else f"descriptor {redirection.descriptor} "
    lines.append("  " * depth + f"redirect {number}{redirection.operator}")
    target = redirection.target
    if isinstance(target, HereDocument):
        if target.body is not None:
            _word(target.body, depth + 1, lines)
    else:
        _word(target, depth + 1, lines)


def _expression(expression: Expression, depth: int, lines: list[str]) -> None:
    if isinstance(expression, Logical):
        lines.append("  " * depth + expression.operator)
        _expression(expression.left, depth + 1, lines)
        _expression(expression.right, depth + 1, lines)
    elif isinstance(expression, Not):
        lines.append("  " * depth + "not")
        _expression(expression.expression, depth + 1, lines)
    elif isinstance(expression, Test):
        lines.append("  " * depth + f"test {expression.operator}")
        for word in expression.operands:
            _word(word, depth + 1, lines)


def _word(word: Word, depth: int, lines: list[str]) -> None:
    """Append a word on one line if none of its parts needs a separate line."""
    parts = word.parts
    if len(parts) == 1 and isinstance(parts[0], Text):
        lines.append("  " * depth + "word " + _text(parts[0]) + _notes(word))
        return
    lines.append("  " * depth + f"word at column {word.at + 1}{_notes(word)}:")
    for part in parts:
        _part(part, depth + 1, lines)


def _notes(word: Word) -> str:
    unquoted = "".join(part.text for part in word.parts if isinstance(part, Text) and not part.quoted)
    notes = []
    if word.has_braces:
        notes.append("braces")
    if "*" in unquoted or "?" in unquoted or ("[" in unquoted and "]" in unquoted):
        notes.append("pattern")
    if unquoted.startswith("~"):
        notes.append("tilde")
    return f"  ({', '.join(notes)})" if notes else ""


def _text(part: Text) -> str:
    return repr(part.text) if part.quoted or not part.text.isprintable() else part.text


def _part(part: Part, depth: int, lines: list[str]) -> None:
    head = "  " * depth
    quoted = "" if part.quoted else ", split into fields"
    match part:
        case Text():
            lines.append(f"{head}text {_text(part)}{' (quoted)' if part.quoted else ''}")
        case Parameter():
            lines.append(f"{head}variable {part.name}{f' {part.operator}' if part.operator else ''}{quoted}")
            for operand in (part.operand, part.second):
                if operand is not None:
                    _word(operand, depth + 1, lines)
        case CommandSubstitution():
            lines.append(f"{head}output of{quoted}:")
            _command(part.body, depth + 1, lines)
        case ProcessSubstitution():
            lines.append(f"{head}{'output of' if part.reads else 'input of'}, as a file:")
            _command(part.body, depth + 1, lines)
        case ArithmeticExpansion():
            lines.append(f"{head}arithmetic:")
            _word(part.expression, depth + 1, lines)
