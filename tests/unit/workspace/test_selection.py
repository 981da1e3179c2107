"""The filter grammar: single cases compared with Bun, and properties compared with a simple model."""

from __future__ import annotations

import time

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from trees import Write

from rt_supervisor import graph
from rt_supervisor._native import Manifest, match_glob
from rt_supervisor.vocabulary.errors import Failed
from rt_supervisor.workspace.finding import Workspace
from rt_supervisor.workspace.selection import Pattern, Selection, parse_pattern, select


def workspace(packages: dict[str, tuple[str | None, tuple[str, ...]]]) -> Workspace:
    manifests = tuple(
        Manifest(f"/w/{folder}/package.json", (name, None, None, [], [], dependencies, [], None))
        for folder, (name, dependencies) in packages.items()
    )
    return Workspace("/w", manifests, (), True, (), 0)


SHOP = workspace(
    {
        "apps/web": ("web", ("api", "ui")),
        "apps/docs": ("docs", ()),
        "libs/api": ("api", ("core",)),
        "libs/ui": ("ui", ("core",)),
        "libs/core": ("core", ()),
        "libs/deep/one": ("@s/one", ()),
        "libs/deep/one/two": ("@s/two", ()),
        "libs/sp ace": ("sp ace", ()),
        "libs/[x] {y}": ("odd", ()),
        "tools/nameless": (None, ()),
    }
)
NAMED = {package.name for package in SHOP.packages if package.name}


def chosen(*patterns: str, cwd: str = "/w", within: Workspace = SHOP) -> Selection:
    return select(within, graph.find_edges(within.packages), patterns=patterns, cwd=cwd)


def names(*patterns: str, cwd: str = "/w") -> str:
    return " ".join(sorted(SHOP.packages[place].name or "-" for place in chosen(*patterns, cwd=cwd).packages))


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("web", "web"),
        ("we", ""),
        ("WEB", ""),
        (" web", ""),
        ("*e", "core sp ace"),
        ("@*", ""),
        ("@s/*", "@s/one @s/two"),
        ("@s*/*", "@s/one @s/two"),
        ("*/*", "@s/one @s/two"),
        ("@{s,t}/*", "@s/one @s/two"),
        ("?s/one", "@s/one"),
        ("one", ""),
        ("**/two", "@s/two"),
        ("**/ui", "ui"),
        ("***", "api core docs odd sp ace ui web"),
        ("[wd]*", "docs web"),
        ("[^w]*", "api core docs odd sp ace ui"),
        ("[!w]*", "api core docs odd sp ace ui"),
        ("[a-d]*", "api core docs"),
        ("w{eb,oo}", "web"),
        ("w\\eb", "web"),
        ("\\*", ""),
        ("we[b", ""),
        ("we{b", ""),
        ("", ""),
        ("libs/ui", ""),
        ("web...", "api core ui web"),
        ("web^...", "api core ui"),
        ("...core", "api core ui web"),
        ("...^core", "api ui web"),
        ("...ui...", "core ui web"),
        ("...^ui^...", "core web"),
        ("./apps/web...", "api core ui web"),
        ("..../libs/core", "api core ui web"),
        ("...^./libs/core", "api ui web"),
        (".../libs/core", ""),
        ("{libs}", "@s/one @s/two api core odd sp ace ui"),
        ("{libs/}", "@s/one @s/two api core odd sp ace ui"),
        ("{./libs/deep}", "@s/one @s/two"),
        ("{l*}", "@s/one @s/two api core odd sp ace ui"),
        ("{lib?/deep}", "@s/one @s/two"),
        ("{libs/u}", ""),
        ("{nope}", ""),
        ("{libs/deep,apps}", ""),
        ("{apps}...", "api core docs ui web"),
        ("...{libs/core}", "api core ui web"),
        ("...^{libs}", "web"),
        ("{libs}^...", ""),
        ("{/w/libs/deep}", "@s/one @s/two"),
        ("./libs/*", "api core odd sp ace ui"),
        ("./libs/**", "@s/one @s/two api core odd sp ace ui"),
        ("./libs/ui/**", ""),
        ("./libs/*/*", "@s/one"),
        ("./libs/deep/one/", "@s/one"),
        ("./libs/{ui,api}", "api ui"),
        ("./{apps,libs}/[uw]*", "ui web"),
        ("./libs/../apps/web", "web"),
        ("./apps//web", "web"),
        ("./**/two", "@s/two"),
        ("./libs/sp ace", "sp ace"),
        (".", ""),
        ("..web", ""),
        ("!{libs}", "docs web"),
        ("!web...", "@s/one @s/two docs odd sp ace"),
        ("!!web", "web"),
        ("!@s/*", "api core docs odd sp ace ui web"),
        ("web......", ""),
        ("...^^web", ""),
        ("web^", ""),
        ("web{apps}", ""),
        ("./tools/nameless", "-"),
        ("{tools}", "-"),
    ],
)
def test_pattern(pattern: str, expected: str) -> None:
    assert names(pattern) == expected


