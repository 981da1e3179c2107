// The types of the bundle: those of the packages that it was built from, which npm installs for the type checker.
export * from '@codemirror/autocomplete';
export * from '@codemirror/commands';
export * from '@codemirror/lang-javascript';
export * from '@codemirror/language';
export * from '@codemirror/search';
export * from '@codemirror/state';
export * from '@codemirror/view';
export * from '@jridgewell/trace-mapping';
export * from '@lezer/highlight';
