"""G15: on a terminal only colours of scripts pass, and names are sanitized; into a pipe every byte passes unchanged."""

from __future__ import annotations

import re

import pytest
from rig import Box
from screens import Session

# Every number 777 and every PWNED is the attacker's: rt's own sequences contain neither.
HOSTILE: dict[str, bytes] = {
    "cursor up": b"\x1b[777A",
    "cursor down": b"\x1b[777B",
    "cursor right": b"\x1b[777C",
    "cursor left": b"\x1b[777D",
    "cursor to column": b"\x1b[777G",
    "cursor to place": b"\x1b[777;777H",
    "cursor to place, old": b"\x1b[777;777f",
    "erase screen and home": b"\x1b[2J\x1b[777;1H",
    "erase scrollback": b"\x1b[777J",
    "erase line": b"\x1b[777K",
    "insert lines": b"\x1b[777L",
    "delete lines": b"\x1b[777M",
    "delete characters": b"\x1b[777P",
    "scroll up": b"\x1b[777S",
    "scroll region": b"\x1b[777;78r",
    "alternate screen": b"\x1b[?1049h\x1b[?777h",
    "hide cursor": b"\x1b[?25l\x1b[?777l",
    "mouse": b"\x1b[?1000h\x1b[?1006;777h",
    "bracketed paste": b"\x1b[?2004;777h",
    "title": b"\x1b]0;PWNED\x07",
    "title, string terminator": b"\x1b]2;PWNED\x1b\\",
    "title, never ended": b"\x1b]0;PWNED",
    "hyperlink": b"\x1b]8;;http://PWNED\x1b\\",
    "clipboard": b"\x1b]52;c;UFdORUQ=PWNED\x07",
    "palette": b"\x1b]4;777;rgb:00/00/00\x07",
    "working folder": b"\x1b]7;file:///PWNED\x07",
    "notification": b"\x1b]9;PWNED\x07",
    "inline image": b"\x1b]1337;File=inline=1:PWNED\x07",
    "device string": b"\x1bP777$qPWNED\x1b\\",
    "private message": b"\x1b^PWNED\x1b\\",
    "application command": b"\x1b_GPWNED\x1b\\",
    "start of string": b"\x1bXPWNED\x1b\\",
    "full reset": b"\x1bc",
    "save and restore": b"\x1b7\x1b8",
    "reverse index": b"\x1bM",
    "line drawing": b"\x1b(0",
    "shift out": b"\x0e",
    "bell": b"\x07\x07",
    "backspaces": b"\x08\x08\x08\x08",
    "vertical tab and form feed": b"\x0b\x0c",
    "delete and nul": b"\x7f\x00",
    "status report": b"\x1b[5n\x1b[777n",
    "device attributes": b"\x1b[777c",
    "window operation": b"\x1b[777t",
    "key modes": b"\x1b[>777;2m",
    "8-bit csi": b"\xc2\x9b777;1H",
    "8-bit osc": b"\xc2\x9d0;PWNED\x07",
    "8-bit next line": b"\xc2\x85",
    "stray 8-bit csi": b"\x9b777;1H",
    "cut by a colour": b"\x1b[7\x1b[31m\x1b[0m7A",
    "escape alone": b"\x1b",
    "cursor style": b"\x1b[777 q",
    "soft reset": b"\x1b[!p",
    "rectangle": b"\x1b[777;1;1;1;1$x",
}
SEQUENCE = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|.)", re.S)
OWN = re.compile(rb"\x1b\[(?:\d*[ABFGJK]|\?(?:2026|25|7)[hl])")
COLOUR = re.compile(rb"\x1b\[[0-9;:]*m")


def make(box: Box) -> None:
    box.write({"package.json": {"name": "root", "workspaces": ["p*"]}})
    for number, payload in enumerate(HOSTILE.values()):
        name = f"p{number:02d}"
        box.write({f"{name}/package.json": {"name": name, "scripts": {"show": "cat data"}}})
        box.write({f"{name}/data": b"first\n" + payload + f"\nlast-{number}\n".encode()})


def foreign(raw: bytes) -> set[bytes]:
    """Return every control sequence that is neither a colour nor used by the live view."""
    return {found for found in sequences(raw) if not OWN.fullmatch(found) or b"777" in found}


def sequences(raw: bytes) -> set[bytes]:
    """Return every control sequence that is not a colour."""
    return {found for found in SEQUENCE.findall(raw) if not COLOUR.fullmatch(found)}


@pytest.mark.parametrize("output", ["stream", "grouped"])
def test_prefixed_lines_hold_nothing_but_colours(box: Box, output: str) -> None:
    make(box)
    arguments = ("run", "--no-summary", f"--output={output}", "--sequential", "--filter", "*", "show")
    session = Session(box, *arguments, rows=200)
    assert session.finish() == 0
    assert sequences(session.raw) == set()
    assert not re.search(rb"[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]|\xc2[\x80-\x9f]", session.raw)
    assert b"PWNED" not in session.raw
    session.raw.decode()
    for number in range(len(HOSTILE)):
        assert any(line.endswith(f"last-{number}") for line in session.lines)
    assert session.screen.title == ""


def test_the_elided_view_holds_nothing_but_colours_and_its_own(box: Box) -> None:
    make(box)
    session = Session(box, "run", "--no-summary", "--elide-lines=0", "--filter", "*", "show", rows=200)
    assert session.finish() == 0
    assert foreign(session.raw) == set()
    assert b"PWNED" not in session.raw
    session.raw.decode()
    assert not session.screen.cursor.hidden
    assert session.screen.title == ""
    text = "\n".join(session.lines)
    for number in range(len(HOSTILE)):
        assert f"│ last-{number}\n" in text
    assert text.count("└─ Done in") == len(HOSTILE)


def test_every_byte_goes_into_a_pipe_as_it_is(box: Box) -> None:
    make(box)
    result = box.run("run", "--sequential", "--filter", "*", "show")
    assert result.returncode == 0
    for number, payload in enumerate(HOSTILE.values()):
        label = f"p{number:02d}:show | ".encode()
        assert label + b"first\n" + label + payload + b"\n" + label + f"last-{number}\n".encode() in result.stdout


EVIL = "evil\x1b]0;PWNED\x07\x1b[777A\x9b777;1H\x07\u202e\r\nname"


@pytest.mark.parametrize(
    "arguments",
    [
        ("run", "--filter", "*", "show"),
        ("run", "--parallel", "--filter", "*", "show"),
        ("run", "--output=grouped", "--filter", "*", "show"),
        ("run", "--dry-run", "--filter", "*", "show"),
        ("run", "--filter", "*", "nope"),
        ("run", "--workspaces", "fail"),
        ("graph",),
        ("run", "show"),
        ("run", EVIL),
        ("run", "nope-" + EVIL),
        ("run",),
    ],
    ids=lambda arguments: " ".join(arguments).split("evil")[0],
)
def test_names_and_commands_are_made_harmless(box: Box, arguments: tuple[str, ...]) -> None:
    scripts = {"show": f"true '{EVIL}'", "fail": "exit 3", EVIL: "exit 3"}
    package = {"name": EVIL, "scripts": scripts}
    box.write(
        {"package.json": package | {"workspaces": ["p"]}, "p/package.json": package | {"dependencies": {"q": "*"}}}
    )
    session = Session(box, *arguments, rows=200)
    session.finish()
    assert foreign(session.raw) == set()
    assert not re.search(rb"[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]|\xc2[\x80-\x9f]|\r(?![\r\n\x1b])", session.raw)
    assert "\u202e" not in session.raw.decode()
    assert session.screen.title == ""
