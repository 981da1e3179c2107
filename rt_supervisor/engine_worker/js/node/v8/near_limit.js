// @ts-check
'use strict';
// Owns: snapshots of the heap that are written when it is nearly full: how many, and into which folder. The host writes them.

const { ArrayIndexOf, ArrayFind, StringSlice, StringStartsWith } = require('internal/primordials');
const { givenFlags } = require('internal/given_flags');
const handedDown = require('internal/parts');
const { validateUint32 } = require('internal/validators');

const { native } = host;
const FOLDER = '--diagnostic-dir';
let isSet = false;

/** The folder of `--diagnostic-dir`, else the working folder. */
function folder() {
  const words = givenFlags(handedDown.process.process);
  const place = ArrayIndexOf(words, FOLDER);
  const joined = ArrayFind(words, (word) => StringStartsWith(word, `${FOLDER}=`));
  const given = joined === undefined ? (place < 0 ? '' : words[place + 1]) : StringSlice(joined, FOLDER.length + 1);
  return require('node/path/path').resolve(given);
}

/** From now on `limit` snapshots are written; a second call changes nothing. */
function begin(limit, threadId) {
  if (isSet) return;
  isSet = true;
  native.heap_snapshotNearLimit(limit, folder(), threadId);
}

function setHeapSnapshotNearHeapLimit(limit) {
  validateUint32(limit, 'limit', true);
  begin(limit, handedDown.worker?.self.threadId ?? 0);
}

module.exports = { begin, setHeapSnapshotNearHeapLimit };
