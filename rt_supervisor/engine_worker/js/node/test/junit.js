'use strict';
// Owns: the `junit` reporter: the tree of suites and tests as XML, written at the end of the run.

const { intactAsync } = require('internal/async_iteration');
const {
  ArrayFilter,
  ArrayJoin,
  ArrayMap,
  ArrayPush,
  ArraySome,
  NumberToFixed,
  ObjectEntries,
  RegExpReplace,
  StringRepeat,
  intact,
} = require('internal/primordials');
const { inspect } = require('internal/inspect/inspect');

const escapeAttribute = (text) =>
  RegExpReplace(/["']/g, escapeText(RegExpReplace(/\n/g, `${text}`, '')), (each) => (each === '"' ? '&quot;' : '&apos;'));
const escapeText = (text) =>
  RegExpReplace(/[&<>]/g, `${text}`, (each) => ({ __proto__: null, '&': '&amp;', '<': '&lt;', '>': '&gt;' })[each]);
const escapeComment = (text) => RegExpReplace(/--/g, `${text}`, '&#45;&#45;');

function xmlOf(node) {
  if (typeof node === 'string') return `${escapeText(node)}\n`;
  const indent = StringRepeat('\t', node.nesting + 1);
  if (node.comment !== undefined) return `${indent}<!-- ${escapeComment(node.comment)} -->\n`;
  const attributes = ArrayJoin(
    ArrayMap(ObjectEntries(node.attributes ?? {}), ({ 0: name, 1: value }) => ` ${name}="${escapeAttribute(value)}"`),
    '',
  );
  if (!node.children?.length) return `${indent}<${node.tag}${attributes}/>\n`;
  return `${indent}<${node.tag}${attributes}>\n${ArrayJoin(ArrayMap(node.children, xmlOf), '')}${indent}</${node.tag}>\n`;
}

const isFailed = (node) =>
  Boolean(
    (node.children == null ? undefined : ArraySome(node.children, (child) => child.tag === 'failure')) ||
    node.attributes?.failures > 0,
  );
const isSkipped = (node) =>
  Boolean(
    (node.children == null ? undefined : ArraySome(node.children, (child) => child.tag === 'skipped')) ||
    node.attributes?.skipped > 0,
  );

function failureOf(data) {
  const { error } = data.details;
  return {
    nesting: data.nesting + 1,
    tag: 'failure',
    attributes: { type: error?.failureType ?? error?.code ?? '', message: error?.message ?? '' },
    children: [inspect(error, { colors: false })],
  };
}

async function* junit(source) {
  yield '<?xml version="1.0" encoding="utf-8"?>\n<testsuites>\n';
  let open = null;
  const roots = [];
  const begin = (data) => {
    const before = open;
    open = { attributes: { name: data.name }, nesting: data.nesting, parent: before, children: [] };
    ArrayPush(before === null ? roots : before.children, open);
    return open;
  };
  for await (const { type, data } of intactAsync(source)) {
    if (type === 'test:start') begin(data);
    else if (type === 'test:pass' || type === 'test:fail') {
      open ??= begin(data);
      if (open.nesting !== data.nesting || open.attributes.name !== data.name) begin(data);
      const node = open;
      open = node.parent;
      node.attributes.time = NumberToFixed(data.details.duration_ms / 1000, 6);
      const tests = ArrayFilter(node.children, (child) => child.comment === undefined);
      if (tests.length > 0) {
        node.tag = 'testsuite';
        const { name, time } = node.attributes;
        const counted = (isCounted) => ArrayFilter(tests, isCounted).length;
        node.attributes = {
          name,
          time,
          disabled: 0,
          errors: 0,
          tests: tests.length,
          failures: counted(isFailed),
          skipped: counted(isSkipped),
          hostname: require('node/os').hostname(),
        };
        continue;
      }
      node.tag = 'testcase';
      node.attributes.classname = data.classname ?? 'test';
      if (data.file !== undefined) node.attributes.file = data.file;
      const note = (tag, reason) =>
        ArrayPush(node.children, {
          nesting: data.nesting + 1,
          tag,
          attributes: { type: tag, message: reason === true ? '' : reason },
        });
      if (data.skip) note('skipped', data.skip);
      if (data.todo) note('todo', data.todo);
      if (type === 'test:fail') {
        node.attributes.failure = data.details.error?.message ?? '';
        ArrayPush(node.children, failureOf(data));
      }
    } else if (type === 'test:diagnostic') {
      ArrayPush(open === null ? roots : open.children, { nesting: data.nesting, comment: data.message });
    }
  }
  for (const node of intact(roots)) yield xmlOf(node);
  yield '</testsuites>\n';
}

module.exports = { junit };
