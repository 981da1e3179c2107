"""`rt tasks schema`: the JSON schema of the settings of tasks in rtfig.toml, for editors."""

from __future__ import annotations

from .setting_table import (
    AUTO_KEY,
    COUNT,
    DURATION,
    FILES,
    FLAG,
    POOLS,
    POSITIVE,
    READY,
    READY_KEYS,
    REMOTE,
    REMOTE_SETTINGS,
    SIZE,
    TASK_SETTINGS,
    TEXTS,
    WORKSPACE_SETTINGS,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .setting_table import Setting


def schema() -> dict[str, object]:
    """Return the schema. Other tables of rtfig.toml are not described by it, and allowed."""
    task = {
        "type": "object",
        "additionalProperties": False,
        "properties": {setting.name: _property(setting) for setting in TASK_SETTINGS},
    }
    tasks = {
        "type": "object",
        "description": 'Tasks by name: "build", or "pkg#build" for one package',
        "additionalProperties": task,
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "rtfig.toml: tasks",
        "type": "object",
        "properties": {"tasks": tasks, **{setting.name: _property(setting) for setting in WORKSPACE_SETTINGS}},
    }


def _property(setting: Setting) -> dict[str, object]:
    return {"description": setting.help, **_type(setting)}


def _type(setting: Setting) -> dict[str, object]:
    if setting.kind == REMOTE:
        properties = {each.name: _property(each) for each in REMOTE_SETTINGS}
        return {"type": "object", "additionalProperties": False, "properties": properties}
    if setting.choices:
        return {"enum": list(setting.choices)}
    duration: dict[str, object] = {
        "oneOf": [{"type": "integer", "minimum": 0}, {"type": "string", "pattern": r"^\d+(\.\d+)?\s*(ms|s|m|h|d)$"}]
    }
    text = {"type": "string"}
    automatic = {
        "type": "object",
        "additionalProperties": False,
        "required": [AUTO_KEY],
        "properties": {AUTO_KEY: {"const": True}},
    }
    ready = {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            **dict.fromkeys(READY_KEYS, text),
            "http": {"type": "string", "pattern": "^(https?://|/)"},
            "port": {"type": "integer", "minimum": 1, "maximum": 65535},
            "timeout": duration,
        },
    }
    kinds: dict[str, dict[str, object]] = {
        TEXTS: {"type": "array", "items": text},
        FILES: {"type": "array", "items": {"oneOf": [text, automatic]}},
        FLAG: {"type": "boolean"},
        COUNT: {"type": "integer", "minimum": 0},
        POSITIVE: {"type": "integer", "minimum": 1},
        POOLS: {"type": "object", "additionalProperties": {"type": "integer", "minimum": 1}},
        DURATION: duration,
        SIZE: {"oneOf": [{"type": "integer", "minimum": 0}, text]},
        READY: ready,
    }
    return kinds.get(setting.kind, {"type": "string"})
