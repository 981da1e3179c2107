"""The identity of this process: its users and groups; replacing it by another program."""

from __future__ import annotations

import os

from ... import _native
from ..program.problems import SystemCallFailed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..host import Host


def operations(host: Host) -> dict[str, Any]:
    """Return this module's part of the area "process"."""

    def execve(path: str, arguments: Any, variables: Any) -> None:
        """Replace this process by `path`; output is flushed first."""
        import _signal

        host.output.flush()
        before = _signal.signal(_signal.SIGPIPE, _signal.SIG_DFL)
        try:
            os.execve(path, arguments.to_list() or [path], dict(pair.to_list() for pair in variables.to_list()))
        except OSError as error:
            _signal.signal(_signal.SIGPIPE, before)
            raise SystemCallFailed(error, "execve", path) from error

    def become(name: str, kind: str, wanted: int | str) -> bool:
        """Like `set_id`; before root becomes another user, loads the code of rt that this user cannot read."""
        if kind == "user" and os.geteuid() == 0:
            from ..program import belongings

            if not belongings.is_open_to_all():
                belongings.load_all()
                _native.guard_children()
        return set_id(name, kind, wanted)

    return {
        "setId": become,
        "setGroups": lambda groups: set_groups(groups.to_list()),
        "initGroups": init_groups,
        "execve": execve,
    }


def set_id(name: str, kind: str, wanted: int | str) -> bool:
    """Set an id of this process; False if the user or group does not exist."""
    number = wanted if isinstance(wanted, int) else _id_of(kind, wanted)
    if number is None:
        return False
    try:
        {"setuid": os.setuid, "seteuid": os.seteuid, "setgid": os.setgid, "setegid": os.setegid}[name](number)
    except OSError as error:
        raise SystemCallFailed(error, name) from error
    return True


def set_groups(groups: list[int | str]) -> int | str | None:
    """Set the supplementary groups; return the first that does not exist, or None."""
    numbers: list[int] = []
    for group in groups:
        number = group if isinstance(group, int) else _id_of("group", group)
        if number is None:
            return group
        numbers.append(number)
    try:
        os.setgroups(numbers)
    except OSError as error:
        raise SystemCallFailed(error, "setgroups") from error
    return None


def init_groups(user: int | str, extra: int | str) -> str | None:
    """Set the groups that `user` is in, and `extra`; return "user" or "group" if that does not exist."""
    name = user if isinstance(user, str) else _user_name(user)
    if name is None:
        return "user"
    number = extra if isinstance(extra, int) else _id_of("group", extra)
    if number is None:
        return "group"
    try:
        os.initgroups(name, number)
    except OSError as error:
        raise SystemCallFailed(error, "initgroups") from error
    return None


def _id_of(kind: str, name: str) -> int | None:
    import grp
    import pwd

    try:
        return pwd.getpwnam(name).pw_uid if kind == "user" else grp.getgrnam(name).gr_gid
    except KeyError:
        return None


def _user_name(number: int) -> str | None:
    import pwd

    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return None
