// A program that replaces process.stderr.write also sees warnings.
const got = [];
const own = process.stderr.write;
process.stderr.write = (text) => got.push(String(text).split('\n')[0].replace(/^\(\w+:\d+\)/, '(program)'));
process.emitWarning('careful', 'CustomWarning', 'X1');
process.emitWarning('old', 'DeprecationWarning', 'X2');
process.on('warning', ({ code }) => {
  if (code !== 'X2') return;
  process.stderr.write = own;
  console.log(got.join('\n'));
});
