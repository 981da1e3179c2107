"""cd, pwd, and the stack of folders: pushd, popd, dirs."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .calls import Call


def cd(call: Call) -> int:
    """POSIX `cd`; changes the folder of the shell, not that of the process."""
    state = call.state
    arguments = list(call.arguments)
    physical = False
    while arguments and arguments[0] in ("-L", "-P", "-e", "-LP", "-PL"):
        physical = arguments.pop(0).endswith("P")
    if arguments[:1] == ["--"]:
        arguments.pop(0)
    if len(arguments) > 1:
        return call.fail("too many arguments")
    prints = False
    if not arguments:
        wanted = state.variables.get("HOME") or ""
        if not wanted:
            return call.fail("HOME not set")
    elif arguments[0] == "-":
        wanted = state.variables.get("OLDPWD") or ""
        prints = True
        if not wanted:
            return call.fail("OLDPWD not set")
    else:
        wanted = arguments[0]
    if wanted == "":
        return 0
    path, found_on = _on_cdpath(call, wanted)
    return _enter(call, path, wanted, physical=physical, prints=prints or found_on)


def _on_cdpath(call: Call, wanted: str) -> tuple[str, bool]:
    listed = call.state.variables.get("CDPATH")
    if listed and not wanted.startswith(("/", "./", "../")) and wanted not in (".", ".."):
        for folder in listed.split(":"):
            path = call.path(f"{folder}/{wanted}" if folder else wanted)
            if os.path.isdir(path):
                return path, bool(folder)
    return call.path(wanted), False


def _enter(call: Call, path: str, wanted: str, *, physical: bool, prints: bool) -> int:
    path = os.path.realpath(path) if physical else normalize(path)
    try:
        if not os.path.isdir(path):
            return call.fail(f"not a directory: {wanted}")
        if not os.access(path, os.X_OK):
            return call.fail(f"permission denied: {wanted}")
    except ValueError:
        return call.fail(f"not a directory: {wanted}")
    state = call.state
    state.variables.set("OLDPWD", state.folder)
    state.variables.set("PWD", path)
    state.variables.export("OLDPWD")
    state.variables.export("PWD")
    state.folder = path
    if prints:
        call.out.text(f"{path}\n")
    return 0


def normalize(path: str) -> str:
    """Return `path` without `.`, `..` and doubled slashes, without looking at the disk (POSIX `cd -L`)."""
    path = os.path.normpath(path)
    return path[1:] if path.startswith("//") else path


def pwd(call: Call) -> int:
    if [word for word in call.arguments if not word.startswith("-")]:
        return call.fail("too many arguments")
    options = call.options("LP")
    folder = call.state.folder
    call.out.text((os.path.realpath(folder) if options.has("P") else folder) + "\n")
    return 0


def pushd(call: Call) -> int:
    stack = _stack(call)
    before = call.state.folder
    if not call.arguments:
        if not stack:
            return call.fail("no other directory")
        call.arguments = [stack.pop(0)]
    status = cd(call)
    if status == 0:
        _keep(call, [before, *stack])
        return dirs(call)
    return status


def popd(call: Call) -> int:
    stack = _stack(call)
    if not stack:
        return call.fail("directory stack empty")
    call.arguments = [stack.pop(0)]
    status = cd(call)
    if status == 0:
        _keep(call, stack)
        return dirs(call)
    return status


def dirs(call: Call) -> int:
    home = call.state.variables.get("HOME") or ""
    shown = []
    for folder in (call.state.folder, *_stack(call)):
        is_below = home not in ("", "/") and (folder == home or folder.startswith(home + "/"))
        shown.append("~" + folder[len(home) :] if is_below else folder)
    call.out.text(" ".join(shown) + "\n")
    return 0


def _stack(call: Call) -> list[str]:
    return [folder for folder in (call.state.variables.get("_DIRSTACK") or "").split("\n") if folder]


def _keep(call: Call, stack: list[str]) -> None:
    call.state.variables.set("_DIRSTACK", "\n".join(stack))
