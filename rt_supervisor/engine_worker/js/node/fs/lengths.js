// @ts-check
'use strict';
// Owns: the `length` of the functions of node:fs, equal to Node's because some libraries inspect it.

const { RegExpSplit } = require('internal/patterns');
const { ObjectDefineProperty, ObjectKeys, intact } = require('internal/primordials');
const NAMES = {
  1: `close closeSync existsSync fdatasyncSync fstat fstatSync fsyncSync ftruncate ftruncateSync lstat lstatSync stat statfs statSync statfsSync
    unlinkSync`,
  2: `accessSync chmodSync exists fchmodSync fdatasync fsync globSync linkSync mkdirSync mkdtempSync mkdtempDisposableSync readdirSync readFileSync
    readlinkSync realpathSync renameSync rmSync rmdirSync truncateSync unwatchFile unlink opendirSync`,
  3: `appendFileSync access chownSync chmod copyFileSync cpSync fchownSync fchmod futimesSync glob lchownSync link lutimesSync mkdir mkdtemp openSync
    readdir readvSync readFile readlink realpath rename rm rmdir symlinkSync truncate utimesSync watch watchFile writeFileSync writevSync opendir`,
  4: 'appendFile chown copyFile cp fchown futimes lchown lutimes open readv symlink utimes writeFile writev',
  5: 'readSync writeSync',
  6: 'read write',
};

/** Sets the `length` of each function of `fs`. */
function setLengths(fs) {
  for (const length of intact(ObjectKeys(NAMES))) {
    for (const name of intact(RegExpSplit(/\s+/, NAMES[length]))) {
      if (typeof fs[name] === 'function')
        ObjectDefineProperty(fs[name], 'length', { __proto__: null, value: Number(length), configurable: true });
    }
  }
}

module.exports = { setLengths };
