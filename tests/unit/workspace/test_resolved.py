"""Digests of external dependencies: each changes if, and only if, what its package resolves to changes."""

from __future__ import annotations

import json

import pytest

from rt_supervisor.workspace.resolved import digests

DEPENDENCIES = {"": {}, "p/web": {"left": "^1.0.0"}, "p/api": {"right": "^1.0.0"}}

NPM = json.dumps(
    {
        "lockfileVersion": 3,
        "packages": {
            "": {},
            "node_modules/left": {"version": "1.0.0", "integrity": "LEFT", "dependencies": {"deep": "*"}},
            "node_modules/deep": {"version": "1.0.0", "integrity": "OUTER"},
            "node_modules/left/node_modules/deep": {"version": "2.0.0", "integrity": "DEEP"},
            "node_modules/right": {"version": "1.0.0", "integrity": "RIGHT"},
        },
    }
)
PNPM = """lockfileVersion: '9.0'

importers:

  .: {}

  p/api:
    dependencies:
      right:
        specifier: ^1.0.0
        version: 1.0.0

  p/web:
    dependencies:
      left:
        specifier: ^1.0.0
        version: 1.0.0(peer@1.0.0)

packages:

  deep@2.0.0:
    resolution: {integrity: DEEP}

  left@1.0.0:
    resolution: {integrity: LEFT}
    engines: {node: '>=18'}
    os: [linux]

  right@1.0.0:
    resolution: {integrity: RIGHT}

snapshots:

  deep@2.0.0: {}

  left@1.0.0(peer@1.0.0):
    dependencies:
      deep: 2.0.0
    transitivePeerDependencies:
      - supports-color

  right@1.0.0: {}
"""
YARN_1 = """# yarn lockfile v1


deep@^2.0.0:
  version "2.0.0"
  resolved "DEEP"

left@^1.0.0, "left@1 || 2":
  version "1.0.0"
  resolved "LEFT"
  dependencies:
    deep "^2.0.0"

right@^1.0.0:
  version "1.0.0"
  resolved "RIGHT"
"""
YARN_BERRY = """__metadata:
  version: 8

"deep@npm:^2.0.0":
  version: 2.0.0
  checksum: DEEP
  languageName: node

"left@npm:^1.0.0, left@npm:1 || 2":
  version: 1.0.0
  dependencies:
    deep: "npm:^2.0.0"
  checksum: LEFT

"right@npm:^1.0.0":
  version: 1.0.0
  checksum: RIGHT

"web@workspace:p/web":
  version: 0.0.0-use.local
  dependencies:
    left: "npm:^1.0.0"
"""
BUN = """{
  "lockfileVersion": 1,
  "workspaces": {
    "": { "name": "root" },
    "p/web": { "name": "web", "dependencies": { "left": "^1.0.0" } },
    "p/api": { "name": "api", "dependencies": { "right": "^1.0.0" } },
  },
  "packages": {
    "api": ["api@workspace:p/api"],
    "deep": ["deep@2.0.0", "", {}, "DEEP"],
    "left": ["left@1.0.0", "", { "dependencies": { "deep": "^2.0.0" } }, "LEFT"],
    "right": ["right@1.0.0", "", {}, "RIGHT"],
    "web": ["web@workspace:p/web"],
  }
}
"""
LOCKFILES = {
    "npm": ("package-lock.json", NPM),
    "pnpm": ("pnpm-lock.yaml", PNPM),
    "yarn 1": ("yarn.lock", YARN_1),
    "yarn berry": ("yarn.lock", YARN_BERRY),
    "bun": ("bun.lock", BUN),
}


def changed(kind: str, before: str, after: str) -> set[str]:
    """Return the packages whose digest changes with a text of the lockfile."""
    name, text = LOCKFILES[kind]
    assert before in text
    old = digests(text.encode(), name, DEPENDENCIES, DEPENDENCIES)
    new = digests(text.replace(before, after).encode(), name, DEPENDENCIES, DEPENDENCIES)
    return {folder for folder in DEPENDENCIES if old[folder] != new[folder]}


@pytest.mark.parametrize("kind", LOCKFILES)
def test_only_packages_that_use_a_dependency_change_with_it(kind: str) -> None:
    assert changed(kind, "DEEP", "DEEPER") == {"p/web"}
    assert changed(kind, "LEFT", "LEFTER") == {"p/web"}
    assert changed(kind, "RIGHT", "RIGHTER") == {"p/api"}


def test_an_outer_version_that_is_hidden_by_an_inner_one_does_not_count() -> None:
    assert changed("npm", "OUTER", "OTHER") == set()


@pytest.mark.parametrize("kind", LOCKFILES)
def test_the_order_of_entries_does_not_count_but_a_broken_lockfile_does(kind: str) -> None:
    name, text = LOCKFILES[kind]
    broken = digests(b"\xff" + text.encode(), name, DEPENDENCIES, DEPENDENCIES)
    assert len(set(broken.values())) == 1, "the whole content stands for all packages"
    assert broken != digests(b"\xff" + text.encode() + b" ", name, DEPENDENCIES, DEPENDENCIES)
