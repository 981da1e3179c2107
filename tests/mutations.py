"""Mutated texts and bytes, the same for the same seed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import AnyStr, Generic

# What is inserted into TypeScript.
SOURCE_MARKS = [*"{}()[]<>;:,.`'\"=&|?!@#/\\*", "enum ", "class ", "async ", "=>", "${", "/*", "<T,>", "\0", "\u2028"]
SOURCE_MARKS += ["é", "#!", "\\u{110000}"]
# TypeScript that uses many parts of the language; `TS` needs no other module.
TSX = """import a, { type B } from './a';
enum C { X = 1, Y = `y` }
namespace N { export const z = 1 }
class D<T> extends a { @dec private x?: T = 1; constructor(public y: number) { super() } get z() { return 1 } }
const f = async <T,>(x: T): Promise<T> => <div {...x}>{`a${1}`}</div>;
export default f satisfies B;
"""
TS = """enum C { X = 1, Y = `y` }
namespace N { export const z = 1 }
class D<T> extends Object { private x?: T; constructor(public y: number) { super() } get z() { return 1 } }
const f = async <T,>(x: T): Promise<T> => x;
export default f satisfies Function;
"""
MOST_CHANGES = 6
LONGEST_LOSS = 12
MOST_COPIES = 3


class Mutator(Generic[AnyStr]):
    """Changes a few places of one of `originals`: inserts marks, removes and repeats what is there."""

    def __init__(self, seed: int, originals: Sequence[AnyStr], marks: Sequence[AnyStr]) -> None:
        self._chance = random.Random(seed)
        self._originals: Sequence[AnyStr] = originals
        self._marks: Sequence[AnyStr] = marks

    def mutate(self) -> AnyStr:
        chance = self._chance
        changed: AnyStr = chance.choice(self._originals)
        for _ in range(chance.randint(1, MOST_CHANGES)):
            at = chance.randrange(len(changed) + 1)
            end = at + chance.randint(0, LONGEST_LOSS)
            changed = (
                changed[:at]
                + chance.choice(self._marks) * chance.randint(0, MOST_COPIES)
                + changed[chance.choice((at, end)) :]
            )
        return changed
