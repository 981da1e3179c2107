"""NODE_V8_COVERAGE: which code has run, file by file, in the format that c8 and similar tools read."""

from __future__ import annotations

import base64
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import js_peers as peers
from rig import Box, executable

FILES = {
    "a.cjs": "function used(x) { return x ? 1 : 2 }\nfunction unused() { return 3 }\nused(1); require('./b.cjs');\n",
    "b.cjs": "exports.z = () => 1;\n",
    "m.mjs": "import './c.mjs'; const here = import.meta.url; function no() {}\nif (here === '') no();\nprocess.exit(3);\n",
    "c.mjs": "export const f = (x) => { for (let i = 0; i < x; i++) if (i > 5) break; }; f(3); f(9);\n",
    "t.ts": "interface X { a: number }\nexport function g(x: number): number {\n  if (x > 1) { return 2; }\n  return 3;\n}\ng(1);\n",
    "both.js": "const y = require('./b.cjs'); export const v = (x) => x; v(y);\n",
}


def read_reports(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(file.read_text()) for file in sorted(folder.iterdir()) if file.name.startswith("coverage-")]


def functions(folder: Path) -> dict[str, Any]:
    """Return the functions of each measured file, by its name."""
    found: dict[str, Any] = {}
    for each in read_reports(folder):
        for script in each["result"]:
            if script["url"].startswith("file:"):
                found[Path(script["url"]).name] = script["functions"]
    return found


def test_counts_like_node(box: Box) -> None:
    box.write(FILES)
    for program, status in {"a.cjs": 0, "m.mjs": 3, "both.js": 0}.items():
        counts: list[Any] = []
        for command in ([executable()], [peers.node()]):
            if program == "both.js" and command != [executable()]:
                continue
            place = box.folder / f"{program}-{len(counts)}"
            environment = box.environment(NODE_V8_COVERAGE=str(place))
            done = subprocess.run([*command, program], cwd=box.folder, env=environment, capture_output=True, timeout=60)
            assert (done.returncode, done.stderr) == (status, b"")
            counts.append(functions(place))
        assert counts[0] == counts[-1]
    v = functions(box.folder / "both.js-0")["both.js"]
    assert [each["ranges"][0]["startOffset"] for each in v if each["functionName"] == "v"] == [
        FILES["both.js"].index("(x)")
    ]


def test_typescript_comes_with_its_map(box: Box) -> None:
    shipped = {"version": 3, "sources": ["author.ts"], "names": [], "mappings": "AAAA", "sourcesContent": ["let a = 1"]}
    text = base64.b64encode(json.dumps(shipped).encode()).decode()
    box.write(
        {
            **FILES,
            "s.cjs": f"let a = 1;\n//# sourceMappingURL=data:application/json;base64,{text}\n",
            "i.mjs": "import './t.ts'; import './s.cjs'",
        }
    )
    box.run("i.mjs", environment=box.environment(NODE_V8_COVERAGE="out"))
    [made] = read_reports(box.folder / "out")
    maps = {Path(url).name: each for url, each in made["source-map-cache"].items()}
    assert set(maps) == {"t.ts", "s.cjs"}
    assert maps["t.ts"]["data"]["sources"] == [(box.folder / "t.ts").as_uri()]
    assert maps["s.cjs"]["data"]["sources"] == [(box.folder / "author.ts").as_uri()]
    assert (
        sum(maps["s.cjs"]["lineLengths"]) + len(maps["s.cjs"]["lineLengths"]) - 1
        == (box.folder / "s.cjs").stat().st_size
    )
    [taken] = [each for each in functions(box.folder / "out")["t.ts"] if each["functionName"] == "g"]
    assert [each["count"] for each in taken["ranges"]] == [1, 0]


def test_workers_children_and_calls_write_separate_files(box: Box) -> None:
    source = """
        import { Worker } from 'node:worker_threads'; import { spawnSync } from 'node:child_process'; import v8 from 'node:v8';
        import { once } from 'node:events'; import fs from 'node:fs';
        const count = () => fs.existsSync('out') ? fs.readdirSync('out').length : 0;
        v8.takeCoverage(); console.log(count(), process.env.NODE_V8_COVERAGE === process.cwd() + '/out');
        spawnSync(process.execPath, ['b.cjs'], { env: { PATH: process.env.PATH, HOME: process.env.HOME } }); console.log(count());
        await once(new Worker('./b.cjs'), 'exit'); console.log(count());
        process.chdir('/'); process.on('exit', () => process.exit(4));
    """
    box.write({**FILES, "w.mjs": source})
    done = box.run("w.mjs", environment=box.environment(NODE_V8_COVERAGE="out"))
    assert (done.stdout.decode(), done.stderr, done.returncode) == ("1 true\n2\n3\n", b"", 4)
    assert len(os.listdir(box.folder / "out")) == 4


def test_stop_and_an_impossible_folder(box: Box) -> None:
    box.write({"s.cjs": "require('v8').stopCoverage(); require('v8').takeCoverage();", "file": "", "b.cjs": ""})
    box.run("s.cjs", environment=box.environment(NODE_V8_COVERAGE="out"))
    assert not (box.folder / "out").exists()
    done = box.run("b.cjs", environment=box.environment(NODE_V8_COVERAGE="file/in"))
    assert done.returncode == 0
    assert b"NODE_V8_COVERAGE: ENOTDIR" in done.stderr
