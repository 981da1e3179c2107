"""Packages that changed since a commit: filters, --affected and `rt affected` in real repositories."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from rig import Box

SCRIPT = {"show": "true"}
# web -> ui -> core; api stands alone.
FILES: dict[str, Any] = {
    ".gitignore": "dist\n",
    "package.json": {"name": "root", "workspaces": ["p/*"]},
    "package-lock.json": {
        "lockfileVersion": 3,
        "packages": {"": {}, "node_modules/left": {"version": "1.0.0"}, "node_modules/right": {"version": "1.0.0"}},
    },
    "p/api/package.json": {"name": "api", "scripts": SCRIPT, "dependencies": {"right": "1"}},
    "p/core/package.json": {"name": "core", "scripts": SCRIPT, "dependencies": {"left": "1"}},
    "p/core/a.txt": "a long enough line to be recognised as the same file\n",
    "p/ui/package.json": {"name": "ui", "scripts": SCRIPT, "dependencies": {"core": "*"}},
    "p/web/package.json": {"name": "web", "scripts": SCRIPT, "dependencies": {"ui": "*"}},
    "rtfig.toml": 'globalDependencies = ["shared/*"]\n\n[tasks.show]\n',
}
GIT = "git -c user.name=a -c user.email=a@b -c protocol.file.allow=always"


def repository(box: Box) -> None:
    box.write(FILES)
    shell(
        box, f"git init -q -b main . && git add -A && {GIT} commit -qm first && git tag first && git checkout -qb work"
    )


def shell(box: Box, text: str) -> None:
    result = box.in_bash(text)
    assert result.returncode == 0, result


def selected(box: Box, *words: str, cwd: Path | None = None, **environment: str) -> str:
    """Return the packages in which the script runs."""
    result = box.run(
        "run", *words, "--dry-run=json", "--no-tasks", "show", cwd=cwd or box.folder, environment=environment
    )
    assert result.returncode == 0, result
    return " ".join(sorted(task["package"] for task in json.loads(result.stdout)["tasks"]))


EDIT = "echo x >> p/core/a.txt"


@pytest.mark.parametrize(
    ("edit", "pattern", "expected"),
    [
        (EDIT, "[main]", "core"),
        (f"{EDIT}; git add -A", "[main]", "core"),
        (f"{EDIT}; {GIT} commit -qam x", "[main]", "core"),
        (f"{EDIT}; {GIT} commit -qam x; git checkout -q --detach", "[main]", "core"),
        (EDIT, "...[main]", "core ui web"),
        (EDIT, "...^[main]", "ui web"),
        ("echo > p/web/new.txt", "[main]", "web"),
        ("echo > p/web/new.txt", "[main]...", "core ui web"),
        ("mkdir p/web/dist; echo > p/web/dist/new.txt", "[main]", ""),
        ("git rm -q p/core/a.txt", "[first]", "core"),
        (f"git mv p/core/a.txt p/api/a.txt; {GIT} commit -qm x", "[first]", "api core"),
        (f"{EDIT}; echo > p/api/x", "{{p/api}}[main]", "api"),
        (f"{EDIT}; echo > p/api/x", "c*[main]", "core"),
        (EDIT, "!...[main]", "api"),
        (f"{EDIT}; {GIT} commit -qam x; git tag second; echo > p/api/x; git add -A; {GIT} commit -qm y", "[first..second]", "core"),
        (f"{EDIT}; {GIT} commit -qam x; git tag second; echo > p/api/x", "[first...second]", "core"),
        (f"git checkout -q main; echo > p/api/x; git add -A; {GIT} commit -qm y; git checkout -q work; {EDIT}", "[main]", "core"),
        ("echo > note", "[main]", ""),
        ("echo >> package.json", "[main]", "api core ui web"),
        ("echo '#' >> rtfig.toml", "[main]", "api core ui web"),
        ("sed -i 's|left\": {\"version\": \"1.0.0|left\": {\"version\": \"1.0.1|' package-lock.json", "[main]", "core"),
        ("echo >> package-lock.json", "[main]", ""),
        ("echo broken > package-lock.json", "[main]", "api core ui web"),
        ("true", "[main]", ""),
    ],
)  # fmt: skip
def test_what_a_change_selects(box: Box, edit: str, pattern: str, expected: str) -> None:
    repository(box)
    shell(box, edit)
    assert selected(box, "--filter", pattern.replace("{{", "{").replace("}}", "}")) == expected


def test_nothing_changed_is_not_a_failure(box: Box) -> None:
    repository(box)
    result = box.run("run", "--filter", "[main]", "show")
    assert (result.returncode, result.stderr) == (0, b'warn: no package changed: "[main]"\n')


def test_affected_compares_with_the_default_branch_or_that_of_the_ci(box: Box) -> None:
    repository(box)
    shell(box, f"echo > p/api/x; git add -A; {GIT} commit -qm x; git tag before; {EDIT}; {GIT} commit -qam y")
    assert selected(box, "--affected") == "api core ui web"
    assert selected(box, "--affected", "--filter", "u*") == "ui"
    assert selected(box, "--affected", RT_AFFECTED_BASE="before") == "core ui web"
    sha = box.in_bash("git rev-parse before").stdout.decode().strip()
    assert selected(box, "--affected", CI_COMMIT_BEFORE_SHA=sha) == "core ui web"
    assert selected(box, "--affected", CI_COMMIT_BEFORE_SHA="0" * 40) == "api core ui web"
    assert selected(box, "--affected", CI_MERGE_REQUEST_DIFF_BASE_SHA=sha) == "core ui web"
    event = box.folder.parent / "event.json"
    event.write_text(json.dumps({"before": sha}))
    push = {"GITHUB_EVENT_NAME": "push", "GITHUB_EVENT_PATH": str(event)}
    assert selected(box, "--affected", cwd=None, **push) == "core ui web"
    shell(box, "git update-ref refs/remotes/origin/release before")
    assert selected(box, "--affected", GITHUB_BASE_REF="release") == "core ui web"


def test_a_shallow_clone_says_what_to_fetch(box: Box, tmp_path: Path) -> None:
    repository(box)
    shell(box, f"{EDIT}; {GIT} commit -qam x; git clone -q --depth 1 file://$PWD {tmp_path}/clone")
    result = box.run("run", "--filter", "[HEAD~1]", "show", cwd=tmp_path / "clone")
    assert result.returncode == 1
    assert b'error: the commit "HEAD~1" is not here, because the clone is shallow' in result.stderr
    assert b"fetch-depth: 0" in result.stderr
    shell(box, f"git clone -q --depth 1 --no-single-branch file://$PWD {tmp_path}/branches")
    result = box.run("run", "--filter", "[main]", "show", cwd=tmp_path / "clone")
    assert b'error: the commit "main" is not here, because the clone is shallow' in result.stderr
    result = box.run("run", "--filter", "[origin/main]", "show", cwd=tmp_path / "branches")
    assert b'error: the common ancestor of "origin/main" and HEAD is not here' in result.stderr


def test_commits_that_do_not_exist(box: Box) -> None:
    repository(box)
    result = box.run("run", "--filter", "[origin/nope]", "show")
    assert result.stderr == b'error: "origin/nope" is not a commit, branch or tag of this repository\n'
    for pattern in ("[nope]", "...[nope]", "[nope]...", "!...[nope]"):  # a character class that matches nothing
        result = box.run("run", "--filter", pattern, "show")
        assert result.stderr == b'error: "nope" is not a commit, branch or tag of this repository\n'
    for pattern in ("[n]", "core[nope]"):
        result = box.run("run", "--filter", pattern, "show")
        assert f'error: No workspace packages matched the filter "{pattern}"\n'.encode() in result.stderr
    shell(box, "rm -r .git/objects; mkdir .git/objects")
    assert box.run("affected", "main").returncode == 1


def test_worktrees_and_submodules(box: Box, tmp_path: Path) -> None:
    repository(box)
    shell(box, f"git worktree add -q {tmp_path}/tree -b other; echo > {tmp_path}/tree/p/api/x")
    assert selected(box, "--filter", "[main]", cwd=tmp_path / "tree") == "api"
    assert selected(box, "--filter", "[main]") == ""
    shell(
        box,
        f'mkdir {tmp_path}/sub && cd {tmp_path}/sub && git init -q . && echo \'{{"name": "sub", "scripts": {{"show": "x"}}}}\' > package.json '
        f"&& git add -A && {GIT} commit -qm x && cd - && {GIT} submodule --quiet add {tmp_path}/sub p/sub && {GIT} commit -qm sub "
        f"&& git branch -f main HEAD",
    )
    assert selected(box, "--filter", "[main]") == ""
    shell(box, "echo > p/sub/new.txt")
    assert selected(box, "--filter", "[main]") == "sub"


def test_the_listing_gives_reasons(box: Box) -> None:
    repository(box)
    shell(box, f"{EDIT}; echo > note")
    assert box.run("affected").stdout.decode().splitlines() == [
        "Affected since main: 3 of 4 packages",
        "  core: changed: p/core/a.txt (tasks: show)",
        "  ui: depends on core (tasks: show)",
        "  web: depends on ui (tasks: show)",
        "  the root: changed: note",
    ]
    document = json.loads(box.run("affected", "--json", "first").stdout)
    assert document["base"] == "first"
    assert [(each["package"], each["reason"], each["tasks"]) for each in document["packages"]][:2] == [
        ("core", "changed: p/core/a.txt", [{"task": "show", "isAffected": True, "reason": "changed: p/core/a.txt"}]),
        ("ui", "depends on core", [{"task": "show", "isAffected": True, "reason": "depends on core"}]),
    ]
    box.write({"shared/x": ""})
    assert b"  api: shared/x changed (tasks: show)\n" in box.run("affected").stdout


def test_affected_tasks(box: Box) -> None:
    repository(box)
    shell(box, EDIT)
    result = box.run("run", "--tasks", "--affected", "show")
    assert sorted(line.split()[0] for line in result.stdout.splitlines()) == [b"core", b"ui", b"web"]
    shell(box, "git checkout -q .")
    result = box.run("run", "--tasks", "--affected", "show")
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b'warn: no package changed: "...[main]"\n')


def test_a_task_that_did_not_read_what_changed_is_not_affected(box: Box, tmp_path: Path) -> None:
    build = "cat src/* > out; cat ../sub/lib.txt >> out 2>/dev/null; true"
    library = f"{tmp_path}/library"
    box.write(
        FILES
        | {
            ".gitignore": "out\n",
            "rtfig.toml": '[tasks.build]\ndependsOn = ["^build"]\n\n[tasks.check]\n',
            "p/core/package.json": {"name": "core", "scripts": {"build": build, "check": "cat *.md"}},
            "p/core/src/a.txt": "a",
            "p/core/notes.md": "notes",
            "p/ui/package.json": {
                "name": "ui",
                "scripts": {"build": "cat ../core/out > out"},
                "dependencies": {"core": "*"},
            },
        }
    )
    shell(
        box,
        f"mkdir {library} && cd {library} && git init -q . && echo lib > lib.txt && echo > other.txt && git add -A "
        f"&& {GIT} commit -qm x && cd - && git init -q -b main . && {GIT} submodule --quiet add {library} p/sub "
        f"&& git add -A && {GIT} commit -qm first && git checkout -qb work",
    )
    result = box.run("run", "--tasks", "build", "check")
    assert result.returncode == 0, result

    def decisions() -> dict[str, tuple[bool, str]]:
        document = json.loads(box.run("affected", "--json").stdout)
        return {
            f"{each['package']}#{task['task']}": (task["isAffected"], task["reason"])
            for each in document["packages"]
            for task in each["tasks"]
        }

    unread = (False, "its last run has read none of the changed files")
    box.write({"p/core/notes.md": "other notes", "p/core/new.txt": "matches no pattern"})
    # What `check` would read now is not known.
    assert decisions() == {
        "core#build": unread,
        "core#check": (True, "changed: p/core/new.txt, p/core/notes.md"),
        "ui#build": unread,
    }
    assert box.run("run", "--tasks", "check").returncode == 0
    assert decisions()["core#check"] == (True, "reads p/core/new.txt")  # its glob lists the folder of the added file
    (box.folder / "p/core/new.txt").unlink()
    assert box.run("run", "--tasks", "check").returncode == 0
    assert decisions()["core#check"] == (True, "reads p/core/notes.md")
    assert "  core: changed: p/core/notes.md (tasks: check; not affected: build)" in box.run("affected").stdout.decode()
    result = box.run("run", "--tasks", "--affected", "build", "check", "--dry-run=json")
    assert [task["label"] for task in json.loads(result.stdout)["tasks"]] == ["core check"]
    result = box.run("run", "--tasks", "--affected", "build")
    assert (result.returncode, result.stdout) == (0, b"")
    assert result.stderr == b"warn: no task is affected: the last runs have read none of the changed files\n"

    box.write({"p/core/src/b.txt": "added to a folder that the build lists"})
    assert box.run("run", "--tasks", "build").returncode == 0
    assert decisions()["core#build"] == (True, "reads p/core/src/b.txt")
    assert decisions()["ui#build"] == (True, "depends on core#build")
    (box.folder / "p/core/src/b.txt").unlink()
    assert box.run("run", "--tasks", "build").returncode == 0

    box.write({"p/core/src/a.txt": "changed, and not run since"})  # what was observed does not hold any more
    assert decisions()["core#build"][0]
    shell(
        box,
        f"git checkout -q p/core/src p/core/notes.md; echo more >> p/sub/other.txt; cd p/sub && {GIT} commit -qam y",
    )
    assert decisions() == {}  # the submodule does not belong to a package
    shell(box, "echo x >> p/core/notes.md")
    assert decisions()["core#build"] == (True, "reads p/sub")
