// Hooks of a program see the frames of published files; node:module maps them. Negative zeros in mappings.
const fs = require('node:fs');
const path = require('node:path');
const { SourceMap, findSourceMap, setSourceMapsSupport } = require('node:module');

setSourceMapsSupport(true);
const file = path.join(fs.mkdtempSync(path.join(require('node:os').tmpdir(), 'published-')), 'built.js');
const map = { version: 3, sources: ['original.ts'], names: [], mappings: ';AAIA;EAEI' };
const inline = Buffer.from(JSON.stringify(map)).toString('base64');
fs.writeFileSync(
  file,
  `module.exports = function fail() {\n  return new Error('x');\n};\n//# sourceMappingURL=data:application/json;base64,${inline}\n`,
);
Error.prepareStackTrace = (error, [site]) => [path.basename(site.getFileName()), site.getLineNumber(), site.getColumnNumber()];
console.log(require(file)().stack.join());
const { originalLine, originalColumn } = findSourceMap(file).findEntry(1, 9);
console.log(originalLine, originalColumn);
for (const column of ['A', 'B', 'C', 'D', '//////D', '+/////D'])
  console.log(column, new SourceMap({ sources: ['a.js'], mappings: `AAA${column}` }).findEntry(0, 0).originalColumn);
const unsorted = new SourceMap({ sources: ['a.js'], mappings: 'UAAA,FAAE,FAAE' });
console.log([5, 6, 7, 8, 9, 10].map((column) => unsorted.findEntry(0, column).originalColumn));
fs.rmSync(path.dirname(file), { recursive: true });
