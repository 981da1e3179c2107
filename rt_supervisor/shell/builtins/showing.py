"""cat: concatenates files, unchanged or with non-printable characters made visible."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .calls import Call, Options


def cat(call: Call) -> int:
    long = {"number": "n", "number-nonblank": "b", "squeeze-blank": "s", "show-nonprinting": "v"}
    long |= {"show-ends": "E", "show-tabs": "T", "show-all": "A"}
    options = call.options("unbsvETAet", "", long)
    by_line = any(options.has(letter) for letter in "nbsvETAet")
    status = 0
    shown = _ShownLines(options)
    target = own_output(call)
    for name in options.operands or ["-"]:
        try:
            if target is not None and is_growing(call, name, target):
                status = call.fail(f"{name}: input file is output file")
            elif by_line:
                for line in call.lines(name):
                    call.out.write(shown.line(line))
            else:
                for block in call.blocks(name):
                    call.out.write(block)
                    call.out.flush()
        except BrokenPipeError:
            raise
        except (OSError, ValueError) as error:
            status = call.report_os_error(name, error)
    return status


def own_output(call: Call) -> os.stat_result | None:
    """Return the regular file that stdout refers to; None if it is anything else."""
    try:
        found = os.fstat(call.io.get(1, -1))
    except OSError:
        return None
    return found if found.st_mode & 0o170000 == 0o100000 else None


def is_growing(call: Call, name: str, target: os.stat_result) -> bool:
    """Return whether `name` is the file that is being written (`target`), so that reading it never ends. Raises
    OSError."""
    found = os.fstat(call.stdin) if name == "-" else os.stat(call.path(name))
    return os.path.samestat(found, target) and found.st_size > 0


class _ShownLines:
    """Formats lines for `cat -n -b -s -v -E -T`; a line without a newline continues with the first line of the next
    file."""

    def __init__(self, options: Options) -> None:
        has = options.has
        self._squeezes = has("s")
        self._numbers_all = has("n") and not has("b")
        self._numbers_filled = has("b")
        self._marks_ends = has("E") or has("A") or has("e")
        self._table = _visible(
            tabs=has("T") or has("A") or has("t"), others=has("v") or has("A") or has("e") or has("t")
        )
        self._number = 0
        self._was_blank = False
        self._goes_on = False

    def line(self, line: bytes) -> bytes:
        is_blank = line == b"\n" and not self._goes_on
        if self._squeezes and is_blank and self._was_blank:
            return b""
        self._was_blank = is_blank
        head = b""
        if not self._goes_on and (self._numbers_all or (self._numbers_filled and not is_blank)):
            self._number += 1
            head = b"%6d\t" % self._number
        self._goes_on = not line.endswith(b"\n")
        body = line.removesuffix(b"\n")
        if self._table is not None:
            body = b"".join(map(self._table.__getitem__, body))
        return head + body + (b"" if self._goes_on else b"$\n" if self._marks_ends else b"\n")


def _visible(*, tabs: bool, others: bool) -> list[bytes] | None:
    """Return the output for each byte; None if all bytes are printed unchanged."""
    if not tabs and not others:
        return None
    table = [bytes([byte]) for byte in range(256)]
    for byte in range(256) if others else ():
        low = byte & 0x7F
        shown = b"^" + bytes([low ^ 0x40]) if low < 32 or low == 127 else bytes([low])
        table[byte] = b"M-" + shown if byte > 127 else shown
    table[9] = b"^I" if tabs else b"\t"
    return table
