// require() of an ES module that leads back to running code, and of one that awaits.
const shown = (text) => `${text}`.replaceAll(__dirname, '<DIR>').split(' A cycle involving')[0].split('\nRequire')[0];
const attempt = (name) => {
  try {
    require(name);
    console.log(name, 'loaded');
  } catch (error) {
    console.log(name, error.code, shown(error.message));
  }
};
attempt('./cycle/to_commonjs.mjs');
attempt('./cycle/commonjs.cjs');
attempt('./cycle/evaluating.mjs');
(async () => {
  await import('./cycle/awaits.mjs');
  attempt('./cycle/awaits.mjs');
})();
