"""What a multi-script run runs: from packages, script names and options to the tasks of a `plan.RunPlan`.

`choose` decides which scripts of which packages run, in what order and why; its `Choice` is plain data, so that
`plan_cache` can keep it. `assemble` adds what depends on the moment: environment, shell and arguments, which `cli`
passes in as functions. Nothing is spawned, and every refusal is a `Failed` with the text the user reads.
"""

from __future__ import annotations

from . import graph
from .errors import Failed
from .plan import MODE_FILTER, RunPlan, Step, Task
from .record import record
from .script_names import expand, find_steps
from .selection import Selection, named, select

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from .manifest import Manifest
    from .workspace import Workspace

    MakeEnvironment = Callable[[Manifest | None, str, str], Mapping[str, str]]
    """(manifest, name of the hook or script, its command without arguments) -> its complete environment."""
    MakeArgv = Callable[[str], tuple[str, ...]]
    """What is shown as the command -> what is executed."""


@record
class Request:
    """What was asked for: everything that decides a `Choice` besides the files themselves.

    `scripts` is one exact name with MODE_FILTER, otherwise names and `*` globs. `patterns` are the filters; `every`
    is `--workspaces`, which wins over them. `ordered` asks for dependency order also outside MODE_FILTER, `explain`
    for `why` texts, `strict_cycles` makes a cycle between tasks a failure.
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


@record
class Recipe:
    """A task before the moment it runs in. `steps` are (name, command), the script itself at `main`.

    `manifest` is None for a word that is no script outside any package. `is_word` says that `script` is no script's
    name but a file, a binary or a shell command. `after` holds places in `Choice.recipes`.
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
    """The recipes in listing order; none where `--if-present` found nothing. Warnings go to stderr after `warn: `."""

    recipes: tuple[Recipe, ...]
    warnings: tuple[str, ...] = ()


def choose(workspace: Workspace, request: Request) -> Choice:
    """Decide what runs for `--filter` and `--workspaces`. Raises Failed with the message the user is to read."""
    warnings = [f"{problem}; skipping this workspace package" for problem in workspace.problems]
    edges = graph.find_edges(workspace.packages)
    selection = _selected(workspace, edges, request)
    if selection is None:
        return Choice((), tuple(warnings))
    if selection.unmatched:
        warnings.append(_no_match(selection.unmatched))
    chosen = _scripts_of(workspace, selection, request)
    if not chosen:
        if request.if_present:
            return Choice((), tuple(warnings))
        raise Failed("script-not-found", _not_found(workspace, selection, request))
    waits: dict[int, tuple[int, ...]] = {}
    if request.mode == MODE_FILTER or request.ordered:
        members = sorted({place for place, _ in chosen})
        cycles = graph.find_cycles(edges)
        if told := _cycle_text(workspace, edges, cycles, set(members)):
            if request.strict_cycles:
                raise Failed("dependency-cycle", told)
            warnings.append(f"{told}; packages of a cycle do not wait for each other")
        waits = graph.waits_for(graph.without_cycles(edges, cycles) if cycles else edges, members)
    return Choice(tuple(_recipes(workspace, selection, request, chosen, waits)), tuple(warnings))


def choose_in_package(manifest: Manifest | None, request: Request) -> Choice:
    """Decide what runs for `--parallel` and `--sequential` without `--filter`: scripts of one package, and words."""
    recipes = []
    for name in request.scripts:
        found = expand(manifest, name)
        if not found and "*" in name:
            raise Failed("no-scripts-match", f'No scripts match pattern "{name}"')
        for script in found:
            assert manifest is not None
            recipes.append(_recipe(manifest, script, label=script, package=manifest.name or ""))
        if not found:
            # A word runs where the user stands: it may be a path.
            package = (manifest and manifest.name) or ""
            recipes.append(Recipe(manifest, request.cwd, package, name, name, ((name, name),), is_word=True))
    return Choice(tuple(recipes))


def assemble(
    choice: Choice,
    *,
    mode: str,
    concurrency: int,
    exit_on_error: bool,
    make_environment: MakeEnvironment,
    make_argv: MakeArgv,
    make_word_argv: MakeArgv | None = None,
    arguments: str = "",
) -> RunPlan:
    """Turn recipes into tasks. `arguments`, quoted for a shell, are for the scripts themselves, not for their hooks."""
    tasks = []
    for key, recipe in enumerate(choice.recipes):
        argv_of = make_word_argv if recipe.is_word and make_word_argv else make_argv
        steps = []
        for place, (name, command) in enumerate(recipe.steps):
            shown = f"{command} {arguments}" if arguments and place == recipe.main else command
            steps.append(Step(name, shown, argv_of(shown), make_environment(recipe.manifest, name, command)))
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
    return RunPlan(mode, tuple(tasks), concurrency, exit_on_error, choice.warnings)


