// @ts-check
'use strict';
// Owns: heap snapshots near the heap limit: their number and directory. The host writes them.

const { ArrayIndexOf, ArrayFind, StringSlice, StringStartsWith } = require('internal/primordials');
const { givenFlags } = require('internal/given_flags');
const runtimeParts = require('internal/parts');
const { validateUint32 } = require('internal/validators');

const { native } = host;
const FOLDER = '--diagnostic-dir';
let isSet = false;

/** The directory of `--diagnostic-dir`, or the working directory. */
function folder() {
  const words = givenFlags(runtimeParts.process.process);
  const place = ArrayIndexOf(words, FOLDER);
  const joined = ArrayFind(words, (word) => StringStartsWith(word, `${FOLDER}=`));
  const folder = joined === undefined ? (place < 0 ? '' : words[place + 1]) : StringSlice(joined, FOLDER.length + 1);
  return require('node/path/path').resolve(folder);
}

/** Enables up to `limit` snapshots; further calls have no effect. */
function begin(limit, threadId) {
  if (isSet) return;
  isSet = true;
  native.heap_snapshotNearLimit(limit, folder(), threadId);
}

function setHeapSnapshotNearHeapLimit(limit) {
  validateUint32(limit, 'limit', true);
  begin(limit, runtimeParts.worker?.self.threadId ?? 0);
}

module.exports = { begin, setHeapSnapshotNearHeapLimit };
