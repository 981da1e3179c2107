"""Evaluates `[[ ]]`. Words are not split; `==` matches a pattern, `=~` a regular expression."""

from __future__ import annotations

from . import arithmetic, file_tests
from .expansion import _Names
from .problems import ShellProblem
from .state import decoded, encoded
from .tree import Logical, Not, Test

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from .expansion import Expander
    from .tree import Expression, Word


def holds(expression: Expression, expander: Expander, io: Mapping[int, int]) -> bool:
    """Return whether `expression` is true. Raises ShellProblem."""
    if isinstance(expression, Logical):
        left = holds(expression.left, expander, io)
        if left == (expression.operator == "||"):
            return left
        return holds(expression.right, expander, io)
    if isinstance(expression, Not):
        return not holds(expression.expression, expander, io)
    return _test(expression, expander, io)


def _test(test: Test, expander: Expander, io: Mapping[int, int]) -> bool:
    state = expander.state
    operator = test.operator
    left = expander.string(test.operands[0])
    if len(test.operands) == 1:
        return file_tests.unary(operator, left, state, io)
    right = test.operands[1]
    if operator in ("=", "==", "!="):
        return expander.pattern(right).matches(left) == (operator != "!=")
    if operator == "=~":
        return _matches(left, right, expander)
    if operator in file_tests.NUMERIC:
        names = _Names(expander)
        numbers = arithmetic.evaluate(left, names), arithmetic.evaluate(expander.string(right), names)
        return file_tests.compare_numbers(operator, *numbers)
    if operator in ("<", ">"):
        other = expander.string(right)
        return left < other if operator == "<" else left > other
    return file_tests.compare_files(operator, left, expander.string(right), state)


def _matches(text: str, word: Word, expander: Expander) -> bool:
    """Match an extended regular expression; quoted parts are literal. Stores the match in BASH_REMATCH."""
    from .posix_regex import BadExpression, PosixRegex

    pattern = "".join(_escape(piece) if quoted else piece for piece, quoted in expander.pieces(word))
    try:
        found = PosixRegex(encoded(pattern), extended=True).groups(encoded(text))
    except BadExpression as error:
        raise ShellProblem(f"{pattern}: not a regular expression: {error}", status=2) from error
    groups = [decoded(group) for group in found] if found is not None else []
    expander.state.matched = groups
    expander.state.variables.set("BASH_REMATCH", groups[0] if groups else "")
    return found is not None


def _escape(text: str) -> str:
    return "".join("\\" + character if character in "\\^$.[]|()?*+{}" else character for character in text)