@pytest.mark.parametrize(
    ("pattern", "cwd", "expected"),
    [
        (".", "/w/libs/ui", "ui"),
        ("./", "/w/libs/ui", "ui"),
        ("....", "/w/libs/ui", "ui web"),
        ("..", "/w/libs/ui/src", "ui"),
        ("..", "/w/libs/ui", ""),
        ("{.}", "/w/libs/deep", "@s/one @s/two"),
        ("{..}", "/w/libs/deep", "@s/one @s/two api core odd sp ace ui"),
        ("../ui", "/w/libs/deep", "ui"),
        ("./*", "/w/libs/deep", "@s/one"),
        ("{one}", "/w/libs/deep", "@s/one @s/two"),
        ("../../apps/*...", "/w/libs/deep", "api core docs ui web"),
        (".", "/w/libs/[x] {y}", "odd"),
        ("{.}...", "/w/libs/[x] {y}", "odd"),
    ],
)
def test_paths_are_seen_from_where_the_user_is(pattern: str, cwd: str, expected: str) -> None:
    assert names(pattern, cwd=cwd) == expected


def test_everything_means_everything_with_a_name() -> None:
    for patterns in (["*"], ["**"], ["{}", "!{tools}"], ["!zzz"], ["!"]):
        assert {SHOP.packages[place].name for place in chosen(*patterns).packages} == NAMED


def test_union_of_includes_less_excludes_whatever_their_order() -> None:
    assert names("foo", "docs", "w*") == "docs web"
    assert names("!web", "{apps}") == names("{apps}", "!web", "docs") == "docs"
    assert names("web", "!web") == ""


def test_including_patterns_that_match_nothing_are_reported() -> None:
    assert chosen("zzz", "web", "!qq", "zzz", "").unmatched == ("zzz", "zzz", "")


def test_reasons_name_the_first_pattern() -> None:
    selection = chosen("docs", "{apps}", "!zzz")
    assert [selection.reasons[place].text for place in selection.packages] == ["{apps}", "docs"]  # type: ignore[union-attr]
    assert set(chosen("!web").reasons.values()) == {None}


@pytest.mark.parametrize("text", ["...", "^...", "...^", "!...", "!^..."])
def test_dots_need_a_name(text: str) -> None:
    with pytest.raises(Failed, match="is missing a workspace name or path") as caught:
        parse_pattern(text)
    assert caught.value.failure.reason == "filter-without-name"
    assert f'--filter "{text}"' in caught.value.failure.message


def test_a_shared_name_selects_all_that_have_it() -> None:
    twins = workspace({"a": ("same", ()), "b": ("same", ()), "c": ("c", ("same",))})
    assert chosen("same", within=twins).packages == (0, 1)
    assert chosen("c^...", within=twins).packages == (0, 1)


