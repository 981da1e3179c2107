"""A program that replaces the methods of the language, one at a time, does not affect the library: a tour through it
succeeds.

`polluted/targets.cjs` lists the replaced methods, `polluted/stops.cjs` the steps of the tour, `polluted/tour.cjs`
runs all of it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from rig import Box

HERE = Path(__file__).parent / "polluted"
PROCESSES = min(4, os.cpu_count() or 1)

# Known failures, where the language itself calls the method; an entry that no longer fails must be removed.
ARRAYS = "slice, splice, map and filter of the language make their result with it"
PROMISES = "an async function that returns a promise asks it, also in the library"
PARTS = "the parts of a Blob are had from the iterator that they name, by the standard and in Node"
ITERATORS = "a value without it is no iterable: an error, or printed as any object"
KNOWN: dict[str, dict[str, str]] = {
    "throws": {
        "Array.prototype[Symbol.iterator]": PARTS,
        "ArrayIterator.next": PARTS,
        "Array[Symbol.species]": ARRAYS,
        "Promise.prototype.then": PROMISES,
        "Promise[Symbol.species]": PROMISES,
    },
    "nonsense": {
        "Array.prototype[Symbol.iterator]": PARTS,
        "ArrayIterator.next": PARTS,
        "Array[Symbol.species]": ARRAYS,
        "Promise.prototype.then": PROMISES,
        "Promise[Symbol.species]": PROMISES,
    },
    "deleted": {
        "Promise.prototype.then": PROMISES,
        "Array.prototype[Symbol.iterator]": ITERATORS,
        "ArrayIterator.next": PARTS,
        "Map.prototype[Symbol.iterator]": ITERATORS,
        "Set.prototype[Symbol.iterator]": ITERATORS,
    },
    "named": {},
}


def failing_stops(box: Box, how: str, start: int, step: int) -> dict[str, list[str]]:
    """Run the tour with every `step`-th replacement; when a process ends at one, continue after it in another."""
    found: dict[str, list[str]] = {}
    begin = start
    while True:
        process = box.start("tour.cjs", how, str(begin), str(step), stderr=subprocess.DEVNULL)
        out, _ = process.communicate()
        lines = out.decode().split("\n")
        assert lines[0] == "-\tnothing", lines[0]
        for line in lines[1:]:
            index, label, *stops = line.split("\t") if line else ("", "")
            if stops or (index and line is lines[-1]):
                found[label] = stops or ["the process ended"]
        if not lines[-1]:
            return found
        begin = int(index) + step


@pytest.mark.parametrize("how", KNOWN)
def test_a_tour_after_each_replacement(box: Box, how: str) -> None:
    def part(number: int) -> dict[str, list[str]]:
        folder = box.folder / str(number)
        shutil.copytree(HERE, folder)
        inner = Box(folder)
        try:
            return failing_stops(inner, how, number, PROCESSES)
        finally:
            inner.close()

    with ThreadPoolExecutor(PROCESSES) as pool:
        found = {label: stops for each in pool.map(part, range(PROCESSES)) for label, stops in each.items()}
    assert {label: stops for label, stops in found.items() if label not in KNOWN[how]} == {}
    assert set(KNOWN[how]) <= set(found), "breaks no stop any more: take it off"
