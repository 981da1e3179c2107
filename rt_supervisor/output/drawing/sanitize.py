"""Removes control sequences except colours (SGR) from the output of scripts on a terminal.

Cursor movement, erasing, modes, titles, hyperlinks, clipboard and device strings, bells, backspaces and the C1 controls
are removed with their parameters; text stays. Invalid UTF-8 becomes U+FFFD, because a stray byte may be a C1 control.
Only used for terminals: piped output stays unchanged.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

_UNSAFE = bytes(code for code in range(32) if code not in b"\n\t") + b"\x7f"
_LONGEST_SEQUENCE = 4096  # of an incomplete sequence that is kept for the next block

# ESC [ … m with only numbers is a colour; `ESC [ > … m` is not. A control string (OSC, DCS, SOS, PM, APC) ends at its
# terminator, or at the end of the line, so that an unterminated one does not hide everything that follows.
_STRING = rb"[^\x07\x18\x1a\x1b\n]*(?:\x07|\x1b\\|[\x18\x1a])?"
_CONTROL = (
    rb"\x1b\[(?![0-9;:]*m)[0-?]*[ -/]*[@-~]"
    rb"|\x1b[\]PX^_]" + _STRING + rb"|\xc2[\x90\x98\x9d-\x9f]" + _STRING + rb"|\xc2\x9b[0-?]*[ -/]*[@-~]"
    rb"|\xc2[\x80-\x9f]"
    rb"|\x1b(?!\[[0-9;:]*m)(?:[ -/]*[0-~])?"
    rb"|[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]"
)
_UNFINISHED = rb"(?:\x1b(?:\[[0-?]*[ -/]*|[ -/]*|[\]PX^_][^\x07\x18\x1a\n]*)"
_UNFINISHED += rb"|\xc2\x9b[0-?]*[ -/]*|\xc2[\x90\x98\x9d-\x9f][^\x07\x18\x1a\n]*)\Z|\r+\Z"
_DIRECTIONS = "[\\u061c\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff]"  # and characters without width
_patterns: list[re.Pattern[bytes]] = []


class Sanitizer:
    """Sanitizes one stream of one process, block by block.

    In the result, every colour is closed at the end of each line and of the block, and reopened after it, so that a
    prefix or another script's line can be inserted. If a carriage return overwrites a line (progress bars), only its
    last state in the block is kept; a state that an earlier block has already shown stays as a separate line.
    """

    def __init__(self) -> None:
        self._pending = b""
        self._colours = b""
        self._is_mid_line = False

    def __call__(self, block: bytes) -> bytes:
        """Return the part of `block` that may be shown; an incomplete end is shown or removed with the next block."""
        if not self._pending and not self._colours and is_plain(block):
            if block:
                self._is_mid_line = not block.endswith(b"\n")
            return block
        text, self._pending = _split_unfinished(self._pending + block)
        text = strip_controls(text)
        if b"\r" in text:
            text = self._without_returns(text)
        if self._colours or b"\x1b" in text:
            text = self._with_closed_colours(text)
        if text:
            self._is_mid_line = not text.endswith(b"\n")
        return text

    def _without_returns(self, text: bytes) -> bytes:
        from .sgr import SEQUENCE

        lines = text.split(b"\n")
        for index, line in enumerate(lines):
            line = line.rstrip(b"\r")
            start = line.rfind(b"\r") + 1
            if start:
                shown = b""
                if index == 0 and self._is_mid_line:
                    shown = line[: line.find(b"\r")] + b"\n"
                colours = b"".join(match.group() for match in SEQUENCE.finditer(line, len(shown), start))
                line = shown + colours + line[start:]
            lines[index] = line
        return b"\n".join(lines)

    def _with_closed_colours(self, text: bytes) -> bytes:
        from .sgr import RESET, SEQUENCE, after

        seen: dict[tuple[bytes, bytes], bytes] = {}  # scripts repeat their colours: few lines differ in them
        colours = self._colours
        lines = text.split(b"\n")
        for index, line in enumerate(lines):
            if not line or not (colours or b"\x1b" in line):
                continue
            opened = colours + line
            if b"\x1b" in line:
                key = colours, b"m".join(SEQUENCE.findall(line))
                if key not in seen:
                    seen[key] = after(colours, line)
                colours = seen[key]
            lines[index] = opened + RESET if colours else opened
        self._colours = colours
        return b"\n".join(lines)


def is_plain(text: bytes) -> bool:
    """Return whether `text` is complete, valid UTF-8 without control characters other than newline and tab."""
    if len(text.translate(None, _UNSAFE)) != len(text):
        return False
    if text.isascii():
        return True
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return not _has_c1(text)


def strip_controls(text: bytes) -> bytes:
    """Return valid UTF-8 whose only control characters are colours, newlines, tabs and carriage returns."""
    if not text.isascii():
        text = text.decode("utf-8", "replace").encode()
    if _has_only_colours(text):
        return text
    return _compile_patterns()[0].sub(b"", text)


def _has_only_colours(text: bytes) -> bool:
    """Return whether every control character of `text`, valid UTF-8, begins a colour; faster than a search for each
    kind."""
    escapes = text.count(b"\x1b")
    if len(text) - len(text.translate(None, _UNSAFE)) != escapes or _has_c1(text):
        return False
    from .sgr import SEQUENCE

    return len(SEQUENCE.findall(text)) == escapes


def _has_c1(text: bytes) -> bool:
    return b"\xc2" in text and any(bytes((0xC2, code)) in text for code in range(0x80, 0xA0))


def harmless_text(text: str) -> str:
    """Return `text` (a message) with its colours and line ends, without other control or text-direction characters."""
    import re

    shown = strip_controls(text.encode("utf-8", "replace")).replace(b"\r", b"").decode()
    return re.sub(_DIRECTIONS, "", shown)


def harmless_label(text: str) -> str:
    """Return `text` (a package name, a command) as one line without control, colour or text-direction characters."""
    if text.isascii() and text.isprintable():
        return text
    import re

    text = re.sub(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)?", "", text)
    text = re.sub(r"\s*[\n\r\u2028\u2029]\s*|\t", " ", text)
    text = re.sub(rf"[\x00-\x1f\x7f-\x9f]|{_DIRECTIONS}", "", text)
    return text.encode("utf-8", "replace").decode()


def _split_unfinished(text: bytes) -> tuple[bytes, bytes]:
    """Split off a control sequence, a character or a carriage return that the next block may complete."""
    match = _compile_patterns()[1].search(text, max(0, len(text) - _LONGEST_SEQUENCE))
    end = match.start() if match else len(text)
    for length in range(1, min(3, end) + 1):
        lead = text[end - length]
        if lead >= 0xC0:
            needed = 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
            if length < needed:
                end -= length
            break
        if lead < 0x80:
            break
    return text[:end], text[end:]


def _compile_patterns() -> list[re.Pattern[bytes]]:
    if not _patterns:
        import re

        _patterns.extend((re.compile(_CONTROL), re.compile(_UNFINISHED)))
    return _patterns
