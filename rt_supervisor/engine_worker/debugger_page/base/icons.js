// @ts-check
// The icons of buttons, as paths in a square of 16 units. They take the colour of the text and are hidden from screen readers:
// the button that contains one has a label.

const PATHS = {
  resume: 'M3 2.5h2v11H3zM7 2.5v11l7-5.5z',
  pause: 'M4 2.5h3v11H4zM9 2.5h3v11H9z',
  over: 'M2.5 9a5.5 5.5 0 0 1 9.7-3.5L14 4v5H9l1.8-1.8A3.7 3.7 0 0 0 4.3 9zM8 10.5a2 2 0 1 1 0 4 2 2 0 0 1 0-4z',
  into: 'M7 1.5h2v5h3L8 10.5 4 6.5h3zM8 11.2a1.9 1.9 0 1 1 0 3.8 1.9 1.9 0 0 1 0-3.8z',
  out: 'M8 1.5l4 4H9v5H7v-5H4zM8 11.2a1.9 1.9 0 1 1 0 3.8 1.9 1.9 0 0 1 0-3.8z',
  breakpoints: 'M2 4h8l4 4-4 4H2z',
  files: 'M1.5 3h5l1.5 2h6.5v8.5h-13zM3 6.5V12h10V6.5z',
  theme: 'M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM8 3v10A5 5 0 0 1 8 3z',
  help: 'M7 11h2v2H7zM4.5 6a3.5 3.5 0 1 1 5.2 3c-.5.3-.7.5-.7 1H7c0-1.3.6-2 1.6-2.6A1.6 1.6 0 1 0 6.4 6z',
  close: 'M4.2 3.1L8 6.9l3.8-3.8 1.1 1.1L9.1 8l3.8 3.8-1.1 1.1L8 9.1l-3.8 3.8-1.1-1.1L6.9 8 3.1 4.2z',
  clear: 'M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM8 3a5 5 0 0 0-4 8l7-7a5 5 0 0 0-3-1zm4 2l-7 7a5 5 0 0 0 7-7z',
  record: 'M8 3a5 5 0 1 1 0 10A5 5 0 0 1 8 3z',
  stop: 'M3.5 3.5h9v9h-9z',
  save: 'M7 1.5h2v6h3L8 11.5l-4-4h3zM2 12.5h12V14H2z',
  add: 'M7 2.5h2V7h4.5v2H9v4.5H7V9H2.5V7H7z',
};

/** @typedef {keyof typeof PATHS} IconName */

const SVG = 'http://www.w3.org/2000/svg';

/** @param {IconName} name */
export function icon(name) {
  const image = document.createElementNS(SVG, 'svg');
  image.setAttribute('viewBox', '0 0 16 16');
  image.setAttribute('class', 'icon');
  image.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', PATHS[name]);
  path.setAttribute('fill-rule', 'evenodd');
  image.append(path);
  return image;
}
