"""`import()` of object URLs of Blobs."""

from __future__ import annotations

from rig import Box

PROGRAM = """
const urlOf = (text: string, type = 'text/javascript') => URL.createObjectURL(new Blob([text], { type }));
const report = (what: string, run: () => unknown) =>
  Promise.resolve().then(run).then((value) => console.log(what, value), (error) => console.log(what, error.code ?? error.name));

const url = urlOf('globalThis.count = (globalThis.count ?? 0) + 1; export default import.meta.url; export const one: number = 1');
await report('url', async () => (await import(url)).default === url);
await report('once', async () => (await import(url)) === (await import(url)) && globalThis.count);
await report('in another', async () => (await import(urlOf(`export * from ${JSON.stringify(url)}`))).one);
await report('no type', async () => (await import(urlOf('export const a: number = await 2', ''))).a);
await report('json', async () => (await import(urlOf('{"a":[3]}', 'application/json'))).default.a[0]);
await report('built in', async () => (await import(urlOf('import { sep } from "node:path"; export { sep }'))).sep);
await report('file', async () => (await import(urlOf('export { default } from "./four.ts"'))).default);
await report('its import', async () => (await import(urlOf('export default (await import("./four.ts")).default'))).default);
await report('throws', () => import(urlOf('throw new RangeError()')));
await report('syntax', () => import(urlOf('let a = ;')));
await report('none', () => import('blob:nodedata:0'));
const gone = urlOf('export {}');
URL.revokeObjectURL(gone);
await report('revoked', () => import(gone));
URL.revokeObjectURL(url);
await report('revoked when it was there', async () => (await import(url)).one);
export {};
"""

PRINTED = """\
url true
once 1
in another 1
no type 2
json 3
built in /
file 4
its import 4
throws RangeError
syntax SyntaxError
none ERR_MODULE_NOT_FOUND
revoked ERR_MODULE_NOT_FOUND
revoked when it was there 1
"""


def test_blobs_are_modules(box: Box) -> None:
    box.write({"main.ts": PROGRAM, "four.ts": "export default 4 as number;\n"})
    done = box.run("main.ts")
    assert (done.stdout.decode(), done.returncode) == (PRINTED, 0), done.stderr
