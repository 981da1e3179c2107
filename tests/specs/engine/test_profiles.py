"""Profiling flags: the profiles of a program and of each worker are written at the end; and warnings redirected to a
file.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from rig import Box

BUSY = "function busy(n) { return n < 2 ? n : busy(n - 1) + busy(n - 2); }\n"
THREAD = f"""
    import {{ Worker, isMainThread }} from 'node:worker_threads';
    {BUSY}
    busy(18);
    if (isMainThread) new Worker(new URL(import.meta.url));
"""


def profiles(folder: Path, ending: str) -> list[dict[str, Any]]:
    return [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob(f"*.{ending}"))]


def names(profile: dict[str, Any]) -> set[str]:
    """Return the functions in a profile of either kind: a list of nodes, or a tree under `head`."""
    todo = profile.get("nodes") or [profile["head"]]
    found = set()
    while todo:
        node = todo.pop()
        found.add(node["callFrame"]["functionName"])
        todo.extend(child for child in node.get("children", []) if isinstance(child, dict))
    return found


@pytest.mark.parametrize("end", ["", "process.exit(3)", "process.exitCode = 3", "throw new Error('x')"])
def test_a_cpu_profile_is_written_at_every_end(end: str, box: Box) -> None:
    box.write({"a.js": f"{BUSY}const until = Date.now() + 100; while (Date.now() < until) busy(15);\n{end}"})
    result = box.run("--cpu-prof", "--cpu-prof-interval=200", "a.js")
    assert result.returncode == (3 if "3" in end else 1 if end else 0)
    (profile,) = profiles(box.folder, "cpuprofile")
    assert "busy" in names(profile)
    (file,) = box.folder.glob("*.cpuprofile")
    assert file.name.startswith("CPU.")


def test_a_heap_profile_lists_who_allocates(box: Box) -> None:
    box.write(
        {
            "a.js": "const kept = []; function grow() { kept.push('x'.repeat(10) + kept.length, new Array(1000).fill(0)); }\nfor (let i = 0; i < 2000; i++) grow();"
        }
    )
    box.run(
        "--heap-prof",
        "--heap-prof-interval=128",
        "--heap-prof-dir=made/here",
        "--heap-prof-name=mine.heapprofile",
        "a.js",
    )
    (profile,) = profiles(box.folder / "made" / "here", "heapprofile")
    assert "grow" in names(profile)
    assert (box.folder / "made" / "here" / "mine.heapprofile").exists()


def test_each_worker_has_its_file_and_both_kinds_go_together(box: Box) -> None:
    box.write({"a.mjs": THREAD})
    box.run("--cpu-prof", "--heap-prof", "a.mjs")
    assert [len(profiles(box.folder, ending)) for ending in ("cpuprofile", "heapprofile")] == [2, 2]


def test_node_options_can_request_one_too(box: Box) -> None:
    box.write({"a.js": BUSY})
    box.run("a.js", env={"NODE_OPTIONS": "--cpu-prof --cpu-prof-dir=q"})
    # underscores in flag names count as dashes
    box.run("--cpu_prof", "--cpu_prof-dir=my_folder", "--cpu-prof_name=a_b", "a.js")
    assert json.loads((box.folder / "my_folder/a_b").read_text(encoding="utf-8"))["nodes"]
    assert len(profiles(box.folder / "q", "cpuprofile")) == 1


@pytest.mark.parametrize("flag", ["--cpu-prof-dir=x", "--cpu-prof-name=x", "--cpu-prof-interval=5", "--heap-prof-dir=x", "--heap-prof-name=x", "--heap-prof-interval=5"])  # fmt: skip
def test_flags_without_their_subject_are_an_error(flag: str, box: Box) -> None:
    box.write({"a.js": "console.log('ran')"})
    result = box.run(flag, "a.js")
    name = flag.partition("=")[0]
    assert (result.returncode, result.stdout) == (9, b"")
    assert result.stderr.decode() == f"error: {name} must be used with {name.rpartition('-')[0]}\n"


def test_warnings_are_added_to_a_file(box: Box) -> None:
    box.write({"a.js": "process.emitWarning('first', { code: 'W1' })"})
    for _ in range(2):
        assert box.run("--redirect-warnings=w.txt", "a.js").stderr == b""
    assert (box.folder / "w.txt").read_text(encoding="utf-8").count("[W1] Warning: first\n") == 2
    assert b"[W1] Warning: first" in box.run("--redirect-warnings=no/such/w.txt", "a.js").stderr  # printed instead
    box.run("a.js", env={"NODE_REDIRECT_WARNINGS": "v.txt"})
    assert (box.folder / "v.txt").exists()


@pytest.mark.parametrize("flag", ["--cpu-prof-interval=1000", "--heap-prof-interval=524288"])
def test_the_usual_interval_counts_as_not_given(flag: str, box: Box) -> None:
    box.write({"a.js": "console.log(1)"})
    assert box.run(flag, "a.js").stdout == b"1\n"
    assert not [*box.folder.glob("*profile")]


def test_a_cpu_profile_can_be_a_page(box: Box) -> None:
    box.write(
        {
            "a.ts": f"{BUSY}function work() {{ const until = Date.now() + 100; while (Date.now() < until) busy(15); }}\nwork();"
        }
    )
    assert box.run("--cpu-prof-md", "--cpu-prof-interval=200", "--cpu-prof-name=a.md", "a.ts").returncode == 0
    page = (box.folder / "a.md").read_text(encoding="utf-8")
    heads = [line for line in page.splitlines() if line.startswith(("# ", "## "))]
    titles = [
        "# CPU Profile",
        "## Hot Functions (Self Time)",
        "## Call Tree (Total Time)",
        "## Function Details",
        "## Files",
    ]
    assert heads == titles
    details = {part.partition("`")[0]: part for part in page.split("\n### `")[1:]}
    assert "**Called by:**\n- `work`" in details["work"] or "**Calls:**\n- `busy`" in details["work"]
    place = box.folder / "a.ts"
    assert details["busy"].startswith(f"busy`\n`{place}:1` | Self: ")
    rows = [line.split(" | ") for line in page.splitlines() if line.endswith(f"`{place}:1` |")]
    assert all(float(cell.strip("| %")) <= 100 for row in rows for cell in row if cell.endswith("%"))


@pytest.mark.parametrize("flags", [["--cpu-prof", "--cpu-prof-md"], ["--cpu-prof-md", "--cpu-prof"]])
def test_both_forms_of_a_cpu_profile_are_written(box: Box, flags: list[str]) -> None:
    box.write({"a.js": BUSY})
    box.run(*flags, "a.js")
    assert sorted(path.suffix for path in box.folder.glob("CPU.*")) == [".cpuprofile", ".md"]


HEAP = """
    class Kept { constructor(index) { this.text = 'kept ' + index; this.list = new Array(50).fill(index); } }
    globalThis.keeper = { all: Array.from({ length: 200 }, (_, index) => new Kept(index)) };
    globalThis.weak = new WeakRef(new Kept(-1));
    globalThis.bytes = new Uint8Array(5_000_000);
    globalThis.long = '| a\\n`b`'.repeat(1000) + Math.random();
