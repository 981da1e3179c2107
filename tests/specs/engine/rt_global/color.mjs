// RT.color: CSS in every notation, numbers and channels, in every format. HSL and LAB are compared to two digits.
import { RT, outcome, show } from './table.mjs';

const FORMS = ['css', 'hex', 'HEX', 'number', 'rgb', 'rgba', '{rgb}', '{rgba}', '[rgb]', '[rgba]', 'ansi-16', 'ansi-256', 'ansi-16m'];
const INPUTS = [
  'red', 'transparent', '#abc', '#abcd', '#aabbcc', '#AABBCCDD', '#12345', 'rgb(1 2 3)', 'rgb(1, 2, 3)', 'rgba(1,2,3,.5)', 'rgb(10% 20% 30% / 40%)',
  'rgb(300 -5 1.7)', 'hsl(120 40% 30% / .5)', 'hsl(120deg, 40%, 30%)', 'hsl(.5turn 40% 30%)', 'hwb(120 10% 20%)', 'lab(50% 20 30)', 'lch(50% 20 30)', 'oklab(50% .1 .1)', 'oklch(60% 0.1 200 / 40%)',
  'color(display-p3 1 0 0)', 'color-mix(in srgb, red, blue)', 'rgb(from red r g b / 50%)', 'light-dark(red, blue)', 'currentcolor', 'ButtonFace', 'rgb(none 0 0)', ' red ', 'nope', '', 'rgb(', 'rgb(1 2)', 'hsl(x)',
  0xff0000, 0x00ff00, 0, -1, 1.5, NaN, 2 ** 40, 4278255360, { r: 1, g: 2, b: 3 }, { r: 1, g: 2, b: 3, a: 0.5 }, { r: 300, g: -1, b: 1.7 }, { r: 1 }, {}, { r: '1', g: 2, b: 3 },
  [1, 2, 3], [1, 2, 3, 4], [1, 2, 3, 0.5], [1, 2], [], [1, 2, 3, 4, 5], new Uint8Array([9, 8, 7]), null, undefined, true,
];
for (let level = 0; level < 256; level += 17) INPUTS.push([level, level, level], [level, 255 - level, 128]);

const near = (text) => (typeof text === 'string' ? text.replace(/-?\d+\.?\d*/g, (number) => String(Math.round(Number(number) * 100) / 100 + 0)) : text);
const rows = INPUTS.map((input) => [
  JSON.stringify(input) ?? 'undefined',
  [...FORMS.map((form) => outcome(() => RT.color(input, form))), ...['hsl', 'lab'].map((form) => near(outcome(() => RT.color(input, form))))],
]);
for (const form of ['nope', 5, '', null, undefined, '{r,g,b}', '[r,g,b,a]', 'ansi_256', 'ansi-24bit', 'ansi-truecolor']) rows.push([`form ${form}`, outcome(() => RT.color('teal', form))]);
show(rows);
