"""date: the time in a format; setting the clock and reading dates of other forms is the system's."""

from __future__ import annotations

import os

from .calls import NotCovered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .calls import Call

_DEFAULT = "%a %b %e %H:%M:%S %Z %Y"


def date(call: Call) -> int:
    import datetime
    import time

    options = call.options("uRI", "dr", {"utc": "u", "universal": "u", "rfc-email": "R", "date": "d", "reference": "r"})
    words = options.operands
    if len(words) > 1 or (words and not words[0].startswith("+")):
        raise NotCovered(f"invalid date '{words[0]}'")
    now = time.time_ns()
    if options.has("d"):
        text = options.get("d")
        if text.startswith("@") and text[1:].lstrip("-").replace(".", "", 1).isdecimal():
            now = int(float(text[1:]) * 1e9)
        elif text != "now":
            raise NotCovered("dates in words are left to the system's date")
    if options.has("r"):
        try:
            now = os.stat(call.path(options.get("r"))).st_mtime_ns
        except (OSError, ValueError) as error:
            return call.refused(options.get("r"), error)
    zone_name = call.state.variables.get("TZ")
    if zone_name != os.environ.get("TZ") and not options.has("u"):
        raise NotCovered("another time zone is left to the system's date")
    seconds, nanoseconds = divmod(now, 1_000_000_000)
    moment = datetime.datetime.fromtimestamp(seconds, datetime.UTC)
    if not options.has("u"):
        moment = moment.astimezone()
    form = words[0][1:] if words else _DEFAULT
    if options.has("R"):
        form = "%a, %d %b %Y %H:%M:%S %z"
    elif options.has("I"):
        form = "%F"
    call.out.text(_formatted(form, moment, nanoseconds) + "\n")
    return 0


def _formatted(form: str, moment, nanoseconds: int) -> str:  # type: ignore[no-untyped-def]
    pieces: list[str] = []
    at = 0
    while at < len(form):
        if form[at] != "%" or at + 1 >= len(form):
            pieces.append(form[at])
            at += 1
            continue
        flag = form[at + 1] if form[at + 1] in "-_0^#" else ""
        at += 1 + len(flag)
        digits = ""
        while at < len(form) and form[at].isdecimal():
            digits += form[at]
            at += 1
        letter = form[at : at + 1]
        at += 1
        if letter == "N":
            shown = f"{nanoseconds:09d}"[: int(digits or 9)]
        elif letter == "s":
            shown = str(int(moment.timestamp()))
        elif letter == "%":
            shown = "%"
        elif letter == ":" and form[at : at + 1] == "z":
            at += 1
            zone = moment.strftime("%z")
            shown = f"{zone[:3]}:{zone[3:]}"
        elif letter == "P":
            shown = moment.strftime("%p").lower()
        else:
            shown = moment.strftime(f"%{letter}")
        if flag == "-":
            shown = shown.lstrip("0 ") or "0"
        elif flag == "^":
            shown = shown.upper()
        pieces.append(shown)
    return "".join(pieces)
