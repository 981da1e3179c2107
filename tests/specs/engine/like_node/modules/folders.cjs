// `.` and `..` resolve to directories, even beside a file of that name with an extension.
const fs = require('node:fs');
const write = (name, text) => {
  fs.mkdirSync(require('node:path').dirname(name), { recursive: true });
  fs.writeFileSync(name, text);
};
write('stub.json', '"the file"');
write('stub/index.js', 'module.exports = "the folder"');
write('stub/one/up.js', 'module.exports = [require(".."), require("../"), require("../."), require("../../stub"), require("../../stub/")]');
write('stub/here.js', 'module.exports = [require("."), require("./")]');
console.log(require('./stub/one/up.js').join(), require('./stub/here.js').join(), require(`${__dirname}/stub/one/..`));
