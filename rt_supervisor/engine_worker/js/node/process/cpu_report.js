'use strict';
// Owns: --cpu-prof-md: a CPU profile of the engine as a Markdown page, with the time of each function, its callers and files.
// A function counts once for a stack, so the time of a recursive one is at most that of the program.

const {
  ArrayForEach,
  ArrayJoin,
  ArrayMap,
  ArrayPush,
  ArraySlice,
  ArraySort,
  MapGet,
  MapHas,
  MapSet,
  MathMax,
  NumberToFixed,
  StringReplaceAll,
  StringStartsWith,
  intact,
} = require('internal/primordials');
const { fileURLToPath } = require('node/url/url');

const NOT_FUNCTIONS = new Set(intact(['(root)', '(idle)', '(program)']));
const isFunction = (name) => !NOT_FUNCTIONS.has(name);
const MOST_NAMED = 10;
const HEADS = {
  __proto__: null,
  functions: '| Self% | Self | Total% | Total | Function | Location |\n|------:|-----:|-------:|------:|----------|----------|',
  tree: '| Total% | Total | Self% | Self | Function | Location |\n|-------:|------:|------:|-----:|----------|----------|',
  files: '| Self% | Self | File |\n|------:|-----:|------|',
};

/** Formats microseconds. */
function duration(microseconds) {
  if (microseconds < 1000) return `${microseconds}us`;
  if (microseconds < 1_000_000) return `${NumberToFixed(microseconds / 1000, 1)}ms`;
  return `${NumberToFixed(microseconds / 1_000_000, 2)}s`;
}

const pathOf = (url) => (StringStartsWith(url, 'file:') ? fileURLToPath(url) : url);
const code = (text) => `\`${StringReplaceAll(text, '`', "'")}\``;

/** Adds to a number in a map. */
function add(map, key, amount) {
  MapSet(map, key, (MapGet(map, key) ?? 0) + amount);
}

/** The entries of a map of numbers, the largest first. */
function ranked(map) {
  const entries = [];
  map.forEach((value, key) => ArrayPush(entries, { __proto__: null, key, value }));
  return ArraySort(entries, (a, b) => b.value - a.value);
}

/** Returns { functions, total, samples } of a profile of V8. */
function readProfile({ nodes, samples, timeDeltas }) {
  const byId = new Map();
  ArrayForEach(nodes, (node) => MapSet(byId, node.id, { __proto__: null, node, parent: undefined, time: 0, hits: 0 }));
  ArrayForEach(nodes, ({ id, children }) => {
    if (children !== undefined) ArrayForEach(children, (child) => (MapGet(byId, child).parent = MapGet(byId, id)));
  });
  const functions = new Map();
  const functionOf = ({ node }) => {
    const { functionName, url, lineNumber } = node.callFrame;
    const key = `${functionName}\n${url}\n${lineNumber}`;
    if (!MapHas(functions, key)) {
      const place = url === '' ? '' : `${pathOf(url)}:${lineNumber + 1}`;
      const name = functionName === '' ? (lineNumber === 0 ? '(module)' : '(anonymous)') : functionName;
      const maps = { callers: new Map(), callees: new Map() };
      MapSet(functions, key, { __proto__: null, name, file: pathOf(url), place, self: 0, total: 0, samples: 0, ...maps });
    }
    return MapGet(functions, key);
  };
  let total = 0;
  ArrayForEach(samples, (id, index) => {
    const found = MapGet(byId, id);
    const time = MathMax(0, timeDeltas[index]);
    if (found === undefined || found.node.callFrame.functionName === '(idle)') return;
    total += time;
    found.time += time;
    found.hits++;
  });
  byId.forEach((leaf) => {
    if (leaf.hits === 0) return;
    const seen = new Set();
    let below;
    for (let at = leaf; at !== undefined; at = at.parent) {
      if (!isFunction(at.node.callFrame.functionName)) continue;
      const each = functionOf(at);
      if (at === leaf) {
        each.self += leaf.time;
        each.samples += leaf.hits;
      }
      if (!seen.has(each)) each.total += leaf.time;
      seen.add(each);
      if (below !== undefined) {
        add(below.callers, each, leaf.hits);
        add(each.callees, below, leaf.hits);
      }
      below = each;
    }
  });
  const list = [];
  functions.forEach((each) => ArrayPush(list, each));
  return { functions: list, total, samples: samples.length };
}

/** Returns the page for a profile that was sampled every `interval` microseconds. */
function cpuReport(profile, interval) {
  const { functions, total, samples } = readProfile(profile);
  const percent = (time) => `${NumberToFixed(total === 0 ? 0 : (time / total) * 100, 1)}%`;
  const bySelf = ArraySort(ArraySlice(functions), (a, b) => b.self - a.self || b.total - a.total);
  const byTotal = ArraySort(ArraySlice(functions), (a, b) => b.total - a.total || b.self - a.self);
  const files = new Map();
  ArrayForEach(functions, ({ file, self }) => file !== '' && add(files, file, self));
  const self = (each) => `${percent(each.self)} | ${duration(each.self)}`;
  const whole = (each) => `${percent(each.total)} | ${duration(each.total)}`;
  const place = (each) => (each.place === '' ? '' : code(each.place));
  const rows = (list, row) => ArrayJoin(ArrayMap(list, row), '\n');
  const links = (title, map) =>
    map.size === 0 ? '' : `\n\n**${title}:**\n${rows(ranked(map), ({ key, value }) => `- ${code(key.name)} (${value})`)}`;
  const details = (each) =>
    `### ${code(each.name)}\n${place(each)} | Self: ${percent(each.self)} (${duration(each.self)}) | ` +
    `Total: ${percent(each.total)} (${duration(each.total)}) | Samples: ${each.samples}` +
    `${links('Called by', each.callers)}${links('Calls', each.callees)}`;
  const top = ArrayJoin(
    ArrayMap(ArraySlice(bySelf, 0, MOST_NAMED), (each) => `${code(each.name)} ${percent(each.self)}`),
    ', ',
  );
  const sections = [
    '# CPU Profile',
    '| Duration | Samples | Interval | Functions |\n|----------|---------|----------|----------|\n' +
      `| ${duration(profile.endTime - profile.startTime)} | ${samples} | ${duration(interval)} | ${functions.length} |`,
    `**Top ${MOST_NAMED}:** ${top}`,
    '## Hot Functions (Self Time)',
    `${HEADS.functions}\n${rows(bySelf, (each) => `| ${self(each)} | ${whole(each)} | ${code(each.name)} | ${place(each)} |`)}`,
    '## Call Tree (Total Time)',
    `${HEADS.tree}\n${rows(byTotal, (each) => `| ${whole(each)} | ${self(each)} | ${code(each.name)} | ${place(each)} |`)}`,
    '## Function Details',
    ArrayJoin(ArrayMap(bySelf, details), '\n\n'),
    '## Files',
    `${HEADS.files}\n${rows(ranked(files), ({ key, value }) => `| ${percent(value)} | ${duration(value)} | ${code(key)} |`)}`,
  ];
  return `${ArrayJoin(sections, '\n\n')}\n`;
}

module.exports = { cpuReport };
