// @ts-check
// A CPU profile as two views need it: the time of each function, and the calls in the order of time. Times are in milliseconds.

/** @typedef {import('devtools-protocol').Protocol.Profiler.Profile} Raw */
/** @typedef {import('devtools-protocol').Protocol.Profiler.ProfileNode} RawNode */
/** @typedef {import('./source_map.js').SourcePosition} SourcePosition */
/** @typedef {import('./thread.js').Thread} Thread */

/** @typedef {{ name: string, place: SourcePosition | null, isRuntime: boolean, selfMs: number, totalMs: number }} FunctionTime */
/** @typedef {{ time: FunctionTime, depth: number, startMs: number, endMs: number }} Call */

const IDLE = new Set(['(root)', '(idle)', '(program)']);

export class Profile {
  /** @type {FunctionTime[]} the longest first */
  functions;
  /** @type {Call[]} */
  calls = [];
  depth = 0;
  durationMs;

  /** @param {Raw} raw @param {Thread} thread */
  constructor(raw, thread) {
    this.raw = raw;
    this.durationMs = (raw.endTime - raw.startTime) / 1000;
    /** @type {Map<string, FunctionTime>} */
    const functions = new Map();
    /** @type {Map<number, Node>} */
    const nodes = new Map();
    for (const each of raw.nodes) nodes.set(each.id, new Node(functionOf(each, functions, thread), each.callFrame.functionName));
    for (const each of raw.nodes) for (const child of each.children ?? []) this.#adopt(nodes, each.id, child);
    this.#sum(raw, nodes);
    this.functions = [...functions.values()].filter(({ totalMs }) => totalMs > 0).sort((a, b) => b.selfMs - a.selfMs);
  }

  /** @param {Map<number, Node>} nodes @param {number} parent @param {number} child */
  #adopt(nodes, parent, child) {
    const node = nodes.get(child);
    if (node) node.parent = nodes.get(parent) ?? null;
  }

  /**
   * Adds up the samples, and joins those that share a call into one.
   * @param {Raw} raw
   * @param {Map<number, Node>} nodes
   */
  #sum(raw, nodes) {
    /** @type {{ node: Node, call: Call }[]} */
    let open = [];
    let at = raw.startTime;
    const samples = raw.samples ?? [];
    samples.forEach((id, index) => {
      at += raw.timeDeltas?.[index] ?? 0;
      const next = index + 1 < samples.length ? at + (raw.timeDeltas?.[index + 1] ?? 0) : raw.endTime;
      const [startMs, endMs] = [at, Math.max(at, next)].map((time) => (time - raw.startTime) / 1000);
      const stack = nodes.get(id)?.stack() ?? [];
      stack.at(-1)?.time && (stack[stack.length - 1].time.selfMs += endMs - startMs);
      for (const time of new Set(stack.map((node) => node.time))) time.totalMs += endMs - startMs;
      let shared = 0;
      while (shared < open.length && open[shared].node === stack[shared]) open[shared++].call.endMs = endMs;
      open = open.slice(0, shared);
      for (const node of stack.slice(shared)) {
        const call = { time: node.time, depth: open.length, startMs, endMs };
        this.calls.push(call);
        open.push({ node, call });
      }
      this.depth = Math.max(this.depth, open.length);
    });
  }
}

/** A place in the tree of calls. */
class Node {
  /** @type {Node | null} */
  parent = null;

  /** @param {FunctionTime} time @param {string} name */
  constructor(time, name) {
    this.time = time;
    this.isIdle = IDLE.has(name);
  }

  /** Returns the calls that lead here, outermost first, without those that mean that nothing ran. */
  stack() {
    /** @type {Node[]} */
    const found = [];
    for (let node = /** @type {Node | null} */ (this); node; node = node.parent) if (!node.isIdle) found.push(node);
    return found.reverse();
  }
}

/**
 * @param {RawNode} node
 * @param {Map<string, FunctionTime>} functions
 * @param {Thread} thread
 */
function functionOf({ callFrame }, functions, thread) {
  const { functionName, scriptId, url, lineNumber, columnNumber } = callFrame;
  const key = `${functionName}\n${scriptId}\n${lineNumber}\n${columnNumber}`;
  const found = functions.get(key);
  if (found) return found;
  const isRuntime = url.startsWith('node:');
  const place = url && !isRuntime ? thread.toSource({ scriptId, lineNumber, columnNumber }) : null;
  const made = { name: functionName || '(anonymous)', place, isRuntime, selfMs: 0, totalMs: 0 };
  functions.set(key, made);
  return made;
}