def _selected(workspace: Workspace, edges: graph.Edges, request: Request) -> Selection | None:
    """Return what the patterns select, None where nothing is but `--if-present` allows that."""
    if request.every:
        places = tuple(named(workspace)) if workspace.declared else ()
        selection = Selection(places, (), dict.fromkeys(places))
        refusal = "No workspace packages found"
    else:
        selection = select(workspace, edges, patterns=request.patterns, cwd=request.cwd)
        refusal = _no_match(request.patterns)
    if selection.packages:
        return selection
    if request.if_present:
        return None
    raise Failed("no-packages", refusal)


def _scripts_of(workspace: Workspace, selection: Selection, request: Request) -> list[tuple[int, str]]:
    """Return (package, script) in listing order: that of the workspace for MODE_FILTER, otherwise that of the names."""
    if request.mode == MODE_FILTER:
        places = list(selection.packages)
    else:
        by_name = [(workspace.display_name(workspace.packages[place]), place) for place in selection.packages]
        places = [place for _, place in sorted(by_name)]
    globs_too = request.mode != MODE_FILTER
    chosen = []
    for place in places:
        package = workspace.packages[place]
        for name in request.scripts:
            found = expand(package, name, globs=globs_too)
            if not found and request.every and not request.if_present and not (globs_too and "*" in name):
                raise Failed("script-missing", _missing(workspace, package, name, request.mode))
            chosen += [(place, script) for script in found]
    return chosen


def _recipe(
    manifest: Manifest, script: str, *, label: str, package: str, after: tuple[int, ...] = (), why: str = ""
) -> Recipe:
    steps, main = find_steps(manifest, script)
    return Recipe(manifest, manifest.folder, package, script, label, steps, main, False, after, why)


def _recipes(
    workspace: Workspace,
    selection: Selection,
    request: Request,
    chosen: Sequence[tuple[int, str]],
    waits: Mapping[int, tuple[int, ...]],
) -> list[Recipe]:
    keys_of: dict[int, list[int]] = {}
    for key, (place, _) in enumerate(chosen):
        keys_of.setdefault(place, []).append(key)
    recipes = []
    for place, script in chosen:
        manifest = workspace.packages[place]
        package = workspace.display_name(manifest)
        waited = waits.get(place, ())
        recipes.append(
            _recipe(
                manifest,
                script,
                package=package,
                label=f"{package} {script}" if request.mode == MODE_FILTER else f"{package}:{script}",
                after=tuple(sorted(key for other in waited for key in keys_of[other])),
                why=_why(workspace, selection, place, waited) if request.explain else "",
            )
        )
    return recipes


def _why(workspace: Workspace, selection: Selection, place: int, waited: Sequence[int]) -> str:
    """Say what selected the package and what it waits for."""
    pattern = selection.reasons[place]
    if pattern is None:
        reason = "in the workspace"
    elif pattern.with_dependencies or pattern.with_dependents:
        reason = f'in the graph of "{pattern.text}"'
    else:
        reason = f'matches "{pattern.text}"'
    names = ", ".join(workspace.display_name(workspace.packages[other]) for other in waited)
    return f"{reason}, after {names}" if names else reason


def _no_match(patterns: Sequence[str]) -> str:
    quoted = ", ".join(f'"{pattern}"' for pattern in patterns)
    return f"No workspace packages matched the filter{'s' if len(patterns) > 1 else ''} {quoted}"


def _not_found(workspace: Workspace, selection: Selection, request: Request) -> str:
    scripts = ", ".join(f'"{name}"' for name in request.scripts)
    count = len(selection.packages)
    if request.every:
        return f"Script {scripts} not found in {count} workspace package{'s' if count > 1 else ''}"
    if count == 1:
        package = workspace.display_name(workspace.packages[selection.packages[0]])
        return f'Script {scripts} not found in package "{package}"'
    matching = ", ".join(f'"{pattern}"' for pattern in request.patterns)
    return f"Script {scripts} not found in {count} packages matching {matching}"


def _missing(workspace: Workspace, package: Manifest, script: str, mode: str) -> str:
    if mode == MODE_FILTER:
        return f"Missing '{script}' script at '{package.folder}'"
    return f'Missing "{script}" script in package "{workspace.display_name(package)}"'


def _cycle_text(
    workspace: Workspace, edges: graph.Edges, cycles: Sequence[tuple[int, ...]], members: set[int]
) -> str | None:
    """Name each cycle that makes the order of two tasks uncertain, as the way around it."""
    paths = []
    for group in cycles:
        if len(members.intersection(group)) > 1:
            names = [workspace.display_name(workspace.packages[place]) for place in graph.cycle_path(edges, group)]
            paths.append(" -> ".join(names))
    if not paths:
        return None
    return f"Dependency cycle{'s' if len(paths) > 1 else ''}: {', '.join(paths)}"
