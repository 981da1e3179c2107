"""The definitions of tasks: the settings in the files of a workspace, and the resulting settings of one task of one
package.

A `TaskTable` holds layers in the order in which they apply; `resolve` merges those of a task key by key and records
where each value was set. `rtfig_source`, `turbo_source` and `wireit_source` read the files.
"""

from __future__ import annotations

from ..vocabulary.record import record
from .setting_table import AUTO

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from .setting_table import Value

ROOT = "//"
"""The name of the root package in `//#task`."""
EXTENDS = "$TURBO_EXTENDS$"


@record
class Layer:
    """The settings for `task` in one place: for every package (`package` is None), or for one (its name, or its
    folder).

    `places` maps each key to the `file:line` where it is set. A layer that `replaces` hides the layers before it.
    """

    task: str
    package: str | None
    values: Mapping[str, Value]
    places: Mapping[str, str]
    place: str
    replaces: bool = False


@record
class TaskSettings:
    """The settings of one task of one package. `inputs` and `outputs` are None if they are not set.

    `places` maps each setting to the place where it is set; `place` is where the task is defined. `command` replaces
    the script in package.json if it is not empty; one that is set for this package (`has_own_command`) needs no script. `timeout_ms` is 0 without a limit, `pool` "" without one. With
    `is_turbo`, a task without `outputs` is cached and has none. With `--on`, a task runs on an agent that has all its `tags`, unless it is `local`.
    """

    task: str
    depends_on: tuple[str, ...] = ()
    companions: tuple[str, ...] = ()
    inputs: tuple[str, ...] | None = None
    outputs: tuple[str, ...] | None = None
    env: tuple[str, ...] = ()
    pass_through_env: tuple[str, ...] = ()
    cache: bool = True
    clean: bool = True
    output_logs: str = "full"
    persistent: bool = False
    command: str = ""
    ready: Mapping[str, bool | int | str] | None = None
    restarts: bool = False
    retries: int = 0
    timeout_ms: int = 0
    pool: str = ""
    weight: int = 1
    interruptible: bool = False
    tags: tuple[str, ...] = ()
    local: bool = False
    places: Mapping[str, str] = {}
    place: str = ""
    values: Mapping[str, Value] = {}
    is_turbo: bool = False
    has_own_command: bool = False

    @property
    def is_cacheable(self) -> bool:
        """Whether results of the task may be stored."""
        return self.cache and not self.persistent

    @property
    def traces_outputs(self) -> bool:
        """Whether what the task writes is traced: `outputs` has `{ auto = true }`, or is not set."""
        return not self.is_turbo if self.outputs is None else AUTO in self.outputs

    @property
    def traces_inputs(self) -> bool:
        """Whether what the task reads is traced: `inputs` has `{ auto = true }`, or is not set while its outputs are traced, too."""
        return self.traces_outputs if self.inputs is None else AUTO in self.inputs


DEFAULT_MAX_BYTES = 10 * 10**9
DEFAULT_MAX_AGE_MS = 30 * 86_400_000


@record
class Globals:
    """The settings of the workspace."""

    dependencies: tuple[str, ...] = ()
    env: tuple[str, ...] = ()
    pass_through_env: tuple[str, ...] = ()
    env_mode: str = "strict"
    pools: Mapping[str, int] = {}
    remote: Mapping[str, bool | int | str] = {}
    max_bytes: int = DEFAULT_MAX_BYTES
    max_age_ms: int = DEFAULT_MAX_AGE_MS


@record
class TaskTable:
    """All definitions of a workspace. `origin` is the name of the file format, `path` the file that was read first.

    `layers` are in the order in which they apply: later ones take precedence.
    """

    origin: str
    path: str
    layers: tuple[Layer, ...]
    globals: Globals = Globals()

    def names(self) -> list[str]:
        """Return the names of all tasks, each once, in the order of the files."""
        return list(dict.fromkeys(layer.task for layer in self.layers))

    def resolve(self, names: Iterable[str], task: str) -> TaskSettings | None:
        """Return the settings of `task` in the package that has any of `names`; None if no layer defines it."""
        return TaskResolver(self).resolve(names, task)


