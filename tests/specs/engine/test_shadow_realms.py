"""`--experimental-shadow-realm`, compared with Node."""

from __future__ import annotations

import subprocess

import js_peers as peers
import pytest
from rig import Box, executable

FLAG = "--experimental-shadow-realm"
PROGRAMS = {
    "evaluation": """
        const realm = new ShadowRealm();
        const get = realm.evaluate('globalThis.inner = 1; (x) => inner + x');
        console.log(get(2), 'inner' in globalThis, realm.evaluate('typeof process + typeof require + typeof console.log'));
        try { realm.evaluate('throw new Error("x")'); } catch (error) { console.log(error instanceof TypeError); }
        try { realm.evaluate('({})'); } catch (error) { console.log(error instanceof TypeError); }
    """,
    "web globals": """
        const realm = new ShadowRealm();
        console.log(realm.evaluate('String(new TextEncoder().encode("é")) + new TextDecoder().decode(new Uint8Array([65]))'));
        console.log(realm.evaluate('new URL("a?b=1", "http://x/y").href + new URLSearchParams("q=1").get("q")'));
        console.log(realm.evaluate('let n = 0; const t = new EventTarget(); t.addEventListener("e", () => n++); t.dispatchEvent(new Event("e")); n'));
        console.log(realm.evaluate('const c = new AbortController(); c.abort(); String([c.signal.aborted, c.signal.reason.name])'));
        console.log(realm.evaluate('TextEncoder.constructor === Function && new DOMException("a") instanceof Error'));
        console.log(realm.evaluate('new TextEncoder().encode("a") instanceof Uint8Array'));
    """,
    "modules": """
        const { pathToFileURL } = require('node:url');
        const url = pathToFileURL('counter.mjs').href;
        (async () => {
          const realm = new ShadowRealm();
          const count = await realm.importValue(url, 'count');
          const again = await realm.importValue('./again.mjs', 'count');
          console.log(count(), again(), count === again, (await import(url)).count(), count());
          for (const name of ['node:fs', 'fs', 'no-such-package', './missing.mjs', './throws.mjs']) {
            await realm.importValue(name, 'x').then(() => console.log('imported'), (error) => console.log(name, error instanceof TypeError));
          }
          await realm.importValue(url, 'missing').catch((error) => console.log(error instanceof TypeError));
        })();
    """,
}
FILES = {
    "counter.mjs": "let n = 0; export const count = () => n++;",
    "again.mjs": "export { count } from './counter.mjs'; import './again.mjs';",
    "throws.mjs": "throw new Error('in the realm')",
}


def output(command: str, box: Box, *arguments: str) -> str:
    done = subprocess.run([command, *arguments], cwd=box.folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", PROGRAMS)
def test_realms_behave_as_in_node(box: Box, name: str) -> None:
    box.write({"a.cjs": PROGRAMS[name], **FILES})
    expected = output(peers.node(), box, "--no-warnings", FLAG, "a.cjs")
    assert output(executable(), box, "--identity=node", FLAG, "a.cjs") == expected


def test_realms_need_the_flag(box: Box) -> None:
    assert box.run("-p", "typeof ShadowRealm").stdout == b"undefined\n"
