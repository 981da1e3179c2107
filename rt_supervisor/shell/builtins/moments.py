"""Parses dates as `date -d` and `touch -d` accept them (GNU's date input formats): ISO dates and times, names of months
and days, `now`, `yesterday`, `2 days ago`, `next week`, `@seconds`, and zones.

Pure: the caller passes the current moment and its zone. The result for unsupported text is None, never a guess.
"""

from __future__ import annotations

import datetime
import re

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_SECONDS = {"sec": 1, "second": 1, "min": 60, "minute": 60, "hour": 3600}
_DAY_UNITS = {"day": 1, "week": 7, "fortnight": 14}
_MONTH_UNITS = {"month": 1, "year": 12}
_ORDINALS = {"last": -1, "this": 0, "next": 1, "a": 1, "an": 1}
_NAMED_DAYS = {"today": 0, "now": 0, "yesterday": -1, "tomorrow": 1}
_TOKEN = re.compile(
    r"\s*(?:"
    r"(?P<iso>\d{4}-\d{1,2}-\d{1,2})(?:[Tt](?=\d))?"
    r"|(?P<slashes>\d{1,2}/\d{1,2}(?:/\d{4})?)"
    r"|(?P<compact>\d{8})(?![\d:])"
    r"|(?P<time>\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)(?:\s*(?P<half>[ap]\.?m\.?))?"
    r"|(?P<hour>\d{1,2})\s*(?P<hour_half>[ap]\.?m\.?)(?![a-z])"
    r"|(?P<zone>z(?![a-z])|utc|gmt|[+-]\d{2}:?\d{2}(?!\d))"
    r"|(?P<number>[+-]?\s*\d+)"
    r"|(?P<word>[a-z]+)\.?"
    r"|(?P<comma>,)"
    r")",
    re.IGNORECASE,
)


def moment_of(text: str, now: datetime.datetime) -> datetime.datetime | None:
    """Return the moment that `text` describes, in `now`'s zone unless it names one; None if it is invalid.

    `now` has a zone. Seconds may have fractions.
    """
    text = text.strip()
    if text.startswith("@"):
        try:
            return datetime.datetime.fromtimestamp(0, now.tzinfo) + datetime.timedelta(seconds=float(text[1:]))
        except (ValueError, OverflowError):
            return None
    reader = _Reader(now)
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None or not reader.take(match):
            return None
        at = match.end()
    try:
        return reader.moment()
    except (ValueError, OverflowError):
        return None


