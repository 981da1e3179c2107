// @ts-check
// The calls of a profile in the order of time: one bar per call, callers above what they call. The wheel and + and - zoom, dragging
// and the arrow keys move. Screen readers have the table of functions instead.
import { element, fill } from '../base/dom.js';
import { placeText } from './call_stack.js';

/** @typedef {import('../program/profile.js').Call} Call */
/** @typedef {import('../program/profile.js').Profile} Profile */
/** @typedef {import('./console_row.js').Open} Open */

const ROW_PX = 18;
const RULER_PX = 20;
const ZOOM = 1.3;
const LEAST_SPAN_MS = 0.05;
const HUES = 24;
const TEXT_COLOUR = '#16181d'; // on bars, which are the same in light and dark
const RUNTIME_COLOUR = '#a8adb7';

export class FlameChart {
  #canvas = element('canvas', {
    'tabindex': '0',
    'role': 'img',
    'aria-label': 'Flame chart; the list of functions has the same times as text',
  });
  #tip = element('div', { 'class': 'flame-tip', 'hidden': true });
  /** @type {Profile | null} */
  #profile = null;
  #from = 0;
  #to = 1;
  /** @type {number | null} where the pointer was pressed, while it is */
  #drag = null;
  #hasMoved = false;

  /** @param {HTMLElement} place @param {Open} open */
  constructor(place, open) {
    this.place = place;
    this.open = open;
    fill(place, this.#canvas, this.#tip);
    new ResizeObserver(() => this.#draw()).observe(place);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#draw());
    this.#canvas.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
    this.#canvas.addEventListener('keydown', (event) => this.#pressed(event));
    this.#canvas.addEventListener('pointerdown', (event) => {
      this.#drag = event.offsetX;
      this.#hasMoved = false;
      this.#canvas.setPointerCapture(event.pointerId);
    });
    this.#canvas.addEventListener('pointermove', (event) => this.#moved(event));
    this.#canvas.addEventListener('pointerup', (event) => this.#released(event));
    this.#canvas.addEventListener('pointerleave', () => (this.#tip.hidden = true));
  }

  /** @param {Profile | null} profile */
  show(profile) {
    this.place.hidden = !profile;
    this.#profile = profile;
    this.#from = 0;
    this.#to = Math.max(profile?.durationMs ?? 1, LEAST_SPAN_MS);
    this.#draw();
  }

  get #span() {
    return this.#to - this.#from;
  }

  /** @param {number} x */
  #timeAt(x) {
    return this.#from + (x / this.#canvas.clientWidth) * this.#span;
  }

  #draw() {
    const profile = this.#profile;
    const context = this.#canvas.getContext('2d');
    const width = this.place.clientWidth;
    if (!profile || !context || width === 0) return;
    const height = Math.max(this.place.clientHeight - 4, RULER_PX + profile.depth * ROW_PX + 4);
    const scale = devicePixelRatio;
    this.#canvas.width = width * scale;
    this.#canvas.height = height * scale;
    this.#canvas.style.width = `${width}px`;
    this.#canvas.style.height = `${height}px`;
    context.scale(scale, scale);
    const style = getComputedStyle(this.place);
    context.font = `11px ${style.fontFamily}`;
    context.textBaseline = 'middle';
    this.#drawRuler(context, width, style.color);
    const perMs = width / this.#span;
    for (const call of profile.calls) {
      if (call.endMs < this.#from || call.startMs > this.#to) continue;
      const x = Math.max(0, (call.startMs - this.#from) * perMs);
      const right = Math.min(width, (call.endMs - this.#from) * perMs);
      const size = Math.max(0.5, right - x - 0.5);
      const y = RULER_PX + call.depth * ROW_PX;
      context.fillStyle = call.time.isRuntime ? RUNTIME_COLOUR : `hsl(${hueOf(call)} 60% 70%)`;
      context.fillRect(x, y, size, ROW_PX - 1);
      if (size < 24) continue;
      context.fillStyle = TEXT_COLOUR;
      context.fillText(fitting(context, call.time.name, size - 6), x + 3, y + ROW_PX / 2, size - 6);
    }
  }

  /** @param {CanvasRenderingContext2D} context @param {number} width @param {string} colour */
  #drawRuler(context, width, colour) {
    const step = 10 ** Math.ceil(Math.log10((this.#span * 60) / width));
    context.fillStyle = colour;
    for (let time = Math.ceil(this.#from / step) * step; time < this.#to; time += step) {
      const x = ((time - this.#from) / this.#span) * width;
      context.fillRect(x, 0, 1, RULER_PX - 4);
      context.fillText(`${Number(time.toFixed(3))} ms`, x + 3, (RULER_PX - 4) / 2);
    }
  }

  /** @param {number} centre in milliseconds @param {number} factor */
  #zoom(centre, factor) {
    const end = this.#profile?.durationMs ?? 1;
    const span = Math.min(end, Math.max(LEAST_SPAN_MS, this.#span * factor));
    const share = (centre - this.#from) / this.#span;
    this.#moveTo(centre - share * span, span);
  }

  /** @param {number} from @param {number} span */
  #moveTo(from, span) {
    const end = this.#profile?.durationMs ?? 1;
    this.#from = Math.max(0, Math.min(from, end - span));
    this.#to = this.#from + span;
    this.#draw();
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      this.#moveTo(this.#from + ((event.deltaX || event.deltaY) / this.#canvas.clientWidth) * this.#span, this.#span);
    } else if (event.deltaY) this.#zoom(this.#timeAt(event.offsetX), event.deltaY > 0 ? ZOOM : 1 / ZOOM);
    event.preventDefault();
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    const centre = (this.#from + this.#to) / 2;
    if (event.key === '+' || event.key === '=') this.#zoom(centre, 1 / ZOOM);
    else if (event.key === '-') this.#zoom(centre, ZOOM);
    else if (event.key === 'ArrowLeft') this.#moveTo(this.#from - this.#span / 10, this.#span);
    else if (event.key === 'ArrowRight') this.#moveTo(this.#from + this.#span / 10, this.#span);
    else return;
    event.preventDefault();
  }

  /** @param {PointerEvent} event */
  #moved(event) {
    if (this.#drag !== null) {
      const moved = this.#drag - event.offsetX;
      if (Math.abs(moved) < 3 && !this.#hasMoved) return;
      this.#hasMoved = true;
      this.#moveTo(this.#from + (moved / this.#canvas.clientWidth) * this.#span, this.#span);
      this.#drag = event.offsetX;
      return;
    }
    const call = this.#callAt(event);
    this.#tip.hidden = !call;
    if (!call) return;
    const { name, place, selfMs, totalMs } = call.time;
    const own = `${(call.endMs - call.startMs).toFixed(2)} ms`;
    this.#tip.textContent = `${name} — ${own}${place ? ` — ${placeText(place)}` : ''} — in all: ${totalMs.toFixed(1)} ms, self ${selfMs.toFixed(1)} ms`;
  }

  /** @param {PointerEvent} event */
  #released(event) {
    const place = this.#hasMoved ? null : this.#callAt(event)?.time.place;
    this.#drag = null;
    if (place) this.open(place);
  }

  /** @param {PointerEvent} event */
  #callAt({ offsetX, offsetY }) {
    const depth = Math.floor((offsetY - RULER_PX) / ROW_PX);
    const time = this.#timeAt(offsetX);
    return this.#profile?.calls.find((call) => call.depth === depth && call.startMs <= time && time < call.endMs);
  }
}

/** Returns a hue by the file, so that a file's functions look alike. @param {Call} call */
function hueOf({ time: { place, name } }) {
  let sum = 0;
  for (const character of place?.url ?? name) sum = (sum * 31 + character.charCodeAt(0)) % 997;
  return (sum % HUES) * (360 / HUES);
}

/** @param {CanvasRenderingContext2D} context @param {string} text @param {number} width */
function fitting(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  const count = Math.floor((text.length * width) / context.measureText(text).width) - 1;
  return count > 0 ? `${text.slice(0, count)}…` : '';
}
