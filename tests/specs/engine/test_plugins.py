"""RT.plugin beyond the table of Bun's results: preloaded plugins, documents, names that resolve to files."""

from __future__ import annotations

from rig import Box

PLUGIN = """
import { plugin } from 'rt';
plugin({
  name: 'greetings',
  setup(build) {
    build.onLoad({ filter: /\\.greeting$/ }, async ({ path, loader }) => {
      const name = await RT.file(path).text();
      return { contents: `export const text: string = ${JSON.stringify(`Hello ${name.trim()} (${loader})`)}`, loader: 'ts' };
    });
    build.onResolve({ filter: /^#there$/ }, ({ importer }) => ({ path: `${process.cwd()}/there.mjs` }));
    build.onResolve({ filter: /^#later$/ }, async () => ({ path: './there.mjs' }));
    build.onResolve({ filter: /^#wrong$/ }, () => ({ path: 5 }));
    build.onResolve({ filter: /^#lost$/ }, () => ({ path: 'x', namespace: 'unknown' }));
    build.module('documents', () => ({ contents: 'k = [1]', loader: 'toml' }));
    build.module('script', () => ({ contents: 'exports.q = typeof require', loader: 'js' }));
  },
});
"""


def test_a_preloaded_plugin_serves_the_imports_of_the_main_file(box: Box) -> None:
    box.write(
        {
            "plugin.ts": PLUGIN,
            "a.greeting": "world\n",
            "there.mjs": "export default 'there';",
            "a.mjs": """
                import { text } from './a.greeting';
                import there from '#there';
                import later from '#later';
                import document, { k } from 'documents';
                import { q } from 'script';
                console.log(text, there, later, JSON.stringify(document), k[0], q);
                for (const name of ['#wrong', '#lost', '#nobody']) {
                  await import(name).catch((error) => console.log(error.name, error.message.split(' imported')[0]));
                }
            """,
            "b.cjs": "console.log(require('./a.greeting').text, require('#there').default, require('documents').k);",
        }
    )
    done = box.run("--preload", "./plugin.ts", "a.mjs")
    assert done.stdout.decode().splitlines() == [
        'Hello world (js) there there {"k":[1]} 1 function',
        'TypeError onResolve plugins "path" field must be a string that is not blank',
        'Error No plugin loads "x" of the namespace "unknown"',
        "Error Cannot find module '#nobody'",
    ]
    assert box.run("--preload", "./plugin.ts", "b.cjs").stdout == b"Hello world (js) there [ 1 ]\n"
