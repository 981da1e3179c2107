'use strict';
// Owns: the coverage of a test run: the directory to which this process and its children write their counts, and the summary
// computed from them, with lines, branches and functions per source file, for reporters.

const {
  ArrayFilter,
  ArrayPush,
  ArraySort,
  JSONParse,
  MapDelete,
  MapEntries,
  MapGet,
  MapHas,
  MapSet,
  RegExpTest,
  StringStartsWith,
  intact,
} = require('internal/primordials');
const runtimeParts = require('internal/parts');
const { linesOf, cover } = require('node/test/coverage/lines');
const { makeIsMeasured, allSources } = require('node/test/coverage/files');
const { mergeFunctions } = require('node/test/coverage/merge');
const { mappedFunctions } = require('node/test/coverage/mapped');

const WRITTEN = /^coverage-\d+-\d{13}-\d+\.json$/;
const KINDS = ['Line', 'Branch', 'Function'];

let folder; // where the counts of this run are written; undefined until coverage starts
let outerFolder; // the directory that NODE_V8_COVERAGE named before

/** Starts counting in this process and its children. */
function begin() {
  if (folder !== undefined) return;
  const fs = require('node/fs/fs');
  outerFolder = runtimeParts.process.process.env.NODE_V8_COVERAGE;
  folder = fs.mkdtempSync(require('node/path/path').join(require('node/os').tmpdir(), 'rt-test-coverage-'));
  require('node/v8/coverage').begin(folder);
}

/** As `begin`, if the command line requests coverage; not in the process of one file, which only writes its counts. */
function beginIfRequested() {
  if (require('node/test/options').current().coverage !== undefined) begin();
}

/**
 * The counts since `begin` as the `summary` of the event test:coverage; ends the counting. Reporters and the global setup are
 * not measured if only they run in this process.
 */
function summary(settings) {
  if (settings.isRunnerMeasured !== false) runtimeParts.coverage.take();
  runtimeParts.coverage.stop();
  try {
    return summaryOf(mergeCounts(settings), settings);
  } finally {
    cleanUp();
  }
}

function cleanUp() {
  const fs = require('node/fs/fs');
  const { env } = runtimeParts.process.process;
  if (outerFolder === undefined) delete env.NODE_V8_COVERAGE;
  else {
    env.NODE_V8_COVERAGE = outerFolder;
    fs.cpSync(folder, outerFolder, { recursive: true });
  }
  fs.rmSync(folder, { recursive: true, force: true });
  folder = undefined;
}

/** A Map of URL to `{ functions, source }`. */
function mergeCounts(settings) {
  const fs = require('node/fs/fs');
  const isMeasured = makeIsMeasured(settings);
  const scripts = new Map();
  const sources = new Map();
  const sourceAt = (url, content) => {
    if (!MapHas(sources, url)) {
      const text = content ?? readSource(url);
      MapSet(sources, url, text === undefined ? undefined : linesOf(text));
    }
    return MapGet(sources, url);
  };
  const add = (url, functions) => {
    if (!isMeasured(url)) return;
    if (MapHas(scripts, url)) mergeFunctions(MapGet(scripts, url), functions);
    else MapSet(scripts, url, functions);
  };
  const followsMaps = settings.sourceMaps;
  const names = ArrayFilter(fs.readdirSync(folder), (name) => RegExpTest(WRITTEN, name));
  for (let index = 0; index < names.length; index++) {
    const { result, 'source-map-cache': maps } = JSONParse(fs.readFileSync(`${folder}/${names[index]}`, 'utf8'));
    for (let place = 0; place < result.length; place++) {
      const { url, functions } = result[place];
      const map = maps?.[url];
      const isOurs = map?.data?.sources.length === 1 && map.data.sources[0] === url;
      if (map === undefined || !(isOurs || followsMaps)) add(url, functions);
      else if (isMeasured(url)) addMapped(functions, map, sourceAt, add);
    }
  }
  if (settings.includeAll) {
    const all = allSources(settings.cwd);
    for (let index = 0; index < all.length; index++) {
      if (!MapHas(scripts, all[index]) && isMeasured(all[index])) MapSet(scripts, all[index], neverRun());
    }
  }
  return { scripts, sourceAt };
}

