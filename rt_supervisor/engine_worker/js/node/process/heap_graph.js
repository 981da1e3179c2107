'use strict';
// Owns: a heap snapshot of V8 as a graph: types, sizes, edges, the dominator of each object and what it retains, and the
// shortest path from a root. Weak edges retain nothing. Objects are their indexes; 0 is the root.

const { ArrayIndexOf, ArrayMap, RegExpReplace } = require('internal/primordials');

const TYPES = {
  __proto__: null,
  closure: 'Function',
  regexp: 'RegExp',
  'concatenated string': 'string',
  'sliced string': 'string',
};
const NAMED = { __proto__: null, object: true, native: true };
const NONE = -1;
const EMPTY_PLACE = / \/ $/; // of a global object without a page

/** Returns the starts of each node's part in a list that is grouped by node; `counts[node]` are the sizes. */
function startsOf(counts) {
  const starts = new Uint32Array(counts.length + 1);
  for (let node = 0; node < counts.length; node++) starts[node + 1] = starts[node] + counts[node];
  return starts;
}

/** The retaining edges as two lists: those that leave each node, and those that enter it. */
function readEdges({ nodes, edges, snapshot: { meta } }) {
  const width = meta.node_fields.length;
  const edgeWidth = meta.edge_fields.length;
  const weak = ArrayIndexOf(meta.edge_types[0], 'weak');
  const countField = ArrayIndexOf(meta.node_fields, 'edge_count');
  const count = nodes.length / width;
  const all = new Uint32Array(count);
  for (let node = 0; node < count; node++) all[node] = nodes[node * width + countField];
  const firsts = startsOf(all);
  const entering = new Uint32Array(count);
  const targets = new Uint32Array(firsts[count]);
  for (let edge = 0; edge < targets.length; edge++) {
    targets[edge] = edges[edge * edgeWidth + 2] / width;
    if (edges[edge * edgeWidth] !== weak) entering[targets[edge]]++;
  }
  const isWeak = (edge) => edges[edge * edgeWidth] === weak;
  const enterStarts = startsOf(entering);
  const sources = new Uint32Array(enterStarts[count]);
  const filled = new Uint32Array(count);
  for (let node = 0; node < count; node++) {
    for (let edge = firsts[node]; edge < firsts[node + 1]; edge++) {
      if (isWeak(edge)) continue;
      const target = targets[edge];
      sources[enterStarts[target] + filled[target]++] = node;
    }
  }
  return { count, width, edgeWidth, firsts, targets, isWeak, enterStarts, sources };
}

/** The nodes that can be reached, each after all that are reached through it first. */
function postorder({ count, firsts, targets, isWeak }) {
  const order = new Uint32Array(count);
  const next = firsts.slice(0, count);
  const isSeen = new Uint8Array(count);
  const stack = new Uint32Array(count);
  let depth = 1;
  let length = 0;
  isSeen[0] = 1;
  while (depth > 0) {
    const node = stack[depth - 1];
    if (next[node] === firsts[node + 1]) {
      order[length++] = node;
      depth--;
      continue;
    }
    const edge = next[node]++;
    const target = targets[edge];
    if (isSeen[target] === 1 || isWeak(edge)) continue;
    isSeen[target] = 1;
    stack[depth++] = target;
  }
  return order.subarray(0, length);
}

/**
 * The immediate dominator of each node, by the algorithm of Cooper, Harvey and Kennedy: the intersection of the dominators of
 * its predecessors, until nothing changes.
 */
function dominatorsOf({ count, enterStarts, sources }, order) {
  const dominators = new Int32Array(count).fill(NONE);
  const ranks = new Int32Array(count).fill(NONE);
  for (let rank = 0; rank < order.length; rank++) ranks[order[rank]] = rank;
  dominators[0] = 0;
  for (let isChanged = true; isChanged;) {
    isChanged = false;
    for (let rank = order.length - 2; rank >= 0; rank--) {
      const node = order[rank];
      let dominator = NONE;
      for (let index = enterStarts[node]; index < enterStarts[node + 1]; index++) {
        let source = sources[index];
        if (dominators[source] === NONE) continue;
        if (dominator === NONE) dominator = source;
        while (source !== dominator) {
          if (ranks[source] < ranks[dominator]) source = dominators[source];
          else dominator = dominators[dominator];
        }
      }
      if (dominators[node] === dominator) continue;
      dominators[node] = dominator;
      isChanged = true;
    }
  }
  return dominators;
}

