"""`rt tasks import`: converts the tasks of turbo.json or wireit to text for rtfig.toml with the same meaning.

Implicit settings of the other format are made explicit: a task of turbo.json without `outputs` has none, and `pkg#task`
replaces the settings of `task`, while in rtfig.toml it overrides them key by key.
"""

from __future__ import annotations

import json

from .definitions import DEFAULT_MAX_AGE_MS, DEFAULT_MAX_BYTES, Globals
from .setting_table import AUTO, FILES, FLAG, TASK_SETTINGS, TEXTS, WORKSPACE_SETTINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from .definitions import TaskTable
    from .setting_table import Setting, Value

_IMPLIED: dict[str, Value] = {"cache": True, "clean": True, "outputLogs": "full", "description": "", "command": ""}


_DEFAULT_GLOBALS = (Globals().env_mode, DEFAULT_MAX_BYTES, DEFAULT_MAX_AGE_MS)


def rtfig_text(table: TaskTable) -> str:
    """Return the lines for rtfig.toml, with workspace settings first, because they must precede the first table of the
    file."""
    lines = [f"{name} = {_text(value)}" for name, value in _workspace_values(table.globals).items()]
    done = set()
    for layer in table.layers:
        if (layer.task, layer.package) in done:
            continue
        done.add((layer.task, layer.package))
        values = _values(table, layer.task, layer.package)
        name = layer.task if layer.package is None else f"{layer.package}#{layer.task}"
        lines += ["", f"[tasks.{_key(name)}]"]
        lines += [
            f"{key} = {_text(values[key])}" for key in (setting.name for setting in TASK_SETTINGS) if key in values
        ]
    return "\n".join(lines).strip("\n") + "\n"


def _values(table: TaskTable, task: str, package: str | None) -> dict[str, Value]:
    """Return the settings of `task` for one package: those that differ from the settings for all packages."""
    general = table.resolve((), task)
    before: Mapping[str, Value] = general.values if general else {}
    if package is None:
        values = dict(before)
    else:
        own = table.resolve((package,), task)
        assert own is not None  # the layer exists
        values = {key: value for key, value in own.values.items() if before.get(key) != value}
        for setting in TASK_SETTINGS:
            if setting.name in before and setting.name not in own.values:
                values[setting.name] = _implied(setting)
    if table.origin == "turbo.json" and (package is None or general is None):
        values.setdefault("outputs", ())
        values.setdefault("clean", False)
    return values


def _implied(setting: Setting) -> Value:
    if setting.name in _IMPLIED:
        return _IMPLIED[setting.name]
    return () if setting.kind in (TEXTS, FILES) else False if setting.kind == FLAG else 0


def _workspace_values(values: Globals) -> dict[str, Value]:
    by_name: dict[str, Value] = {
        "globalDependencies": values.dependencies,
        "globalEnv": values.env,
        "globalPassThroughEnv": values.pass_through_env,
        "envMode": values.env_mode,
        "pools": dict(values.pools),
        "remoteCache": dict(values.remote),
        "cacheMaxSize": values.max_bytes,
        "cacheMaxAge": values.max_age_ms,
    }
    return {
        setting.name: value
        for setting in WORKSPACE_SETTINGS
        if (value := by_name[setting.name]) and value not in _DEFAULT_GLOBALS
    }


def _key(name: str) -> str:
    is_bare = name.isascii() and name.replace("-", "").replace("_", "").isalnum()
    return name if is_bare else json.dumps(name, ensure_ascii=False)


def _text(value: Value) -> str:
    """Return a value as TOML. Every JSON string is also a TOML string with the same escapes."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(_text, value))}]"
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key} = {_text(item)}' for key, item in value.items())} }}"
    return AUTO if value == AUTO else json.dumps(value, ensure_ascii=False)
