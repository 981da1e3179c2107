"""A program that replaces the methods of the language does not affect the library: a tour through it succeeds.

`polluted/targets.cjs` lists the replaced methods, `polluted/stops.cjs` the steps of the tour, `polluted/tour.cjs`
runs all of it.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from rig import Box

HERE = Path(__file__).parent / "polluted"
# Replacements made at once, of different classes: a tour takes longer than everything else, and few replacements fail. One
# that the library would notice alone makes its group fail, too.
TOGETHER = 8

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


def failing_stops(box: Box, how: str) -> dict[str, list[str]]:
    """Run the tour with the replacements of one group after the other. The halves of a group that fails, or at which the process
    ends, are tried in the next process.
    """
    labels = box.run("tour.cjs", how).stdout.decode().splitlines()
    count = -(-len(labels) // TOGETHER)
    groups = [list(range(first, len(labels), count)) for first in range(count)]
    found: dict[str, list[str]] = {}
    while groups:
        process = box.start("tour.cjs", how, json.dumps(groups), stderr=subprocess.DEVNULL)
        first, *finished, last = process.communicate()[0].decode().split("\n")
        assert first == "-\tnothing", first
        begun = [*finished, last] if last else finished
        assert begun, "the process ended before its first group"
        halves = []
        for number, line in enumerate(begun):
            group, stops = groups[number], line.split("\t")[1:]
            if number == len(finished) and not stops:
                stops = ["the process ended"]
            if stops and len(group) == 1:
                found[labels[group[0]]] = stops
            elif stops:
                halves += [group[::2], group[1::2]]
        groups = halves + groups[len(begun) :]
    return found


@pytest.mark.parametrize("how", KNOWN)
def test_a_tour_after_each_replacement(box: Box, how: str) -> None:
    shutil.copytree(HERE, box.folder, dirs_exist_ok=True)
    found = failing_stops(box, how)
    assert {label: stops for label, stops in found.items() if label not in KNOWN[how]} == {}
    assert set(KNOWN[how]) <= set(found), "breaks no stop any more: take it off"
