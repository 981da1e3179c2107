"""Which scripts run, in which order, and every error and warning."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from trees import Write

from rt_supervisor.plan.choosing import choose
from rt_supervisor.plan.model import MODE_FILTER, MODE_PARALLEL, MODE_SEQUENTIAL, RunPlan
from rt_supervisor.plan.one_package import choose_in_package
from rt_supervisor.plan.recipe import Choice, Request, assemble
from rt_supervisor.vocabulary.errors import Failed
from rt_supervisor.workspace.finding import find_workspace
from rt_supervisor.workspace.manifest import Manifest, read_manifest

THREE = {
    "package.json": {"name": "root", "scripts": {"build": "root"}, "workspaces": ["packages/*"]},
    "packages/foo/package.json": {"name": "foo", "scripts": {"build": "f", "test": "ft"}},
    "packages/bar/package.json": {"name": "bar", "scripts": {"build": "b", "test": "bt"}},
    "packages/zed/package.json": {"name": "@scope/long", "scripts": {"build": "z"}},
}


def ask(
    write: Write,
    files: Mapping[str, object],
    *patterns: str,
    script: str = "build",
    mode: str = MODE_FILTER,
    scripts: tuple[str, ...] = (),
    every: bool = False,
    if_present: bool = False,
    ordered: bool = False,
    explain: bool = False,
    strict_cycles: bool = False,
) -> Choice:
    root = str(write(dict(files)))
    request = Request(root, mode, scripts or (script,), patterns, every, if_present, ordered, explain, strict_cycles)
    return choose(find_workspace(root), request)


def refusal(write: Write, files: Mapping[str, object], *patterns: str, **options: object) -> str:
    with pytest.raises(Failed) as caught:
        ask(write, files, *patterns, **options)  # type: ignore[arg-type]
    assert caught.value.failure.status == 1
    return caught.value.failure.message


def labels(choice: Choice) -> list[str]:
    return [recipe.label for recipe in choice.recipes]


def test_listing_order_is_that_of_the_workspace_and_that_of_names_with_prefixes(tree: Write) -> None:
    files = {**THREE, "package.json": {"workspaces": ["packages/zed", "packages/*"]}}
    assert labels(ask(tree, files, "*")) == ["@scope/long build", "bar build", "foo build"]
    files = {**THREE, "package.json": {"workspaces": ["packages/foo", "packages/*"]}}
    assert labels(ask(tree, files, "*")) == ["foo build", "bar build", "@scope/long build"]
    assert labels(ask(tree, files, every=True, mode=MODE_SEQUENTIAL)) == ["@scope/long:build", "bar:build", "foo:build"]


def test_several_scripts_of_each_package(tree: Write) -> None:
    choice = ask(tree, THREE, "*", mode=MODE_PARALLEL, scripts=("test", "b*", "nope"))
    assert labels(choice) == ["@scope/long:build", "bar:test", "bar:build", "foo:test", "foo:build"]
    assert labels(ask(tree, THREE, "foo", mode=MODE_SEQUENTIAL, script="*")) == ["foo:build", "foo:test"]


def test_globs_are_for_prefixed_runs(tree: Write) -> None:
    assert refusal(tree, THREE, "*", script="b*") == 'Script "b*" not found in 3 packages matching "*"'


def test_hooks_and_empty_scripts(tree: Write) -> None:
    files = {
        "package.json": {"workspaces": ["*"]},
        "a/package.json": {
            "name": "a",
            "scripts": {"postbuild": "3", "build": "2", "prebuild": "1", "preprebuild": "0"},
        },
        "b/package.json": {"name": "b", "scripts": {"build": "", "prebuild": "1"}},
        "c/package.json": {"name": "c", "scripts": {"build": "2", "prebuild": "", "postbuild": ""}},
        "d/package.json": {"name": "d", "scripts": {"prebuild": "1"}},
    }
    choice = ask(tree, files, "*")
    assert [(recipe.package, recipe.steps, recipe.main) for recipe in choice.recipes] == [
        ("a", (("prebuild", "1"), ("build", "2"), ("postbuild", "3")), 1),
        ("c", (("build", "2"),), 0),
    ]
    assert refusal(tree, files, "b") == 'Script "build" not found in package "b"'


def test_rejected_arguments(tree: Write) -> None:
    assert refusal(tree, THREE, "zzz") == 'No workspace packages matched the filter "zzz"'
    assert refusal(tree, THREE, "") == 'No workspace packages matched the filter ""'
    assert refusal(tree, THREE, "foo", "!foo") == 'No workspace packages matched the filters "foo", "!foo"'
    assert refusal(tree, THREE, "foo", script="x") == 'Script "x" not found in package "foo"'
    assert refusal(tree, THREE, "ba*", "f*", script="x") == 'Script "x" not found in 2 packages matching "ba*", "f*"'
    several = refusal(tree, THREE, "foo", mode=MODE_PARALLEL, scripts=("x", "y*"))
    assert several == 'Script "x", "y*" not found in package "foo"'
    every = refusal(tree, THREE, every=True, mode=MODE_PARALLEL, script="y*")
    assert every == 'Script "y*" not found in 3 workspace packages'
    assert refusal(tree, THREE, "...") == '--filter "..." is missing a workspace name or path'


def test_every_package_must_have_the_script(tree: Write) -> None:
    message = refusal(tree, THREE, every=True, script="test")
    assert message.startswith("Missing 'test' script at '") and message.endswith("/tree/packages/zed'")
    for mode in (MODE_PARALLEL, MODE_SEQUENTIAL):
        prefixed = refusal(tree, THREE, every=True, mode=mode, script="test")
        assert prefixed == 'Missing "test" script in package "@scope/long"'
    assert labels(ask(tree, THREE, every=True, script="test", if_present=True)) == ["bar test", "foo test"]


def test_every_package_needs_a_workspace(tree: Write) -> None:
    assert refusal(tree, {"package.json": {"name": "solo"}}, every=True) == "No workspace packages found"
    assert refusal(tree, {"package.json": {"workspaces": []}}, every=True) == "No workspace packages found"
    assert refusal(tree, {"package.json": {"workspaces": []}}, "*") == 'No workspace packages matched the filter "*"'


def test_if_present_without_a_match_is_silent(tree: Write) -> None:
    assert ask(tree, THREE, "zzz", if_present=True) == Choice(())
    assert ask(tree, THREE, "foo", script="x", if_present=True) == Choice(())
    assert ask(tree, THREE, every=True, script="x", if_present=True) == Choice(())


def test_warnings(tree: Write) -> None:
    choice = ask(tree, {**THREE, "packages/bad/package.json": '{"a" 1}'}, "foo", "zzz", "yyy", "!qq")
    assert labels(choice) == ["foo build"]
    broken, unmatched = choice.warnings
    assert broken.endswith("/packages/bad/package.json:1:6: expected `:`; skipping this workspace package")
    assert unmatched == 'No workspace packages matched the filters "zzz", "yyy"'


def test_warnings_come_with_a_failure_too(tree: Write) -> None:
    with pytest.raises(Failed) as caught:
        ask(tree, THREE, "foo", "zzz", script="nope")
    assert caught.value.warnings == ('No workspace packages matched the filter "zzz"',)
    with pytest.raises(Failed) as caught:
        ask(tree, {**THREE, "packages/bad/package.json": '{"a" 1}'}, "bad", "zzz")
    assert [warning.rsplit("/", 1)[-1] for warning in caught.value.warnings] == [
        "package.json:1:6: expected `:`; skipping this workspace package"
    ]


def chain(*links: str, without: str = "") -> dict[str, object]:
    """Create packages from `a>b` (a depends on b); those in `without` lack the script."""
    needs: dict[str, dict[str, str]] = {}
    for link in links:
        one, _, other = link.partition(">")
        needs.setdefault(one, {})
        if other:
            needs.setdefault(other, {})
            needs[one][other] = "*"
    files: dict[str, object] = {"package.json": {"workspaces": ["*"]}}
    for name, dependencies in needs.items():
        scripts = {} if name in without else {"build": name}
        files[f"{name}/package.json"] = {"name": name, "scripts": scripts, "dependencies": dependencies}
    return files


def order(choice: Choice) -> dict[str, str]:
    return {one.package: "".join(choice.recipes[key].package for key in one.after) for one in choice.recipes}


def test_order_goes_through_packages_that_do_not_run(tree: Write) -> None:
    assert order(ask(tree, chain("a>b", "b>c", without="b"), "*")) == {"a": "c", "c": ""}
    assert order(ask(tree, chain("a>b", "b>c"), "a", "c")) == {"a": "c", "c": ""}
    assert order(ask(tree, chain("a>b", "b>c", "a>c"), "*")) == {"a": "b", "b": "c", "c": ""}


def test_prefixed_runs_are_ordered_only_on_request(tree: Write) -> None:
    files = chain("a>b", "b>c")
    assert order(ask(tree, files, "*", mode=MODE_PARALLEL)) == {"a": "", "b": "", "c": ""}
    assert order(ask(tree, files, "*", mode=MODE_PARALLEL, ordered=True)) == {"a": "b", "b": "c", "c": ""}


def test_with_several_scripts_a_package_waits_for_all_of_what_it_needs(tree: Write) -> None:
    files = {
        "package.json": {"workspaces": ["*"]},
        "a/package.json": {"name": "a", "scripts": {"x": "1", "y": "2"}, "dependencies": {"b": "*"}},
        "b/package.json": {"name": "b", "scripts": {"x": "1", "y": "2"}},
    }
    choice = ask(tree, files, "*", mode=MODE_PARALLEL, scripts=("x", "y"), ordered=True)
    assert [recipe.after for recipe in choice.recipes] == [(2, 3), (2, 3), (), ()]


def test_a_cycle_is_named_once_and_order_is_preserved_around_it(tree: Write) -> None:
    files = chain("a>b", "b>c", "c>a", "d>a", "c>e", "x>y", "y>x")
    choice = ask(tree, files, "*")
    reported = "Dependency cycles: a -> b -> c -> a, x -> y -> x; packages of a cycle do not wait for each other"
    assert choice.warnings == (reported,)
    assert order(choice) == {"a": "e", "b": "e", "c": "e", "d": "abc", "e": "", "x": "", "y": ""}


def test_a_cycle_is_reported_only_if_it_affects_the_order(tree: Write) -> None:
    files = chain("a>b", "b>a", "c>a", without="b")
    assert ask(tree, files, "*").warnings == ()
    assert order(ask(tree, files, "*")) == {"a": "", "c": "a"}
    assert ask(tree, chain("a>b", "b>a", "c"), "c").warnings == ()


def test_strict_cycles_fail(tree: Write) -> None:
    assert refusal(tree, chain("a>b", "b>a"), "*", strict_cycles=True) == "Dependency cycle: a -> b -> a"


def test_why(tree: Write) -> None:
    choice = ask(tree, chain("a>b", "b>c"), "a...", "c", "!zzz", explain=True)
    assert [recipe.why for recipe in choice.recipes] == [
        'in the graph of "a...", after b',
        'in the graph of "a...", after c',
        'in the graph of "a..."',
    ]
    assert [recipe.why for recipe in ask(tree, THREE, every=True, explain=True).recipes] == ["in the workspace"] * 3
    assert {recipe.why for recipe in ask(tree, THREE, "*").recipes} == {""}


def test_a_package_without_name_goes_by_its_folder(tree: Write) -> None:
    files = {**THREE, "packages/zed/package.json": {"scripts": {"build": "z"}}}
    assert labels(ask(tree, files, "{packages}")) == ["bar build", "foo build", "packages/zed build"]
    assert labels(ask(tree, files, "./packages/*", mode=MODE_PARALLEL)) == [
        "bar:build",
        "foo:build",
        "packages/zed:build",
    ]
    assert labels(ask(tree, files, every=True)) == ["bar build", "foo build"]


def solo(write: Write, *scripts: str) -> Choice:
    content = {"name": "q", "scripts": {"b:2": "2", "b:1": "1", "preb:1": "0", "b": "", "test": "t", "q:x:z": "q"}}
    root = write({"package.json": content})
    manifest = read_manifest(f"{root}/package.json")
    assert isinstance(manifest, Manifest)
    return choose_in_package(manifest, Request(f"{root}/sub", MODE_PARALLEL, scripts))


def test_scripts_of_one_package(tree: Write) -> None:
    choice = solo(tree, "test", "b:*", "test", "*")
    assert labels(choice) == ["test", "b:1", "b:2", "test", "b:1", "b:2", "preb:1", "q:x:z", "test"]
    assert choice.recipes[1].steps == (("preb:1", "0"), ("b:1", "1"))
    assert labels(solo(tree, "q*x*z", "*:x:*", "**z")) == ["q:x:z"] * 3
    for pattern in ("zzz:*", "q*x*x*z", "test*t", "*b"):
        with pytest.raises(Failed, match=r'^No scripts match pattern "') as caught:
            solo(tree, "test", pattern)
        assert caught.value.failure.reason == "no-scripts-match"


def test_words_that_are_no_scripts(tree: Write) -> None:
    words = solo(tree, "./prog.ts", "echo hi", "b", "t[e]st")
    assert [(word.label, word.steps, word.is_word) for word in words.recipes] == [
        (word, ((word, word),), True) for word in ("./prog.ts", "echo hi", "b", "t[e]st")
    ]
    assert all(word.folder.endswith("/sub") for word in words.recipes)
    outside = choose_in_package(None, Request("/tmp", MODE_SEQUENTIAL, ("ls",)))
    assert (outside.recipes[0].folder, outside.recipes[0].package, outside.recipes[0].manifest) == ("/tmp", "", None)


def test_assembling_adds_the_moment(tree: Write) -> None:
    choice = solo(tree, "b:1", "ls")
    plan = assemble(
        choice,
        mode=MODE_PARALLEL,
        concurrency=3,
        exit_on_error=True,
        make_environment=lambda manifest, name, command: ({"NAME": name, "COMMAND": command},) * 2,
        make_argv=lambda command: ("sh", "-c", command),
        make_word_argv=lambda word: ("word", word),
        arguments='"a b"',
    )
    assert isinstance(plan, RunPlan)
    assert (plan.mode, plan.concurrency, plan.exit_on_error, plan.warnings) == (MODE_PARALLEL, 3, True, ())
    script, word = plan.tasks
    assert [(step.name, step.command, step.argv, dict(step.environment)) for step in script.steps] == [
        ("preb:1", "0", ("sh", "-c", "0"), {"NAME": "preb:1", "COMMAND": "0"}),
        ("b:1", '1 "a b"', ("sh", "-c", '1 "a b"'), {"NAME": "b:1", "COMMAND": "1"}),
    ]
    assert (script.key, script.label, script.package, script.script) == (0, "b:1", "q", "b:1")
    assert (word.key, word.steps[0].argv) == (1, ("word", 'ls "a b"'))
