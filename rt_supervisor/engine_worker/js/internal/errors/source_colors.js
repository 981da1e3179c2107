// @ts-check
'use strict';
// Owns: the colours of error reports on a terminal: source lines, the caret, frames. Each source line is coloured separately,
// so multi-line comments and templates are not recognised. Control characters in the source are replaced by Unicode's control
// pictures, because the terminal would interpret them.

const { setOf } = require('internal/collections');
const {
  ArrayAt,
  ArrayJoin,
  RegExpExec,
  RegExpReplace,
  SetHas,
  StringCharCodeAt,
  StringFromCodePoint,
  StringSplit,
  intact,
} = require('internal/primordials');
const RESET = '\x1b[0m';
const paint = (codes, text) => `${codes}${text}${RESET}`;
const DIM = '\x1b[2m';
const BOLD = '\x1b[1m';
const ITALIC = '\x1b[3m';
const RED = '\x1b[31m';
const GREEN = '\x1b[32m';
const YELLOW = '\x1b[33m';
const BLUE = '\x1b[34m';
const MAGENTA = '\x1b[35m';
const CYAN = '\x1b[36m';

const words = (text) => setOf(intact(StringSplit(text, ' ')));
const KEYWORDS = words(
  'abstract as async await break case catch class const continue debugger declare default delete do else enum export extends false ' +
    'finally for from function get if implements import in instanceof interface is keyof let namespace new null of override private protected public ' +
    'readonly return satisfies set static super switch this throw true try type typeof undefined using var void while with yield',
);
const TYPES = words('any bigint boolean never number object string symbol unknown');

const TOKEN = new RegExp(
  ArrayJoin(
    [
      '(?<comment>//.*|/\\*.*?(?:\\*/|$))',
      '(?<string>\'(?:[^\'\\\\]|\\\\.)*\'?|"(?:[^"\\\\]|\\\\.)*"?)',
      '(?<template>`(?:[^`\\\\]|\\\\.)*`?)',
      '(?<number>(?<![\\w$])(?:0[xXbBoO][\\da-fA-F_]+|\\d[\\d_]*(?:\\.[\\d_]+)?(?:[eE][+-]?\\d+)?)n?)',
      '(?<call>\\??\\.[\\p{ID_Start}$_#][\\p{ID_Continue}$]*(?=\\())',
      '(?<word>\\.?[\\p{ID_Start}$_#][\\p{ID_Continue}$]*)',
      '(?<end>;)',
    ],
    '|',
  ),
  'gu',
);

function paintToken(text, ...details) {
  const { comment, string, template, number, call, end } = ArrayAt(details, -1);
  if (comment || end) return paint(DIM, text);
  if (string) return paint(GREEN, text);
  if (template) return RegExpReplace(/(\$\{[^}]*\})|((?:(?!\$\{).)+)/gs, text, (_, code, plain) => code ?? paint(GREEN, plain));
  if (number) return paint(YELLOW, text);
  if (call) return paint(ITALIC + BOLD, text);
  if (SetHas(KEYWORDS, text)) return paint(MAGENTA, text);
  return SetHas(TYPES, text) ? paint(BLUE, text) : text;
}

const shownControl = (control) => StringFromCodePoint(control === '\x7f' ? 0x2421 : 0x2400 + StringCharCodeAt(control, 0));
const source = (text) => RegExpReplace(TOKEN, RegExpReplace(/[\0-\x08\x0a-\x1f\x7f]/g, text, shownControl), paintToken);

const FRAME = /^at (?:(?<name>[^(]*) \((?<place>.*)\)|(?<bare>.*))$/s;
const PLACE = /^(?<folder>.*\/)?(?<file>[^/]*?):(?<line>\d+):(?<column>\d+)$/s;

function place(text) {
  const groups = RegExpExec(PLACE, text)?.groups;
  if (groups === undefined) return paint(DIM, text);
  const { folder = '', file, line, column } = groups;
  return `${folder === '' ? '' : paint(CYAN + DIM, folder)}${paint(CYAN, file)}${paint(DIM, ':')}${paint(YELLOW, line)}${paint(DIM, ':')}${paint(YELLOW, column)}`;
}

/** Colours a frame without its indentation: `at name (file:1:2)` or `at file:1:2`. */
function frame(text) {
  const { name, place: named, bare } = RegExpExec(FRAME, text)?.groups ?? {};
  if (name === undefined) return `${paint(DIM, 'at ')}${place(bare ?? text)}`;
  return `${paint(DIM, 'at ')}${paint(BOLD + ITALIC, name)} ${paint(DIM, '(')}${place(named)}${paint(DIM, ')')}`;
}

module.exports = { source, frame, gutter: (text) => paint(BOLD, text), caret: paint(RED + BOLD, '^') };
