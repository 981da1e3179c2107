// @ts-check
'use strict';
// Owns: util.inspect output of buffers: <Buffer 68 69>.

const { AnySlice } = require('internal/any_kind');
const { MathMin, RegExpReplace, StringTrim, intact } = require('internal/primordials');

const { encodingOf } = require('internal/encodings');

const limits = { inspectMaxBytes: 50 };

function inspect(depth, context) {
  const count = MathMin(limits.inspectMaxBytes, this.length);
  const rest = this.length - count;
  let text = StringTrim(RegExpReplace(/.{2}/g, encodingOf('hex').text(this, 0, count), (each) => `${each} `));
  if (rest > 0) text += ` ... ${rest} more byte${rest > 1 ? 's' : ''}`;
  if (context) {
    const keys = host.inspect.ownNonIndexProperties(this, !context.showHidden);
    if (keys.length > 0) {
      const extras = { __proto__: null };
      for (const key of intact(keys)) extras[key] = this[key];
      if (this.length !== 0) text += ', ';
      // Strips '[Object: null prototype] { ' and the closing ' }' around the properties.
      text += AnySlice(
        require('internal/inspect/inspect').inspect(extras, { ...context, breakLength: Infinity, compact: true }),
        27,
        -2,
      );
    }
  }
  const name = this.constructor === undefined || this.constructor === null ? 'Buffer' : this.constructor.name;
  return `<${name} ${text}>`;
}

module.exports = { inspect, limits };
