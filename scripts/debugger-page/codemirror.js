// The parts of CodeMirror, and of a decoder of source maps, that the debugger's page uses: one export for each.
// `scripts/debugger-page/build.mjs` bundles this file; the page imports the bundle.
export {
  acceptCompletion,
  autocompletion,
  completionKeymap,
  completionStatus,
  moveCompletionSelection,
  selectedCompletionIndex,
} from '@codemirror/autocomplete';
export { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
export { javascript } from '@codemirror/lang-javascript';
export {
  HighlightStyle,
  bracketMatching,
  codeFolding,
  foldGutter,
  foldKeymap,
  syntaxHighlighting,
  syntaxTree,
} from '@codemirror/language';
export { gotoLine, highlightSelectionMatches, openSearchPanel, search, searchKeymap } from '@codemirror/search';
export { Compartment, EditorState, Prec, RangeSet, RangeSetBuilder, StateEffect, StateField } from '@codemirror/state';
export {
  Decoration,
  EditorView,
  GutterMarker,
  WidgetType,
  gutter,
  highlightActiveLine,
  hoverTooltip,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view';
export { tags } from '@lezer/highlight';
export {
  LEAST_UPPER_BOUND,
  TraceMap,
  allGeneratedPositionsFor,
  eachMapping,
  generatedPositionFor,
  originalPositionFor,
} from '@jridgewell/trace-mapping';