"""


def section(page: str, title: str) -> list[list[str]]:
    """Return the rows of the table in a section."""
    text = page.partition(f"\n## {title}")[2].partition("\n## ")[0]
    return [[cell.strip(" `") for cell in line.split(" | ")] for line in text.splitlines() if line.startswith("| ")]


def test_the_heap_can_be_a_page(box: Box) -> None:
    box.write({"a.js": HEAP})
    result = box.run("--heap-prof-md", "--heap-prof-name=a.md", "--heap-prof-dir=p", "a.js")
    assert (result.returncode, result.stderr.decode()) == (0, f"Heap profile written to: {box.folder}/p/a.md\n")
    page = (box.folder / "p/a.md").read_text(encoding="utf-8")
    types = {row[1]: row for row in section(page, "Top 50 Types")[1:]}
    assert int(types["Kept"][2]) == 200
    sizes = {name: float(types[name][4].split()[0]) for name in ("Kept", "Uint8Array")}
    assert types["Uint8Array"][4].endswith("MB") and sizes["Uint8Array"] >= 4.7  # with its buffer
    assert types["Kept"][4].endswith("KB") and sizes["Kept"] > 200 * 50 * 4 / 1024  # with their lists
    assert section(page, "Top 50 Largest Objects")[1][2] in ("Uint8Array", "Object (global*)")
    chains = page.partition("\n## Retainer Chains")[2]
    assert "\n    .bytes -> Uint8Array @" in chains
    assert "\n      .all -> Array @" in chains or "\n    .keeper -> Object @" in chains
    assert all(len(row) == 3 for row in section(page, "Largest Strings"))


def test_the_sampled_profile_and_the_page_of_the_heap_go_together(box: Box) -> None:
    box.write({"a.mjs": THREAD})
    box.run("--heap-prof-md", "--heap-prof", "a.mjs")
    assert sorted(path.suffix for path in box.folder.glob("Heap.*")) == [".heapprofile", ".heapprofile", ".md", ".md"]
    box.run("--heap-prof-md", "--heap-prof-dir=q", "-e", "process.exit(3)")
    assert len([*(box.folder / "q").glob("Heap.*.md")]) == 1
