"""An engine created on another thread while Python still imports is equivalent to one created later."""

from __future__ import annotations

import pytest
from rig import Box

PROGRAMS = {
    "collects garbage": "let kept = []; for (let i = 0; i < 3e5; i++) kept[i % 1000] = { i, text: 'x'.repeat(i % 50) };"
    " RT.gc(true); console.log(kept.length, kept.at(-1).i)",
    "recurses": "let depth = 0; const f = () => { depth++; f(); }; try { f() } catch (e) { console.log(e.name, depth > 5000) }",
    "compiles": "const f = (n) => n < 2 ? n : f(n - 1) + f(n - 2); console.log(f(27)); console.log(new Function('return 7')())",
    "formats dates": "console.log(new Date(0).toLocaleDateString('de-DE', { timeZone: 'UTC' }), Intl.NumberFormat('de').format(1e6))",
    "throws": "Promise.reject(new Error('no'))",
    "runs WebAssembly": "const bytes = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]); console.log(new WebAssembly.Module(bytes) + '')",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_engine_made_ahead_is_like_the_one_made_in_place(box: Box, name: str) -> None:
    box.write({"main.js": PROGRAMS[name]})
    box.run("main.js")  # creates the snapshot, which starting ahead requires
    ahead, in_place = box.run("main.js"), box.run("--no-warnings", "main.js")
    assert (ahead.returncode, ahead.stdout, ahead.stderr) == (in_place.returncode, in_place.stdout, in_place.stderr)
    assert ahead.stdout or ahead.returncode == 1


def test_a_damaged_snapshot_is_recreated(box: Box) -> None:
    box.write({"main.js": "console.log('main')"})
    box.run("main.js")
    [snapshot] = box.cache.glob("rt/v8/*/*.snapshot")
    whole = snapshot.read_bytes()
    snapshot.write_bytes(whole[: len(whole) // 2])
    for arguments in (["main.js"], ["--no-warnings", "main.js"]):
        result = box.run(*arguments)
        assert (result.stdout, result.stderr, result.returncode) == (b"main\n", b"", 0)
    assert len(snapshot.read_bytes()) > len(whole) * 0.9
