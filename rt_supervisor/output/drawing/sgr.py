"""Colours and other attributes (SGR, ECMA-48 8.3.117): computes which are active after some text.

A state is the shortest sequence that enables everything that is active, `b""` for none, so it can be stored with a
line, printed before it, and compared. `sanitize` handles all other control sequences.
"""

from __future__ import annotations

import re

RESET = b"\x1b[0m"
SEQUENCE = re.compile(rb"\x1b\[([0-9;:]*)m")

# The attribute that each code sets, and the codes that end it. Colours (30 and up) are handled in `_apply`.
_SETS = {
    1: "bold",
    2: "dim",
    3: "italic",
    4: "underline",
    5: "blink",
    6: "blink",
    7: "inverse",
    8: "hidden",
    9: "struck",
}
_SETS |= {21: "underline", 51: "framed", 52: "framed", 53: "overlined", 73: "raised", 74: "raised"}
_ENDS = {22: ("bold", "dim"), 23: ("italic",), 24: ("underline",), 25: ("blink",), 27: ("inverse",), 28: ("hidden",)}
_ENDS |= {
    29: ("struck",),
    39: ("text",),
    49: ("ground",),
    54: ("framed",),
    55: ("overlined",),
    59: ("line",),
    75: ("raised",),
}
_PALETTES = {38: "text", 48: "ground", 58: "line"}
_OPERANDS = {b"5": 1, b"2": 3}  # of 38;5;N and 38;2;R;G;B


def after(state: bytes, text: bytes) -> bytes:
    """Return the state after `text`, which began in `state`."""
    full_stop = max(text.rfind(RESET), text.rfind(b"\x1b[m"))
    if full_stop >= 0:
        state, text = b"", text[full_stop:]
    if b"\x1b[" not in text:
        return state
    attributes: dict[str, bytes] = {}
    for parameters in SEQUENCE.findall(state + text):
        _apply(attributes, parameters)
    return b"\x1b[" + b";".join(attributes.values()) + b"m" if attributes else b""


def _apply(attributes: dict[str, bytes], parameters: bytes) -> None:
    codes = iter(parameters.split(b";"))
    for written in codes:
        head = written.partition(b":")[0]
        code = int(head) if head and len(head) < 4 else 0 if not head else -1
        if code == 0 or written == b"4:0":
            attributes.clear() if code == 0 else attributes.pop("underline", None)
        elif code in _SETS:
            attributes[_SETS[code]] = written
        elif code in _ENDS:
            for name in _ENDS[code]:
                attributes.pop(name, None)
        elif code in _PALETTES:
            if written == head:
                kind = next(codes, b"")
                operands = [next(codes, b"") for _ in range(_OPERANDS.get(kind, 0))]
                written = b";".join((head, kind, *operands))
            attributes[_PALETTES[code]] = written
        elif 30 <= code <= 37 or 90 <= code <= 97:
            attributes["text"] = written
        elif 40 <= code <= 47 or 100 <= code <= 107:
            attributes["ground"] = written
