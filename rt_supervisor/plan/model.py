"""What is to be run, as plain data: tasks, their steps and what each waits for.

`cli` builds a `RunPlan` from package.json scripts, workspaces and flags; `supervisor` carries it out; `output` shows it.
A plan holds no open file, no process and no callback, so it can be printed (`--dry-run`), cached and compared.
"""

from __future__ import annotations

from ..vocabulary.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


_NONE: Mapping[str, str] = {}


@record
class Step:
    """One process to run for a task: a lifecycle hook or the script itself.

    `name` is the script's key in package.json ("prebuild"), `command` what is shown to people, `argv` what is executed
    (program path first), `environment` complete, not a delta (it differs from hook to hook: npm_lifecycle_event);
    `variables` are those of it that it does not have from rt's own.
    `program` is rt's own command line (rt's path first) where the step is a source file, () otherwise: an engine worker
    may run that in place of `argv`, with the same result. `direct` is a file with its words (`plan.direct`) that is
    executed in place of `argv` where the system executes it, or ().
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
    """One script of one package, with its hooks, run as a unit.

    `key` is the task's place in listing order, 0 based, and what `after` refers to; `label` is what its lines are
    prefixed with; `package` is the package's name or, without one, its folder ("" outside a workspace);
    `steps` is never empty: packages without the script, which still carry the order, are already folded away.
    `after` holds the keys of the tasks that must have succeeded before this one starts.
    """

    key: int
    label: str
    package: str
    script: str
    folder: str
    steps: tuple[Step, ...]
    after: tuple[int, ...] = ()
    why: str = ""


MODE_FILTER = "filter"
MODE_PARALLEL = "parallel"
MODE_SEQUENTIAL = "sequential"


@record
class RunPlan:
    """A multi-script run: `tasks` in listing order, `mode` one of the three above.

    `concurrency` is the most tasks that run at once; `exit_on_error` ends all others at the first failure
    (`--parallel`/`--sequential` without `--no-exit-on-error`), otherwise only dependents of a failed task are skipped.
    """

    mode: str
    tasks: tuple[Task, ...]
    concurrency: int
    exit_on_error: bool
    warnings: tuple[str, ...] = ()
