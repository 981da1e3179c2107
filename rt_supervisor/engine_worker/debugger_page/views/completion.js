// @ts-check
// Completions for the console: the variables in scope, or the members of what stands before a dot. That is evaluated without side
// effects: V8 refuses those.
import { syntaxTree } from '../vendor/codemirror.js';

/** @typedef {import('devtools-protocol').Protocol.Runtime.PropertyDescriptor} PropertyDescriptor */
/** @typedef {import('../program/program.js').Program} Program */
/** @typedef {import('../program/thread.js').Thread} Thread */
/** @typedef {{ label: string, type: string, boost?: number }} Option */

const NAME = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;
/** Where the members of primitive values are. @type {Record<string, string>} */
const PROTOTYPES = {
  string: 'String.prototype',
  number: 'Number.prototype',
  boolean: 'Boolean.prototype',
  bigint: 'BigInt.prototype',
  symbol: 'Symbol.prototype',
};
const KEYWORDS =
  'async await class const delete false function if in instanceof let new null return this throw true typeof undefined void'.split(
    ' ',
  );

/**
 * @param {import('@codemirror/autocomplete').CompletionContext} context
 * @param {Program} program
 */
export async function completionsOf(context, program) {
  const thread = program.selected;
  const word = context.matchBefore(/[\w$]*$/);
  if (!thread || !word) return null;
  const before = context.state.sliceDoc(Math.max(0, word.from - 2), word.from);
  const isMember = before.endsWith('.') && !/\d\.$/.test(before);
  if (!isMember && word.from === word.to && !context.explicit) return null;
  const options = isMember ? await memberOptions(thread, objectBefore(context.state, word.from)) : await nameOptions(thread);
  return options.length > 0 ? { from: word.from, options, validFor: /^[\w$]*$/ } : null;
}

/**
 * Returns the expression before the dot that precedes `end`.
 * @param {import('../vendor/codemirror.js').EditorState} state
 * @param {number} end
 */
function objectBefore(state, end) {
  const dot = state.sliceDoc(end - 2, end) === '?.' ? end - 2 : end - 1;
  let node = syntaxTree(state).resolveInner(dot, -1);
  while (node.parent && node.parent.to === dot && node.parent.name !== 'Script' && !/Statement$/.test(node.parent.name))
    node = node.parent;
  return state.sliceDoc(node.from, dot);
}

/** @param {Thread} thread @param {string} expression @returns {Promise<Option[]>} */
async function memberOptions(thread, expression) {
  const value = await valueOf(thread, expression);
  const prototype = value && PROTOTYPES[value.type];
  const object = prototype ? await valueOf(thread, prototype) : value;
  return object?.objectId ? membersOf(thread, object.objectId) : [];
}

/** @param {Thread} thread @param {string} expression */
async function valueOf(thread, expression) {
  const options = { throwOnSideEffect: true, silent: true, objectGroup: 'completion' };
  const reply = await thread.evaluate(expression, options).catch(() => null);
  return reply && !reply.exceptionDetails ? reply.result : null;
}

/** @param {Thread} thread @returns {Promise<Option[]>} */
async function nameOptions(thread) {
  /** @type {Map<string, Option>} */
  const found = new Map();
  const add = (/** @type {Option[]} */ options) =>
    options.forEach((each) => found.has(each.label) || found.set(each.label, each));
  for (const scope of thread.frame?.scopeChain ?? []) {
    if (scope.type === 'global' || !scope.object.objectId) continue;
    add((await membersOf(thread, scope.object.objectId)).map((each) => ({ ...each, boost: 50 })));
  }
  const lexical = await thread.session.attempt('Runtime.globalLexicalScopeNames');
  add((lexical?.names ?? []).map((/** @type {string} */ label) => ({ label, type: 'variable', boost: 10 })));
  const globals = await valueOf(thread, 'globalThis');
  if (globals?.objectId) add(await membersOf(thread, globals.objectId));
  add(KEYWORDS.map((label) => ({ label, type: 'keyword', boost: -10 })));
  return [...found.values()];
}

/** @param {Thread} thread @param {string} objectId @returns {Promise<Option[]>} */
async function membersOf(thread, objectId) {
  const reply = await thread.session.attempt('Runtime.getProperties', { objectId, ownProperties: false });
  const found = /** @type {PropertyDescriptor[]} */ (reply?.result ?? []);
  return found
    .filter(({ name, symbol }) => !symbol && NAME.test(name))
    .map(({ name, value, isOwn }) => ({
      label: name,
      type: value?.type === 'function' ? 'function' : 'property',
      boost: isOwn ? 5 : 0,
    }));
}
