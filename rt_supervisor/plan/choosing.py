"""Chooses what a multi-script run runs: from packages, script names and options to a `recipe.Choice`.

Decides which scripts of which packages run, in what order and why, and which warnings to print. Does not print or start
anything; every error is a `Failed` with the message for the user.
"""

from __future__ import annotations

import os

from .. import graph
from ..vocabulary.errors import SCRIPT_NOT_FOUND, Failed
from ..vocabulary.record import replace
from ..workspace.selection import Selection, named_packages, names_root, parse_pattern, select
from .model import MODE_FILTER
from .one_package import script_recipe
from .recipe import Choice, Recipe, Request
from .script_names import expand

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..workspace.finding import Workspace
    from ..workspace.manifest import Manifest


def choose(workspace: Workspace, request: Request) -> Choice:
    """Decide what runs for `--filter` and `--workspaces`. Raises Failed with the message for the user.

    The failure carries the warnings too, because a package that could not be read is often the reason for it.
    """
    warnings = [f"{problem}; skipping this workspace package" for problem in workspace.problems]
    try:
        return _choose(workspace, request, warnings)
    except Failed as failed:
        failed.warnings = (*warnings, *failed.warnings)
        raise


def _choose(workspace: Workspace, request: Request, warnings: list[str]) -> Choice:
    workspace, root = _with_root(workspace, request)
    edges = graph.find_edges(workspace.packages)
    selection = _select(workspace, edges, request, root)
    if selection is None:
        return Choice((), tuple(warnings))
    if not selection.packages:
        shown = ", ".join(f'"{pattern}"' for pattern in selection.unchanged)
        return Choice((), (*warnings, f"no package changed: {shown}"))
    if selection.unmatched:
        warnings.append(_no_match(selection.unmatched))
    warnings += _same_names(workspace, selection)
    chosen = _scripts_of(workspace, selection, request)
    if not chosen:
        if request.if_present:
            return Choice((), tuple(warnings))
        from ..workspace.suggestions import suggest_script

        known = (name for place in selection.packages for name in workspace.packages[place].scripts)
        hint = suggest_script(request.scripts, known)
        raise Failed(SCRIPT_NOT_FOUND, _not_found(workspace, selection, request), hint=hint)
    waits: dict[int, tuple[int, ...]] = {}
    if request.mode == MODE_FILTER or request.ordered:
        members = sorted({place for place, _ in chosen})
        cycles = graph.find_cycles(edges, among=members) if len(members) > 1 else []
        if cycle_text := _cycle_text(workspace, edges, cycles, set(members)):
            if request.strict_cycles:
                raise Failed("dependency-cycle", cycle_text)
            warnings.append(f"{cycle_text}; packages of a cycle do not wait for each other")
        waits = graph.waits_for(edges, members, cycles=cycles)
        if request.reverse:
            waits = _reversed(waits)
    return Choice(tuple(_recipes(workspace, selection, request, chosen, waits)), tuple(warnings))


def _with_root(workspace: Workspace, request: Request) -> tuple[Workspace, int | None]:
    """Return the workspace with the root package as its first one if a filter names it, and its place; else unchanged."""
    package = workspace.root_package
    if package is None or request.every or any(each.folder == package.folder for each in workspace.packages):
        return workspace, None
    if not any(names_root(text, package, request.cwd) for text in request.patterns):
        return workspace, None
    return replace(workspace, packages=(package, *workspace.packages)), 0


def _select(workspace: Workspace, edges: graph.Edges, request: Request, root: int | None) -> Selection | None:
    """Return what the patterns select; None if they select nothing and `--if-present` allows that."""
    if request.every:
        places = tuple(named_packages(workspace)) if workspace.declared else ()
        selection = Selection(places, (), dict.fromkeys(places))
    else:
        selection = select(
            workspace,
            edges,
            patterns=request.patterns,
            cwd=request.cwd,
            affected_since=request.affected_since,
            root=root,
        )
    if selection.packages or selection.unchanged:
        return selection
    if request.if_present:
        return None
    if request.every:
        raise Failed("no-packages", "No workspace packages found")
    from ..workspace.suggestions import suggest_filter

    hints = (suggest_filter(parse_pattern(text), workspace, request.cwd) for text in selection.unmatched)
    raise Failed("no-packages", _no_match(request.patterns), hint=next(filter(None, hints), ""))


def _reversed(waits: Mapping[int, Sequence[int]]) -> dict[int, tuple[int, ...]]:
    """Return the order in which each package waits for its dependents instead of its dependencies."""
    others: dict[int, list[int]] = {place: [] for place in waits}
    for place, awaited in waits.items():
        for other in awaited:
            others.setdefault(other, []).append(place)
    return {place: tuple(sorted(each)) for place, each in others.items()}


def _scripts_of(workspace: Workspace, selection: Selection, request: Request) -> list[tuple[int, str]]:
    """Return (package, script) in listing order: workspace order for MODE_FILTER, otherwise sorted by package name."""
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
            found = [name] if request.command else expand(package, name, globs=globs_too)
            is_missing = not found and request.every and bool(package.scripts)  # packages without scripts do not count
            if is_missing and not request.if_present and not (globs_too and "*" in name):
                raise Failed("script-missing", _missing(workspace, package, name, request.mode))
            chosen += [(place, script) for script in found]
    return chosen


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
        label = f"{package} {script}" if request.mode == MODE_FILTER else f"{package}:{script}"
        after = tuple(sorted(key for other in waited for key in keys_of[other]))
        why = _reason(workspace, selection, place, waited) if request.explain else ""
        if request.command:
            steps = ((script, request.command),)
            recipes.append(Recipe(manifest, manifest.folder, package, script, label, steps, after=after, why=why))
        else:
            recipes.append(script_recipe(manifest, script, package=package, label=label, after=after, why=why))
    return recipes


def _same_names(workspace: Workspace, selection: Selection) -> list[str]:
    """Return a warning for each name that several selected packages have: their lines and dependents cannot be distinguished."""
    by_name: dict[str, list[str]] = {}
    for place in selection.packages:
        package = workspace.packages[place]
        if package.name:
            by_name.setdefault(package.name, []).append(os.path.relpath(package.folder, workspace.root))
    return [
        f'{len(folders)} packages have the name "{name}": {", ".join(folders)}'
        for name, folders in by_name.items()
        if len(folders) > 1
    ]


def _reason(workspace: Workspace, selection: Selection, place: int, waited: Sequence[int]) -> str:
    """Describe what selected the package and what it waits for."""
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
    """Name each cycle that makes the order of two tasks ambiguous, as a path around it; None if there is none."""
    paths = []
    for group in cycles:
        if len(members.intersection(group)) > 1:
            names = [workspace.display_name(workspace.packages[place]) for place in graph.cycle_path(edges, group)]
            paths.append(" -> ".join(names))
    if not paths:
        return None
    return f"Dependency cycle{'s' if len(paths) > 1 else ''}: {', '.join(paths)}"
