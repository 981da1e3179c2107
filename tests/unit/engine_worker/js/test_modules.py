"""The library's modules compared with Node's on generated input (the suites beside this file)."""

from __future__ import annotations

import json
import subprocess

import js_peers as peers
import pytest

ROUNDS = {
    "path": 3000,
    "buffer": 1500,
    "url": 3000,
    "url_legacy": 1500,
    "text": 4000,
    "deep_equal": 3000,
    "patterns": 4000,
    "regexp_colors": 4000,
    "events": 1,
    "assert": 1,
    "util": 1,
}


@pytest.mark.parametrize("suite", ROUNDS)
def test_module_behaves_as_in_node(suite: str) -> None:
    command = [peers.node(), *peers.INTERNALS, "differential.cjs", suite, "7", str(ROUNDS[suite])]
    done = subprocess.run(command, cwd=peers.FOLDER, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout.splitlines()[-1])
    assert report["compared"] >= ROUNDS[suite]
    assert report["count"] == 0, json.dumps(report["differences"], indent=2, ensure_ascii=False)


def test_every_file_loads_first() -> None:
    """Files require each other in circles; whichever loads first, inspect must work afterwards."""
    script = r"""
      const fs = require('node:fs');
      const { load } = require('./load.cjs');
      const { host } = require('./host.cjs');
      // Files that reach for host operations as they load, or load one that does, are rt's own engine's to test.
      const isBound = (name, seen = new Set()) => {
        if (seen.has(name)) return false;
        seen.add(name);
        const text = fs.readFileSync(`${FOLDER}/${name}.js`, 'utf8');
        return /host\.(native|process|hasModule)|__host|^const .* = runtimeParts\.process;/m.test(text)
          || [...text.matchAll(/^(?:const .*|module\.exports = .*)require\('([\w/]+)'\)/gm)].some((match) => isBound(match[1], seen));
      };
      const files = fs.readdirSync(FOLDER, { recursive: true })
        .filter((name) => name.endsWith('.js')).map((name) => name.slice(0, -3)).filter((name) => !isBound(name));
      if (files.length < 50) throw new Error(`only ${files.length} files are free of host operations`);
      for (const file of files) {
        const requireModule = load(host);
        requireModule(file);
        const text = requireModule('internal/inspect/inspect').inspect({ a: [1, new Map([[1, new Error('x').message]])] });
        if (text !== "{ a: [ 1, Map(1) { 1 => 'x' } ] }") throw new Error(`${file}: ${text}`);
      }
    """
    library = peers.FOLDER.parents[3] / "rt_supervisor" / "engine_worker" / "js"
    command = [peers.node(), *peers.INTERNALS, "-e", script.replace("FOLDER", json.dumps(str(library)))]
    done = subprocess.run(command, cwd=peers.FOLDER, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
