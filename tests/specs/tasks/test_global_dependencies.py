"""`globalDependencies`: files that every task depends on, also those that are added later."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rig import Box

TOML = '[tasks.build]\ndependsOn = ["^build"]\noutputs = ["dist/**"]\n'
CORE = "mkdir -p dist && cp a.txt dist/out"
FILES: dict[str, Any] = {
    ".gitignore": "dist\n",
    "package.json": {"name": "root", "workspaces": ["p/*"]},
    "p/core/package.json": {"name": "core", "scripts": {"build": CORE}},
    "p/core/a.txt": "core",
    "p/web/package.json": {
        "name": "web",
        "scripts": {"build": "mkdir -p dist && cp ../core/dist/out dist"},
        "dependencies": {"core": "*"},
    },
}


def run(box: Box) -> tuple[list[str], bytes]:
    """Run all builds. Return the packages whose results came from the cache, and what was printed as errors."""
    result = box.run("run", "--tasks", "build")
    assert result.returncode == 0, result
    lines = result.stdout.decode().splitlines()
    return sorted(line.split()[0] for line in lines if ": cached, saved " in line), result.stderr


def test_every_global_dependency_counts_in_any_order(box: Box) -> None:
    """Sets of strings have another order in each process."""
    names = [f"shared/{number}" for number in range(20)]
    box.write(FILES | dict.fromkeys(names, "1") | {"rtfig.toml": 'globalDependencies = ["shared/*"]\n\n' + TOML})
    run(box)
    assert run(box)[0] == ["core", "web"]
    for name in (names[0], names[-1]):
        box.write({name: "2"})
        assert run(box)[0] == []


def test_files_that_are_added_to_global_dependencies(box: Box) -> None:
    toml = 'globalDependencies = [".env", "shared/**/*.json"]\n\n' + TOML
    late = "test -e ../../shared/late.json || echo 1 > ../../shared/late.json; "
    manifest = {"name": "core", "scripts": {"build": late + CORE}}
    box.write(FILES | {"shared/deep/a.json": "1", ".gitignore": "dist\n.env\n", "rtfig.toml": toml})
    box.in_bash("git init -q .")
    run(box)
    box.write({"shared/deep/a.txt": "matches nothing"})
    assert run(box)[0] == ["core", "web"]
    for name in ("shared/deep/b.json", "shared/new/c.json", ".env"):  # git ignores .env
        box.write({name: "1"})
        assert run(box)[0] == [], name
    box.write({"p/core/package.json": manifest})  # now a file is added while the tasks run
    problem = b"core#build: its result is not stored: shared/late.json was added during the run"
    assert problem in run(box)[1]
    assert run(box)[0] == []
    assert run(box)[0] == ["core", "web"]
    (box.folder / "shared/late.json").unlink()
    assert run(box)[0] == []  # of the run before, which saw the file appear, nothing is restored