class TaskResolver:
    """Resolves the tasks of many packages: those to which the same layers of `table` apply share one value."""

    def __init__(self, table: TaskTable) -> None:
        self._layers = table.layers
        self._is_turbo = table.origin == "turbo.json"
        self._numbers: dict[str, dict[str | None, list[int]]] = {}  # of the layers, by task and package
        for number, layer in enumerate(table.layers):
            self._numbers.setdefault(layer.task, {}).setdefault(layer.package, []).append(number)
        self._resolved: dict[tuple[int, ...], TaskSettings] = {}

    def resolve(self, names: Iterable[str], task: str) -> TaskSettings | None:
        """Return what `TaskTable.resolve` does."""
        by_package = self._numbers.get(task)
        if by_package is None:
            return None
        found = list(by_package.get(None, ()))
        if len(by_package) > 1 or not found:
            found = sorted({*found, *(number for name in names for number in by_package.get(name, ()))})
        if not found:
            return None
        at = tuple(found)
        known = self._resolved.get(at)
        if known is None:
            known = self._resolved[at] = self._merge(task, [self._layers[number] for number in found])
        return known

    def _merge(self, task: str, layers: Iterable[Layer]) -> TaskSettings:
        values: dict[str, Value] = {}
        places: dict[str, str] = {}
        place = ""
        has_own_command = False
        for layer in layers:
            if layer.replaces:
                values, places = {}, {}
            if "command" in layer.values:
                has_own_command = layer.package is not None
            for key, value in layer.values.items():
                values[key] = _extend(values.get(key), value)
                places[key] = layer.places.get(key, layer.place)
            place = layer.place
        return _settings(task, values, places, place, is_turbo=self._is_turbo, has_own_command=has_own_command)


def _extend(before: Value | None, value: Value) -> Value:
    """Return `value` with `$TURBO_EXTENDS$` replaced by the list of the earlier layer."""
    if not isinstance(value, tuple) or EXTENDS not in value:
        return value
    earlier = before if isinstance(before, tuple) else ()
    return (*earlier, *(item for item in value if item != EXTENDS))


def _settings(
    task: str,
    values: Mapping[str, Value],
    places: Mapping[str, str],
    place: str,
    *,
    is_turbo: bool,
    has_own_command: bool,
) -> TaskSettings:
    def texts(name: str) -> tuple[str, ...] | None:
        value = values.get(name)
        return value if isinstance(value, tuple) else None

    return TaskSettings(
        task=task,
        depends_on=texts("dependsOn") or (),
        companions=texts("with") or (),
        inputs=texts("inputs"),
        outputs=texts("outputs"),
        env=texts("env") or (),
        pass_through_env=texts("passThroughEnv") or (),
        cache=values.get("cache") is not False,
        clean=values.get("clean", not is_turbo) is True,
        output_logs=str(values.get("outputLogs", "full")),
        persistent=values.get("persistent") is True,
        command=str(values.get("command", "")),
        ready=ready if isinstance(ready := values.get("ready"), dict) else None,
        restarts=values.get("restart") == "on-failure",
        retries=_number(values.get("retries"), 0),
        timeout_ms=_number(values.get("timeout"), 0),
        pool=str(values.get("pool", "")),
        weight=_number(values.get("weight"), 1),
        interruptible=values.get("interruptible") is True,
        tags=texts("tags") or (),
        local=values.get("local") is True,
        places=places,
        place=place,
        values=values,
        is_turbo=is_turbo,
        has_own_command=has_own_command,
    )


def split_name(text: str) -> tuple[str | None, str]:
    """Split `pkg#task`, at the first # after the scope, into the package (None if it is not named) and the task."""
    package, mark, task = text.partition("#")
    return (package, task) if mark else (None, text)


def globals_of(values: Mapping[str, Value]) -> Globals:
    def texts(name: str) -> tuple[str, ...]:
        value: object = values.get(name)
        return value if isinstance(value, tuple) else ()

    pools, remote = values.get("pools"), values.get("remoteCache")
    return Globals(
        dependencies=texts("globalDependencies"),
        env=texts("globalEnv"),
        pass_through_env=texts("globalPassThroughEnv"),
        env_mode=str(values.get("envMode", "strict")),
        pools={name: int(size) for name, size in pools.items()} if isinstance(pools, dict) else {},
        remote=remote if isinstance(remote, dict) else {},
        max_bytes=_number(values.get("cacheMaxSize"), DEFAULT_MAX_BYTES),
        max_age_ms=_number(values.get("cacheMaxAge"), DEFAULT_MAX_AGE_MS),
    )


def _number(value: Value | None, default: int) -> int:
    return value if isinstance(value, int) else default


def names_of(name: str | None, folder: str, *, is_root: bool) -> Sequence[str]:
    """Return the names by which layers refer to a package."""
    return [each for each in (name, folder, ROOT if is_root else None) if each]
