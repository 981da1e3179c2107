"""From the graph of tasks to what a run executes: a `recipe.Choice` whose recipes are the nodes that have a script.

Nodes without a script are folded away; the order that they carry stays (`graph.waits_for`).
"""

from __future__ import annotations

from .. import graph as package_graph
from ..plan.one_package import script_recipe
from ..plan.recipe import Choice
from ..vocabulary.errors import SCRIPT_NOT_FOUND, Failed
from ..vocabulary.record import record, replace
from .task_graph import build, title
from .variables import framework_patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..plan.recipe import Recipe
    from .definitions import TaskTable
    from .shards import Shard
    from .sources import TaskWorkspace
    from .task_graph import TaskGraph, TaskNode


@record
class TaskPlan:
    """What runs. `members` are the places in `graph.nodes` of the recipes of `choice`, in its order.

    `waits` has for each recipe the recipes that must succeed first; `choice` has the same in `after`.
    """

    tasks: TaskWorkspace
    graph: TaskGraph
    choice: Choice
    members: tuple[int, ...]

    def node(self, key: int) -> TaskNode:
        """Return the node of the recipe at `key`."""
        return self.graph.nodes[self.members[key]]

    @property
    def is_strict(self) -> bool:
        """Whether tasks get only the variables that `variable_patterns` include."""
        table = self.tasks.table
        return table is not None and table.globals.env_mode != "loose"

    def variable_patterns(self, key: int) -> tuple[str, ...]:
        """Return the patterns of the variables that the task of a recipe may have, besides those of `variables.ALWAYS`."""
        node = self.node(key)
        settings, table = node.settings, self.tasks.table
        of_all = () if table is None else (*table.globals.env, *table.globals.pass_through_env)
        inlined = framework_patterns(self.tasks.packages[node.place].dependencies)
        return (*of_all, *settings.env, *settings.pass_through_env, *inlined)


def make_plan(
    tasks: TaskWorkspace,
    *,
    places: Sequence[int],
    names: Sequence[str],
    only: bool,
    if_present: bool,
    shard: Shard | None = None,
    without: frozenset[tuple[int, str]] = frozenset(),
) -> TaskPlan:
    """Decide what runs for the tasks `names` of the packages `places`, or what `shard` runs of it. The tasks `without`, by place and
    name, run only if others depend on them. Raises Failed.
    """
    if tasks.table is None:
        raise Failed(
            "no-tasks",
            "this workspace defines no tasks: add [tasks.NAME] to rtfig.toml, or run scripts without --tasks",
        )
    graph = build(tasks, tasks.table, places=places, names=names, only=only, without=without)
    _refuse_dependent_services(tasks, graph)
    _check_settings(tasks, tasks.table, graph)
    members = tuple(number for number, node in enumerate(graph.nodes) if node.command)
    if not members and places and not if_present and not without:
        shown = ", ".join(f'"{name}"' for name in names)
        raise Failed(SCRIPT_NOT_FOUND, f"no selected package has a script {shown}")
    if shard is not None:
        from .history import shared_durations
        from .shards import part_of

        graph = part_of(graph, tasks, shard, shared_durations(tasks.workspace.root))
        members = tuple(number for number, node in enumerate(graph.nodes) if node.command)
    key_of = {number: key for key, number in enumerate(members)}
    waits = package_graph.waits_for(graph.edges, members)
    recipes = [
        _recipe(tasks, graph.nodes[number], tuple(sorted(key_of[other] for other in waits.get(number, ()))))
        for number in members
    ]
    warnings = tuple(f"{problem}; skipping this workspace package" for problem in tasks.workspace.problems)
    return TaskPlan(tasks, graph, Choice(tuple(recipes), warnings), members)


def needed_by(chosen: TaskPlan, key: int) -> frozenset[int]:
    """Return the recipes whose tasks depend on that of the recipe at `key`, directly or through nodes without a script."""
    wanted = chosen.members[key]
    found = set()
    for other, number in enumerate(chosen.members):
        todo = list(chosen.graph.edges[number])
        while todo:
            dependency = todo.pop()
            if dependency == wanted:
                found.add(other)
                break
            if not chosen.graph.nodes[dependency].command:
                todo += chosen.graph.edges[dependency]
    return frozenset(found)


def _recipe(tasks: TaskWorkspace, node: TaskNode, after: tuple[int, ...]) -> Recipe:
    manifest = tasks.packages[node.place]
    package = tasks.name(node.place)
    task = node.settings.task
    recipe = script_recipe(manifest, task, label=f"{package} {task}", package=package, after=after, why=node.why)
    if not manifest.script(task):  # a command that is set for the package
        recipe = replace(recipe, steps=((task, node.command),))
    elif recipe.steps[recipe.main][1] != node.command:  # what wireit runs in place of its own name
        steps = tuple((task, node.command) if at == recipe.main else step for at, step in enumerate(recipe.steps))
        recipe = replace(recipe, steps=steps)
    return recipe


def _check_settings(tasks: TaskWorkspace, table: TaskTable, graph: TaskGraph) -> None:
    """Raise Failed for a setting that has no meaning for its task, and for a pool that the workspace does not have."""
    for node in graph.nodes:
        settings = node.settings
        is_service = settings.persistent
        misplaced = [
            (
                "retries",
                settings.retries > 0 and is_service,
                'a persistent task starts again with restart = "on-failure"',
            ),
            (
                "timeout",
                settings.timeout_ms > 0 and is_service,
                'a persistent task does not end; "ready" has a timeout',
            ),
            ("pool", bool(settings.pool) and is_service, "a persistent task takes no place"),
            ("weight", settings.weight != 1 and is_service, "a persistent task takes no place"),
            ("restart", settings.restarts and not is_service, 'set "persistent", or use "retries"'),
        ]
        for name, is_misplaced, remedy in misplaced:
            if is_misplaced:
                at = settings.places.get(name, settings.place)
                raise Failed(
                    "task-setting-misplaced", f'{at}: "{name}" has no meaning for {title(tasks, node)}: {remedy}'
                )
        pools = table.globals.pools
        if settings.pool and settings.pool not in pools:
            at = settings.places.get("pool", settings.place)
            from ..workspace.suggestions import closest

            meant = closest(settings.pool, pools)
            hint = f'did you mean "{meant}"?' if meant else f'add it to "pools": {{ {settings.pool} = 1 }}'
            raise Failed("task-pool-unknown", f'{at}: the workspace has no pool "{settings.pool}"; {hint}')


def _refuse_dependent_services(tasks: TaskWorkspace, graph: TaskGraph) -> None:
    """Raise Failed for a task that waits for a service that does not say when it is ready."""
    for node, following in zip(graph.nodes, graph.edges, strict=True):
        for number in following:
            other = graph.nodes[number]
            if other.settings.persistent and other.command and other.settings.ready is None:
                at = node.settings.places.get("dependsOn", node.settings.place)
                raise Failed(
                    "task-waits-for-service",
                    f"{at}: {title(tasks, node)} cannot wait for the persistent task {title(tasks, other)}, which does not "
                    'end; set "ready", or start it beside it with "with"',
                )
