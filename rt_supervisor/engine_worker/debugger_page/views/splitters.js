// @ts-check
// The bars between the panes, which are dragged or moved with the arrow keys. Sizes are variables of the page's style and are stored.
import { readStored, writeStored } from '../base/stored.js';

const STORED = 'layout';
const STEP_PX = 16;
const LEAST_PX = 120;

/** Makes every `.splitter` of the page work; its attributes name the variable, and the side on which the sized pane is. */
export function setUpSplitters() {
  /** @type {Record<string, number>} */
  const sizes = readStored(STORED, {});
  for (const bar of document.querySelectorAll('.splitter')) {
    if (!(bar instanceof HTMLElement)) continue;
    const { variable = '', side = '' } = bar.dataset;
    const isVertical = bar.getAttribute('aria-orientation') === 'vertical';
    const pane = side === 'before' ? bar.previousElementSibling : bar.nextElementSibling;
    const direction = side === 'before' ? 1 : -1;
    const size = () => (isVertical ? pane?.clientWidth : pane?.clientHeight) ?? 0;
    /** @param {number} pixels */
    const apply = (pixels) => {
      const most = (isVertical ? innerWidth : innerHeight) * 0.7;
      sizes[variable] = Math.round(Math.max(LEAST_PX, Math.min(most, pixels)));
      document.documentElement.style.setProperty(variable, `${sizes[variable]}px`);
      writeStored(STORED, sizes);
    };
    if (sizes[variable]) apply(sizes[variable]);
    bar.addEventListener('pointerdown', (event) => {
      bar.setPointerCapture(event.pointerId);
      const start = isVertical ? event.clientX : event.clientY;
      const before = size();
      /** @param {PointerEvent} moved */
      const move = (moved) => apply(before + direction * ((isVertical ? moved.clientX : moved.clientY) - start));
      bar.addEventListener('pointermove', move);
      bar.addEventListener('lostpointercapture', () => bar.removeEventListener('pointermove', move), { once: true });
    });
    bar.addEventListener('keydown', ({ key }) => {
      const isMore = key === 'ArrowRight' || key === 'ArrowDown';
      const isLess = key === 'ArrowLeft' || key === 'ArrowUp';
      if (isMore || isLess) apply(size() + direction * (isMore ? STEP_PX : -STEP_PX));
    });
  }
}
