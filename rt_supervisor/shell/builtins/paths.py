"""basename, dirname, realpath."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .calls import Call


def basename(call: Call) -> int:
    options = call.options("az", "s", {"multiple": "a", "suffix": "s", "zero": "z"})
    names = options.operands
    if not names:
        return call.fail("missing operand")
    suffix = options.get("s")
    end = "\0" if options.has("z") else "\n"
    if not options.has("a") and not options.has("s"):
        if len(names) > 2:
            return call.fail(f"extra operand '{names[2]}'")
        suffix = names[1] if len(names) == 2 else ""
        names = names[:1]
    for name in names:
        base = name.rstrip("/").rpartition("/")[2] or ("/" if name.startswith("/") else "")
        if suffix and base != suffix:
            base = base.removesuffix(suffix)
        call.out.text(base + end)
    return 0


def dirname(call: Call) -> int:
    options = call.options("z", "", {"zero": "z"})
    if not options.operands:
        return call.fail("missing operand")
    for name in options.operands:
        head = name.rstrip("/").rpartition("/")
        parent = head[0].rstrip("/") or ("/" if head[1] or name.startswith("/") else ".")
        call.out.text(parent + ("\0" if options.has("z") else "\n"))
    return 0


def realpath(call: Call) -> int:
    options = call.options("qemzs", "12", {"relative-to": "1", "relative-base": "2"})
    if not options.operands:
        return call.fail("missing operand")
    status = 0
    for name in options.operands:
        try:
            path = call.path(name)
            found = os.path.normpath(path) if options.has("s") else os.path.realpath(path)
            wanted = found if options.has("e") else os.path.dirname(found)
            if not options.has("m"):
                os.stat(wanted)
        except (OSError, ValueError) as error:
            status = 1 if options.has("q") else call.report_os_error(name, error)
            continue
        base = os.path.realpath(call.path(options.get("2"))) if options.has("2") else ""
        if options.has("1") or base:
            start = os.path.realpath(call.path(options.get("1"))) if options.has("1") else base
            if not base or f"{found}/".startswith(f"{base.rstrip('/')}/"):
                found = os.path.relpath(found, start)
        call.out.text(found + ("\0" if options.has("z") else "\n"))
    return status
