// Blobs of files cannot be cloned and notice changes of empty files; transferred streams let the program end; and the error of a
// parameter that Brotli refuses.
const fs = require('node:fs');
const zlib = require('node:zlib');

const attempt = (run) => {
  try {
    return run();
  } catch (error) {
    return `${error.name} ${error.code} ${error.message}`;
  }
};
for (const create of ['createBrotliCompress', 'createBrotliDecompress']) {
  const name = create.endsWith('Decompress') ? 'BROTLI_DECODER_PARAM_LARGE_WINDOW' : 'BROTLI_PARAM_DISABLE_LITERAL_CONTEXT_MODELING';
  console.log(typeof attempt(() => zlib[create]({ params: { [zlib.constants[name]]: 42 } })));
}
const refused = { [zlib.constants.BROTLI_PARAM_DISABLE_LITERAL_CONTEXT_MODELING]: 42 };
console.log(attempt(() => zlib.createBrotliCompress({ params: refused })));

(async () => {
  fs.writeFileSync('full.txt', 'text');
  fs.writeFileSync('empty.txt', '');
  const [full, empty] = [await fs.openAsBlob('full.txt'), await fs.openAsBlob('empty.txt')];
  console.log(attempt(() => structuredClone(full)), attempt(() => structuredClone(new Blob(['a', full])).size));
  console.log(await full.text(), await empty.text(), (await empty.stream().getReader().read()).done);
  fs.writeFileSync('empty.txt', 'more');
  console.log(await empty.text().catch((error) => error.name), await empty.stream().getReader().read().catch((error) => error.name));

  const [readable, writable] = [new ReadableStream(), new WritableStream()];
  const [copy, sink] = structuredClone([readable, writable], { transfer: [readable, writable] });
  console.log(copy instanceof ReadableStream, sink instanceof WritableStream, readable.locked);
})();
