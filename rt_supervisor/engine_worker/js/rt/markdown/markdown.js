// @ts-check
'use strict';
// Owns: RT.markdown: HTML, the results of a program's own callbacks for each element, and React elements; `page` renders a page
// for a terminal.

const { setOf } = require('internal/collections');
const { RegExpMatch } = require('internal/patterns');
const {
  ArrayFlatMap,
  ArrayJoin,
  ArrayMap,
  JSONParse,
  JSONStringify,
  ObjectAssign,
  ObjectFromEntries,
  ObjectKeys,
  SetHas,
  SymbolFor,
  intact,
} = require('internal/primordials');
const native = host.native;
const { bytesOf } = require('internal/bytes');

function textOf(input) {
  if (typeof input === 'string') return input;
  const bytes = input !== null && typeof input === 'object' ? bytesOf(input) : undefined;
  if (bytes !== undefined) return native.decodeUtf8(bytes);
  throw ObjectAssign(new TypeError('Expected a string or buffer to render'), { code: 'ERR_INVALID_ARG_TYPE' });
}

const OPTIONS = [
  'tables',
  'strikethrough',
  'tasklists',
  'wikiLinks',
  'permissiveAtxHeaders',
  'noIndentedCodeBlocks',
  'noHtmlBlocks',
  'noHtmlSpans',
  'tagFilter',
];
const GROUPS = { __proto__: null, autolinks: ['url', 'www', 'email'], headings: ['ids', 'autolink'] };

/** Returns the program's options as JSON. */
function optionsOf(settings) {
  const options = {};
  if (settings === null || typeof settings !== 'object') return '{}';
  for (const name of intact(OPTIONS)) if (settings[name] !== undefined) options[name] = Boolean(settings[name]);
  for (const name in GROUPS) {
    const value = settings[name];
    if (value !== null && typeof value === 'object') {
      options[name] = ObjectFromEntries(intact(ArrayMap(GROUPS[name], (each) => [each, Boolean(value[each])])));
    } else if (value !== undefined) options[name] = Boolean(value);
  }
  return JSONStringify(options);
}

const html = (input, options = undefined) => native.documents_markdownHtml(textOf(input), optionsOf(options));
// The tree ignores `prefix`: only HTML and `ansi` put it before the address of an automatic link.
const withoutPrefix = (key, value) => (key === 'prefix' ? undefined : value);
const treeTextOf = (input, options) => native.documents_markdownTree(textOf(input), optionsOf(options));
const treeOf = (input, options) => JSONParse(treeTextOf(input, options), withoutPrefix);

const LINES = /\n|[^\n]+/g;
// Elements whose callback gets meta only if it is not empty.
const MAYBE = setOf(['code', 'listItem']);
const ALWAYS = setOf(['heading', 'list', 'listItem', 'th', 'td', 'link', 'image']);
const metaOf = (kind, meta) => (SetHas(ALWAYS, kind) || (SetHas(MAYBE, kind) && ObjectKeys(meta).length > 0) ? meta : undefined);

/** Collects the results of callbacks, from the innermost element outwards. */
class Rendering {
  #callbacks = { __proto__: null };

  constructor(callbacks) {
    for (const name of intact(KINDS)) if (typeof callbacks[name] === 'function') this.#callbacks[name] = callbacks[name];
  }

  all(nodes, depth, list) {
    let text = '';
    let index = 0;
    for (const { 0: kind, 1: meta, 2: content } of intact(nodes)) text += this.#one(kind, meta, content, depth, list, index++);
    return text;
  }

