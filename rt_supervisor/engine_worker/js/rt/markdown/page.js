'use strict';
// Owns: RT.markdown.ansi, and `rt README.md`: a page of Markdown for a terminal, in colours or as plain text. Blocks become
// lines, each with its quote depth; a container block prefixes its own mark to the lines of its content.

const {
  ArrayJoin,
  ArrayMap,
  ArrayPush,
  ArrayReduce,
  MathFloor,
  MathMax,
  MathMin,
  MathTrunc,
  RegExpExec,
  RegExpReplace,
  RegExpTest,
  StringRepeat,
  StringSplit,
  intact,
} = require('internal/primordials');
const { stringWidth } = require('rt/terminal/text_width');
const { wrapped } = require('rt/markdown/page_wrap');
const { Styles, RESET } = require('rt/markdown/page_styles');

const RULE = 60;
const HIGHLIGHTED = /^(?:[cm]?[jt]s|[jt]sx|javascript|typescript|javascriptreact|typescriptreact)$/i;
const BLOCK = /^(?:heading|paragraph|blockquote|code|list|hr|table|html)$/;
/** Blocks that follow the preceding one without an empty line. */
const CLOSE = /^(?:list|html)$/;
const TASK = { true: '\x1b[32m', false: '\x1b[2m' };
const BULLET = '\x1b[36m';

const line = (text) => ({ quotes: 0, text });

class Page {
  #styles;
  #columns;

  /** @param {number} columns of the page, or Infinity */
  constructor(options, columns) {
    this.#styles = new Styles(options);
    this.#columns = columns;
  }

