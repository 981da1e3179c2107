"""What `--parallel` and `--sequential` run in one package: its scripts, and words that are not scripts.

Separate from `choosing`, because a run in one package needs neither workspaces nor their graph.
"""

from __future__ import annotations

from ..vocabulary.errors import Failed
from .recipe import Choice, Recipe
from .script_names import expand, find_steps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..workspace.manifest import Manifest
    from .recipe import Request


def choose_in_package(manifest: Manifest | None, request: Request) -> Choice:
    """Decide what runs for `--parallel` and `--sequential` without `--filter`: scripts of one package, and words."""
    recipes = []
    for name in request.scripts:
        found = expand(manifest, name)
        if not found and "*" in name:
            raise Failed("no-scripts-match", f'No scripts match pattern "{name}"')
        for script in found:
            assert manifest is not None
            recipes.append(script_recipe(manifest, script, label=script, package=manifest.name or ""))
        if not found:
            # A word runs in the user's working folder: it may be a path.
            package = (manifest and manifest.name) or ""
            recipes.append(Recipe(manifest, request.cwd, package, name, name, ((name, name),), is_word=True))
    return Choice(tuple(recipes))


def script_recipe(
    manifest: Manifest, script: str, *, label: str, package: str, after: tuple[int, ...] = (), why: str = ""
) -> Recipe:
    """Return the recipe of `script`, with its hooks, in the package of `manifest`."""
    steps, main = find_steps(manifest, script)
    return Recipe(manifest, manifest.folder, package, script, label, steps, main, False, after, why)
