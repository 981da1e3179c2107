"""Arithmetic (POSIX 2.6.4, with bash's `**`, `++`, `,` and `base#digits`): 64-bit integers that wrap around.

An expression is evaluated as it is parsed; operands that `&&`, `||` and `?:` skip are parsed without effect. As in
bash, a variable's value may itself be an expression.
"""

from __future__ import annotations

from .problems import ShellProblem
from .quoting import is_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    class Names(Protocol):
        """Reads and writes variables, by name or as "array[subscript]"."""

        def get(self, name: str) -> str | None: ...
        def set(self, name: str, value: str) -> None: ...


_DEEPEST = 200
_OPERATORS = (
    *("<<=", ">>=", "**", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||"),
    *("+=", "-=", "*=", "/=", "%=", "&=", "^=", "|="),
    *"+-*/%<>=!~&^|?:(),",
)
_ASSIGNS = frozenset(["=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "^=", "|="])
_LEVELS: dict[str, int] = {
    "||": 1,
    "&&": 2,
    "|": 3,
    "^": 4,
    "&": 5,
    "==": 6,
    "!=": 6,
    "<": 7,
    "<=": 7,
    ">": 7,
    ">=": 7,
    "<<": 8,
    ">>": 8,
    "+": 9,
    "-": 9,
    "*": 10,
    "/": 10,
    "%": 10,
    "**": 11,
}


def evaluate(text: str, names: Names, depth: int = 0) -> int:
    """Return the value of expression `text`; an empty one is 0. Raises ShellProblem."""
    if depth > _DEEPEST:
        raise ShellProblem(f"{text}: expression recursion level exceeded")
    return _Evaluation(text, names, depth).run()


class _Evaluation:
    def __init__(self, text: str, names: Names, depth: int) -> None:
        self._text = text
        self._names = names
        self._depth = depth
        self._tokens = self._split(text)
        self._at = 0
        self._idle = 0  # > 0: what is parsed has no effect

    def run(self) -> int:
        if not self._tokens:
            return 0
        value = self._comma()
        if self._at < len(self._tokens):
            raise self._problem(f'syntax error in expression (error token is "{self._tokens[self._at]}")')
        return value

    def _problem(self, words: str) -> ShellProblem:
        return ShellProblem(f"{self._text.strip()}: {words}")

    def _split(self, text: str) -> list[str]:
        tokens: list[str] = []
        at = 0
        while at < len(text):
            character = text[at]
            if character in " \t\n\r":
                at += 1
                continue
            if character.isalnum() or character in "_":
                end = at + 1
                while end < len(text) and (text[end].isalnum() or text[end] in "_#@"):
                    end += 1
                if text.startswith("[", end) and is_name(text[at:end]):
                    end = self._end_of_subscript(end)
                tokens.append(text[at:end])
                at = end
                continue
            for operator in _OPERATORS:
                if text.startswith(operator, at):
                    tokens.append(operator)
                    at += len(operator)
                    break
            else:
                raise self._problem(f'syntax error: operand expected (error token is "{text[at:].strip()}")')
        return tokens

    def _end_of_subscript(self, opened: int) -> int:
        depth = 0
        for at in range(opened, len(self._text)):
            depth += {"[": 1, "]": -1}.get(self._text[at], 0)
            if depth == 0:
                return at + 1
        raise self._problem(f'bad array subscript (error token is "{self._text[opened:]}")')

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _take(self, token: str) -> bool:
        if self._peek() == token:
            self._at += 1
            return True
        return False

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise ShellProblem("expression nested too deep")

    def _comma(self) -> int:
        value = self._assignment()
        while self._take(","):
            value = self._assignment()
        return value

    def _assignment(self) -> int:
        self._deeper()
        name = self._peek()
        operator = self._tokens[self._at + 1] if self._at + 1 < len(self._tokens) else ""
        if _is_variable(name) and operator in _ASSIGNS:
            self._at += 2
            value = self._assignment()
            if operator != "=":
                value = self._apply(operator[:-1], self._variable(name), value)
            self._set(name, value)
        else:
            value = self._conditional()
        self._depth -= 1
        return value

    def _conditional(self) -> int:
        condition = self._binary(1)
        if not self._take("?"):
            return condition
        yes = self._inert(self._comma, condition == 0)
        if not self._take(":"):
            raise self._problem("`:' expected for conditional expression")
        no = self._inert(self._assignment, condition != 0)
        return yes if condition else no

    def _inert(self, read: Callable[[], int], when: bool) -> int:
        self._idle += when
        value = read()
        self._idle -= when
        return value

    def _binary(self, level: int) -> int:
        left = self._unary()
        while True:
            operator = self._peek()
            found = _LEVELS.get(operator, 0)
            if found < level or found == 0:
                return left
            self._at += 1
            if operator == "&&":
                right = self._inert(lambda: self._binary(3), left == 0)
                left = int(left != 0 and right != 0)
            elif operator == "||":
                right = self._inert(lambda: self._binary(2), left != 0)
                left = int(left != 0 or right != 0)
            elif operator == "**":
                left = self._apply(operator, left, self._binary(11))
            else:
                left = self._apply(operator, left, self._binary(found + 1))

    def _unary(self) -> int:
        token = self._peek()
        if token in ("++", "--"):
            self._at += 1
            name = self._peek()
            if _is_variable(name):
                self._at += 1
                value = self._variable(name) + (1 if token == "++" else -1)
                self._set(name, value)
                return value
            self._deeper()
            value = self._unary()  # two signs
            self._depth -= 1
            return value
        if token in ("!", "~", "+", "-"):
            self._at += 1
            self._deeper()
            value = self._unary()
            self._depth -= 1
            if token == "!":
                return int(value == 0)
            return _wrap(~value if token == "~" else -value if token == "-" else value)
        return self._primary()

    def _primary(self) -> int:
        token = self._peek()
        if token == "":
            raise self._problem("syntax error: operand expected")
        self._at += 1
        if token == "(":
            value = self._comma()
            if not self._take(")"):
                raise self._problem("missing `)'")
            return value
        if _is_variable(token):
            value = self._variable(token)
            following = self._peek()
            if following in ("++", "--"):
                self._at += 1
                self._set(token, value + (1 if following == "++" else -1))
            return value
        if token[0].isdigit():
            return self._number(token)
        raise self._problem(f'syntax error: operand expected (error token is "{token}")')

    def _number(self, token: str) -> int:
        try:
            if "#" in token:
                base_text, _, digits = token.partition("#")
                base = int(base_text)
                if not 2 <= base <= 64:
                    raise self._problem("invalid arithmetic base")
                value = 0
                for digit in digits:
                    found = _digit(digit, base)
                    if found >= base:
                        raise self._problem(f'value too great for base (error token is "{token}")')
                    value = value * base + found
                return _wrap(value)
            if token[:2] in ("0x", "0X"):
                return _wrap(int(token[2:] or "0", 16))
            if len(token) > 1 and token[0] == "0":
                return _wrap(int(token, 8))
            if len(token) > 4000:
                raise ValueError
            return _wrap(int(token))
        except ValueError:
            raise self._problem(f'value too great for base (error token is "{token}")') from None

    def _variable(self, name: str) -> int:
        if self._idle:
            return 0
        value = self._names.get(name)
        if not value:
            return 0
        if value.isascii() and value.isdigit() and (value[0] != "0" or value == "0") and len(value) < 19:
            return int(value)
        return evaluate(value, self._names, self._depth + 1)

    def _set(self, name: str, value: int) -> None:
        if not self._idle:
            self._names.set(name, str(_wrap(value)))

    def _apply(self, operator: str, left: int, right: int) -> int:
        if self._idle:
            return 0
        if operator in ("/", "%"):
            if right == 0:
                raise self._problem("division by 0")
            quotient = abs(left) // abs(right)
            quotient = -quotient if (left < 0) != (right < 0) else quotient
            return _wrap(quotient if operator == "/" else left - quotient * right)
        if operator == "**":
            if right < 0:
                raise self._problem("exponent less than 0")
            return _wrap(pow(left, right, 1 << 64))
        return _wrap(_SIMPLE[operator](left, right))


_SIMPLE: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "<<": lambda a, b: a << (b & 63),
    ">>": lambda a, b: a >> (b & 63),
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "&": lambda a, b: a & b,
    "^": lambda a, b: a ^ b,
    "|": lambda a, b: a | b,
}


def _is_variable(token: str) -> bool:
    return is_name(token) or token.endswith("]")


def _wrap(value: int) -> int:
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)


def _digit(character: str, base: int) -> int:
    if character.isdigit():
        return int(character)
    if "a" <= character <= "z":
        return ord(character) - ord("a") + 10
    if "A" <= character <= "Z":
        return ord(character) - ord("A") + (10 if base <= 36 else 36)
    return 62 if character == "@" else 63 if character == "_" else 64