  #call(kind, children, meta) {
    const callback = this.#callbacks[kind];
    if (callback === undefined) return children;
    const result = meta === undefined ? callback(children) : callback(children, meta);
    return result === null || result === undefined ? '' : `${result}`;
  }

  #lines(text) {
    if (this.#callbacks.text === undefined) return text;
    return ArrayJoin(
      ArrayMap(RegExpMatch(LINES, text) ?? [], (line) => this.#call('text', line)),
      '',
    );
  }

  #one(kind, meta, content, depth, list, index) {
    switch (kind) {
      case 'softbreak':
      case 'hardbreak':
        return '\n';
      case 'text':
      case 'inlineHtml':
        return this.#call('text', content);
      case 'code':
      case 'html':
      case 'codespan':
      case 'hr':
        return this.#call(kind, this.#lines(content), metaOf(kind, meta));
      case 'wikilink':
        return this.all(content, depth);
      case 'list': {
        const about = { ...meta, depth };
        return this.#call(kind, this.all(content, depth + 1, about), about);
      }
      case 'listItem': {
        const { ordered, start } = list;
        const about = { index, depth: list.depth, ordered, ...(start === undefined ? {} : { start }), ...meta };
        return this.#call(kind, this.all(content, depth), about);
      }
      default:
        return this.#call(kind, this.all(content, depth), metaOf(kind, meta));
    }
  }
}

const KINDS = [
  'heading',
  'paragraph',
  'blockquote',
  'code',
  'list',
  'listItem',
  'hr',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
  'html',
  'strong',
  'emphasis',
  'link',
  'image',
  'codespan',
  'strikethrough',
  'text',
];

function render(input, callbacks, options) {
  const functions = callbacks !== null && typeof callbacks === 'object' ? callbacks : {};
  return new Rendering(functions).all(treeOf(input, options), 0);
}

const TAGS = {
  __proto__: null,
  paragraph: 'p',
  blockquote: 'blockquote',
  code: 'pre',
  listItem: 'li',
  hr: 'hr',
  table: 'table',
  thead: 'thead',
  tbody: 'tbody',
  tr: 'tr',
  th: 'th',
  td: 'td',
  html: 'html',
  strong: 'strong',
  emphasis: 'em',
  link: 'a',
  image: 'img',
  codespan: 'code',
  strikethrough: 'del',
  hardbreak: 'br',
};

function tagOf(kind, meta) {
  if (kind === 'heading') return `h${meta.level}`;
  if (kind === 'list') return meta.ordered ? 'ol' : 'ul';
  return TAGS[kind];
}

const plainText = (nodes) =>
  ArrayJoin(
    ArrayMap(nodes, ({ 2: content }) => (typeof content === 'string' ? content : plainText(content))),
    '',
  );

function react(input, components, options) {
  const mark = SymbolFor(options?.reactVersion === 18 ? 'react.element' : 'react.transitional.element');
  const overrides = components !== null && typeof components === 'object' ? components : {};
  const element = (type, props) => ({ $$typeof: mark, type, key: null, ref: null, props });

  function propsOf(kind, meta, content) {
    const { level, ordered, start, ...kept } = meta;
    if (ordered) kept.start = start;
    if (kind === 'image') return content.length === 0 ? kept : { ...kept, alt: plainText(content) };
    if (kind === 'hr' || kind === 'hardbreak') return {};
    return { ...kept, children: typeof content === 'string' ? (RegExpMatch(LINES, content) ?? []) : all(content) };
  }

  function all(nodes) {
    return ArrayFlatMap(nodes, ({ 0: kind, 1: meta, 2: content }) => {
      if (kind === 'softbreak') return ['\n'];
      if (kind === 'text' || kind === 'inlineHtml') return [content];
      if (kind === 'wikilink') return all(content);
      const tag = tagOf(kind, meta);
      const type = overrides[tag];
      const isComponent = type !== undefined && type !== null && type !== false && type !== '';
      return [element(isComponent ? type : tag, propsOf(kind, meta, content))];
    });
  }

  return element(SymbolFor('react.fragment'), { children: all(treeOf(input, options)) });
}

// Options that Bun's renderer enables in addition to those that a program may pass to the others.
const ANSI_OPTIONS = { autolinks: true, wikiLinks: true };
const ansi = (input, theme) => require('rt/markdown/page').pageOf(JSONParse(treeTextOf(input, ANSI_OPTIONS)), theme);

module.exports = { markdown: { html, ansi, render, react } };
