// @ts-check
'use strict';
// Owns: process.allowedNodeEnvironmentFlags: the flags that Node 26 accepts in NODE_OPTIONS, as an immutable set that
// recognises every spelling of a flag. `cli/line/node_options.py` decides which of them rt applies.

const { setOf } = require('internal/collections');
const { RegExpSplit } = require('internal/patterns');
const { NAMES } = require('node/process/allowed_names');
const {
  ArrayFlatMap,
  ArrayMap,
  ObjectFreeze,
  ReflectApply,
  RegExpReplace,
  RegExpTest,
  SetEntries,
  SetForEach,
  SetHas,
  SetSize,
  SetValues,
  StringEndsWith,
  StringReplace,
  StringReplaceAll,
  StringStartsWith,
  intact,
} = require('internal/primordials');

function spelledOut(name) {
  if (StringStartsWith(name, '-')) return [name];
  const bare = StringReplace(name, '!', '');
  return StringEndsWith(name, '!') ? [`--${bare}`, `--no-${bare}`] : [`--${bare}`];
}

const LEADING_DASHES = /^--?/;
const VALUE = /=.*$/;

/**
 * The set also contains the flags itself, for its size; everything else reads `#flags`, which `Set.prototype.add` does not
 * reach.
 */
class NodeEnvironmentFlagsSet extends Set {
  #flags;
  #bare; // flags without their dashes

  constructor(flags) {
    super();
    for (const flag of intact(flags)) super.add(flag);
    this.#flags = setOf(intact(flags));
    this.#bare = setOf(intact(ArrayMap(flags, (flag) => RegExpReplace(LEADING_DASHES, flag, ''))));
  }

  add() {
    return this;
  }
  delete() {
    return false;
  }
  clear() {}
  get size() {
    return SetSize(this.#flags);
  }

  has(key) {
    if (typeof key !== 'string') return false;
    const spelled = StringReplaceAll(key, '_', '-');
    if (!RegExpTest(LEADING_DASHES, spelled)) return SetHas(this.#bare, spelled);
    return SetHas(this.#flags, RegExpReplace(VALUE, spelled, ''));
  }

  forEach(callback, thisArg) {
    SetForEach(this.#flags, (flag) => ReflectApply(callback, thisArg, [flag, flag, this]));
  }
  entries() {
    return SetEntries(this.#flags);
  }
  keys() {
    return SetValues(this.#flags);
  }
  values() {
    return SetValues(this.#flags);
  }
  [Symbol.iterator]() {
    return SetValues(this.#flags);
  }
}
for (const part of intact([NodeEnvironmentFlagsSet, NodeEnvironmentFlagsSet.prototype])) ObjectFreeze(part);

const allowedFlags = () => ObjectFreeze(new NodeEnvironmentFlagsSet(ArrayFlatMap(RegExpSplit(/\s+/, NAMES), spelledOut)));

module.exports = { allowedFlags };
