'use strict';
// Owns: the members of Bun's global that rt does not implement: they exist with their members, and throw "not implemented" when
// called or constructed. `PARTS` uses the notation of `node/missing/missing`.

const {
  ArrayFilter,
  ArrayMap,
  ObjectDefineProperty,
  RegExpExec,
  StringSlice,
  StringSplit,
  StringStartsWith,
  intact,
} = require('internal/primordials');
const { members } = require('node/missing/missing');

// Static members of a class are marked with a dot, those of its instances with a hash.
const PARTS = {
  __proto__: null,
  Image:
    'Image*/2 .fromClipboard/0 .hasClipboardImage/0 .clipboardChangeCount/0 #resize/2 #rotate/1 #flip/0 #flop/0 #modulate/1 #png/1 ' +
    '#jpeg/1 #webp/1 #avif/1 #heic/1 #bytes/0 #buffer/0 #toBuffer/0 #blob/0 #dataurl/0 #toBase64/0 #metadata/0 #placeholder/0 #write/1',
  WebView:
    'WebView*/1 .closeAll/0 #navigate/1 #evaluate/1 #screenshot/1 #click/2 #type/1 #press/1 #scroll/2 #scrollTo/1 #resize/2 ' +
    '#goBack/0 #goForward/0 #reload/0 #cdp/2 #close/0',
  ModuleGraph: 'ModuleGraph*/1 .current/0 #import/1 #run/1 #dispose/0',
  Terminal: 'Terminal*/1 #write/1 #resize/2 #setRawMode/1 #ref/0 #unref/0 #close/0',
  FetchSession: 'FetchSession*/1 #fetch/2 #close/0',
  S3Client:
    'S3Client*/1 .delete/2 .exists/2 .file/2 .list/2 .presign/2 .size/2 .stat/2 .unlink/2 .write/3 #delete/2 #exists/2 #file/2 ' +
    '#list/2 #presign/2 #size/2 #stat/2 #unlink/2 #write/3',
  s3: 's3{delete/2,exists/2,file/2,list/2,presign/2,size/2,stat/2,unlink/2,write/3}',
  FFI: 'FFI{dlopen/2,linkSymbols/1,ptr/2,toArrayBuffer/4,toBuffer/4,viewSource/2,callback/2,closeCallback/1,cfunction/1,CString/3,read/2}',
  secrets: 'secrets{get/1,set/1,delete/1}',
  build: 'build/1',
  jest: 'jest/1',
  registerMacro: 'registerMacro/2',
  openInEditor: 'openInEditor/2',
};
// Groups of asynchronous functions, which reject instead of throwing.
const LATER = { __proto__: null, build: true, secrets: true };

function later(value) {
  return {
    [value.name](...args) {
      return new Promise(() => value(...intact(args)));
    },
  }[value.name];
}

/** Defines the named members on `owner`, non-enumerable as those of a class. */
function place(owner, module, texts) {
  for (const text of intact(texts)) {
    const stub = members(module, text);
    for (const name in stub)
      ObjectDefineProperty(owner, name, { __proto__: null, value: stub[name], writable: true, configurable: true });
  }
}

/** Creates a group of functions under one name. */
function group(name, text) {
  const object = {};
  for (const each of intact(StringSplit(text, ','))) {
    const stub = members(`RT.${name}`, each);
    for (const key in stub) object[key] = LATER[name] ? later(stub[key]) : stub[key];
  }
  return object;
}

/** Creates the member `name` on first use. */
function make(name) {
  const inner = RegExpExec(/^\w+\{(.*)\}$/, PARTS[name]);
  if (inner !== null) return group(name, inner[1]);
  const { 0: whole } = StringSplit(PARTS[name], ' ');
  const value = members('RT', whole)[name];
  const marked = (mark) =>
    ArrayMap(
      ArrayFilter(StringSplit(PARTS[name], ' '), (each) => StringStartsWith(each, mark)),
      (each) => StringSlice(each, 1),
    );
  place(value, `RT.${name}`, marked('.'));
  if (value.prototype !== undefined) place(value.prototype, `RT.${name}`, marked('#'));
  return LATER[name] ? later(value) : value;
}

const stubs = {};
for (const name in PARTS)
  ObjectDefineProperty(stubs, name, { __proto__: null, get: () => make(name), enumerable: true, configurable: true });

module.exports = stubs;
