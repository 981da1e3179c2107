// Loader hooks receive the entry point as a URL, and its imports as specifiers.
const fs = require('fs'); const path = require('path'); const { spawnSync } = require('child_process');
const folder = fs.mkdtempSync(path.join(require('os').tmpdir(), 'loader main'));
fs.writeFileSync(path.join(folder, 'hooks.mjs'), `import { writeSync } from 'node:fs';
export async function resolve(specifier, context, next) { writeSync(1, 'resolve ' + specifier + ' from ' + context.parentURL + '\\n'); return next(specifier); }`);
fs.writeFileSync(path.join(folder, 'main.mjs'), "import './other.mjs';");
fs.writeFileSync(path.join(folder, 'other.mjs'), '');
const { stdout, status } = spawnSync(process.execPath, ['--no-warnings', '--experimental-loader', './hooks.mjs', './main.mjs'], { cwd: folder });
console.log(status, stdout.toString().replaceAll(require('url').pathToFileURL(folder).href, 'URL').replaceAll(folder, 'FOLDER'));
fs.rmSync(folder, { recursive: true });
