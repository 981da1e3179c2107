"""The external dependencies of each package, as the lockfile resolves them: a digest that changes only if one of them does.

package-lock.json (version 2 and 3), pnpm-lock.yaml, yarn.lock (both formats) and bun.lock are read. If a lockfile cannot be read in
full, its whole content stands for the dependencies of every package, which is correct and less precise.
"""

from __future__ import annotations

import os
import re

from .. import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, TypeAlias

    Resolve: TypeAlias = Callable[[str, str], str | None]
    """(node, dependency) -> node of the dependency; nodes are those of the lockfile."""

FILE_NAMES = ("pnpm-lock.yaml", "bun.lock", "package-lock.json", "npm-shrinkwrap.json", "yarn.lock")
_LONGEST_PLACE = 4096
"""The longest name of a node in characters: resolving climbs its folders one by one."""
_KINDS = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")


class _Graph:
    """Nodes with what identifies their content, and the nodes that they depend on."""

    def __init__(self, contents: Mapping[str, str], edges: Mapping[str, Iterable[str]]) -> None:
        self._contents = contents
        self._edges = edges

    def digest(self, starts: Iterable[str]) -> str:
        """Return the digest of everything that is reachable from `starts`."""
        found = set(starts)
        todo = list(found)
        while todo:
            fresh = set(self._edges.get(todo.pop(), ())) - found
            found |= fresh
            todo += fresh
        lines = sorted(f"{node}\0{self._contents[node]}" for node in found if node in self._contents)
        return _digest("\n".join(lines))


RULES = 1
"""Changes with what `digests` returns for the same lockfile."""


def digests(
    data: bytes, name: str, folders: Iterable[str], dependencies: Mapping[str, Mapping[str, str]]
) -> dict[str, str]:
    """Return a digest for each of `folders`, which are relative to the root, "" for the root itself.

    `data` is the content of the lockfile `name`; `dependencies` are the names and ranges in each folder's package.json.
    """
    known = list(folders)
    try:
        text = data.decode("utf-8")
        graph, starts = _READERS[name](text, known, dependencies)
        return {folder: graph.digest(starts.get(folder, ())) for folder in known}
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError):
        whole = _digest(data.decode("utf-8", "replace"))
        return dict.fromkeys(known, whole)


def find(root: str) -> str | None:
    """Return the name of the lockfile in `root`, None without one."""
    return next((name for name in FILE_NAMES if os.path.lexists(os.path.join(root, name))), None)


def _npm(
    text: str, folders: list[str], dependencies: Mapping[str, Mapping[str, str]]
) -> tuple[_Graph, dict[str, list[str]]]:
    """`"node_modules/a/node_modules/b": {version, integrity, dependencies}`, resolved like folders."""
    import json

    packages: dict[str, dict[str, Any]] = json.loads(text)["packages"]

    def resolve(place: str, name: str) -> str | None:
        at = place
        while True:
            found = f"{at}/node_modules/{name}" if at else f"node_modules/{name}"
            if found in packages:
                entry = packages[found]
                return None if entry.get("link") else found
            if not at:
                return None
            at = at.rpartition("/node_modules/")[0] if "/node_modules/" in at else at.rpartition("/")[0]
            if at == "node_modules":
                at = ""

    edges, contents = {}, {}
    for place, entry in packages.items():
        if "node_modules/" not in place:
            continue
        _check_place(place)
        contents[place] = json.dumps([entry.get(key) for key in ("name", "version", "resolved", "integrity")])
        names = {name for kind in _KINDS[:1] + _KINDS[2:] for name in entry.get(kind) or {}}
        edges[place] = [found for name in names if (found := resolve(place, name))]
    starts = {
        folder: [found for name in dependencies.get(folder, {}) if (found := resolve(folder, name))]
        for folder in folders
    }
    return _Graph(contents, edges), starts


def _bun(
    text: str, folders: list[str], dependencies: Mapping[str, Mapping[str, str]]
) -> tuple[_Graph, dict[str, list[str]]]:
    """`"a/b": ["b@1.0.0", registry, {dependencies}, integrity]`: b as resolved for a."""
    import json

    document, problems = _native.read_json(text, "bun.lock", is_json5=False)
    if problems:
        raise ValueError("not JSON")
    packages: dict[str, list[Any]] = document["packages"]

    def resolve(place: str, name: str) -> str | None:
        at = place
        while at:
            if f"{at}/{name}" in packages:
                return f"{at}/{name}"
            at = at.rpartition("/")[0]
        return name if name in packages else None

    edges, contents = {}, {}
    names_of = {folder: entry.get("name", "") for folder, entry in document["workspaces"].items()}
    for place, entry in packages.items():
        if "@workspace:" in entry[0]:
            continue
        _check_place(place)
        contents[place] = json.dumps(entry)
        about = next((part for part in entry if isinstance(part, dict)), {})
        names = {name for kind in _KINDS[:1] + _KINDS[2:] for name in about.get(kind) or {}}
        edges[place] = [found for name in names if (found := resolve(place, name))]
    starts = {
        folder: [found for name in dependencies.get(folder, {}) if (found := resolve(names_of.get(folder, ""), name))]
        for folder in folders
    }
    return _Graph(contents, edges), starts


def _check_place(place: str) -> None:
    if len(place) > _LONGEST_PLACE:
        raise ValueError(f"a place of {len(place)} characters")


