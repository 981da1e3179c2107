"""trap, umask, wait, jobs."""

from __future__ import annotations

from ..session import SIGNALS
from .printing import quote_for_shell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .calls import Call

_NUMBERS = {number: name for name, number in SIGNALS.items()}


def trap(call: Call) -> int:
    """`trap action condition…`; without words, list the traps."""
    arguments = list(call.arguments)
    if arguments[:1] == ["--"]:
        arguments.pop(0)
    if arguments[:1] == ["-l"]:
        for listed, number in SIGNALS.items():
            call.out.text(f"{number}) SIG{listed}\n")
        return 0
    if not arguments or arguments[0] == "-p":
        for each, text in call.state.traps.items():
            call.out.text(f"trap -- {quote_for_shell(text, always=True)} {each}\n")
        return 0
    if len(arguments) == 1 or arguments[0].isdecimal():
        action: str | None = None  # like `-`: restores the default action
    else:
        first = arguments.pop(0)
        action = None if first == "-" else first
    status = 0
    for word in arguments:
        name = _condition(word)
        if name is None:
            status = call.fail(f"{word}: invalid signal specification")
            continue
        if action is None:
            call.state.traps.pop(name, None)
        else:
            call.state.traps[name] = action
        if call.shell.is_main:
            if name == "EXIT":
                call.shell.session.set_exit_trap(action is not None)
            elif name != "ERR":
                call.shell.session.set_trap(SIGNALS[name.removeprefix("SIG")], action)
    return status


def _condition(word: str) -> str | None:
    if word.isdecimal():
        if int(word) == 0:
            return "EXIT"
        name = _NUMBERS.get(int(word))
        return f"SIG{name}" if name else None
    name = word.upper().removeprefix("SIG")
    if name in ("EXIT", "ERR"):
        return name
    return f"SIG{name}" if name in SIGNALS else None


def umask(call: Call) -> int:
    options = call.options("S")
    session = call.shell.session
    if not options.operands:
        call.out.text(f"{_symbolic(session.mask)}\n" if options.has("S") else f"{session.mask:04o}\n")
        return 0
    text = options.operands[0]
    if text.isdecimal():
        if not all("0" <= digit <= "7" for digit in text) or int(text, 8) > 0o777:
            return call.fail(f"{text}: octal number out of range")
        session.set_mask(int(text, 8))
        return 0
    from .modes import changed_mode

    mode = changed_mode(text, 0o777 & ~session.mask, 0)
    if mode is None:
        return call.fail(f"`{text}': invalid symbolic mode operator")
    session.set_mask(0o777 & ~mode)
    return 0


def _symbolic(mask: int) -> str:
    parts = []
    for who, shift in (("u", 6), ("g", 3), ("o", 0)):
        bits = ~mask >> shift & 7
        parts.append(f"{who}=" + "".join(letter for letter, bit in (("r", 4), ("w", 2), ("x", 1)) if bits & bit))
    return ",".join(parts)


def wait(call: Call) -> int:
    """Return immediately: there are no background commands."""
    return 127 if call.arguments else 0


def jobs(call: Call) -> int:
    """Print nothing: there are no background commands."""
    return 0
