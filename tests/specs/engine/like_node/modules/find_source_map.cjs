// module.findSourceMap finds the maps of loaded files when source maps are enabled.
const { findSourceMap, setSourceMapsSupport } = require('module');
const { pathToFileURL } = require('url');
const fs = require('fs');
const path = require('path');

setSourceMapsSupport(true, { nodeModules: true });
fs.mkdirSync('made');
const file = (name) => path.resolve('made', name);
const map = { version: 3, file: 'a.js', sources: ['../src/a.ts', 'b.ts'], names: ['x'], mappings: 'AAAA;AACA,IAAIA' };
const inside = (value) => `data:application/json;base64,${Buffer.from(JSON.stringify(value)).toString('base64')}`;
fs.writeFileSync(file('outside.js'), 'exports.a=1;\nexports.b=2;\n//# sourceMappingURL=outside.js.map\n');
fs.writeFileSync(file('outside.js.map'), JSON.stringify({ ...map, sourceRoot: '' }));
fs.writeFileSync(file('inside.mjs'), `export const a=1;\nexport const b=2;\n//# sourceMappingURL=${inside({ ...map, sourceRoot: 'root/' })}\n`);
fs.writeFileSync(file('last.js'), `exports.a = 1;\n//# sourceMappingURL=first.map\n//# sourceMappingURL=${inside(map)}`);
fs.writeFileSync(file('missing.js'), 'exports.a=1;\n//# sourceMappingURL=none.map\n');
fs.writeFileSync(file('broken.js'), 'exports.a=1;\n//# sourceMappingURL=broken.map\n');
fs.writeFileSync(file('broken.map'), '{');
fs.writeFileSync(file('plain.js'), 'exports.a=1;\n');

const here = pathToFileURL(process.cwd()).href;
const show = (label, found) => {
  if (found === undefined) console.log(label, 'none');
  else {
    const { payload, lineLengths } = found;
    const texts = [payload.sources, payload.sourceRoot, payload.mappings, lineLengths.length, lineLengths[0], found.findEntry(1, 0).originalSource, found.findOrigin(2, 5)];
    console.log(label, found.constructor.name, JSON.stringify(texts).replaceAll(here, '<HERE>'));
  }
};
(async () => {
  show('before', findSourceMap(file('outside.js')));
  for (const name of ['outside.js', 'last.js', 'missing.js', 'broken.js', 'plain.js']) {
    require(file(name));
    show(name, findSourceMap(file(name)));
  }
  await import(pathToFileURL(file('inside.mjs')));
  for (const place of [file('inside.mjs'), pathToFileURL(file('inside.mjs')).href, './made/outside.js', 'none', undefined, 5]) show('place', findSourceMap(place));
})();