def test_a_cycle_is_included_once() -> None:
    ring = workspace({"a": ("a", ("b",)), "b": ("b", ("c",)), "c": ("c", ("a",)), "d": ("d", ())})
    assert chosen("a...", within=ring).packages == (0, 1, 2)
    assert chosen("...^a", within=ring).packages == (1, 2)


HOSTILE = [
    "*a" * 400 + "b",
    "**/" * 300 + "b",
    "{a,b}" * 190,
    "{a,{b," * 150 + "c" + "}}" * 150,
    "{" * 900,
    "[" * 900,
    "[a-" * 300 + "]",
    "?" * 1000,
    "(a+)+" * 150,
    "{*,*}" * 100 + "x",
    "*" * 100_000,
    "\\" * 999,
]


@pytest.mark.parametrize("pattern", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_patterns_are_answered_at_once(pattern: str) -> None:
    texts = ["a" * 60 + str(number) for number in range(50)] + ["a/" * 60]
    began = time.process_time()
    match_glob(pattern, texts)
    parse_pattern(pattern)
    assert time.process_time() - began < 1


def test_patterns_match_their_own_text() -> None:
    for text in ("we[b", "x{y", "a,b", "(par)", "a+b", "日本", "a\\", "[]", "{"):
        assert match_glob(text, ["other", text]) == [1], text


def test_characters_not_bytes_are_counted() -> None:
    assert match_glob("?nit", ["ünit", "unit", "nit"]) == [0, 1]
    assert match_glob("[a-ü]nit", ["ünit"]) == [0]
    assert match_glob("??nit", ["ünit"]) == []
    assert match_glob("*", ["a\udcffb"]) == [0]


WORDS = st.sampled_from(["a", "b", "c", "ab", "@s/a", "@s/b"])


@settings(max_examples=300, deadline=None)
@given(
    packages=st.lists(st.tuples(WORDS, st.lists(WORDS, max_size=3)), min_size=1, max_size=8),
    marks=st.tuples(st.booleans(), st.booleans(), st.booleans(), st.booleans(), st.booleans()),
    name=WORDS,
)
def test_closures_agree_with_networkx(
    packages: list[tuple[str, list[str]]], marks: tuple[bool, bool, bool, bool, bool], name: str
) -> None:
    negated, before, before_only, after, after_only = marks
    within = workspace({f"p{place}": (own, tuple(others)) for place, (own, others) in enumerate(packages)})
    edges = graph.find_edges(within.packages)
    whole = graph.as_networkx(within.packages, edges)
    start = {place for place, (own, _) in enumerate(packages) if own == name}
    expected = set(start)
    for place in start:
        expected |= networkx.ancestors(whole, place) if before else set()
        expected |= networkx.descendants(whole, place) if after else set()
    if (before and before_only) or (after and after_only):
        expected -= start
    everything = set(range(len(packages)))
    text = "!" * negated + ("..." + "^" * before_only) * before + name + ("^" * after_only + "...") * after
    assert set(chosen(text, within=within).packages) == (everything - expected if negated else expected)


@settings(max_examples=500, deadline=None)
@given(text=st.text(st.sampled_from("ab.^!{}[]*?\\/@,-s ") | st.characters(codec="utf-8"), max_size=25))
def test_any_text_is_a_pattern_or_a_failure(text: str) -> None:
    try:
        assert isinstance(parse_pattern(text), Pattern)
        chosen(text)
    except Failed:
        return  # the pattern is invalid, or refers to a commit outside a git repository


def test_names_and_folders_come_from_real_files(tree: Write) -> None:
    from rt_supervisor.workspace.finding import find_workspace

    root = tree({"package.json": {"workspaces": ["my ünit"]}, "my ünit/package.json": {"name": "unit"}})
    found = find_workspace(str(root))
    assert select(found, ((),), patterns=("./my ünit",), cwd=str(root)).packages == (0,)
