"""The pieces of a multi-script run as plain data: the request, the choice, and the tasks assembled from it.

A `Choice` does not depend on the environment of the moment, so `cache` can store it. `assemble` adds environment, shell
and arguments, which `cli` passes in as functions. `choosing` makes the choice; a cached run does not import it.
"""

from __future__ import annotations

from ..vocabulary.record import record
from .model import RunPlan, Step, Task

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping

    from .._native import Manifest

    MakeEnvironment = Callable[[Manifest | None, str, str], tuple[Mapping[str, str], Mapping[str, str]]]
    """(manifest, name of the hook or script, its command without arguments) -> the environment, and the variables set in it."""
    MakeArgv = Callable[[str], tuple[str, ...]]
    """The displayed command -> the argv to execute."""
    Means = tuple[tuple[str, ...], tuple[str, ...], Mapping[str, str]]
    Limit = Callable[[int, Mapping[str, str], Mapping[str, str]], tuple[Mapping[str, str], Mapping[str, str]]]
    """(index of the recipe, environment, variables of it that rt sets) -> what the task gets of both."""
    MakeProgram = Callable[[tuple[str, ...], str, Mapping[str, str]], Means]
    """(argv, folder, environment) -> `Step.program`, `Step.direct`, and the variables set for both and `argv`."""


@record
class Request:
    """The request of the user: everything besides the files themselves that determines a `Choice`.

    `scripts` is one exact name with MODE_FILTER, otherwise names and `*` globs. `patterns` are the filters; `every` is
    `--workspaces`, which takes precedence over them. `ordered` requests dependency order also outside MODE_FILTER,
    `explain` requests `why` texts, and `strict_cycles` turns a cycle between tasks into a failure. `affected_since`
    limits the selection to packages that are affected since a commit. `reverse` runs dependents first. With a
    `command`, each package runs it (a shell command) under the name in `scripts`, instead of a script.
    """

    cwd: str
    mode: str
    scripts: tuple[str, ...]
    patterns: tuple[str, ...] = ()
    every: bool = False
    if_present: bool = False
    ordered: bool = False
    explain: bool = False
    strict_cycles: bool = False
    affected_since: str = ""
    reverse: bool = False
    command: str = ""


@record
class Recipe:
    """A task before environment and arguments are added. `steps` are (name, command), with the script itself at index
    `main`.

    `manifest` is None for a word outside of any package that is not a script. `is_word` means that `script` is not the
    name of a script but a file, a binary or a shell command. `after` holds indexes into `Choice.recipes`.
    """

    manifest: Manifest | None
    folder: str
    package: str
    script: str
    label: str
    steps: tuple[tuple[str, str], ...]
    main: int = 0
    is_word: bool = False
    after: tuple[int, ...] = ()
    why: str = ""


@record
class Choice:
    """The recipes in listing order; empty if `--if-present` found nothing. Warnings go to stderr after `warn: `."""

    recipes: tuple[Recipe, ...]
    warnings: tuple[str, ...] = ()


def assemble(
    choice: Choice,
    *,
    mode: str,
    concurrency: int,
    is_adaptive: bool = False,
    exit_on_error: bool,
    make_environment: MakeEnvironment,
    make_argv: MakeArgv,
    make_word_argv: MakeArgv | None = None,
    make_program: MakeProgram | None = None,
    arguments: str = "",
    takers: Container[int] | None = None,
    limit: Limit | None = None,
) -> RunPlan:
    """Turn recipes into tasks. `arguments`, quoted for a shell, are passed to the scripts themselves, not to their
    hooks.

    Only the recipes with the indexes in `takers` get them; None means all. `limit` returns what the task of the recipe at an index gets of
    an environment, and of the variables of it that rt sets.
    """
    tasks = []
    for key, recipe in enumerate(choice.recipes):
        argv_of = make_word_argv if recipe.is_word and make_word_argv else make_argv
        steps = []
        for place, (name, command) in enumerate(recipe.steps):
            takes_arguments = place == recipe.main and (takers is None or key in takers)
            shown = f"{command} {arguments}" if arguments and takes_arguments else command
            argv = argv_of(shown)
            program: tuple[str, ...] = ()
            direct: tuple[str, ...] = ()
            environment, variables = make_environment(recipe.manifest, name, command)
            if make_program is not None:
                program, direct, more = make_program(argv, recipe.folder, environment)
                if more:
                    variables, environment = {**variables, **more}, {**environment, **more}
            if limit is not None:
                environment, variables = limit(key, environment, variables)
            steps.append(Step(name, shown, argv, environment, program, direct, variables))
        task = Task(
            key=key,
            label=recipe.label,
            package=recipe.package,
            script=recipe.script,
            folder=recipe.folder,
            steps=tuple(steps),
            after=recipe.after,
            why=recipe.why,
        )
        tasks.append(task)
    return RunPlan(mode, tuple(tasks), concurrency, exit_on_error, choice.warnings, is_adaptive)
