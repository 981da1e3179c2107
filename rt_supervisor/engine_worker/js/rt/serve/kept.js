// @ts-check
'use strict';
// Owns: the servers that stay while `--hot` evaluates their modules again. One is known by its `id`, else by where it was
// asked to listen; the n-th call for a name takes the n-th server that earlier evaluations have left, with its connections.
// `id: null` keeps none. Nothing here is loaded without --hot.

const { ArrayFilter, ArrayPush, ArrayShift, MapGet, MapSet, intact } = require('internal/primordials');
const hot = require('node/module/hot');

const names = new Map(); // name -> { generation, taken, left }: servers of this evaluation, and of those before it

function nameOf({ id, unix, hostname, port }) {
  if (id !== undefined && id !== '') return `id:${id}`;
  return unix ? `unix:${unix}` : `tcp:${hostname ?? ''}:${port ?? ''}`;
}

function ofThisGeneration(name) {
  const before = MapGet(names, name);
  const generation = hot.generation();
  if (before?.generation === generation) return before;
  const found = { generation, taken: [], left: before === undefined ? [] : [...intact(before.taken), ...intact(before.left)] };
  MapSet(names, name, found);
  return found;
}

/** The server that `options` ask for again, with their handlers; else the one that `make` makes. */
function keptOr(options, make) {
  if (options.id === null) return make();
  const servers = ofThisGeneration(nameOf(options));
  servers.left = ArrayFilter(servers.left, (server) => !server.isStopping);
  const kept = ArrayShift(servers.left);
  if (kept !== undefined) kept.reload(options);
  const running = kept ?? make();
  ArrayPush(servers.taken, running);
  return running;
}

module.exports = { keptOr };
