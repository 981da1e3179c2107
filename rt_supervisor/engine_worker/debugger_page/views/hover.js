// @ts-check
// The value of the expression under the pointer, while the program is paused. Evaluating it has no side effects: V8 refuses those.
import { EditorView, hoverTooltip, syntaxTree } from '../vendor/codemirror.js';
import { element } from '../base/dom.js';
import { valueElement } from './values.js';

/** @typedef {import('../program/program.js').Program} Program */

const NAMES = new Set(['VariableName', 'VariableDefinition', 'this', 'MemberExpression', 'PropertyName']);
const MOST_CHARACTERS = 200;

const theme = EditorView.baseTheme({
  '.hover-value': {
    padding: '3px 8px',
    fontFamily: 'var(--mono)',
    maxWidth: '480px',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
  },
});

/** @param {Program} program */
export function hoverValues(program) {
  const tooltip = hoverTooltip(async (view, position) => {
    const thread = program.selected;
    if (!thread?.pause) return null;
    let node = syntaxTree(view.state).resolveInner(position, 1);
    // `a.b` is meant by a pointer on `b`, `a` by one on `a`.
    if (node.name === 'PropertyName' && node.parent?.name === 'MemberExpression') node = node.parent;
    if (!NAMES.has(node.name) || node.to - node.from > MOST_CHARACTERS) return null;
    const expression = view.state.sliceDoc(node.from, node.to);
    const reply = await thread.evaluate(expression, { throwOnSideEffect: true, silent: true }).catch(() => null);
    if (!reply || reply.exceptionDetails) return null;
    return {
      pos: node.from,
      end: node.to,
      create: () => ({ dom: element('div', { 'class': 'hover-value' }, valueElement(reply.result)) }),
    };
  });
  return [tooltip, theme];
}
