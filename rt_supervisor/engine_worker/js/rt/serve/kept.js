'use strict';
// Owns: the servers that stay while `--hot` evaluates their modules again. One is known by its `id`, else by where it was
// asked to listen; the n-th call for a name takes the n-th server that earlier evaluations have left, with its connections.
// `id: null` keeps none. Nothing here is loaded without --hot.

const hot = require('node/module/hot');

const names = new Map(); // name -> { generation, taken, left }: servers of this evaluation, and of those before it

function nameOf({ id, unix, hostname, port }) {
  if (id !== undefined && id !== '') return `id:${id}`;
  return unix ? `unix:${unix}` : `tcp:${hostname ?? ''}:${port ?? ''}`;
}

function ofThisGeneration(name) {
  const before = names.get(name);
  const generation = hot.generation();
  if (before?.generation === generation) return before;
  const found = { generation, taken: [], left: before === undefined ? [] : [...before.taken, ...before.left] };
  names.set(name, found);
  return found;
}

/** The server that `options` ask for again, with their handlers; else the one that `make` makes. */
function keptOr(options, make) {
  if (options.id === null) return make();
  const servers = ofThisGeneration(nameOf(options));
  servers.left = servers.left.filter((server) => !server.isStopping);
  const kept = servers.left.shift();
  if (kept !== undefined) kept.reload(options);
  const running = kept ?? make();
  servers.taken.push(running);
  return running;
}

module.exports = { keptOr };
