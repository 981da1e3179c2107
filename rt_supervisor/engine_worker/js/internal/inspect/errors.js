// @ts-check
'use strict';
// Owns: errors as util.inspect prints them: the stack with a corrected head, repeated and shared frames folded, and
// (with colours) frames of the runtime, the working directory and package names distinguished.

exports.formatError = formatError;

const {
  ArrayIncludes,
  ArrayIndexOf,
  ArrayIsArray,
  ArrayJoin,
  ArraySplice,
  ArrayFrom,
  ErrorToString,
  MapGet,
  MapSet,
  MapSize,
  ObjectHasOwn,
  ObjectToString,
  RegExpExec,
  RegExpReplace,
  SetAdd,
  StringEndsWith,
  StringIncludes,
  StringIndexOf,
  StringRepeat,
  StringReplace,
  StringReplaceAll,
  StringSlice,
  StringSplit,
  StringStartsWith,
  intact,
} = require('internal/primordials');
const { KIND } = require('internal/kinds');
const { prefix } = require('internal/inspect/names');

const FEWEST_FOLDED_LINES = 3;
const LONGEST_UNFOLDED_STACK = 10;

const isError = (value) =>
  value !== null && typeof value === 'object' && (host.inspect.kindOf(value) === KIND.ERROR || value instanceof Error);

/** Returns the value of a property, or undefined if its getter throws. */
function valueOf(error, name) {
  try {
    return error[name];
  } catch {
    return undefined;
  }
}

function stackText(context, error) {
  const stack = valueOf(error, 'stack');
  if (!stack) return ErrorToString(error);
  if (typeof stack === 'string') return stack;
  context.seen[context.seen.length] = error;
  context.indentationLvl += 4;
  // Does not count as a level: an unusual stack is printed in full, on several lines.
  const text = require('internal/inspect/value').formatValue(context, stack, NaN);
  context.indentationLvl -= 4;
  context.seen.length--;
  return `${ErrorToString(error)}\n    ${text}`;
}

/** Formats an error. Removes from `keys` the properties that the text already shows, and adds cause and errors to them. */
function formatError(context, error, constructor, tag, keys) {
  let stack;
  try {
    stack = stackText(context, error);
  } catch {
    return ObjectToString(error); // its name or message cannot be read
  }
  const name = valueOf(error, 'name') ?? 'Error';
  const message = valueOf(error, 'message');
  dropShownKeys(context, keys, error, stack);
  if (ObjectHasOwn(error, 'cause') && !ArrayIncludes(keys, 'cause')) keys[keys.length] = 'cause';
  if (ObjectHasOwn(error, 'errors') && ArrayIsArray(valueOf(error, 'errors')) && !ArrayIncludes(keys, 'errors'))
    keys[keys.length] = 'errors';
  stack = correctHead(stack, constructor, name, tag);

  let position = (typeof message === 'string' && message && StringIndexOf(stack, message)) || -1;
  if (position !== -1) position += message.length;
  const framesStart = StringIndexOf(stack, '\n    at', position);
  if (framesStart === -1) {
    stack = `[${stack}]`;
  } else {
    const lines = foldFrames(context, error, StringSplit(StringSlice(stack, framesStart + 1), '\n'));
    stack = StringSlice(stack, 0, framesStart);
    if (context.colors) for (let i = 0; i < lines.length; i++) stack += `\n${colorFrame(context, lines[i])}`;
    else stack += `\n${ArrayJoin(lines, '\n')}`;
  }
  if (context.indentationLvl !== 0) {
    stack = StringReplaceAll(stack, '\n', `\n${StringRepeat(' ', context.indentationLvl)}`);
  }
  return stack;
}

function dropShownKeys(context, keys, error, stack) {
  if (context.showHidden || keys.length === 0) return;
  for (const name of intact(['name', 'message', 'stack'])) {
    const index = ArrayIndexOf(keys, name);
    if (index === -1) continue;
    let value;
    try {
      value = error[name];
    } catch {
      if (name !== 'stack') continue; // if the getter throws, the property remains among the keys
    }
    if (name === 'stack' || typeof value !== 'string' || StringIncludes(stack, value)) ArraySplice(keys, index, 1);
  }
}

const HEAD_WITH_FRAMES = /^([A-Z][a-z_ A-Z0-9[\]()-]+)(?::|\n\s+at)/;
const HEAD_ALONE = /^([a-z_A-Z0-9-]*Error)$/;

/** Inserts the class name (and a note of a null prototype or a tag) into a stack that starts with the bare error name. */
function correctHead(stack, constructor, givenName, tag) {
  const name = String(givenName); // the name may be a symbol
  if (typeof givenName !== 'string') {
    stack = StringReplace(stack, name, () => `${name} [${StringSlice(prefix(constructor, tag, 'Error'), 0, -1)}]`);
  }
  let length = name.length;
  const startsWithName =
    StringEndsWith(name, 'Error') &&
    StringStartsWith(stack, name) &&
    (stack.length === length || stack[length] === ':' || stack[length] === '\n');
  if (constructor !== null && !startsWithName) return stack;
  let fallback = 'Error';
  if (constructor === null) {
    const head = RegExpExec(HEAD_WITH_FRAMES, stack) ?? RegExpExec(HEAD_ALONE, stack);
    fallback = head?.[1] || '';
    length = fallback.length;
    fallback ||= 'Error';
  }
  const full = StringSlice(prefix(constructor, tag, fallback), 0, -1);
  if (name === full) return stack;
  if (!StringIncludes(full, name)) return `${full} [${name}]${StringSlice(stack, length)}`;
  return length === 0 ? `${full}: ${stack}` : `${full}${StringSlice(stack, length)}`;
}

