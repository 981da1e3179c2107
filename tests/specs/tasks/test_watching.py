"""`rt run --watch --tasks`: a change runs the tasks again that read the file, then what depends on them, if that makes a difference."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
from rig import Box, wait_until
from watching import Watching, save

# The first line of the source, so that the second one can change without another output.
BUILD = "mkdir -p dist && head -n 1 src/a.txt > dist/out.txt && cat {needs} dist/out.txt && echo {name} built"
SERVE = "echo \"serving $$\"; touch up; trap 'echo closed; exit 0' TERM; while :; do sleep 0.05; done"
TOML = """[tasks.build]
dependsOn = ["^build"]
outputs = ["dist/**"]

[tasks.dev]
dependsOn = ["build"]
persistent = true
{dev}
"""


def package(name: str, needs: tuple[str, ...] = (), **scripts: str) -> dict[str, Any]:
    build = BUILD.format(name=name, needs=" ".join(f"../{other}/dist/out.txt" for other in needs))
    return {
        f"packages/{name}/package.json": {
            "name": name,
            "scripts": {"build": build, **scripts},
            "dependencies": dict.fromkeys(needs, "workspace:*"),
        },
        f"packages/{name}/src/a.txt": f"{name} one\n",
    }


@pytest.fixture
def workspace(box: Box) -> Box:
    """Packages a <- b <- c, and d by itself, in a git repository that ignores `dist`."""
    box.write({"package.json": {"name": "root", "workspaces": ["packages/*"]}, ".gitignore": "dist\nup\n"})
    box.write({"rtfig.toml": TOML.format(dev="")})
    for name, needs in {"a": (), "b": ("a",), "c": ("b",), "d": ()}.items():
        box.write(package(name, needs, dev=SERVE))
    subprocess.run(["git", "init", "-q"], cwd=box.folder, check=True)
    return box


def start(box: Box, *arguments: str) -> Watching:
    return Watching(box, "run", "--watch", "--tasks", *arguments)


def test_the_touched_task_and_its_dependents_in_order(workspace: Box) -> None:
    watching = start(workspace, "build")
    watching.read_until("c build: c built\n")
    watching.read_until("c build: Exited with code 0\n")
    save(workspace, "packages/b/src/a.txt", "b two\n")
    watching.read_until("rt: packages/b/src/a.txt changed\n")
    said = watching.read_until("c build: Exited with code 0\n")
    assert "a build" not in said and "d build" not in said
    assert said.index("b build: b two") < said.index("b build: Exited with code 0") < said.index("c build: b two")
    assert watching.end() == -signal.SIGTERM
    workspace.await_nothing_left()


def test_a_dependency_that_writes_the_same_bytes_stops_the_change(workspace: Box) -> None:
    watching = start(workspace, "build")
    watching.read_until("c build: Exited with code 0\n")
    save(workspace, "packages/a/src/a.txt", "a one\nanother line\n")
    watching.read_until("a build: Exited with code 0\n")
    save(workspace, "packages/c/src/a.txt", "c two\n")
    said = watching.read_until("c build: c two\n")
    assert "b build" not in said
    watching.end()


def test_a_result_that_is_known_is_restored(workspace: Box) -> None:
    watching = start(workspace, "build")
    watching.read_until("c build: Exited with code 0\n")
    save(workspace, "packages/b/src/a.txt", "b two\n")
    watching.read_until("c build: Exited with code 0\n")
    save(workspace, "packages/b/src/a.txt", "b one\n")
    assert "b build: cached" in watching.read_until("c build: cached")
    assert (workspace.folder / "packages/b/dist/out.txt").read_text() == "b one\n"
    watching.end()


def test_only_inputs_count(workspace: Box) -> None:
    toml = TOML.format(dev="").replace('outputs = ["dist/**"]', 'outputs = ["dist/**"]\ninputs = ["src/**"]')
    workspace.write({"rtfig.toml": toml})
    watching = start(workspace, "build")
    watching.read_until("c build: Exited with code 0\n")
    save(workspace, "packages/a/README.md", "no input\n")
    save(workspace, "packages/c/src/a.txt", "c two\n")
    said = watching.read_until("c build: c two\n")
    assert "a build" not in said and "b build" not in said
    save(workspace, "packages/a/src/new.txt", "a new input\n")
    assert "b build" not in watching.read_until("a build: Exited with code 0\n")
    (workspace.folder / "packages/a/src/new.txt").unlink()
    watching.read_until("a build: cached")
    watching.end()


@pytest.mark.parametrize("is_interruptible", [False, True])
def test_services_run_on_unless_they_are_interruptible(workspace: Box, is_interruptible: bool) -> None:
    workspace.write({"rtfig.toml": TOML.format(dev="interruptible = true" if is_interruptible else "")})
    watching = start(workspace, "c#dev", "d#dev")
    seen = watching.read_until("c dev: serving ")
    server = int(watching.read_until("\n"))
    if "d dev: serving " not in seen:
        watching.read_until("d dev: serving ")
    save(workspace, "packages/b/src/a.txt", "b two\n")
    watching.read_until("b build: b two\n")
    said = watching.read_until("c build: Exited with code 0\n")
    assert "closed" not in said  # a service runs on until its dependencies have succeeded
    if is_interruptible:
        said = watching.read_until("c dev: serving ")
        assert int(watching.read_until("\n")) != server
        assert "c dev: closed\n" in said and "d dev" not in said
    else:
        save(workspace, "packages/b/src/a.txt", "b three\n")
        assert "dev" not in watching.read_until("c build: Exited with code 0\n")
        os.kill(server, 0)
    assert watching.end(signal.SIGINT) == -signal.SIGINT
    workspace.await_nothing_left()


def test_the_first_dependents_wait_until_their_dependencies_have_ended(workspace: Box) -> None:
    """`turbo watch` started servers before the packages were built that they need."""
    watching = start(workspace, "c#dev")
    said = watching.read_until("c dev: serving ")
    order = [said.index(f"{name} build: Exited with code 0") for name in "abc"]
    assert order == sorted(order)
    watching.end()


def test_dependents_wait_until_an_interrupted_service_is_ready_again(box: Box) -> None:
    box.write(
        {
            "package.json": {"name": "app", "scripts": {"serve": SERVE, "test": "test -e up && cat test.txt"}},
            "server.txt": "one\n",
            "test.txt": "first\n",
            ".gitignore": "up\n",
            "rtfig.toml": '[tasks.serve]\npersistent = true\ninterruptible = true\ninputs = ["server.txt"]\n'
            'ready = { line = "serving" }\n[tasks.test]\ndependsOn = ["serve"]\ninputs = ["test.txt"]\n',
        }
    )
    watching = start(box, "test")
    watching.read_until("app test: Exited with code 0\n")
    save(box, "test.txt", "second\n")
    assert "serve" not in watching.read_until("app test: second\n")
    save(box, "server.txt", "two\n")
    said = watching.read_until("app test: second\n")
    assert said.index("app serve: closed\n") < said.index("app serve: serving ")
    watching.end()
    box.await_nothing_left()


@pytest.mark.parametrize("continues", ["dependencies-successful", "never"])
def test_a_failure_waits_for_the_next_change_and_leaves_services_running(workspace: Box, continues: str) -> None:
    manifest = json.loads((workspace.folder / "packages/b/package.json").read_text())
    manifest["scripts"]["build"] = manifest["scripts"]["build"].replace("head", "grep -qv broken src/a.txt && head")
    save(workspace, "packages/b/package.json", json.dumps(manifest))
    watching = start(workspace, f"--continue={continues}", "c#build", "d#dev")
    seen = watching.read_until("c build: Exited with code 0\n")
    if "d dev: serving " not in seen:
        watching.read_until("d dev: serving ")
    save(workspace, "packages/b/src/a.txt", "broken\n")
    watching.read_until("b build: Exited with code 1\n")
    watching.read_until("c build: Skipped\n")
    save(workspace, "packages/d/README.md", "another change does not run the failed task again\n")
    save(workspace, "packages/b/src/a.txt", "b two\n")
    said = watching.read_until("c build: Exited with code 0\n")
    assert said.count("b build: Exited") == 1
    assert "closed" not in said + watching.seen
    watching.end()
    workspace.await_nothing_left()


def test_a_change_during_a_task_runs_it_again(box: Box) -> None:
    build = "cat src.txt; touch started-$(cat src.txt); while [ ! -e go ]; do sleep 0.02; done; mkdir -p dist; cp src.txt dist"
    box.write(
        {
            "package.json": {"name": "app", "scripts": {"build": build}},
            "src.txt": "one\n",
            "rtfig.toml": '[tasks.build]\ninputs = ["src.txt"]\noutputs = ["dist/**"]\n',
        }
    )
    watching = start(box, "build")
    box.await_file("started-one")
    save(box, "src.txt", "two\n")
    assert watching.read_until(" changed\n").endswith("rt: src.txt")
    box.await_file("started-two")
    box.write({"go": ""})
    watching.read_until("app build: Exited with code 0\n")
    assert (box.folder / "dist/src.txt").read_text() == "two\n"
    save(box, "src.txt", "one\n")  # the interrupted run left no result of these inputs
    watching.read_until("app build: one\n")
    watching.read_until("app build: Exited with code 0\n")
    assert (box.folder / "dist/src.txt").read_text() == "one\n"
    watching.end()
    box.await_nothing_left()


def test_a_file_that_is_saved_while_the_first_task_starts_counts(box: Box) -> None:
    """The task saves its own input before rt follows files: rt has read the old content, and notices the new one."""
    box.write(
        {
            "package.json": {
                "name": "app",
                "scripts": {"build": "cat src.txt; test -e once || (touch once; echo two > src.txt)"},
            },
            "src.txt": "one\n",
            "rtfig.toml": '[tasks.build]\ninputs = ["src.txt"]\noutputs = []\n',
        }
    )
    watching = start(box, "build")
    watching.read_until("app build: one\n")
    watching.read_until("app build: two\n")
    watching.end()


@pytest.mark.parametrize("has_git", [False, True])
def test_its_own_outputs_never_trigger_a_task(box: Box, has_git: bool) -> None:
    """Nothing ignores `gen`; `build` reads all files of the package, and the second task those of the first."""
    box.write(
        {
            "package.json": {
                "name": "app",
                "scripts": {
                    "codegen": "mkdir -p gen; date +%N > gen/time.txt",
                    "build": "cat src.txt gen/time.txt; date +%N > undeclared.txt",
                },
            },
            "src.txt": "one\n",
            "rtfig.toml": '[tasks.codegen]\ninputs = ["schema.txt"]\noutputs = ["gen/**"]\n[tasks.build]\ndependsOn = ["codegen"]\n',
            "schema.txt": "one\n",
        }
    )
    if has_git:
        subprocess.run(["git", "init", "-q"], cwd=box.folder, check=True)
    watching = start(box, "build")
    watching.read_until("app build: Exited with code 0\n")
    save(box, "src.txt", "two\n")
    said = watching.read_until("app build: two\n")
    assert "app build" not in said and "codegen" not in said
    save(box, "schema.txt", "two\n")
    said = watching.read_until("app build: two\n")
    assert said.count("codegen: Exited with code 0") == 1
    watching.end()


def test_a_task_that_always_changes_its_own_input_does_not_run_for_ever(box: Box) -> None:
    box.write(
        {
            "package.json": {"name": "app", "scripts": {"format": "date +%s%N > src.txt"}},
            "src.txt": "one\n",
            "other.txt": "one\n",
            "rtfig.toml": "[tasks.format]\noutputs = []\n",
        }
    )
    watching = start(box, "format")
    watching.read_until("warning: app format changes its own input src.txt, which is ignored from now on; ")
    save(box, "other.txt", "two\n")
    watching.read_until("rt: other.txt changed\n")
    watching.read_until("app format: Exited with code 0\n")
    watching.end()


@pytest.mark.parametrize("name", ["rtfig.toml", "turbo.json"])
def test_a_change_of_the_definitions_makes_another_plan(workspace: Box, name: str) -> None:
    if name == "turbo.json":
        (workspace.folder / "rtfig.toml").unlink()
        tasks: dict[str, Any] = {"build": {"dependsOn": ["^build"], "outputs": ["dist/**"]}}
        workspace.write({"turbo.json": {"tasks": tasks}})
    watching = start(workspace, "c#build")
    watching.read_until("c build: Exited with code 0\n")
    if name == "turbo.json":
        save(workspace, name, "{ invalid")
        assert "turbo.json" in watching.read_until("\n")
        tasks["c#build"] = {"dependsOn": ["^build", "d#build"], "outputs": ["dist/**"]}
        save(workspace, name, json.dumps({"tasks": tasks}))
    else:
        save(workspace, name, "[tasks.build]\ndependsOns = []\n")
        assert 'did you mean "dependsOn"' in watching.read_until("\n")
        save(workspace, name, TOML.format(dev='[tasks."c#build"]\ndependsOn = ["^build", "d#build"]\n'))
    said = watching.read_until("c build: Exited with code 0\n")
    assert "a build: cached" in said
    assert said.index("d build: Exited with code 0") > 0
    watching.end()
    workspace.await_nothing_left()


def test_a_comment_in_the_definitions_runs_nothing_and_leaves_services_running(workspace: Box) -> None:
    watching = start(workspace, "c#dev")
    watching.read_until("c dev: serving ")
    save(workspace, "rtfig.toml", "# a comment\n" + TOML.format(dev=""))
    save(workspace, "packages/c/src/a.txt", "c two\n")
    said = watching.read_until("c build: c two\n")
    assert "closed" not in said and "b build" not in said
    watching.end()


def test_a_changed_script_runs_again(workspace: Box) -> None:
    watching = start(workspace, "c#build")
    watching.read_until("c build: Exited with code 0\n")
    path = workspace.folder / "packages/c/package.json"
    save(workspace, "packages/c/package.json", path.read_text().replace("c built", "c built differently"))
    said = watching.read_until("c build: c built differently\n")
    assert "b build: Exited" not in said
    watching.end()


def test_a_package_without_the_script_passes_its_files_on(workspace: Box) -> None:
    manifest = json.loads((workspace.folder / "packages/a/package.json").read_text())
    del manifest["scripts"]["build"]
    workspace.write({"packages/a/package.json": manifest, "packages/a/dist/out.txt": "a\n"})
    watching = start(workspace, "c#build")
    watching.read_until("c build: Exited with code 0\n")
    save(workspace, "packages/a/src/a.txt", "a two\n")
    watching.read_until("b build: Exited with code 0\n")
    watching.end()


def test_without_a_cache(workspace: Box) -> None:
    watching = start(workspace, "--no-cache", "build")
    watching.read_until("c build: Exited with code 0\n")
    save(workspace, "packages/b/src/a.txt", "b two\n")
    said = watching.read_until("c build: Exited with code 0\n")
    assert "a build" not in said
    save(workspace, "packages/b/src/a.txt", "b one\n")
    assert "cached" not in watching.read_until("c build: Exited with code 0\n")
    watching.end()


def test_a_workspace_in_a_folder_of_a_repository(box: Box) -> None:
    """`turbo watch` ran without an end if the root of the workspace was not that of the repository."""
    subprocess.run(["git", "init", "-q"], cwd=box.folder, check=True)
    files = {
        **package("a"),
        "package.json": {"name": "root", "workspaces": ["packages/*"]},
        "rtfig.toml": TOML.format(dev=""),
    }
    box.write({".gitignore": "dist\n"} | {f"front/{name}": content for name, content in files.items()})
    watching = Watching(box, "--cwd", "front", "run", "--watch", "--tasks", "build")
    watching.read_until("a build: Exited with code 0\n")
    save(box, "front/packages/a/src/a.txt", "a two\n")
    assert "Exited" not in watching.read_until("a build: a two\n")
    watching.read_until("a build: Exited with code 0\n")
    save(box, "front/packages/a/src/a.txt", "a three\n")
    assert "Exited" not in watching.read_until("a build: a three\n")
    watching.end()


def test_inputs_that_git_ignores_count_if_a_pattern_names_them(workspace: Box) -> None:
    workspace.write({".gitignore": "dist\nup\ndata\n", "packages/a/data/x.json": "1\n"})
    workspace.write({"rtfig.toml": TOML.format(dev='[tasks."a#build"]\ninputs = ["src/**", "data/**"]\n')})
    watching = start(workspace, "a#build")
    watching.read_until("a build: Exited with code 0\n")
    save(workspace, "packages/a/data/x.json", "2\n")
    watching.read_until("rt: packages/a/data/x.json changed\n")
    watching.read_until("a build: Exited with code 0\n")
    save(workspace, "packages/a/data/new.json", "3\n")
    watching.read_until("a build: Exited with code 0\n")
    watching.end()


def test_files_that_are_added_to_global_dependencies_run_everything_again(workspace: Box) -> None:
    toml = 'globalDependencies = [".env", "config/*.json"]\n\n' + TOML.format(dev="")
    workspace.write({"rtfig.toml": toml, ".gitignore": "dist\nup\n.env\n"})
    watching = start(workspace, "build")
    for name in ("config/a.json", ".env"):  # git ignores .env
        watching.read_until("c build: Exited with code 0\n")
        (workspace.folder / "config").mkdir(exist_ok=True)
        save(workspace, name, "{}")
        watching.read_until("a build: Exited with code 0\n")
    watching.read_until("c build: Exited with code 0\n")


def test_a_change_of_the_lockfile_runs_the_packages_again_that_it_concerns(workspace: Box) -> None:
    def lock(version: str) -> str:
        packages = {"": {}, "packages/a": {"dependencies": {"left": "*"}}, "node_modules/left": {"version": version}}
        return json.dumps({"lockfileVersion": 3, "packages": packages})

    manifest = json.loads((workspace.folder / "packages/a/package.json").read_text())
    workspace.write(
        {"packages/a/package.json": manifest | {"dependencies": {"left": "*"}}, "package-lock.json": lock("1.0.0")}
    )
    watching = start(workspace, "build")
    watching.read_until("c build: Exited with code 0\n")
    save(workspace, "package-lock.json", lock("1.0.1"))
    said = watching.read_until("a build: Exited with code 0\n")
    assert "b build" not in said and "d build" not in said
    watching.end()


def test_without_the_flag_if_rtfig_defines_the_task(workspace: Box) -> None:
    watching = Watching(workspace, "run", "--watch", "--filter", "c", "build")
    said = watching.read_until("c build: Exited with code 0\n")
    assert "a build: Exited with code 0" in said
    watching.end()


def test_ctrl_c_while_tasks_run_leaves_nothing(workspace: Box, tmp_path: Path) -> None:
    manifest = json.loads((workspace.folder / "packages/d/package.json").read_text())
    manifest["scripts"]["build"] = f"touch {tmp_path}/started; sleep 600"
    workspace.write({"packages/d/package.json": manifest})
    watching = start(workspace, "a#dev", "d#build")
    watching.read_until("a dev: serving ")
    wait_until(lambda: (tmp_path / "started").exists(), "the task runs")
    assert watching.end(signal.SIGINT) == -signal.SIGINT
    workspace.await_nothing_left()
