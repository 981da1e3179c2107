"""The bytes that a terminal sends for a key, as `terminfo` describes xterm: what a task receives that has the keyboard."""

from __future__ import annotations

_CURSOR = {"up": "A", "down": "B", "right": "C", "left": "D", "home": "H", "end": "F"}
_EDITING = {"insert": 2, "delete": 3, "pageup": 5, "pagedown": 6}
_FUNCTION = {"f1": "P", "f2": "Q", "f3": "R", "f4": "S"}
_FURTHER_FUNCTION = {"f5": 15, "f6": 17, "f7": 18, "f8": 19, "f9": 20, "f10": 21, "f11": 23, "f12": 24}
_PLAIN = {"enter": "\r", "tab": "\t", "escape": "\x1b", "backspace": "\x7f", "space": " "}
_SHIFT, _ALT, _CTRL = 1, 2, 4
_CONTROL_NAMES = {"at": "\x00", "backslash": "\x1c", "right_square_bracket": "\x1d", "circumflex_accent": "\x1e",
                  "underscore": "\x1f", "left_square_bracket": "\x1b", "space": "\x00"}  # fmt: skip


def encode_key(key: str, character: str | None, *, application_cursor: bool) -> bytes:
    """Return the bytes of a key, named as Textual does, with the character that it types, if any; b"" for an unknown key."""
    *modifiers, name = key.split("+") if len(key) > 1 else [key]
    mask = sum({"shift": _SHIFT, "alt": _ALT, "ctrl": _CTRL}.get(modifier, 0) for modifier in modifiers)
    return _encode(name, character, mask, application_cursor=application_cursor).encode()


def _encode(name: str, character: str | None, mask: int, *, application_cursor: bool) -> str:
    if name in _CURSOR:
        if mask:
            return f"\x1b[1;{mask + 1}{_CURSOR[name]}"
        return f"\x1b{'O' if application_cursor else '['}{_CURSOR[name]}"
    if name in _EDITING:
        return f"\x1b[{_EDITING[name]};{mask + 1}~" if mask else f"\x1b[{_EDITING[name]}~"
    if name in _FUNCTION:
        return f"\x1b[1;{mask + 1}{_FUNCTION[name]}" if mask else f"\x1bO{_FUNCTION[name]}"
    if name in _FURTHER_FUNCTION:
        number = _FURTHER_FUNCTION[name]
        return f"\x1b[{number};{mask + 1}~" if mask else f"\x1b[{number}~"
    if name == "tab" and mask & _SHIFT:
        return "\x1b[Z"
    escape = "\x1b" if mask & _ALT else ""
    if mask & _CTRL:
        if len(name) == 1 and "a" <= name.lower() <= "z":
            return escape + chr(ord(name.lower()) & 0x1F)
        return escape + _CONTROL_NAMES[name] if name in _CONTROL_NAMES else ""
    if name in _PLAIN:
        return escape + _PLAIN[name]
    return escape + (character or (name if len(name) == 1 else ""))


def encode_mouse(button: int, column: int, row: int, *, is_release: bool = False) -> bytes:
    """Return the report of a mouse event in SGR encoding; the place is a cell of the task's terminal, from 0."""
    return f"\x1b[<{button};{column + 1};{row + 1}{'m' if is_release else 'M'}".encode()


def encode_paste(text: str, *, is_bracketed: bool) -> bytes:
    """Return the bytes of pasted text. A bracket within the text cannot end it early."""
    typed = text.replace("\r\n", "\r").replace("\n", "\r")
    if is_bracketed:
        typed = "\x1b[200~" + typed.replace("\x1b", "") + "\x1b[201~"
    return typed.encode()
