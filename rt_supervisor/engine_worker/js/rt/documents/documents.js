'use strict';
// Owns: the members of RT.YAML, TOML, JSON5, JSONC, JSONL and XML, and which files implement them.

const { JSONParse, ObjectAssign, RegExpReplace, StringTrim, intact } = require('internal/primordials');
const native = host.native;
const { bytesOf } = require('internal/bytes');

/** Returns the text of a document given as a string or as bytes. */
function textOf(input) {
  if (typeof input === 'string') return input;
  const bytes = input !== null && typeof input === 'object' ? bytesOf(input) : undefined;
  if (bytes !== undefined) return native.decodeUtf8(bytes);
  if (input === undefined || input === null) {
    const error = new TypeError('input must be a string, ArrayBuffer, ArrayBufferView or Blob');
    throw ObjectAssign(error, { code: 'ERR_INVALID_ARG_TYPE' });
  }
  return `${input}`;
}

function failure(language, problem) {
  const [message, line, column] = intact(problem);
  return new SyntaxError(`${language} Parse error: ${message} (line ${line}, column ${column})`);
}

function parseJsonc(input) {
  const text = RegExpReplace(/^\ufeff/, textOf(input), '');
  try {
    return JSONParse(text); // most documents have no comments
  } catch {
    if (StringTrim(text) === '') throw new SyntaxError('JSONC Parse error: Unexpected end of input');
  }
  const [value, problem] = intact(native.documents_readJsonc(text));
  if (problem !== null) throw failure('JSONC', problem);
  return value;
}

function parseJson5(input) {
  const text = textOf(input);
  if (StringTrim(text) === '') throw new SyntaxError('JSON5 Parse error: Unexpected end of input');
  const [value, problem] = intact(native.documents_readJson5(text));
  if (problem !== null) throw failure('JSON5', problem);
  return value;
}

function parseYaml(input) {
  const [steps, problem] = intact(native.documents_readYaml(RegExpReplace(/^\ufeff/, textOf(input), '')));
  if (problem !== null) throw failure('YAML', problem);
  return require('rt/documents/yaml').build(steps);
}

function parseToml(input) {
  try {
    return native.modules_parseToml(textOf(input));
  } catch (error) {
    if (error instanceof SyntaxError) error.message = `TOML Parse error: ${error.message}`;
    throw error;
  }
}

function parseXml(input, options = undefined) {
  if (options?.compact === false) throw new TypeError('XML.parse: compact: false is not available in this version of rt');
  const [document, problem] = intact(native.documents_readXml(textOf(input)));
  if (problem !== null) throw failure('XML', problem);
  return JSONParse(document);
}

module.exports = {
  YAML: {
    parse: parseYaml,
    stringify: (value, replacer, space) => require('rt/documents/yaml_text').stringify(value, replacer, space),
  },
  TOML: { parse: parseToml, stringify: (value) => require('rt/documents/toml_text').stringify(value) },
  JSON5: {
    parse: parseJson5,
    stringify: (value, replacer, space) => require('rt/documents/json5_text').stringify(value, replacer, space),
  },
  JSONC: { parse: parseJsonc },
  JSONL: require('rt/documents/jsonl').JSONL,
  XML: {
    parse: parseXml,
    stringify: (value, replacer, space) => require('rt/documents/xml_text').stringify(value, replacer, space),
  },
};
