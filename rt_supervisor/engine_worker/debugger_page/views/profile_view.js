// @ts-check
// Records CPU profiles and shows the newest: its calls in the order of time, or the functions that took the longest.
import { byId, element, fill } from '../base/dom.js';
import { icon } from '../base/icons.js';
import { placeText } from './call_stack.js';
import { FlameChart } from './flame_chart.js';

/** @typedef {import('../program/profile.js').FunctionTime} FunctionTime */
/** @typedef {import('../program/profile.js').Profile} Profile */
/** @typedef {import('../program/program.js').Program} Program */
/** @typedef {import('./console_row.js').Open} Open */

export class ProfileView {
  #record = /** @type {HTMLButtonElement} */ (byId('profile-record'));
  #save = /** @type {HTMLButtonElement} */ (byId('profile-save'));
  #kind = /** @type {HTMLSelectElement} */ (byId('profile-kind'));
  #note = byId('profile-note');
  #table = byId('profile-table');
  #rows = byId('profile-rows');

  /** @param {Program} program @param {Open} open */
  constructor(program, open) {
    this.program = program;
    this.open = open;
    this.chart = new FlameChart(byId('profile-chart'), open);
    this.#record.addEventListener('click', () => this.toggle());
    this.#save.addEventListener('click', () => save(program.profiling.profile));
    this.#kind.addEventListener('change', () => this.#show());
    program.profiling.changed.listen(() => this.#show());
    program.changed.listen(() => this.#showButton());
    this.#show();
  }

  toggle() {
    const { profiling, selected } = this.program;
    if (profiling.isRecording) profiling.stop();
    else if (selected) profiling.start(selected);
  }

  #showButton() {
    const { isRecording } = this.program.profiling;
    fill(this.#record, icon(isRecording ? 'stop' : 'record'), isRecording ? 'Stop' : 'Record');
    this.#record.disabled = !isRecording && !this.program.selected;
    this.#record.classList.toggle('recording', isRecording);
  }

  #show() {
    this.#showButton();
    const { profile, isRecording } = this.program.profiling;
    this.#save.disabled = !profile;
    this.#note.hidden = Boolean(profile) && !isRecording;
    this.#note.textContent = isRecording ? 'Recording…' : 'Record a CPU profile to see where the time goes.';
    const isChart = this.#kind.value === 'chart';
    this.#table.hidden = !profile || isChart;
    this.chart.show(profile && isChart ? profile : null);
    fill(this.#rows, ...(profile && !isChart ? profile.functions.map((each) => this.#row(each)) : []));
  }

  /** @param {FunctionTime} time */
  #row({ name, place, selfMs, totalMs, isRuntime }) {
    const where = place
      ? element('button', { 'class': 'link', 'onclick': () => this.open(place) }, placeText(place))
      : isRuntime
        ? 'runtime'
        : '';
    return element(
      'tr',
      {},
      element('td', { 'class': 'number' }, selfMs.toFixed(1)),
      element('td', { 'class': 'number' }, totalMs.toFixed(1)),
      element('td', {}, name),
      element('td', {}, where),
    );
  }
}

/** Saves a profile as a file that other tools open. @param {Profile | null} profile */
function save(profile) {
  if (!profile) return;
  const href = URL.createObjectURL(new Blob([JSON.stringify(profile.raw)], { type: 'application/json' }));
  element('a', { href, 'download': 'profile.cpuprofile' }).click();
  setTimeout(() => URL.revokeObjectURL(href), 1000);
}
