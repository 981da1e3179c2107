"""date: the time in a format. Setting the clock is left to the system's date."""

from __future__ import annotations

import datetime
import os

from .calls import NotCovered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .calls import Call

_DEFAULT = "%a %b %e %H:%M:%S %Z %Y"


def date(call: Call) -> int:
    import time

    long = {"utc": "u", "universal": "u", "rfc-email": "R", "date": "d", "reference": "r", "iso-8601": "I"}
    call.arguments = [_ISO_FORMS.get(word, word) for word in call.arguments]
    options = call.options("uRI", "dr3", long | {"rfc-3339": "3"})
    words = options.operands
    if len(words) > 1 or (words and not words[0].startswith("+")):
        raise NotCovered(f"invalid date '{words[0]}'")
    zone = datetime.UTC if options.has("u") else zone_of(call)
    now = time.time_ns()
    if options.has("d"):
        found = nanoseconds_of(options.get("d"), zone)
        if found is None:
            raise NotCovered(f"invalid date '{options.get('d')}'")
        now = found
    if options.has("r"):
        try:
            now = os.stat(call.path(options.get("r"))).st_mtime_ns
        except (OSError, ValueError) as error:
            return call.report_os_error(options.get("r"), error)
    seconds, nanoseconds = divmod(now, 1_000_000_000)
    moment = datetime.datetime.fromtimestamp(seconds, datetime.UTC).astimezone(zone)
    form = words[0][1:] if words else _DEFAULT
    if options.has("R"):
        form = "%a, %d %b %Y %H:%M:%S %z"
    elif options.has("I"):
        form = _PRECISE.get(options.get("I") or "date", "")
    elif options.has("3"):
        form = _PRECISE.get(options.get("3"), "").replace("%FT", "%F ")
    if not form and not words:
        raise NotCovered(f"invalid argument '{options.get('I') or options.get('3')}'")
    call.out.text(_format(form, moment, nanoseconds) + "\n")
    return 0


_PRECISE = {
    "date": "%F",
    "hours": "%FT%H%:z",
    "minutes": "%FT%H:%M%:z",
    "seconds": "%FT%T%:z",
    "ns": "%FT%T,%N%:z",
}
_ISO_FORMS = {f"-I{name}": f"--iso-8601={name}" for name in _PRECISE}


def zone_of(call: Call) -> datetime.tzinfo | None:
    """Return the time zone in the variable TZ, None for the machine's. Raises NotCovered."""
    name = call.state.variables.get("TZ")
    if name is None or name == os.environ.get("TZ"):
        return None
    if name in ("", "UTC", "UTC0", "GMT"):
        return datetime.UTC
    import zoneinfo

    try:
        return zoneinfo.ZoneInfo(name.removeprefix(":"))
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise NotCovered(f"unknown time zone '{name}'") from error


def nanoseconds_of(text: str, zone: datetime.tzinfo | None) -> int | None:
    """Return the moment that `text` describes, in nanoseconds since 1970; None if it is invalid."""
    if text.startswith("@"):
        whole, _, fraction = text[1:].partition(".")
        if whole.removeprefix("-").isdecimal() and (fraction.isdecimal() or not fraction):
            part = int(fraction[:9].ljust(9, "0") or 0)
            return int(whole) * 1_000_000_000 + (-part if whole.startswith("-") else part)
    from .moments import moment_of

    moment = moment_of(text, datetime.datetime.now(datetime.UTC).astimezone(zone))
    if moment is None:
        return None
    since = moment - datetime.datetime.fromtimestamp(0, datetime.UTC)
    return (since.days * 86400 + since.seconds) * 1_000_000_000 + since.microseconds * 1000


def _format(form: str, moment, nanoseconds: int) -> str:  # type: ignore[no-untyped-def]
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
        if flag == "_":
            stripped = shown.lstrip("0") or "0"
            shown = stripped.rjust(len(shown)) if shown.isdecimal() else shown
        elif flag == "-":
            shown = shown.lstrip("0 ") or "0"
        elif flag == "^":
            shown = shown.upper()
        pieces.append(shown)
    return "".join(pieces)
