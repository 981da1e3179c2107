"""A plan, as plain data: tasks, their steps, and what each waits for.

`cli` builds a `RunPlan` from package.json scripts, workspaces and flags; `supervisor` runs it; `output` displays it.
A plan holds no open file, process or callback, so it can be printed (`--dry-run`), cached and compared.
"""

from __future__ import annotations

from ..vocabulary.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


_NONE: Mapping[str, str] = {}


@record
class Step:
    """One process of a task: a lifecycle hook or the script itself.

    `name` is the script's key in package.json ("prebuild"). `command` is displayed; `argv` is executed (program path
    first). `environment` is complete and may differ between hooks (npm_lifecycle_event); `variables` are the ones that
    differ from rt's own environment. If the step is a source file, `program` is the equivalent command line of rt (rt's
    path first), which an engine worker may run instead of `argv`; otherwise it is (). `direct` is a file with its
    arguments (`plan.direct`) that is executed instead of `argv` if the system can execute it, or ().
    """

    name: str
    command: str
    argv: tuple[str, ...]
    environment: Mapping[str, str]
    program: tuple[str, ...] = ()
    direct: tuple[str, ...] = ()
    variables: Mapping[str, str] = _NONE


@record
class Task:
    """One script of one package with its hooks, run as a unit.

    `key` is the task's 0-based index in listing order, which `after` refers to. `label` is the prefix of its lines.
    `package` is the package's name or, without one, its folder ("" outside a workspace). `steps` is never empty:
    packages without the script only pass on the order. `after` holds the keys of the tasks that must succeed before
    this one starts. `attempt` counts from 1: later ones follow a failure and are named in the prefix, as is the `agent` of a cluster that
    runs the task, unless it is "".
    """

    key: int
    label: str
    package: str
    script: str
    folder: str
    steps: tuple[Step, ...]
    after: tuple[int, ...] = ()
    why: str = ""
    attempt: int = 1
    agent: str = ""


MODE_FILTER = "filter"
MODE_PARALLEL = "parallel"
MODE_SEQUENTIAL = "sequential"


@record
class RunPlan:
    """A multi-script run: `tasks` in listing order, `mode` one of the three above.

    At most `concurrency` tasks run at once; if `is_adaptive`, the run core starts with fewer, and adds more while CPUs are
    idle. With `exit_on_error` (`--parallel`/`--sequential` without
    `--no-exit-on-error`), the first failure ends all other tasks; otherwise only dependents of a failed task are
    skipped.
    """

    mode: str
    tasks: tuple[Task, ...]
    concurrency: int
    exit_on_error: bool
    warnings: tuple[str, ...] = ()
    is_adaptive: bool = False
