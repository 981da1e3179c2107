"""Node's permission flags: `--permission`, and the `--allow-...` flags that grant exceptions.

Imported only for a flag that is not in rt's table, so that other starts do not pay for it.
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


def find_flag(name: str) -> str | None:
    """Return the flag that `name` (without dashes) stands for; None if it is not a permission flag."""
    name = name.replace("_", "-")
    return name if name.removeprefix("no-") in (*MODES, *GRANTS) or name in PATHS else None


def takes_value(name: str) -> bool:
    return name in PATHS


def put(given: dict[str, object], name: str, value: str) -> None:
    """Add a flag with its value to `given`."""
    if name in PATHS:
        earlier = given.get(name)
        given[name] = [*(earlier if isinstance(earlier, list) else []), value]
    else:
        given[name.removeprefix("no-")] = not name.startswith("no-")


def merge(first: Mapping[str, object], second: Mapping[str, object]) -> dict[str, object]:
    """Return both together; where they contradict each other, `second` wins."""
    result = dict(first)
    for name, value in second.items():
        if isinstance(value, list):
            for each in value:
                put(result, name, each)
        else:
            result[name] = value
    return result


def limits(given: Mapping[str, object], own: tuple[str, ...]) -> Limits | None:
    """Return what the flags permit; None without restrictions. Files in `own` can always be read.

    Raises Failed for a grant without --permission.
    """
    is_on = given.get("permission") is True
    is_audit = given.get("permission-audit") is True
    if not is_on and not is_audit:
        requested = next((name for name, value in given.items() if value and name not in MODES), None)
        if requested is None:
            return None
        raise Failed(
            "permission-not-restricted",
            "--permission is required",
            hint=f"--{requested} gives back what --permission takes",
        )
    read, write = (list(value) if isinstance(value := given.get(name), list) else [] for name in PATHS)
    return {
        "read": read,
        "write": write,
        "own": [os.path.abspath(path) for path in own if path],
        "granted": [name.removeprefix("allow-") for name in GRANTS if given.get(name) is True],
        "isAudit": not is_on,
    }
