// Without isolation, a file that cannot be loaded is a failed test, whose error is the file's own.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { run } from 'node:test';
writeFileSync('throws.mjs', "throw new TypeError('while loading');\n");
const events = run({ files: [path.resolve('throws.mjs')], isolation: 'none' });
events.on('test:fail', ({ details: { error, type } }) => console.log(`${error}`, error.code, error.cause, type));
