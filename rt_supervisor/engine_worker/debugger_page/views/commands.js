// @ts-check
// What the user can do with a key or a button: one table, from which the toolbar, the keyboard and the help are made.
import { byId, element, fill } from '../base/dom.js';

/** @typedef {import('../base/icons.js').IconName} IconName */

/**
 * @typedef {object} Command
 * @property {string} id
 * @property {string} label
 * @property {string[]} keys such as `Shift+F11`; `Mod` is Ctrl, on a Mac Cmd
 * @property {IconName} [icon] of its button
 * @property {() => void} run
 */

const IS_MAC = navigator.platform.startsWith('Mac');

/**
 * Runs the commands whose keys are pressed, wherever the focus is.
 * @param {Command[]} commands
 */
export function bindKeys(commands) {
  const byKey = new Map(commands.flatMap((command) => command.keys.map((key) => [key, command])));
  document.addEventListener(
    'keydown',
    (event) => {
      if (document.querySelector('dialog[open]')) return;
      const command = byKey.get(keyOf(event));
      if (!command) return;
      event.preventDefault();
      event.stopPropagation();
      command.run();
    },
    { capture: true },
  );
}

/** @param {KeyboardEvent} event */
function keyOf({ key, ctrlKey, metaKey, shiftKey, altKey }) {
  const isMod = IS_MAC ? metaKey : ctrlKey;
  const name = key.length === 1 ? key.toUpperCase() : key;
  return `${isMod ? 'Mod+' : ''}${altKey ? 'Alt+' : ''}${shiftKey ? 'Shift+' : ''}${name}`;
}

/**
 * Shows all commands with their keys.
 * @param {Command[]} commands
 */
export function openHelp(commands) {
  const dialog = /** @type {HTMLDialogElement} */ (byId('help-dialog'));
  const rows = commands
    .filter(({ keys }) => keys.length > 0)
    .map(({ label, keys }) => {
      const names = keys.map((key) => element('kbd', {}, key.replace('Mod', IS_MAC ? '⌘' : 'Ctrl')));
      return element('tr', {}, element('td', {}, label), element('td', {}, ...names.flatMap((each) => [each, ' '])));
    });
  fill(byId('help-keys'), ...rows);
  byId('help-close').onclick = () => dialog.close();
  dialog.showModal();
}