  text(nodes) {
    let text = '';
    for (const { quotes, text: written } of intact(this.#blocks(nodes, this.#columns))) {
      text += `${this.#styles.quote(quotes, written === '')}${written}\n`;
    }
    return text;
  }

  #blocks(nodes, width) {
    const lines = [];
    let words = [];
    const flush = () => {
      if (words.length > 0) ArrayPush(lines, ...intact(this.#flow(words, width)));
      words = [];
    };
    for (const node of intact(nodes)) {
      if (!RegExpTest(BLOCK, node[0])) {
        ArrayPush(words, node); // an item of a tight list, without paragraphs
        continue;
      }
      flush();
      if (lines.length > 0 && !RegExpTest(CLOSE, node[0])) ArrayPush(lines, line(''));
      ArrayPush(lines, ...intact(this.#block(node, width)));
    }
    flush();
    return lines;
  }

  #flow(nodes, width) {
    return ArrayMap(wrapped(this.#styles.words(nodes), MathMax(width, 1)), line);
  }

  #block({ 0: kind, 1: meta, 2: content }, width) {
    switch (kind) {
      case 'heading':
        return this.#heading(meta.level, content, width);
      case 'paragraph':
        return this.#paragraph(content, width);
      case 'blockquote':
        return ArrayMap(this.#blocks(content, width - 2), ({ quotes, text }) => ({ quotes: quotes + 1, text }));
      case 'code':
        return this.#code(meta.language ?? '', content);
      case 'list':
        return this.#list(meta, content, width);
      case 'hr':
        return [this.#rule(width)];
      case 'table':
        return ArrayMap(this.#table(content, width), line);
      default:
        return ArrayMap(StringSplit(RegExpReplace(/\n+$/, content, ''), '\n'), (text) => line(this.#styles.faint(text)));
    }
  }

  #rule(width) {
    const before = this.#columns === Infinity ? 0 : this.#columns - width;
    return line(this.#styles.dim(StringRepeat(this.#styles.marks.rule, MathMax(MathMin(RULE, this.#columns) - before, 1))));
  }

  #paragraph(content, width) {
    const lines = this.#flow(content, width);
    if (this.#styles.isColored) lines[lines.length - 1].text += RESET; // resets whatever styles the text has switched on
    return lines;
  }

  #heading(level, content, width) {
    const text = RegExpReplace(/\n/g, this.#styles.heading(level, content), ' ');
    if (level > 2) return [line(text)];
    const { double, rule } = this.#styles.marks;
    const length = MathMin(MathMax(stringWidth(text), 3), width);
    return [line(text), line(this.#styles.dim(StringRepeat(level === 1 ? double : rule, length)))];
  }

  #code(language, content) {
    const { top, bar, bottom } = this.#styles.marks;
    const isHighlighted = this.#styles.isColored && RegExpTest(HIGHLIGHTED, language);
    const painted = isHighlighted ? require('internal/errors/source_colors').source : (text) => text;
    const head = language === '' ? this.#styles.dim(top) : this.#styles.dim(`${top} `) + this.#styles.language(language);
    const lines = [line(head)];
    for (const text of intact(StringSplit(RegExpReplace(/\n$/, content, ''), '\n'))) {
      ArrayPush(lines, line(this.#styles.dim(bar) + painted(text)));
    }
    ArrayPush(lines, line(this.#styles.dim(bottom)));
    return lines;
  }

  /** Returns the mark of an item: padding, text, and the codes of its colour. */
  #mark(ordered, number, checked) {
    const { marks } = this.#styles;
    const indent = ordered ? '   ' : '  ';
    if (checked !== undefined) return { indent, text: checked ? marks.done : marks.open, codes: TASK[checked] };
    return { indent, text: ordered ? `${number}. ` : marks.bullet, codes: BULLET };
  }

  #list({ ordered, start = 1 }, items, width) {
    const lines = [];
    let number = start;
    for (const { 1: meta, 2: content } of intact(items)) {
      const { indent, text, codes } = this.#mark(ordered, number++, meta.checked);
      const hanging = StringRepeat(' ', indent.length + stringWidth(text));
      const head = indent + this.#styles.paint(codes, text);
      const inner = this.#blocks(content, width - hanging.length);
      const kind = content[0]?.[0];
      // Only text is placed beside the mark; other blocks begin on the next line.
      const isBeside = kind !== undefined && (kind === 'paragraph' || !RegExpTest(BLOCK, kind));
      if (!isBeside) ArrayPush(lines, line(head));
      if (!isBeside && kind !== undefined && !RegExpTest(CLOSE, kind)) ArrayPush(lines, line(''));
      for (let place = 0; place < inner.length; place++) {
        const { quotes, text: written } = inner[place];
        const mark = place === 0 && isBeside ? head : hanging;
        ArrayPush(lines, { quotes, text: written === '' ? '' : mark + written });
      }
    }
    return lines;
  }

  #table(parts, width) {
    const rows = [];
    for (const { 0: part, 2: written } of intact(parts)) {
      const isHead = part === 'thead';
      for (const { 2: cells } of intact(written)) {
        const texts = ArrayMap(cells, ({ 1: meta, 2: content }) => ({
          text: this.#styles.cell(isHead, content),
          align: meta.align,
        }));
        ArrayPush(rows, { isHead, cells: texts });
      }
    }
    const widths = this.#widths(rows, width);
    const { edges, rule } = this.#styles.marks;
    const rules = ArrayMap(widths, (size) => StringRepeat(rule, size + 2));
    const border = ({ 0: left, 1: middle, 2: right }) => this.#styles.dim(left + ArrayJoin(rules, middle) + right);
    const lines = [border(edges[0])];
    for (const { isHead, cells } of intact(rows)) {
      ArrayPush(lines, ...intact(this.#row(isHead, cells, widths)));
      if (isHead) ArrayPush(lines, border(edges[1]));
    }
    ArrayPush(lines, border(edges[2]));
    return lines;
  }

  /** Returns the width of each column: that of its widest cell, with the widest columns reduced if the page is too narrow. */
  #widths(rows, width) {
    const widest = (place) => ArrayReduce(rows, (most, { cells }) => MathMax(most, stringWidth(cells[place]?.text ?? '')), 3);
    const widths = ArrayMap(rows[0].cells, (_, place) => widest(place));
    const sum = () => ArrayReduce(widths, (all, size) => all + size + 3, 1);
    while (sum() > width) {
      const place = ArrayReduce(widths, (best, size, at) => (size > widths[best] ? at : best), 0);
      if (widths[place] <= 3) break;
      widths[place]--;
    }
    return widths;
  }

  #row(isHead, cells, widths) {
    const parts = ArrayMap(widths, (size, place) => wrapped(cells[place]?.text ?? '', size, true));
    const height = ArrayReduce(parts, (most, lines) => MathMax(most, lines.length), 1);
    const side = this.#styles.dim(this.#styles.marks.side);
    const lines = [];
    for (let at = 0; at < height; at++) {
      const texts = ArrayMap(
        widths,
        (size, place) => ` ${this.#align(isHead, parts[place][at] ?? '', cells[place]?.align, size)} ${side}`,
      );
      ArrayPush(lines, side + ArrayJoin(texts, ''));
    }
    return lines;
  }

  #align(isHead, text, align, size) {
    const free = MathMax(size - stringWidth(text), 0);
    const before = align === 'right' ? free : align === 'center' ? MathFloor(free / 2) : 0;
    const padded = StringRepeat(' ', before) + text;
    return (isHead ? this.#styles.strong(padded) : padded) + StringRepeat(' ', free - before);
  }
}

/** Returns whether COLORFGBG, which some terminals set, indicates a light background. */
function isLight() {
  const background = RegExpExec(/;(\d+)$/, host.env('COLORFGBG') ?? '')?.[1];
  return background !== undefined && (background === '7' || +background >= 9);
}

/**
 * Renders a page as text.
 * @param {any[]} tree its blocks
 * @param {any} theme the program's options: `colors`, `columns` (80; 0 for lines of any length), `hyperlinks`, `light`
 */
function pageOf(tree, theme) {
  const settings = theme !== null && typeof theme === 'object' ? theme : {};
  const columns = typeof settings.columns === 'number' ? MathTrunc(settings.columns) : 80;
  const colors = settings.colors === undefined || Boolean(settings.colors);
  const light = settings.light === undefined ? isLight() : Boolean(settings.light);
  const page = new Page({ colors, hyperlinks: Boolean(settings.hyperlinks), light }, columns > 0 ? columns : Infinity);
  return page.text(tree);
}

module.exports = { pageOf };
