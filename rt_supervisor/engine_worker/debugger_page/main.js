// @ts-check
// The page: makes the program and the views of it, and connects them. index.html has the frame, styles/ the looks.
import { byId } from './base/dom.js';
import { Program } from './program/program.js';
import { BreakpointDialog } from './views/breakpoint_dialog.js';
import { BreakpointList } from './views/breakpoint_list.js';
import { CallStack } from './views/call_stack.js';
import { bindKeys, openHelp } from './views/commands.js';
import { ConsoleView } from './views/console_view.js';
import { Files } from './views/files.js';
import { NetworkView } from './views/network_view.js';
import { ProfileView } from './views/profile_view.js';
import { QuickOpen } from './views/quick_open.js';
import { Scopes } from './views/scopes.js';
import { SourcePane } from './views/source_pane.js';
import { setUpSplitters } from './views/splitters.js';
import { Tabs } from './views/tabs.js';
import { setUpTheme, toggleTheme } from './views/theme.js';
import { Threads } from './views/threads.js';
import { Toolbar } from './views/toolbar.js';
import { Watches } from './views/watches.js';

/** @typedef {import('./program/thread.js').Move} Move */
/** @typedef {import('./program/source_map.js').SourcePosition} SourcePosition */
/** @typedef {import('./views/commands.js').Command} Command */

setUpTheme();
setUpSplitters();

const program = new Program();
const drawer = new Tabs(byId('drawer-tabs'));
const sources = new SourcePane({ tabs: byId('source-tabs'), editor: byId('editor'), empty: byId('no-source') }, program);

/** @param {SourcePosition} position */
const open = (position) => void sources.open(position);

const files = new Files(byId('files'), program.sources, ({ url }) => open({ url, line: -1, column: 0 }));
sources.shown.listen((url) => files.mark(url));
const quickOpen = new QuickOpen(program.sources, ({ url }) => open({ url, line: -1, column: 0 }));
const dialog = new BreakpointDialog(program);
sources.editor.editing.listen((position) => dialog.open(position));

new Threads(byId('threads'), byId('threads-section'), program);
new Watches(byId('watches'), program);
new Scopes(byId('scopes'), program);
new CallStack(byId('call-stack'), program, open);
new BreakpointList(byId('breakpoints'), program.breakpoints, open);
const consoleView = new ConsoleView(program, open);
new NetworkView(program.network);
const profile = new ProfileView(program, open);

/** @param {Move} move */
const move = (move) => () => void program.selected?.move(move);
const resumeOrPause = () => move(program.selected?.pause ? 'resume' : 'pause')();
const toggleFiles = () => void document.body.classList.toggle('files-toggled');
const showConsole = () => {
  drawer.select('console-tab');
  consoleView.input.focus();
};
const showProfile = () => {
  drawer.select('profile-tab');
  profile.toggle();
};

/** @param {(place: { url: string, line: number }) => void} action */
const atCursor = (action) => () => {
  const { url, line } = sources.editor;
  if (url) action({ url, line });
};

/** @type {Command[]} */
const commands = [
  { id: 'files', label: 'Show or hide the files', keys: ['Mod+B'], icon: 'files', run: toggleFiles },
  { id: 'resume', label: 'Continue, or pause', keys: ['F8', 'Mod+\\'], icon: 'pause', run: resumeOrPause },
  { id: 'over', label: 'Step over', keys: ['F10', "Mod+'"], icon: 'over', run: move('stepOver') },
  { id: 'into', label: 'Step into', keys: ['F11', 'Mod+;'], icon: 'into', run: move('stepInto') },
  { id: 'out', label: 'Step out', keys: ['Shift+F11'], icon: 'out', run: move('stepOut') },
  {
    id: 'breakpoints',
    label: 'Ignore all breakpoints',
    keys: ['Mod+F8'],
    icon: 'breakpoints',
    run: () => program.breakpoints.activate(!program.breakpoints.areActive),
  },
  {
    id: 'toggle',
    label: 'Add or remove a breakpoint on the line of the cursor',
    keys: ['F9'],
    run: atCursor(({ url, line }) => program.breakpoints.toggle(url, line)),
  },
  {
    id: 'toggle-column',
    label: 'Add or remove a breakpoint at the column of the cursor',
    keys: ['Alt+F9'],
    run: () => void sources.editor.toggleAtCursor(),
  },
  {
    id: 'edit',
    label: 'Edit the breakpoint on the line of the cursor',
    keys: ['Shift+F9'],
    run: atCursor((at) => dialog.open(at)),
  },
  {
    id: 'to-cursor',
    label: 'Continue to the line of the cursor',
    keys: ['Mod+F10'],
    run: atCursor((at) => void program.selected?.continueTo(at)),
  },
  { id: 'open', label: 'Open a file', keys: ['Mod+P'], run: () => quickOpen.show() },
  { id: 'line', label: 'Go to a line', keys: ['Mod+G'], run: () => sources.editor.openGoToLine() },
  { id: 'console', label: 'Evaluate in the console', keys: ['Mod+`'], run: showConsole },
  { id: 'profile', label: 'Record a CPU profile, or stop', keys: ['Mod+E'], run: showProfile },
  { id: 'theme', label: 'Light or dark', keys: [], icon: 'theme', run: toggleTheme },
  { id: 'help', label: 'Keys', keys: ['F1'], icon: 'help', run: () => openHelp(commands) },
];
new Toolbar(byId('tools'), program, commands);
bindKeys(commands);
program.link.connect();
