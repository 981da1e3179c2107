"""The tests common to `test`, `[` and `[[`: of files, strings and numbers (POSIX `test`, and bash's additions)."""

from __future__ import annotations

import os
import stat

from .own_descriptors import named_descriptor
from .problems import ShellProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from .state import State

_KINDS = {
    "-f": stat.S_ISREG,
    "-d": stat.S_ISDIR,
    "-b": stat.S_ISBLK,
    "-c": stat.S_ISCHR,
    "-p": stat.S_ISFIFO,
    "-S": stat.S_ISSOCK,
}
_ACCESS = {"-r": os.R_OK, "-w": os.W_OK, "-x": os.X_OK}
_BITS = {"-u": stat.S_ISUID, "-g": stat.S_ISGID, "-k": stat.S_ISVTX}
UNARY = frozenset(
    (*_KINDS, *_ACCESS, *_BITS, *["-a", "-e", "-h", "-L", "-s", "-t", "-n", "-z", "-o", "-v", "-O", "-G", "-N"])
)
NUMERIC = frozenset(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"])
BINARY = frozenset(["=", "==", "!=", "<", ">", "-nt", "-ot", "-ef", *NUMERIC])


def unary(operator: str, operand: str, state: State, io: Mapping[int, int]) -> bool:
    """Return whether the test `operator operand` is true."""
    if operator == "-n":
        return operand != ""
    if operator == "-z":
        return operand == ""
    if operator == "-o":
        from .state import OPTIONS

        return operand in OPTIONS and operand in state.options
    if operator == "-v":
        from .parameters import variable

        return variable(operand, state) is not None
    if operator == "-t":
        return operand.isdecimal() and int(operand) in io and os.isatty(io[int(operand)])
    return _of_file(operator, operand, state, io)


def _of_file(operator: str, name: str, state: State, io: Mapping[int, int]) -> bool:
    try:
        if name == "":
            return False
        number = named_descriptor(name)
        if number is not None and operator not in ("-h", "-L"):
            found = os.fstat(io.get(number, -1))
        elif operator in ("-h", "-L"):
            return stat.S_ISLNK(os.lstat(state.path(name)).st_mode)
        else:
            found = os.stat(state.path(name))
    except (OSError, ValueError):
        return False
    if operator in _KINDS:
        return _KINDS[operator](found.st_mode)
    if operator in _BITS:
        return bool(found.st_mode & _BITS[operator])
    if operator in _ACCESS:
        return os.access(state.path(name), _ACCESS[operator])
    if operator == "-s":
        return found.st_size > 0
    if operator == "-O":
        return found.st_uid == os.geteuid()
    if operator == "-G":
        return found.st_gid == os.getegid()
    if operator == "-N":
        return found.st_mtime_ns > found.st_atime_ns
    return True


def compare_files(operator: str, left: str, right: str, state: State) -> bool:
    """`-nt`, `-ot`, `-ef`."""
    one, other = _stat(left, state), _stat(right, state)
    if operator == "-ef":
        return one is not None and other is not None and os.path.samestat(one, other)
    if operator == "-ot":
        one, other = other, one
    if one is None:
        return False
    return other is None or one.st_mtime_ns > other.st_mtime_ns


def _stat(name: str, state: State) -> os.stat_result | None:
    try:
        return os.stat(state.path(name))
    except (OSError, ValueError):
        return None


def compare_numbers(operator: str, left: int, right: int) -> bool:
    match operator:
        case "-eq":
            return left == right
        case "-ne":
            return left != right
        case "-lt":
            return left < right
        case "-le":
            return left <= right
        case "-gt":
            return left > right
        case _:
            return left >= right


def whole_number(text: str) -> int:
    """Return the number in an operand of `test`. Raises ShellProblem."""
    stripped = text.strip(" \t\n")
    digits = stripped[1:] if stripped[:1] in ("+", "-") else stripped
    if not (digits.isascii() and digits.isdecimal()) or len(digits) > 4000:
        raise ShellProblem(f"{text}: integer expression expected", status=2)
    return int(stripped)
