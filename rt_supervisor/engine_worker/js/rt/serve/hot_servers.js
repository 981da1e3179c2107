// @ts-check
'use strict';
// Owns: the servers that survive the reevaluation of their modules under `--hot`. A server is identified by its `id`, or by its
// listening address; the n-th call for a name reuses the n-th server of earlier evaluations, with its connections. `id: null`
// never reuses one. Not loaded without --hot.

const { ArrayFilter, ArrayPush, ArrayShift, MapGet, MapSet, intact } = require('internal/primordials');
const hot = require('node/module/hot');

const names = new Map(); // name -> { generation, current, earlier }: servers of this evaluation, and of earlier ones

function nameOf({ id, unix, hostname, port }) {
  if (id !== undefined && id !== '') return `id:${id}`;
  return unix ? `unix:${unix}` : `tcp:${hostname ?? ''}:${port ?? ''}`;
}

function ofThisGeneration(name) {
  const before = MapGet(names, name);
  const generation = hot.generation();
  if (before?.generation === generation) return before;
  const servers = {
    generation,
    current: [],
    earlier: before === undefined ? [] : [...intact(before.current), ...intact(before.earlier)],
  };
  MapSet(names, name, servers);
  return servers;
}

/** Returns the existing server that `options` match, with the new handlers, or the server that `make` creates. */
function reuseOrMake(options, make) {
  if (options.id === null) return make();
  const servers = ofThisGeneration(nameOf(options));
  servers.earlier = ArrayFilter(servers.earlier, (server) => !server.isStopping);
  const existing = ArrayShift(servers.earlier);
  if (existing !== undefined) existing.reload(options);
  const running = existing ?? make();
  ArrayPush(servers.current, running);
  return running;
}

module.exports = { reuseOrMake };
