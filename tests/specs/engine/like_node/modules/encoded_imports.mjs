// Import specifiers are URLs: percent-encoding is decoded exactly once.
import fs from 'node:fs';
for (const name of ['plain.mjs', 'caf\u00e9.mjs', 'a b.mjs', 'per%20cent.mjs', 'hash#1.mjs', 'query?1.mjs'])
  fs.writeFileSync(name, 'export default import.meta.url.replace(/.*[/]/, "")');
for (const specifier of ['./pl%61in.mjs', './plain%2emjs', './caf%C3%A9.mjs', './caf\u00e9.mjs', './a%20b.mjs', './per%2520cent.mjs', './hash%231.mjs', './query%3F1.mjs', './plain.mjs?x%20y'])
  console.log(specifier, await import(specifier).then((ns) => ns.default, (error) => error.code));
