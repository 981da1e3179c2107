// path.win32.relative with letters whose lower-case form is longer.
const { relative } = require('node:path').win32;
const I = '\u0130';
const pairs = [
  [`c:\\${I}\\a\\${I}`, `c:\\${I}\\b\\${I}\\test.txt`], [`\\\\foo\\a${I}`, `\\\\foo\\a${I}\\b`], [`c:\\a${I}`, `c:\\A${I}`], [`c:\\${I}`, 'c:\\'], ['c:\\', `c:\\${I}`],
  [`c:\\${I}\\x`, `c:\\${I}`], [`c:\\${I}`, `d:\\${I}`], [`c:\\${I}\\`, `C:\\${I}\\b\\`], [`c:\\${I}a`, `c:\\${I}ab`], [`\\\\foo\\${I}`, '\\\\bar\\x'], [`c:\\a\\b\\${I}`, 'c:\\a\\x'],
];
for (const [from, to] of pairs) process.stdout.write(`${from} ${to}: ${relative(from, to)}\n`);
