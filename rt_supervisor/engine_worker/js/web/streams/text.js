// @ts-check
'use strict';
// Owns: TextEncoderStream and TextDecoderStream (Encoding standard §7.5, §7.6), each around a TransformStream.

const { ObjectDefineProperty, StringCharCodeAt, StringSlice, SymbolFor, intact } = require('internal/primordials');
const { TransformStream } = require('web/streams/transform');
const { finish, objectOf, wrongReceiver } = require('web/streams/basics');
const { TextDecoder, TextEncoder } = require('web/encoding/text');
const { inspectNamed } = require('internal/inspect/named');

const isHigh = (unit) => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit) => unit >= 0xdc00 && unit <= 0xdfff;

class TextEncoderStream {
  #transform;

  constructor() {
    const encoder = new TextEncoder();
    let pending = ''; // a high surrogate whose low surrogate arrives with the next chunk
    this.#transform = new TransformStream({
      transform(chunk, controller) {
        let text = pending + `${chunk}`;
        if (pending !== '' && text.length > 1 && !isLow(StringCharCodeAt(text, 1))) text = `\ufffd${StringSlice(text, 1)}`;
        pending = '';
        if (text === '') return;
        if (isHigh(StringCharCodeAt(text, text.length - 1))) {
          pending = text[text.length - 1];
          text = StringSlice(text, 0, -1);
        }
        if (text !== '') controller.enqueue(encoder.encode(text));
      },
      flush(controller) {
        if (pending !== '') controller.enqueue(encoder.encode('\ufffd'));
      },
    });
  }

  get encoding() {
    if (!(#transform in objectOf(this))) throw wrongReceiver('TextEncoderStream');
    return 'utf-8';
  }
  get readable() {
    if (!(#transform in objectOf(this))) throw wrongReceiver('TextEncoderStream');
    return this.#transform.readable;
  }
  get writable() {
    if (!(#transform in objectOf(this))) throw wrongReceiver('TextEncoderStream');
    return this.#transform.writable;
  }
}

class TextDecoderStream {
  #transform;
  #decoder;

  /** @param {any} [label] @param {any} [options] */
  constructor(label = 'utf-8', options = {}) {
    this.#decoder = new TextDecoder(label, options);
    const decoder = this.#decoder;
    this.#transform = new TransformStream({
      transform(chunk, controller) {
        if (chunk === undefined) throw new TypeError('The chunk must be an ArrayBuffer or a view of one');
        const text = decoder.decode(chunk, { stream: true });
        if (text !== '') controller.enqueue(text);
      },
      flush(controller) {
        const text = decoder.decode();
        if (text !== '') controller.enqueue(text);
      },
    });
  }

  get encoding() {
    return this.#decoder.encoding;
  }
  get fatal() {
    return this.#decoder.fatal;
  }
  get ignoreBOM() {
    return this.#decoder.ignoreBOM;
  }
  get readable() {
    return this.#transform.readable;
  }
  get writable() {
    return this.#transform.writable;
  }
}
finish(TextEncoderStream, 'TextEncoderStream');
finish(TextDecoderStream, 'TextDecoderStream');

/** As Node prints them: with their properties. */
for (const { 0: Class, 1: names } of intact([
  [TextEncoderStream, ['encoding', 'readable', 'writable']],
  [TextDecoderStream, ['encoding', 'fatal', 'ignoreBOM', 'readable', 'writable']],
])) {
  ObjectDefineProperty(Class.prototype, SymbolFor('nodejs.util.inspect.custom'), {
    __proto__: null,
    value(depth, options, inspect) {
      if (!(this instanceof Class)) throw wrongReceiver(Class.name);
      if (depth < 0) return this;
      const fields = {};
      for (let index = 0; index < names.length; index++) fields[names[index]] = this[names[index]];
      return inspectNamed(Class.name, fields, options, inspect);
    },
    writable: true,
    configurable: true,
  });
}

module.exports = { TextEncoderStream, TextDecoderStream };
