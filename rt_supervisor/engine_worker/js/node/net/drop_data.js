// @ts-check
'use strict';
// Owns: the argument of a net.Server's 'drop' event.

const native = host.native;
const { intact } = require('internal/primordials');

/** The addresses of a connection that was dropped. */
function dropData(descriptor) {
  const data = {};
  for (const { 0: side, 1: name } of intact([
    ['local', native.net_localName(descriptor)],
    ['remote', native.net_remoteName(descriptor)],
  ])) {
    if (typeof name === 'number' || name[1] === 'pipe') continue;
    [data[`${side}Address`], data[`${side}Family`], data[`${side}Port`]] = intact(name);
  }
  return data;
}

module.exports = { dropData };
