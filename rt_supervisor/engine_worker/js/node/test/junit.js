'use strict';
// Owns: the `junit` reporter: the tree of suites and tests as XML, told when all of it is over.

const { inspect } = require('internal/inspect/inspect');

const escapeAttribute = (text) =>
  escapeText(`${text}`.replace(/\n/g, '')).replace(/["']/g, (each) => (each === '"' ? '&quot;' : '&apos;'));
const escapeText = (text) =>
  `${text}`.replace(/[&<>]/g, (each) => ({ __proto__: null, '&': '&amp;', '<': '&lt;', '>': '&gt;' })[each]);
const escapeComment = (text) => `${text}`.replace(/--/g, '&#45;&#45;');

function xmlOf(node) {
  if (typeof node === 'string') return `${escapeText(node)}\n`;
  const indent = '\t'.repeat(node.nesting + 1);
  if (node.comment !== undefined) return `${indent}<!-- ${escapeComment(node.comment)} -->\n`;
  const attributes = Object.entries(node.attributes ?? {})
    .map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`)
    .join('');
  if (!node.children?.length) return `${indent}<${node.tag}${attributes}/>\n`;
  return `${indent}<${node.tag}${attributes}>\n${node.children.map(xmlOf).join('')}${indent}</${node.tag}>\n`;
}

const isFailed = (node) => Boolean(node.children?.some((child) => child.tag === 'failure') || node.attributes?.failures > 0);
const isSkipped = (node) => Boolean(node.children?.some((child) => child.tag === 'skipped') || node.attributes?.skipped > 0);

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
    (before === null ? roots : before.children).push(open);
    return open;
  };
  for await (const { type, data } of source) {
    if (type === 'test:start') begin(data);
    else if (type === 'test:pass' || type === 'test:fail') {
      open ??= begin(data);
      if (open.nesting !== data.nesting || open.attributes.name !== data.name) begin(data);
      const node = open;
      open = node.parent;
      node.attributes.time = (data.details.duration_ms / 1000).toFixed(6);
      const tests = node.children.filter((child) => child.comment === undefined);
      if (tests.length > 0) {
        node.tag = 'testsuite';
        const { name, time } = node.attributes;
        const counted = (isCounted) => tests.filter(isCounted).length;
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
        node.children.push({ nesting: data.nesting + 1, tag, attributes: { type: tag, message: reason === true ? '' : reason } });
      if (data.skip) note('skipped', data.skip);
      if (data.todo) note('todo', data.todo);
      if (type === 'test:fail') {
        node.attributes.failure = data.details.error?.message ?? '';
        node.children.push(failureOf(data));
      }
    } else if (type === 'test:diagnostic') {
      (open === null ? roots : open.children).push({ nesting: data.nesting, comment: data.message });
    }
  }
  for (const node of roots) yield xmlOf(node);
  yield '</testsuites>\n';
}

module.exports = { junit };
