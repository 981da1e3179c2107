"""test and `[`, whose grammar depends on the number of operands (POSIX `test`)."""

from __future__ import annotations

from .. import file_tests
from ..problems import ShellProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .calls import Call

_DEEPEST = 200


def test(call: Call) -> int:
    return _result(call, call.arguments)


def bracket(call: Call) -> int:
    if call.arguments[-1:] != ["]"]:
        return call.fail("missing `]'", 2)
    return _result(call, call.arguments[:-1])


def _result(call: Call, words: list[str]) -> int:
    try:
        return int(not _Test(call, words).run())
    except ShellProblem as problem:
        return call.fail(problem.message, 2)


class _Test:
    def __init__(self, call: Call, words: list[str]) -> None:
        self._call = call
        self._words = words
        self._at = 0
        self._depth = 0

    def run(self) -> bool:
        words = self._words
        count = len(words)
        if count == 0:
            return False
        if count == 1:
            return words[0] != ""
        if count == 2:
            if words[0] == "!":
                return words[1] == ""
            if words[0] in file_tests.UNARY:
                return self._unary(words[0], words[1])
            raise ShellProblem(f"{words[0]}: unary operator expected")
        if count == 3 and words[1] in file_tests.BINARY:
            return self._binary(words[0], words[1], words[2])
        if count == 3 and words[1] in ("-a", "-o"):
            left, right = words[0] != "", words[2] != ""
            return left and right if words[1] == "-a" else left or right
        if count == 3 and words[0] == "!":
            return not _Test(self._call, words[1:]).run()
        if count == 3 and (words[0], words[2]) == ("(", ")"):
            return words[1] != ""
        if count == 4 and words[0] == "!":
            return not _Test(self._call, words[1:]).run()
        value = self._either()
        if self._at < count:
            raise ShellProblem("too many arguments")
        return value

    def _peek(self) -> str | None:
        return self._words[self._at] if self._at < len(self._words) else None

    def _either(self) -> bool:
        value = self._both()
        while self._peek() == "-o":
            self._at += 1
            value = self._both() or value
        return value

    def _both(self) -> bool:
        value = self._not()
        while self._peek() == "-a":
            self._at += 1
            value = self._not() and value
        return value

    def _not(self) -> bool:
        negated = False
        while self._peek() == "!" and self._at + 1 < len(self._words):
            self._at += 1
            negated = not negated
        return self._primary() != negated

    def _primary(self) -> bool:
        words = self._words
        word = self._peek()
        if word is None:
            raise ShellProblem("argument expected")
        following = words[self._at + 1] if self._at + 1 < len(words) else None
        if following in file_tests.BINARY and self._at + 2 < len(words):
            self._at += 3
            return self._binary(word, following, words[self._at - 1])
        if word == "(":
            self._depth += 1
            if self._depth > _DEEPEST:
                raise ShellProblem("nested too deep")
            self._at += 1
            value = self._either()
            if self._peek() != ")":
                raise ShellProblem("`)' expected")
            self._at += 1
            return value
        if word in file_tests.UNARY and following is not None:
            self._at += 2
            return self._unary(word, following)
        self._at += 1
        return word != ""

    def _unary(self, operator: str, operand: str) -> bool:
        return file_tests.unary("-e" if operator == "-a" else operator, operand, self._call.state, self._call.io)

    def _binary(self, left: str, operator: str, right: str) -> bool:
        if operator in ("=", "=="):
            return left == right
        if operator == "!=":
            return left != right
        if operator in ("<", ">"):
            return left < right if operator == "<" else left > right
        if operator in file_tests.NUMERIC:
            numbers = file_tests.whole_number(left), file_tests.whole_number(right)
            return file_tests.compare_numbers(operator, *numbers)
        return file_tests.compare_files(operator, left, right, self._call.state)