def _pnpm(
    text: str, folders: list[str], dependencies: Mapping[str, Mapping[str, str]]
) -> tuple[_Graph, dict[str, list[str]]]:
    """`importers` have the versions that each folder uses, `snapshots` (before version 9 `packages`) those of each package."""
    import json

    document = _simple_yaml(text)
    packages = document.get("packages") or {}
    snapshots = document.get("snapshots") or packages
    importers = document.get("importers") or {".": document}
    contents, edges = {}, {}
    for place, entry in snapshots.items():
        about = packages.get(place.partition("(")[0], entry)
        contents[place] = json.dumps([about.get("resolution"), entry.get("transitivePeerDependencies")], sort_keys=True)
        edges[place] = [
            _pnpm_node(name, version, snapshots)
            for kind in ("dependencies", "optionalDependencies")
            for name, version in (entry.get(kind) or {}).items()
        ]
    starts = {}
    for folder in folders:
        importer = importers.get(folder or ".") or {}
        starts[folder] = [
            _pnpm_node(name, about["version"] if isinstance(about, dict) else about, snapshots)
            for kind in _KINDS
            for name, about in (importer.get(kind) or {}).items()
        ]
    return _Graph(contents, edges), starts


def _pnpm_node(name: str, version: str, snapshots: Mapping[str, Any]) -> str:
    for place in (f"{name}@{version}", version, f"/{name}@{version}", f"/{name}/{version}"):
        if place in snapshots:
            return place
    return f"{name}@{version}"  # a link into the workspace


def _yarn(
    text: str, folders: list[str], dependencies: Mapping[str, Mapping[str, str]]
) -> tuple[_Graph, dict[str, list[str]]]:
    """`"a@^1.0.0", "a@npm:^1.1.0":` followed by `version`, `resolved` or `checksum`, and `dependencies`, indented."""
    node_of: dict[str, str] = {}
    contents: dict[str, str] = {}
    wanted: dict[str, list[str]] = {}
    for block in re.split(r"\n(?=[^\s#])", text):
        head, _, body = block.strip("\n").partition(":\n")
        if not body or head.startswith(("__metadata", "#")):
            continue
        selectors = [part.strip().strip('"') for part in head.replace('", "', ",").split(",")]
        node = selectors[0]
        node_of.update(dict.fromkeys(selectors, node))
        is_local = any("@workspace:" in selector for selector in selectors)
        contents[node] = "" if is_local else body
        wanted[node] = [] if is_local else _yarn_dependencies(body)

    def resolve(name: str, version: str) -> str | None:
        return node_of.get(f"{name}@{version}") or node_of.get(f"{name}@npm:{version}")

    edges = {
        node: [
            found for selector in selectors if (found := node_of.get(selector) or resolve(*_split_selector(selector)))
        ]
        for node, selectors in wanted.items()
    }
    starts = {
        folder: [found for name, version in dependencies.get(folder, {}).items() if (found := resolve(name, version))]
        for folder in folders
    }
    return _Graph(contents, edges), starts


def _yarn_dependencies(body: str) -> list[str]:
    found = []
    is_inside = False
    for line in body.split("\n"):
        if re.match(r"  \S", line):
            is_inside = line.strip().rstrip(":") in ("dependencies", "optionalDependencies")
        elif is_inside and (match := re.match(r'    "?([^"\s:]+)"?:?\s+"?([^"\s][^"]*?)"?$', line)):
            found.append(f"{match[1]}@{match[2]}")
    return found


def _split_selector(selector: str) -> tuple[str, str]:
    name, _, version = selector[1:].partition("@")
    return selector[0] + name, version


def _simple_yaml(text: str) -> dict[str, Any]:
    """Parse the subset of YAML that pnpm writes: nested maps, flow maps and lists, and lists of scalars."""
    root: dict[str, Any] = {}
    stack: list[tuple[int, dict[str, Any]]] = [(-1, root)]
    pending: tuple[int, dict[str, Any], str] | None = None
    for line in text.split("\n"):
        content = line.strip()
        if not content or content.startswith("#"):
            continue
        indent = len(line) - len(line.lstrip(" "))
        if content.startswith("- "):
            if pending is None:
                raise ValueError("a list without a key")
            if not isinstance(pending[1][pending[2]], list):
                pending[1][pending[2]] = []
            pending[1][pending[2]].append(content[2:])
            continue
        while stack[-1][0] >= indent:
            stack.pop()
        found = re.match(r"('(?:[^']|'')*'|\"[^\"]*\"|[^'\"\s{\[][^\n]*?):(?:\s+(.*))?$", content)
        if found is None:
            raise ValueError(f"not a key: {content}")
        key = found[1].strip("'\"").replace("''", "'")
        owner = stack[-1][1]
        if found[2] in (None, "{}"):
            child: dict[str, Any] = {}
            owner[key] = child
            stack.append((indent, child))
            pending = (indent, owner, key)
        else:
            owner[key] = found[2].strip("'\"") if found[2][:1] not in "{[" else found[2]
    return root


def _digest(text: str) -> str:
    return _native.content_digest(text.encode("utf-8", "surrogateescape"))


_READERS: dict[
    str, Callable[[str, list[str], Mapping[str, Mapping[str, str]]], tuple[_Graph, dict[str, list[str]]]]
] = {
    "package-lock.json": _npm,
    "npm-shrinkwrap.json": _npm,
    "bun.lock": _bun,
    "pnpm-lock.yaml": _pnpm,
    "yarn.lock": _yarn,
}
