'use strict';
// Owns: the rule that the runtime's JavaScript must work after a program has replaced methods of built-in objects. It reports
// code that reads such a method implicitly: iteration over arrays, inherited properties of a property descriptor, RegExp
// methods, and Promise's static functions.

const MESSAGES = {
  iteration: 'This calls Array.prototype[Symbol.iterator], which programs replace: loop over an index, or use {{instead}}.',
  descriptor: 'A property descriptor inherits from Object.prototype, which programs extend: start it with `__proto__: null`.',
  regexp: 'Programs replace RegExp.prototype.{{name}}: use {{instead}} of internal/primordials.',
  promise: 'Programs replace Promise.{{name}} and `then`: use the function of internal/primordials or a saved one.',
};
const REGEXP = { __proto__: null, test: 'RegExpTest', exec: 'RegExpExec' };
const PROMISE = new Set(['all', 'allSettled', 'any', 'race']);
// Constructors and functions that iterate over their first argument.
const COLLECTIONS = new Set(['Map', 'Set', 'WeakMap', 'WeakSet']);
const READERS = new Set(['Object.fromEntries', 'Array.from', 'ArrayFrom', 'Uint8Array.from']);
const DEFINERS = new Set(['Object.defineProperty', 'Reflect.defineProperty', 'ObjectDefineProperty', 'ReflectDefineProperty']);
const LISTS = new Set(['Object.defineProperties', 'Object.create', 'ObjectDefineProperties', 'ObjectCreate']);

const nameOf = (node) => {
  if (node.type === 'Identifier') return node.name;
  if (node.type !== 'MemberExpression' || node.computed || node.object.type !== 'Identifier') return undefined;
  return `${node.object.name}.${node.property.name}`;
};

const keyOf = ({ key, computed }) => (computed ? undefined : (key?.name ?? key?.value));

/** Returns whether an object literal inherits from Object.prototype, because it does not set `__proto__: null`. */
function inherits(node) {
  if (node?.type !== 'ObjectExpression') return false;
  return !node.properties.some(
    (each) => keyOf(each) === '__proto__' && each.value.type === 'Literal' && each.value.value === null,
  );
}

const isDescriptor = (node) =>
  node?.type === 'ObjectExpression' &&
  node.properties.some((each) => ['value', 'get', 'set', 'writable', 'enumerable', 'configurable'].includes(keyOf(each)));

/** Returns whether the iterable is a call of `intact` (internal/primordials) or `intactAsync` (internal/async_iteration). */
const isGuarded = (node, by = 'intact') => node?.type === 'CallExpression' && nameOf(node.callee) === by;

/** Returns whether an argument may be an iterable. */
const isRead = (node) =>
  node !== undefined && !['SpreadElement', 'ObjectExpression', 'Literal'].includes(node.type) && !isGuarded(node);

/** Returns the initializer of the variable that `node` names, if a single `const` declares it. */
function constantOf(node, scope) {
  for (let around = scope; around !== null; around = around.upper) {
    const variable = around.set.get(node.name);
    if (variable === undefined) continue;
    const [definition] = variable.defs;
    return variable.defs.length === 1 && definition.type === 'Variable' && definition.parent.kind === 'const'
      ? definition.node.init
      : undefined;
  }
  return undefined;
}

module.exports = {
  meta: { type: 'problem', messages: MESSAGES, schema: [] },
  create(context) {
    const { sourceCode } = context;
    const isRegExp = (node) => {
      const value = node.type === 'Identifier' ? constantOf(node, sourceCode.getScope(node)) : node;
      return value?.type === 'Literal' && value.regex !== undefined;
    };
    const iteration = (node, instead) => context.report({ node, messageId: 'iteration', data: { instead } });
    return {
      ForOfStatement(node) {
        if (node.await) {
          if (!isGuarded(node.right, 'intactAsync')) iteration(node, '`intactAsync` of internal/async_iteration');
        } else if (!isGuarded(node.right)) iteration(node, '`intact` of internal/primordials');
      },
      SpreadElement(node) {
        if (node.parent.type === 'ObjectExpression' || isGuarded(node.argument)) return;
        iteration(
          node,
          node.parent.type === 'ArrayExpression' ? 'ArrayConcat or ArraySlice' : 'ReflectApply or ReflectConstruct',
        );
      },
      ArrayPattern(node) {
        const { parent } = node;
        if (!isGuarded(parent.init ?? parent.right)) iteration(node, 'an object pattern of indices');
      },
      NewExpression(node) {
        const { 0: value } = node.arguments;
        if (COLLECTIONS.has(nameOf(node.callee)) && isRead(value)) iteration(value, '`intact` of internal/primordials');
      },
      CallExpression(node) {
        const name = nameOf(node.callee);
        const values = node.arguments;
        if (READERS.has(name) && isRead(values[0])) iteration(values[0], '`intact` of internal/primordials');
        if (DEFINERS.has(name) && inherits(values[2])) context.report({ node: values[2], messageId: 'descriptor' });
        if (LISTS.has(name) && values[1]?.type === 'ObjectExpression') {
          for (const { value } of values[1].properties)
            if (isDescriptor(value) && inherits(value)) context.report({ node: value, messageId: 'descriptor' });
        }
        if (name?.startsWith('Promise.') && PROMISE.has(name.slice(8)))
          context.report({ node, messageId: 'promise', data: { name: name.slice(8) } });
        if (node.callee.type !== 'MemberExpression' || node.callee.computed) return;
        const method = node.callee.property.name;
        if (method in REGEXP && isRegExp(node.callee.object))
          context.report({ node, messageId: 'regexp', data: { name: method, instead: REGEXP[method] } });
      },
    };
  },
};
