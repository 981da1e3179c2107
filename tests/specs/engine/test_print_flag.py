"""The output of `-p`."""

from __future__ import annotations

from rig import Box

PRINTED = {
    "[1, 2].map((n) => n * 2)": ("[ 2, 4 ]\n", 0),
    "Promise.resolve(3)": ("3\n", 0),
    "new Promise((done) => setTimeout(done, 1, 'later'))": ("later\n", 0),
    "new Promise(() => {})": ("Promise { <pending> }\n", 0),
    "const x: number = 1; x + 1": ("2\n", 0),
}


def test_values(box: Box) -> None:
    for text, expected in PRINTED.items():
        done = box.run("-p", text)
        assert (done.stdout.decode(), done.returncode) == expected, text
