// Invalid arguments of fs.opendir and of the callback methods of fs.Dir, and the errors of a closed Dir.
const fs = require('fs');

fs.mkdirSync('folder');
const report = (label, error) => console.log(label, error?.code, error?.message);
(async () => {
  for (const value of [0, false, 'text', {}, null]) {
    const folder = fs.opendirSync('folder');
    for (const method of ['read', 'close']) {
      try {
        console.log(method, folder[method](value));
      } catch (error) {
        report(method, error);
      }
    }
    await folder.close();
  }
  for (const value of [undefined, null, 5, 'utf8']) {
    try {
      fs.opendir('folder', value);
    } catch (error) {
      report('opendir', error);
    }
  }
  const folder = fs.opendirSync('folder');
  await new Promise((resolve) => folder.read((error, entry) => resolve(console.log('read', error, entry))));
  await new Promise((resolve) => folder.close((error) => resolve(report('close', error))));
  await new Promise((resolve) => folder.close((error) => resolve(report('close again', error))));
  for (const method of ['readSync', 'closeSync']) {
    try {
      folder[method]();
    } catch (error) {
      report(method, error);
    }
  }
  await folder.read().catch((error) => report('read', error));
  await folder.close().catch((error) => report('close', error));
  try {
    folder.read(() => {});
  } catch (error) {
    report('read', error);
  }
})();
