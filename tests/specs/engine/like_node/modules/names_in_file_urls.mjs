// Files in directories whose names need encoding in URLs: the modules' own metadata, and how other modules import them.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

const every = Array.from({ length: 126 }, (_, place) => String.fromCharCode(place + 1)).filter((each) => !/[/\\?]/.test(each));
const names = ['\u{1f600}', 'a\u{1f600}b\u{1f600}', '\u{1d4b3} ~', 'é\u0085', '\ufffd', '%20', every.join('')];
for (const text of ['\ud800', 'a\udc00b', '?', ...names]) console.log(pathToFileURL(`/${text}`).href);

for (const name of names) {
  const folder = `${process.cwd()}/${name}`;
  fs.mkdirSync(folder);
  const facts = '[import.meta.url, import.meta.filename, import.meta.dirname, import.meta.resolve("./other"), import.meta.main]';
  for (const end of ['mjs', 'mts']) fs.writeFileSync(`${folder}/${name}.${end}`, `export const facts = ${facts};`);
  fs.writeFileSync(`${folder}/${name}.cjs`, 'module.exports = [__filename, __dirname, module.id, require.resolve("./x.mjs")];');
  fs.writeFileSync(`${folder}/x.mjs`, `import { parentPort } from 'node:worker_threads'; parentPort.postMessage(${facts});`);
  for (const end of ['mjs', 'mts']) {
    const { facts } = await import(pathToFileURL(`${folder}/${name}.${end}`));
    console.log(JSON.stringify(facts));
    console.log(fileURLToPath(facts[0]) === facts[1], createRequire(facts[0])(`./${name}.cjs`)[0] === `${folder}/${name}.cjs`);
  }
  console.log(JSON.stringify((await import(pathToFileURL(`${folder}/${name}.cjs`))).default));
  const worker = new Worker(pathToFileURL(`${folder}/x.mjs`));
  console.log(JSON.stringify(await new Promise((resolve) => worker.once('message', resolve).once('error', resolve))));
}
for (const path of ['\\\\?\\UNC\\server\\share\\a', '\\\\?\\C:\\a\\b', '\\\\server\\share\\x', 'C:\\a b'])
  console.log(pathToFileURL(path, { windows: true }).href);
