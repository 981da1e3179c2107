'use strict';
// Owns: RT.color: converts CSS colours, numbers, and arrays and objects of channels to any common notation.

const {
  ArrayBufferIsView,
  ArrayIsArray,
  ArrayJoin,
  ArrayMap,
  ArrayReduce,
  ArraySlice,
  MathFloor,
  MathFround,
  MathMax,
  MathMin,
  MathTrunc,
  NumberToString,
  StringPadStart,
  StringToUpperCase,
  intact,
} = require('internal/primordials');
const native = host.native;
const runtimeParts = require('internal/parts');

const { wrongType } = require('internal/errors/errors');

const ANSI_DEPTHS = { __proto__: null, 4: 'ansi-16', 8: 'ansi-256', 24: 'ansi-16m' };

// The basic colour for each of the 216 colours of the colour cube, in order.
const BASIC_OF_CUBE =
  '0444cc2644cc2264cc2226ccaaaaecaaaaae1544cc3844cc2264cc2226ccaaaaecaaaaae1154cc1154cc3384cc2226ccaaaaecaaaaae' +
  '1115cc1115cc1115cc3337ccaaaaecaaaaae9999dc9999dc9999dc9999dcbbbb7caaaaae99999d99999d99999d99999d99999dbbbbbf';

function channel(value, name) {
  if (typeof value !== 'number') throw wrongType(`Expected ${name} to be a integer for 'color'.`);
  return MathMax(0, MathMin(255, MathTrunc(value) || 0));
}

function channelsOf(input) {
  if (typeof input === 'number') {
    const bits = input | 0;
    return [(bits >> 16) & 0xff, (bits >> 8) & 0xff, bits & 0xff, 255];
  }
  if (ArrayIsArray(input) || ArrayBufferIsView(input)) {
    if (input.length !== 3 && input.length !== 4) throw new Error('Expected array length 3 or 4');
    return ArrayMap([...intact('rgba')], (name, index) =>
      index === 3 && input.length === 3 ? 255 : channel(input[index], name),
    );
  }
  const { 0: r, 1: g, 2: b } = ArrayMap([...intact('rgb')], (name) => channel(input[name], name));
  return [r, g, b, input.a === undefined ? 255 : channel(input.a * 255, 'a')];
}

const hexOf = (channels) =>
  `#${ArrayJoin(
    ArrayMap(channels, (value) => StringPadStart(NumberToString(value, 16), 2, '0')),
    '',
  )}`;
const distance = (a, b) => ArrayReduce(a, (sum, value, index) => sum + (value - b[index]) ** 2, 0);

/** Returns the nearest of the 240 palette colours: the cube and the greys. */
function paletteIndex(rgb) {
  const levels = [0, 95, 135, 175, 215, 255];
  const cube = ArrayMap(rgb, (value) => (value < 48 ? 0 : value < 114 ? 1 : MathFloor((value - 35) / 40)));
  const cubeColor = ArrayMap(cube, (level) => levels[level]);
  const cubeIndex = 16 + 36 * cube[0] + 6 * cube[1] + cube[2];
  if (distance(cubeColor, rgb) === 0) return cubeIndex;
  const average = MathFloor((rgb[0] + rgb[1] + rgb[2]) / 3);
  const grey = average > 238 ? 23 : MathMax(0, MathFloor((average - 3) / 10));
  const level = 8 + 10 * grey;
  return distance([level, level, level], rgb) < distance(cubeColor, rgb) ? 232 + grey : cubeIndex;
}

function basicColor(rgb) {
  const index = paletteIndex(rgb);
  if (index >= 232) return [0, 8, 7, 15][MathFloor((index - 232) / 6)];
  return parseInt(BASIC_OF_CUBE[index - 16], 16);
}

const ansiDepth = () => require('internal/color_depth').colorDepth(runtimeParts.process.process.env);

const FORMS = {
  __proto__: null,
  'css': ({ css }) => css,
  'hex': ({ rgb }) => hexOf(rgb),
  'HEX': ({ rgb }) => StringToUpperCase(hexOf(rgb)),
  'number': ({ rgb }) => rgb[0] * 65536 + rgb[1] * 256 + rgb[2],
  'rgb': ({ rgb }) => `rgb(${ArrayJoin(rgb, ', ')})`,
  'rgba': ({ rgb, alphaText }) => `rgba(${ArrayJoin(rgb, ', ')}, ${alphaText})`,
  'hsl': ({ hsl }) => hsl,
  'lab': ({ lab }) => lab,
  '{rgb}': ({ rgb: { 0: r, 1: g, 2: b } }) => ({ r, g, b }),
  '{rgba}': ({ rgb: { 0: r, 1: g, 2: b }, alpha }) => ({ r, g, b, a: MathFround(alpha / 255) }),
  '[rgb]': ({ rgb }) => rgb,
  '[rgba]': ({ rgb, alpha }) => [...intact(rgb), alpha],
  'ansi-16': ({ rgb }) => {
    const index = basicColor(rgb);
    return `\x1b[${index < 8 ? 30 + index : 82 + index}m`;
  },
  'ansi-256': ({ rgb }) => `\x1b[38;5;${paletteIndex(rgb)}m`,
  'ansi-16m': ({ rgb }) => `\x1b[38;2;${ArrayJoin(rgb, ';')}m`,
  'ansi': (color) => {
    const depth = ANSI_DEPTHS[ansiDepth()];
    return depth === undefined ? '' : FORMS[depth](color);
  },
};
const OTHER_NAMES = [
  ['[r,g,b,a]', '[rgba]'],
  ['{r,g,b}', '{rgb}'],
  ['ansi_256', 'ansi-256'],
  ['ansi_16', 'ansi-16'],
  ['ansi_16m', 'ansi-16m'],
  ['ansi-24bit', 'ansi-16m'],
  ['ansi-truecolor', 'ansi-16m'],
  ['ansi256', 'ansi-256'],
];
for (const { 0: name, 1: form } of intact(OTHER_NAMES)) FORMS[name] = FORMS[form];

const LISTED =
  "'[r,g,b,a]', '[rgb]', '[rgba]', '{r,g,b}', '{rgb}', '{rgba}', 'ansi_256', 'ansi-256', 'ansi_16', 'ansi-16', 'ansi_16m', " +
  "'ansi-16m', 'ansi-24bit', 'ansi-truecolor', 'ansi', 'ansi256', 'css', 'hex', 'HEX', 'hsl', 'lab', 'number', 'rgb' or 'rgba'";

function formOf(format) {
  if (format === undefined || format === null) return FORMS.css;
  if (typeof format !== 'string') throw wrongType("Expected format to be a string for 'color'.");
  const form = FORMS[format];
  if (form === undefined) throw wrongType(`format must be one of ${LISTED}`);
  return form;
}

/**
 * Converts `input` to another format; null for an invalid colour. A colour that depends on the page is returned as CSS in every
 * format.
 */
function color(input, format) {
  if (input === undefined) throw wrongType("Expected input to be a string, number, or object for 'color'.");
  const form = formOf(format);
  if (input === null) return null;
  const isData = typeof input === 'number' || typeof input === 'object';
  const parsed = native.rt_parseColor(isData ? hexOf(channelsOf(input)) : `${input}`);
  if (parsed === undefined) return null;
  const { css, channels, hsl, lab, alphaText } = parsed;
  if (channels === null) return css;
  return form({ css, rgb: ArraySlice(channels, 0, 3), alpha: channels[3], alphaText, hsl, lab });
}

module.exports = {
  color,
  get enableANSIColors() {
    return ansiDepth() > 1;
  },
};
