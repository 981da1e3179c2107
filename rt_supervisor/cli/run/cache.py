"""`rt cache`: says why a task would run, shows and prunes the store of results, and verifies that a task is deterministic."""

from __future__ import annotations

from ...tasks.definitions import Globals
from ...tasks.observations import ABSENT, is_listing
from ...tasks.remote_settings import remote_settings
from ...tasks.sources import read_tasks
from ...tasks.store import Store
from ...tasks.task_cache import Hit
from ...vocabulary.errors import Failed
from ...vocabulary.record import replace
from ...workspace.suggestions import closest
from ..streams import write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..request import Request

WORDS = ("why", "stats", "prune", "verify")
_KIND_NAMES = {"packages": "external dependencies", "programs": "programs", "shared": "rt, platform or global settings"}


def manage_cache(request: Request) -> int:
    """Execute `rt cache` with the words after it. Raises Failed."""
    words = request.invocation.arguments
    match words:
        case ("why", *names) if names:
            return _why(request, tuple(names))
        case ("verify", name):
            from .cache_verification import verify

            return verify(request, name)
        case ("stats",):
            return _stats(request)
        case ("prune",):
            return _prune(request)
    meant = closest(words[0], WORDS) if words else None
    hint = f'; did you mean "{meant}"?' if meant else ""
    raise Failed(
        "cache-usage", f"usage: rt cache why TASK, rt cache verify TASK, rt cache stats, or rt cache prune{hint}"
    )


def _report_no_cache() -> int:
    write(1, "There is no cache: rt has no cache folder that only this user can write to.\n")
    return 1


def _stats(request: Request) -> int:
    store = Store.of_user()
    if store is None:
        return _report_no_cache()
    entries, blobs, size = store.sizes()
    write(1, f"{store.place}\n{entries} results, {blobs} files, {shown_size(size)}\n")
    table = read_tasks(request.folder).table
    remote = remote_settings(request.environment, table.globals if table is not None else Globals())
    if remote is not None:
        from ...packages.transport import without_secrets
        from ...tasks.remote_cache import RemoteCache

        write(1, f"remote cache {without_secrets(remote.url)}: {RemoteCache(remote, store).status()}\n")
    return 0


def _prune(request: Request) -> int:
    table = read_tasks(request.folder).table
    limits = table.globals if table is not None else Globals()
    store = Store.of_user()
    if store is None:
        return _report_no_cache()
    freed = store.prune(max_bytes=limits.max_bytes, max_age_s=limits.max_age_ms / 1000)
    write(1, f"Freed {shown_size(freed)}\n")
    return 0


def _why(request: Request, names: tuple[str, ...]) -> int:
    from ...settings.node_link import NodeLink
    from ...tasks.dry_run import decide_all
    from ...tasks.keys import changes
    from .task_cache_options import open_cache_of
    from .task_run import choose_tasks, is_about_scripts, plan_of

    options = {**request.invocation.options, "cache" if is_about_scripts(request) else "tasks": True}
    single = replace(request, invocation=replace(request.invocation, names=names, arguments=(), options=options))
    chosen = choose_tasks(single)
    link = NodeLink(request.executable)
    try:
        plan = plan_of(single, link, chosen)
    finally:
        link.remove()
    cache = open_cache_of(single, chosen, plan)
    if cache is None:
        return _report_no_cache()
    found = decide_all(cache, plan)
    lines = []
    for task in plan.tasks:
        decision = found[task.key]
        if decision is None:
            waits = next(other for other in task.after if not isinstance(found[other], Hit))
            lines.append(f"{task.label}: depends on {plan.tasks[waits].label}, which would run first")
        elif isinstance(decision, Hit):
            lines.append(f"{task.label}: cached")
        else:
            lines.append(f"{task.label}: would run, {decision.reason}")
            _, parts, before = cache.parts(task.key)
            for kind, name, old, new in changes(before, parts.plain()) if before is not None else ():
                lines += _change_lines(kind, name, old, new)
    write(1, "\n".join(lines) + "\n" if lines else "")
    return 0


def _change_lines(kind: str, name: str, old: str, new: str) -> list[str]:
    if kind == "files":
        what = "added" if old in ("", ABSENT) else "removed" if new in ("", ABSENT) else "changed"
        return [f"  {'names in folder' if is_listing(name) else 'file'} {name}: {what}"]
    if kind == "variables":
        what = (
            "unset"
            if new == "unset"
            else "set"
            if old == "unset"
            else "changed"
            if old and new
            else "listed differently"
        )
        return [f"  variable {name}: {what}"]
    if kind == "dependencies":
        return [
            f"  dependency {name}: its outputs changed"
            if old and new
            else f"  dependency {name}: {'removed' if old else 'added'}"
        ]
    if kind == "command":
        return [f"  command before: {_shown_command(old)}", f"  command now:    {_shown_command(new)}"]
    return [f"  {_KIND_NAMES[kind]}: changed"]


def _shown_command(text: str) -> str:
    """Return the commands among the words of a key: those with spaces, each once."""
    return "; ".join(dict.fromkeys(word for word in text.split("\0") if " " in word))


def shown_size(size: float) -> str:
    """Return "512 bytes", "1.5 MB"."""
    if size < 1000:
        return f"{size:.0f} bytes"
    power = min(3, (len(str(int(size))) - 1) // 3)
    return f"{size / 1000**power:.1f} {('', 'kB', 'MB', 'GB')[power]}"