class _Reader:
    """The fields read so far: a date, a time of day, a zone, and offsets from them."""

    def __init__(self, now: datetime.datetime) -> None:
        self._now = now
        self._date: datetime.date | None = None
        self._time: datetime.time | None = None
        self._zone: datetime.tzinfo | None = None
        self._weekday: tuple[int, int] | None = None  # the day, and how many weeks ahead
        self._months = 0
        self._days = 0
        self._seconds = 0
        self._last: tuple[str, int] | None = None  # the kind and amount that a following `ago` negates
        self._number: str | None = None  # its unit or month follows
        self._month: int | None = None  # its day follows

    def take(self, match: re.Match[str]) -> bool:
        kind = match.lastgroup or ""
        try:
            return self._take(kind, match)
        except ValueError:
            return False

    def _take(self, kind: str, match: re.Match[str]) -> bool:
        if kind in ("iso", "compact", "slashes"):
            return self._set_date(_written_date(kind, match[kind], self._now))
        if kind in ("time", "half", "hour_half"):
            half = match["half"] or match["hour_half"]
            return self._set_time(match["time"] or match["hour"], half)
        if kind == "zone":
            # After a date alone, `-05:00` is a zone only with a colon; `+1 day`, with one or two digits, is handled
            # elsewhere.
            self._zone = _zone(match["zone"])
            return True
        if kind == "number":
            return self._take_number(match["number"].replace(" ", ""))
        return kind == "comma" or self._take_word(match["word"].lower())

    def _take_number(self, text: str) -> bool:
        if self._month is not None and text.isdecimal():
            month, self._month = self._month, None
            return self._set_date(datetime.date(self._now.year, month, int(text)))
        if self._date is not None and len(text) == 4 and text.isdecimal() and self._number is None:
            self._date = self._date.replace(year=int(text))
            return True
        if self._number is not None:
            return False
        self._number = text
        return True

    def _take_word(self, word: str) -> bool:
        if word == "ago":
            return self._turn_round()
        if word in _NAMED_DAYS and self._number is None:
            if word != "now":
                self._days += _NAMED_DAYS[word]
                if word != "today":
                    self._last = ("days", _NAMED_DAYS[word])
            return True
        if word in ("noon", "midnight") and self._number is None:
            return self._set_time("12:00" if word == "noon" else "0:00", None)
        if word[:3] in _MONTHS and word in _spellings(word):
            return self._take_month(_MONTHS.index(word[:3]) + 1)
        if word in _ORDINALS and self._number is None:
            self._number = f"{_ORDINALS[word]:+d}"
            return True
        amount = int(self._number) if self._number is not None else None
        self._number = None
        if word[:3] in _DAYS and word in _spellings(word):
            self._weekday = (_DAYS.index(word[:3]), amount or 0)
            return amount is None or -2 < amount < 2
        return self._move(word.removesuffix("s"), 1 if amount is None else amount)

    def _take_month(self, month: int) -> bool:
        if self._number is None:
            self._month = month
            return self._date is None
        day, self._number = int(self._number), None
        return self._set_date(datetime.date(self._now.year, month, day))

    def _move(self, unit: str, amount: int) -> bool:
        if unit in _SECONDS:
            self._seconds += amount * _SECONDS[unit]
            self._last = ("seconds", amount * _SECONDS[unit])
        elif unit in _DAY_UNITS:
            self._days += amount * _DAY_UNITS[unit]
            self._last = ("days", amount * _DAY_UNITS[unit])
        elif unit in _MONTH_UNITS:
            self._months += amount * _MONTH_UNITS[unit]
            self._last = ("months", amount * _MONTH_UNITS[unit])
        else:
            return False
        return True

    def _turn_round(self) -> bool:
        if self._last is None:
            return False
        kind, amount = self._last
        self._last = None
        setattr(self, f"_{kind}", getattr(self, f"_{kind}") - 2 * amount)
        return True

    def _set_date(self, date: datetime.date) -> bool:
        first = self._date is None
        self._date = date
        return first

    def _set_time(self, text: str, half: str | None) -> bool:
        pieces = text.replace(",", ".").split(":")
        hour = int(pieces[0])
        if half is not None:
            if not 1 <= hour <= 12:
                return False
            hour = hour % 12 + (12 if half[0] in "pP" else 0)
        seconds, _, fraction = pieces[2].partition(".") if len(pieces) > 2 else ("0", "", "")
        minute = int(pieces[1]) if len(pieces) > 1 else 0
        first = self._time is None
        self._time = datetime.time(hour, minute, int(seconds), int(fraction[:6].ljust(6, "0") or 0))
        return first

    def moment(self) -> datetime.datetime:
        """Return the moment. Raises ValueError if the date does not exist."""
        if self._number is not None or self._month is not None:
            raise ValueError("something is left over")
        now = self._now
        says_day = self._date is not None or self._weekday is not None
        date = self._date or now.date()
        time = self._time or (datetime.time() if says_day else now.time())
        if self._months:
            date = _months_on(date, self._months)
        date += datetime.timedelta(days=self._days)
        if self._weekday is not None:
            day, weeks = self._weekday
            ahead = (day - date.weekday()) % 7
            weeks -= int(weeks > 0 and ahead > 0)
            date += datetime.timedelta(days=ahead + 7 * weeks)
        found = datetime.datetime.combine(date, time, self._zone or now.tzinfo)
        if self._seconds:
            found = (found.astimezone(datetime.UTC) + datetime.timedelta(seconds=self._seconds)).astimezone(now.tzinfo)
        return found.astimezone(now.tzinfo)


def _written_date(kind: str, text: str, now: datetime.datetime) -> datetime.date:
    if kind == "compact":
        return datetime.date(int(text[:4]), int(text[4:6]), int(text[6:]))
    if kind == "iso":
        year, month, day = map(int, text.split("-"))
        return datetime.date(year, month, day)
    pieces = list(map(int, text.split("/")))
    return datetime.date(pieces[2] if len(pieces) > 2 else now.year, pieces[0], pieces[1])


def _zone(text: str) -> datetime.tzinfo:
    if text[0] not in "+-":
        return datetime.UTC
    digits = text[1:].replace(":", "")
    ahead = datetime.timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return datetime.timezone(ahead if text[0] == "+" else -ahead)


def _spellings(word: str) -> tuple[str, ...]:
    """Return the spellings of the month or day whose first three letters `word` has: `sep`, `september`, `sept`."""
    full = {
        "jan": "january", "feb": "february", "mar": "march", "apr": "april", "jun": "june", "jul": "july",
        "aug": "august", "sep": "september", "oct": "october", "nov": "november", "dec": "december",
        "mon": "monday", "tue": "tuesday", "wed": "wednesday", "thu": "thursday", "fri": "friday",
        "sat": "saturday", "sun": "sunday",
    }  # fmt: skip
    short = word[:3]
    return (short, full.get(short, short), {"sep": "sept", "tue": "tues", "thu": "thur"}.get(short, short))


def _months_on(date: datetime.date, months: int) -> datetime.date:
    """Add months like GNU date: the 31st of a month with 30 days is the 1st of the next."""
    year, month = divmod(date.year * 12 + date.month - 1 + months, 12)
    return datetime.date(year, month + 1, 1) + datetime.timedelta(days=date.day - 1)