/** Returns the functions and branches of a file of which nothing ran: they are unknown. */
const neverRun = () => [
  { functionName: '', isBlockCoverage: false, ranges: [{ startOffset: 0, endOffset: Infinity, count: 0 }] },
];

function addMapped(functions, map, sourceAt, add) {
  for (const found of intact(MapEntries(mappedFunctions(functions, map, sourceAt)))) add(found[0], found[1]);
}

function readSource(url) {
  if (!StringStartsWith(url, 'file:')) return undefined;
  try {
    return require('node/fs/fs').readFileSync(require('internal/file_url_host').fileURLToPath(url), 'utf8');
  } catch {
    return undefined; // the program has removed it since
  }
}

const percentage = (covered, total) => (total === 0 ? 100 : (covered / total) * 100);

/** Sets the totals, covered counts and percentages of a file, or of all files, in the summary. */
function setCounts(target, counts) {
  for (let index = 0; index < KINDS.length; index++) target[`total${KINDS[index]}Count`] = counts[index].total;
  for (let index = 0; index < KINDS.length; index++) target[`covered${KINDS[index]}Count`] = counts[index].covered;
  for (let index = 0; index < KINDS.length; index++) {
    target[`covered${KINDS[index]}Percent`] = percentage(counts[index].covered, counts[index].total);
  }
  return target;
}

const zeroes = () => [
  { total: 0, covered: 0 },
  { total: 0, covered: 0 },
  { total: 0, covered: 0 },
];

function summaryOf({ scripts, sourceAt }, { cwd, thresholds }) {
  const files = [];
  const all = zeroes();
  for (const entry of intact(MapEntries(scripts))) {
    const lines = sourceAt(entry[0]);
    if (lines === undefined) {
      MapDelete(scripts, entry[0]);
      continue;
    }
    const { file, counts } = fileOf(entry[0], entry[1], lines);
    for (let index = 0; index < counts.length; index++) {
      all[index].total += counts[index].total;
      all[index].covered += counts[index].covered;
    }
    ArrayPush(files, file);
  }
  ArraySort(files, (one, other) => (one.path < other.path ? -1 : one.path > other.path ? 1 : 0));
  return { workingDirectory: cwd, files, totals: setCounts({ __proto__: null }, all), thresholds };
}

function fileOf(url, functions, lines) {
  const counts = zeroes();
  const branches = [];
  const functionList = [];
  for (let place = 0; place < functions.length; place++) {
    const { functionName, isBlockCoverage, ranges } = functions[place];
    let most = 0;
    let whole;
    for (let index = 0; index < ranges.length; index++) {
      const { count } = ranges[index];
      const { first, isIgnored } = cover(lines, ranges[index]);
      if (count > most) most = count;
      if (index === 0) whole = { line: first, isCovered: count !== 0 || isIgnored };
      if (!isBlockCoverage) continue;
      ArrayPush(branches, { line: first, count });
      counts[1].total++;
      if (count !== 0 || isIgnored) counts[1].covered++;
    }
    if (place === 0 || whole === undefined) continue; // the first function is the file itself
    ArrayPush(functionList, { name: functionName, count: most, line: whole.line });
    counts[2].total++;
    if (whole.isCovered) counts[2].covered++;
  }
  const lineCounts = [];
  for (let place = 0; place < lines.length; place++) {
    const { line, count, isIgnored } = lines[place];
    if (!isIgnored) ArrayPush(lineCounts, { line, count });
    counts[0].total++;
    if (count > 0 || isIgnored) counts[0].covered++;
  }
  const file = setCounts({ path: require('internal/file_url_host').fileURLToPath(url) }, counts);
  return { file: { ...file, functions: functionList, branches, lines: lineCounts }, counts };
}

module.exports = { begin, beginIfRequested, summary };
