// fs.openAsBlob: reading, slices, changed files, invalid arguments.
const fs = require('node:fs');
const said = async (run) => {
  try {
    console.log(String(await run()));
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
};
(async () => {
  fs.writeFileSync('text', 'hello world');
  const blob = await fs.openAsBlob('text', { type: 'text/x' });
  console.log(blob.size, blob.type, await blob.text(), await blob.slice(1, 3).text(), await new Blob(['<', blob, '>']).text());
  console.log((await blob.bytes()).length, (await new Response(blob.stream()).text()).length);
  const part = blob.slice(2);
  fs.writeFileSync('text', 'changed!');
  await said(() => blob.text());
  await said(() => part.arrayBuffer());
  for (const wrong of [
    () => fs.openAsBlob('nothing'), () => fs.openAsBlob(5), () => fs.openAsBlob('text', 5), () => fs.openAsBlob('text', { type: 5 }), () => fs.openAsBlobSync('nothing'),
    () => fs.openAsBlobSync('text').size, () => `${fs.openAsBlob.length} ${fs.openAsBlobSync.length}`,
  ]) await said(wrong);
})();
