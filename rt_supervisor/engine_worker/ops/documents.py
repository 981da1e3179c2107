"""What `js/rt_documents.js` asks of the host: YAML as steps that build it, JSON5 as data."""

from __future__ import annotations

from ... import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..worker import EngineWorker


def operations(worker: EngineWorker) -> dict[str, Any]:
    def read_yaml(text: str) -> list[Any]:
        steps, problem = _native.read_yaml(text)
        return [steps, _native.null if problem is None else list(problem)]

    def read_json5(text: str) -> list[Any]:
        value, problems = _native.read_json(text, "JSON5")
        if not problems:
            return [value, _native.null]
        place = problems[0].place
        return [_native.null, [problems[0].message, place.line, place.column]]

    return {"readYaml": read_yaml, "readJson5": read_json5}