function foldFrames(context, error, frames) {
  let cause;
  try {
    ({ cause } = error);
  } catch {
    // A cause whose stack getter throws has no frames to share.
  }
  if (cause != null && isError(cause)) {
    const causeStack = stackText(context, cause);
    const start = StringIndexOf(causeStack, '\n    at');
    if (start !== -1) {
      const shared = sharedFrames(frames, StringSplit(StringSlice(causeStack, start + 1), '\n'));
      if (shared.count > 3) {
        const skipped = shared.count - 2;
        const note = `    ... ${skipped} lines matching cause stack trace ...`;
        ArraySplice(frames, shared.offset + 1, skipped, context.stylize(note, 'undefined'));
      }
    }
  }
  if (frames.length > LONGEST_UNFOLDED_STACK) foldRepeats(context, frames);
  return frames;
}

/** Returns the first run of more than three lines in `frames` that also occurs in `others`. */
function sharedFrames(frames, others) {
  for (let i = 0; i < frames.length - 3; i++) {
    const start = ArrayIndexOf(others, frames[i]);
    if (start === -1) continue;
    const rest = others.length - start;
    if (rest <= 3) continue;
    let count = 1;
    const most = rest < frames.length - i ? rest : frames.length - i;
    while (count < most && frames[i + count] === others[start + count]) count++;
    if (count > 3) return { count, offset: i };
  }
  return { count: 0, offset: 0 };
}

function foldRepeats(context, frames) {
  const found = repeatedRanges(frames);
  for (let i = found.length - 1; i >= 0; i--) {
    const { offset, length, times } = found[i];
    const what = times > 1 ? `${length} lines ${times} times...` : 'lines ...';
    const note = `    ... collapsed ${length * times} duplicate lines matching above ${what}`;
    ArraySplice(frames, offset, length * times, context.stylize(note, 'undefined'));
  }
}

/** Finds blocks of lines that are repeated immediately, greedily from the top: direct and mutual recursion. */
function repeatedRanges(frames) {
  const positions = new Map();
  for (let i = 0; i < frames.length; i++) {
    const known = MapGet(positions, frames[i]);
    if (known === undefined) MapSet(positions, frames[i], [i]);
    else known[known.length] = i;
  }
  const found = [];
  if (frames.length - MapSize(positions) <= FEWEST_FOLDED_LINES) return found;
  for (let i = 0; i < frames.length - FEWEST_FOLDED_LINES; i++) {
    const known = MapGet(positions, frames[i]);
    const next = ArrayIndexOf(known, i) + 1;
    if (next === known.length || known[known.length - 1] - i < FEWEST_FOLDED_LINES) continue;
    const lengths = candidateLengths(known, next, i);
    let length = lengths[0];
    let times = 0;
    for (let j = 0; j < lengths.length; j++) {
      const repeats = countRepeats(frames, i, lengths[j]);
      if (repeats * lengths[j] > times * length) {
        length = lengths[j];
        times = repeats;
      }
    }
    if (times * length >= FEWEST_FOLDED_LINES) {
      found[found.length] = { offset: i + length, length, times };
      i += length * (times + 1) - 1;
    }
  }
  return found;
}

/**
 * Returns the block lengths worth trying at line `i`: the greatest common divisor of the distances to its repeats, then the
 * steps to it.
 */
function candidateLengths(positions, next, i) {
  if (next + 1 === positions.length) return [positions[next] - i];
  const steps = new Set();
  let divisor = 0;
  for (let j = next; j < positions.length && divisor !== 1; j++) {
    let distance = positions[j] - i;
    while (distance !== 0) {
      const remainder = divisor % distance;
      if (divisor !== 0) SetAdd(steps, divisor);
      divisor = distance;
      distance = remainder;
    }
  }
  return [divisor, ...intact(ArrayFrom(intact(steps)))];
}

function countRepeats(frames, start, length) {
  let times = 0;
  for (let block = start + length; block + length <= frames.length; block += length) {
    for (let i = 0; i < length; i++) if (frames[start + i] !== frames[block + i]) return times;
    times++;
  }
  return times;
}

const RUNTIME_FRAME = /^ {4}at (?:[^/\\(]+ \(|)(?:node|rt):(.+):\d+:\d+(?:\)|$)/;
const PACKAGE_NAME = /([/\\]node_modules[/\\])(@[^/\\]+[/\\][^/\\]+|[^/\\]+)(?=[/\\])/g;

function colorFrame(context, line) {
  const runtime = RegExpExec(RUNTIME_FRAME, line);
  if (runtime !== null && host.inspect.isBuiltin(runtime[1])) return context.stylize(line, 'undefined');
  line = RegExpReplace(PACKAGE_NAME, line, (_, folder, name) => folder + context.stylize(name, 'module'));
  let folder;
  try {
    folder = host.cwd();
  } catch {
    return line; // The working directory has been removed.
  }
  const colored = colorFolder(context, line, folder);
  return colored === line ? colorFolder(context, line, require('internal/file_url').pathToHref(folder)) : colored;
}

function colorFolder(context, line, folder) {
  let start = StringIndexOf(line, folder);
  if (start === -1) return line;
  let length = folder.length;
  if (start >= 7 && StringSlice(line, start - 7, start) === 'file://') {
    length += 7;
    start -= 7;
  }
  const open = line[start - 1] === '(' ? start - 1 : start;
  const isInParentheses = open !== start && StringEndsWith(line, ')');
  const end = start + length + 1;
  const tail = StringSlice(line, end, isInParentheses ? -1 : line.length);
  return (
    `${StringSlice(line, 0, open)}${context.stylize(StringSlice(line, open, end), 'undefined')}${tail}` +
    (isInParentheses ? context.stylize(')', 'undefined') : '')
  );
}
