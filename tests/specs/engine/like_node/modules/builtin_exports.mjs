// module.syncBuiltinESMExports: imports see replaced exports of built-in modules once it is called.
import fs, { readFile, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import * as all from 'node:fs';

const before = fs.readFile;
const other = () => 'other';
fs.readFile = other;
console.log(readFile === before, all.readFile === before);
syncBuiltinESMExports();
console.log(readFile === other, all.readFile === other, all.default === fs);
delete fs.readFile;
syncBuiltinESMExports();
console.log(readFile, 'readFile' in all);
Object.defineProperty(fs, 'readFileSync', { get: () => 5, configurable: true });
fs.added = 1;
syncBuiltinESMExports();
console.log(readFileSync, 'added' in all);
fs.readFile = before;
syncBuiltinESMExports();
console.log(readFile === before, (await import('fs')).readFile === before);
