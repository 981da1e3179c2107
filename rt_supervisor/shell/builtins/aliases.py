"""alias, unalias (POSIX 2.3.1). `shell.aliases` expands them."""

from __future__ import annotations

from .printing import quote_for_shell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .calls import Call

_REFUSED = frozenset(" \t\n/$`=\"'\\|&;()<>")


def alias(call: Call) -> int:
    """`alias name=text…` defines, `alias name…` shows, `alias` lists."""
    options = call.options("p")
    known = call.state.aliases
    if not options.operands or options.has("p"):
        for name in sorted(known):
            _show(call, name)
    status = 0
    for operand in options.operands:
        name, equals, text = operand.partition("=")
        if not name or not equals:
            if operand in known:
                _show(call, operand)
            else:
                status = call.fail(f"{operand}: not found")
        elif any(character in _REFUSED for character in name):
            status = call.fail(f"`{name}': invalid alias name")
        else:
            known[name] = text
    return status


def unalias(call: Call) -> int:
    options = call.options("a")
    known = call.state.aliases
    if options.has("a"):
        known.clear()
        return 0
    if not options.operands:
        return call.fail("usage: unalias [-a] name [name ...]", 2)
    status = 0
    for name in options.operands:
        if known.pop(name, None) is None:
            status = call.fail(f"{name}: not found")
    return status


def _show(call: Call, name: str) -> None:
    call.out.text(f"alias {name}={quote_for_shell(call.state.aliases[name], always=True)}\n")
