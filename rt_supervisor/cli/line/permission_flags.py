"""Node's flags for permissions: `--permission`, and the `--allow-...` that grant something back.

Read only when a word is a flag that rt does not know itself: other starts pay nothing for them.
"""

from __future__ import annotations

import os

from ...vocabulary.errors import Failed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final

    from ...engine_worker.program.options import Limits

MODES: Final = ("permission", "permission-audit")
PATHS: Final = ("allow-fs-read", "allow-fs-write")
GRANTS: Final = (
    "allow-addons",
    "allow-child-process",
    "allow-ffi",
    "allow-fs-vfs",
    "allow-inspector",
    "allow-net",
    "allow-openssl-store",
    "allow-wasi",
    "allow-worker",
)


def meant(name: str) -> str | None:
    """The flag that `name` (without dashes) stands for, or None where it is not one of these."""
    name = name.replace("_", "-")
    return name if name.removeprefix("no-") in (*MODES, *GRANTS) or name in PATHS else None


def takes_value(name: str) -> bool:
    return name in PATHS


def put(given: dict[str, object], name: str, value: str) -> None:
    """Put a flag with its value into `given`."""
    if name in PATHS:
        earlier = given.get(name)
        given[name] = [*(earlier if isinstance(earlier, list) else []), value]
    else:
        given[name.removeprefix("no-")] = not name.startswith("no-")


def joined(first: Mapping[str, object], second: Mapping[str, object]) -> dict[str, object]:
    """Both together; where both say yes or no, the second counts."""
    result = dict(first)
    for name, value in second.items():
        if isinstance(value, list):
            for each in value:
                put(result, name, each)
        else:
            result[name] = value
    return result


def limits(given: Mapping[str, object], own: tuple[str, ...]) -> Limits | None:
    """What the flags leave of the program's rights; `own` files it may read in any case. Raises Failed without --permission."""
    is_on = given.get("permission") is True
    is_audit = given.get("permission-audit") is True
    if not is_on and not is_audit:
        asked = next((name for name, value in given.items() if value and name not in MODES), None)
        if asked is None:
            return None
        raise Failed(
            "invalid-flag-value", "--permission is required", hint=f"--{asked} gives back what --permission takes"
        )
    read, write = (list(value) if isinstance(value := given.get(name), list) else [] for name in PATHS)
    return {
        "read": read,
        "write": write,
        "own": [os.path.abspath(path) for path in own if path],
        "granted": [name.removeprefix("allow-") for name in GRANTS if given.get(name) is True],
        "isAudit": not is_on,
    }
