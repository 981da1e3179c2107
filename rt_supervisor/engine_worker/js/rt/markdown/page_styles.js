'use strict';
// Owns: the appearance of Markdown elements on a terminal: marks, colours, and inline text.

const { ArrayJoin, ArrayPop, ArrayPush, RegExpReplace, StringReplaceAll, intact } = require('internal/primordials');
const { GLUE } = require('rt/markdown/page_wrap');

const RESET = '\x1b[0m';
const LINK = '\x1b]8;;';
const LINK_END = '\x1b\\';
const HEADINGS = [35, 36, 33, 32, 34, 37];
/** Codes that switch a style on and off. */
const STYLES = {
  __proto__: null,
  strong: ['\x1b[1m', '\x1b[22m'],
  emphasis: ['\x1b[3m', '\x1b[23m'],
  strikethrough: ['\x1b[9m', '\x1b[29m'],
  dim: ['\x1b[2m', '\x1b[22m'],
  link: ['\x1b[34m\x1b[4m', '\x1b[24m\x1b[39m'],
  wikilink: ['\x1b[34m', '\x1b[39m'],
  quote: ['\x1b[38;5;242m', '\x1b[39m'],
  codeOnDark: ['\x1b[48;5;236m\x1b[38;5;215m', '\x1b[39m\x1b[49m'],
  codeOnLight: ['\x1b[48;5;254m\x1b[38;5;124m', '\x1b[39m\x1b[49m'],
};
const DRAWN = {
  bullet: '• ',
  quote: '│ ',
  bar: '│ ',
  side: '│',
  top: '┌─',
  bottom: '└─',
  rule: '─',
  double: '═',
  image: '📷 ',
  open: '☐ ',
  done: '☒ ',
  edges: [
    ['┌', '┬', '┐'],
    ['├', '┼', '┤'],
    ['└', '┴', '┘'],
  ],
};
const CORNERS = ['+', '+', '+'];
const WRITTEN = {
  bullet: '* ',
  quote: '| ',
  bar: '| ',
  side: '|',
  top: '+-',
  bottom: '+-',
  rule: '-',
  double: '=',
  image: '[img] ',
  open: '[ ] ',
  done: '[x] ',
  edges: [CORNERS, CORNERS, CORNERS],
};

const plainOf = (nodes) => {
  let text = '';
  for (const { 2: content } of intact(nodes)) text += typeof content === 'string' ? content : plainOf(content);
  return text;
};

class Styles {
  isColored;
  marks;
  #hasLinks;
  #code;
  // Codes of the block, and of the enclosing styles: the end of an inner style may have ended them as well.
  #base = '';
  #around = [];

  constructor({ colors, hyperlinks, light }) {
    this.isColored = colors;
    this.marks = colors ? DRAWN : WRITTEN;
    this.#hasLinks = hyperlinks && colors;
    this.#code = light ? STYLES.codeOnLight : STYLES.codeOnDark;
  }

  paint(codes, text) {
    return this.isColored ? codes + text + RESET : text;
  }

  dim(text) {
    return this.paint(STYLES.dim[0], text);
  }

  strong(text) {
    return this.paint(STYLES.strong[0], text);
  }

  /** Returns a whole line in dim text that leaves other styles on. */
  faint(text) {
    return this.isColored ? STYLES.dim[0] + text + STYLES.dim[1] : text;
  }

  /** Returns the marks before a line in nested quotes; an empty line has no space after them. */
  quote(count, isEmpty) {
    if (count === 0) return '';
    const { quote } = this.marks;
    let marks = '';
    for (let place = 0; place < count; place++) marks += isEmpty && !this.isColored ? quote[0] : quote;
    return this.isColored ? STYLES.quote[0] + marks + STYLES.quote[1] : marks;
  }

  /** Renders the text of a heading. */
  heading(level, nodes) {
    const codes = `\x1b[1m\x1b[${HEADINGS[level - 1]}m`;
    return this.paint(codes, StringReplaceAll(this.#inBlock(codes, nodes), GLUE, ' '));
  }

  /** Renders the text of a cell. */
  cell(isHead, nodes) {
    return this.#inBlock(isHead ? STYLES.strong[0] : '', nodes);
  }

  /** Renders the language name of a code block. */
  language(name) {
    return this.isColored ? `${STYLES.dim[0]}${STYLES.emphasis[0]}${name}${RESET}` : name;
  }

  words(nodes) {
    let text = '';
    for (const { 0: kind, 1: meta, 2: content } of intact(nodes)) text += this.#word(kind, meta, content);
    return text;
  }

  #inBlock(codes, nodes) {
    this.#base = codes;
    const text = this.words(nodes);
    this.#base = '';
    return text;
  }

  #again() {
    return this.isColored ? this.#base + ArrayJoin(this.#around, '') : '';
  }

  /**
   * Renders the output of `write` in a style; afterwards restores the block's style and, if colours ended, all enclosing ones.
   */
  #applyStyle({ 0: on, 1: off }, write, endsColors = false) {
    if (!this.isColored) return write();
    ArrayPush(this.#around, on);
    const text = write();
    ArrayPop(this.#around);
    return on + text + off + (endsColors ? this.#again() : this.#base);
  }

  #word(kind, meta, content) {
    switch (kind) {
      case 'text':
        return content;
      case 'softbreak':
        return ' ';
      case 'hardbreak':
        return '\n';
      case 'inlineHtml':
        return this.#applyStyle(STYLES.dim, () => content);
      case 'codespan':
        return this.#applyStyle(this.#code, () => RegExpReplace(/[ \n]/g, content, GLUE), true);
      case 'link':
        return this.#link(meta, content);
      case 'image':
        return this.#image(meta, content);
      case 'wikilink':
        return this.#applyStyle(STYLES.wikilink, () => `[[${this.words(content)}]]`);
      default:
        return this.#applyStyle(STYLES[kind], () => this.words(content));
    }
  }

  #linkText(address, text) {
    return this.#hasLinks ? `${LINK}${address}${LINK_END}${text}${LINK}${LINK_END}` : text;
  }

  #link({ prefix = '', href }, content) {
    const address = prefix + href;
    const links = this.#hasLinks;
    this.#hasLinks = false; // a picture in a link has the link's target
    const text = this.#applyStyle(STYLES.link, () => this.words(content), true);
    this.#hasLinks = links;
    if (this.#hasLinks) return this.#linkText(address, text);
    if (!this.isColored) return `${text}${GLUE}(${address})`;
    return `${text}\x1b[2m${GLUE}(${address}\x1b[2m)\x1b[39m\x1b[22m${this.#again()}`;
  }

  #image(meta, content) {
    const about = plainOf(content);
    const text = this.paint('\x1b[35m', `${this.marks.image}${about === '' ? '(image)' : about}`);
    return this.#linkText(meta.src, text + this.#again());
  }
}

module.exports = { Styles, RESET };
