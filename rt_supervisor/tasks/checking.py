"""Checks raw settings of a file against the table: unknown keys and values of the wrong type are errors with the line
and the closest valid key."""

from __future__ import annotations

from ..vocabulary.errors import Failed
from ..vocabulary.record import replace
from .setting_table import (
    AUTO_KEY,
    DURATION,
    FILES,
    REMOTE,
    REMOTE_SETTINGS,
    TASK_SETTINGS,
    TEXTS,
    WORKSPACE_SETTINGS,
    Setting,
    convert,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from .setting_table import Value

    LineOf = Callable[[str], int]
    """The function that returns the line of a key."""


# Keys of `remoteCache` in turbo.json that have no effect in rt.
_IGNORED_OF_REMOTE = ("preflight", "loginUrl")


def check_task(
    raw: object, *, file: str, task: str, line_of: LineOf, is_turbo: bool = False, ignored: Sequence[str] = ()
) -> tuple[dict[str, Value], dict[str, str]]:
    """Return the converted settings of `task`, and where each was set. Raises Failed."""
    if not isinstance(raw, dict):
        raise Failed("task-setting-invalid", f'{file}:{line_of("")}: task "{task}" must be a table of settings')
    return _check(raw, TASK_SETTINGS, f'of task "{task}"', file, line_of, is_turbo, ignored)


def check_workspace(
    raw: Mapping[str, object], *, file: str, line_of: LineOf, is_turbo: bool = False, ignored: Sequence[str] = ()
) -> dict[str, Value]:
    """Return the converted settings of the workspace. Raises Failed."""
    return _check(raw, WORKSPACE_SETTINGS, "of the workspace", file, line_of, is_turbo, ignored)[0]


def _check(
    raw: Mapping[str, object],
    table: Sequence[Setting],
    owner: str,
    file: str,
    line_of: LineOf,
    is_turbo: bool,
    ignored: Sequence[str],
) -> tuple[dict[str, Value], dict[str, str]]:
    known = {(setting.turbo if is_turbo else setting.name): setting for setting in table}
    known.pop("", None)
    values: dict[str, Value] = {}
    places: dict[str, str] = {}
    for key, value in raw.items():
        if key in ignored:
            continue
        place = f"{file}:{line_of(key)}"
        setting = known.get(key)
        if setting is None:
            from ..workspace.suggestions import closest

            meant = closest(key, known)
            hint = f'; did you mean "{meant}"?' if meant else f"; the settings are {', '.join(known)}"
            raise Failed("task-setting-unknown", f'{place}: unknown setting "{key}" {owner}{hint}')
        if setting.kind == FILES:
            if is_turbo:
                setting = replace(setting, kind=TEXTS)
            elif isinstance(value, list):
                _check_items(value, f'{place}: "{key}" {owner}')
        converted = _remote(value, file, line_of, is_turbo) if setting.kind == REMOTE else convert(setting, value)
        if converted is None:
            raise Failed("task-setting-invalid", f'{place}: "{key}" {owner} must be {setting.wanted}')
        values[setting.name] = converted
        places[setting.name] = place
    return values, places


def _check_items(items: Sequence[object], subject: str) -> None:
    """Raise Failed for a table in `inputs` or `outputs` that has another key than `auto`."""
    for key in (key for item in items if isinstance(item, dict) for key in item):
        if key != AUTO_KEY:
            from ..workspace.suggestions import closest

            meant = closest(key, (AUTO_KEY,))
            hint = f'; did you mean "{meant}"?' if meant else f'; the only key is "{AUTO_KEY}"'
            raise Failed("task-setting-unknown", f'{subject} has a table with the unknown key "{key}"{hint}')


def _remote(value: object, file: str, line_of: LineOf, is_turbo: bool) -> Value | None:
    """Return the settings of the remote cache, None if they are not a table. Raises Failed."""
    if not isinstance(value, dict):
        return None

    def line(key: str) -> int:
        return line_of(f"remoteCache.{key}") or line_of("remoteCache")

    if is_turbo:  # its times are in seconds
        times = {setting.turbo for setting in REMOTE_SETTINGS if setting.kind == DURATION}
        value = {
            key: round(each * 1000)
            if key in times and isinstance(each, int | float) and type(each) is not bool
            else each
            for key, each in value.items()
        }
    checked, _ = _check(value, REMOTE_SETTINGS, "of remoteCache", file, line, is_turbo, _IGNORED_OF_REMOTE * is_turbo)
    return {key: each for key, each in checked.items() if isinstance(each, bool | int | str)}