/** For each node, the node and the edge before it on a shortest path from the root. */
function shortestPaths({ count, firsts, targets, isWeak }) {
  const parents = new Int32Array(count).fill(NONE);
  const parentEdges = new Uint32Array(count);
  const queue = new Uint32Array(count);
  let length = 1;
  parents[0] = 0;
  for (let index = 0; index < length; index++) {
    const node = queue[index];
    for (let edge = firsts[node]; edge < firsts[node + 1]; edge++) {
      const target = targets[edge];
      if (parents[target] !== NONE || isWeak(edge)) continue;
      parents[target] = node;
      parentEdges[target] = edge;
      queue[length++] = target;
    }
  }
  return { parents, parentEdges };
}

/** Returns the graph of a parsed snapshot. */
function readHeap(snapshot) {
  const { nodes, edges, strings } = snapshot;
  const { meta } = snapshot.snapshot;
  const graph = readEdges(snapshot);
  const { count, width, edgeWidth, firsts, enterStarts } = graph;
  const field = (name) => ArrayIndexOf(meta.node_fields, name);
  const { 0: typeField, 1: nameField, 2: idField, 3: selfField } = ArrayMap(['type', 'name', 'id', 'self_size'], field);
  const kinds = meta.node_types[typeField];
  const edgeKinds = meta.edge_types[0];
  const kindOf = (node) => kinds[nodes[node * width + typeField]];
  const nameOf = (node) => strings[nodes[node * width + nameField]];
  const selfOf = (node) => nodes[node * width + selfField];
  const typeOf = (node) => {
    const kind = kindOf(node);
    if (NAMED[kind]) return RegExpReplace(EMPTY_PLACE, nameOf(node), '') || 'Object';
    return TYPES[kind] ?? (kind === 'string' || kind === 'symbol' || kind === 'bigint' ? kind : `(${kind})`);
  };
  const order = postorder(graph);
  const dominators = dominatorsOf(graph, order);
  const retained = new Float64Array(count);
  for (let rank = 0; rank < order.length; rank++) {
    const node = order[rank];
    retained[node] += selfOf(node);
    if (node !== 0) retained[dominators[node]] += retained[node];
  }
  return {
    __proto__: null,
    ...shortestPaths(graph),
    count,
    edgeCount: firsts[count],
    retained,
    nameOf,
    selfOf,
    idOf: (node) => nodes[node * width + idField],
    outgoing: (node) => firsts[node + 1] - firsts[node],
    incoming: (node) => enterStarts[node + 1] - enterStarts[node],
    typeOf,
    /** The type with the name of a function, or what a root is for. */
    labelOf(node) {
      const kind = kindOf(node);
      if (kind === 'closure') return nameOf(node) === '' ? 'Function' : `Function ${nameOf(node)}`;
      return kind === 'synthetic' || kind === 'hidden' ? nameOf(node) : typeOf(node);
    },
    edgeName(edge) {
      const kind = edgeKinds[edges[edge * edgeWidth]];
      const name = edges[edge * edgeWidth + 1];
      return kind === 'element' || kind === 'hidden' ? `[${name}]` : `.${strings[name]}`;
    },
    forEach(visit) {
      for (let node = 0; node < count; node++) visit(node);
    },
    /** Calls `enter` and `leave` for each node around those that it dominates. */
    walkDominated(enter, leave) {
      const counts = new Uint32Array(count);
      for (let rank = 0; rank < order.length - 1; rank++) counts[dominators[order[rank]]]++;
      const starts = startsOf(counts);
      const children = new Uint32Array(order.length);
      const next = starts.slice(0, count);
      for (let rank = 0; rank < order.length - 1; rank++) children[next[dominators[order[rank]]]++] = order[rank];
      next.set(starts.subarray(0, count));
      const stack = new Uint32Array(order.length);
      let depth = 1;
      enter(0);
      while (depth > 0) {
        const node = stack[depth - 1];
        if (next[node] === starts[node + 1]) {
          leave(node);
          depth--;
        } else {
          stack[depth] = children[next[node]++];
          enter(stack[depth++]);
        }
      }
    },
  };
}

module.exports = { readHeap };
