"""seq and sleep."""

from __future__ import annotations

from .calls import NotCovered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .calls import Call

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def seq(call: Call) -> int:
    """`seq [-w] [-s string] [-t string] [-f format] [first [step]] last`; numbers may be negative.

    With `-t`, as on BSD, the separator is also printed after the last number, followed by the string.
    """
    arguments = list(call.arguments)
    separator, form, wide = "\n", "", False
    terminator: str | None = None
    while arguments and arguments[0][:1] == "-" and not _is_number(arguments[0]):
        word = arguments.pop(0)
        if word == "--":
            break
        if word in ("-w", "--equal-width"):
            wide = True
        elif word[:2] in ("-s", "-f", "-t"):
            value = word[2:] or (arguments.pop(0) if arguments else "")
            if word[1] == "s":
                separator = value
            elif word[1] == "f":
                form = value
            else:
                terminator = value
        elif word.startswith("--separator="):
            separator = word.partition("=")[2]
        elif word.startswith("--terminator="):
            terminator = word.partition("=")[2]
        elif word.startswith("--format="):
            form = word.partition("=")[2]
        else:
            raise NotCovered(f"illegal option -- {word[1:2]}")
    if not 1 <= len(arguments) <= 3:
        return call.fail("missing operand" if not arguments else f"extra operand '{arguments[3]}'")
    for word in arguments:
        if not _is_number(word):
            return call.fail("invalid argument")
    first, step, last = "1", "1", arguments[-1]
    if len(arguments) > 1:
        first = arguments[0]
    if len(arguments) > 2:
        step = arguments[1]
    if float(step) == 0:
        return call.fail(f"invalid Zero increment value: '{step}'")
    if form and not _is_format(form):
        return call.fail(f"format '{form}' has no % directive")
    end = "\n" if terminator is None else separator + terminator
    _print(call, first, step, last, separator=separator, end=end, form=form, wide=wide)
    return 0


def _print(call: Call, first: str, step: str, last: str, *, separator: str, end: str, form: str, wide: bool) -> None:
    from decimal import Decimal, InvalidOperation

    places = max(_places(first), _places(step))
    wrote = False
    if not places and not _places(last) and not form and all(_is_whole(word) for word in (first, step, last)):
        start, pace, stop = int(first), int(step), int(last)
        numbers = range(start, stop + (1 if pace > 0 else -1), pace)
        width = max(len(str(numbers[0])), len(str(numbers[-1]))) if wide and numbers else 0
        block: list[str] = []
        for number in numbers:
            block.append(str(number).zfill(width))
            if len(block) == 4096:
                call.out.text((separator if wrote else "") + separator.join(block))
                wrote = True
                block = []
        if block:
            call.out.text((separator if wrote else "") + separator.join(block))
            wrote = True
    else:
        try:
            value, pace_exact, end_exact = Decimal(first), Decimal(step), Decimal(last)
        except InvalidOperation:
            return
        width = 0
        if wide:
            width = max(len(f"{value:.{places}f}"), len(f"{end_exact:.{places}f}"))
        while value <= end_exact if pace_exact > 0 else value >= end_exact:
            shown = form % float(value) if form else f"{value:.{places}f}".zfill(width)
            call.out.text((separator if wrote else "") + shown)
            wrote = True
            value += pace_exact
    if wrote:
        call.out.text(end)


def _is_number(text: str) -> bool:
    if not text or not (text[-1].isdigit() or text[-1] == ".") or "_" in text or not text.isascii() or len(text) > 1000:
        return False
    try:
        float(text)
    except ValueError:
        return False
    return True


def _is_whole(text: str) -> bool:
    return text.lstrip("+-").isdecimal()


def _places(text: str) -> int:
    return len(text.partition(".")[2].partition("e")[0]) if "." in text else 0


def _is_format(form: str) -> bool:
    try:
        return form % 1.0 != form
    except (TypeError, ValueError):
        return False


def sleep(call: Call) -> int:
    """Sleep for seconds, or for other units: `sleep 0.5`, `sleep 1m`; several arguments are added up."""
    import time

    if not call.arguments:
        return call.fail("missing operand")
    total = 0.0
    for word in call.arguments:
        unit = _UNITS.get(word[-1:], 0)
        digits = word[:-1] if unit else word
        if digits.lstrip("+") == "infinity" or digits == "inf":
            total = float("inf")
            continue
        if not _is_number(digits) or float(digits) < 0:
            return call.fail(f"invalid time interval '{word}'")
        total += float(digits) * (unit or 1)
    call.out.flush()
    while total > 0:
        part = min(total, 3600.0 * 24)
        time.sleep(part)
        total -= part
    return 0
