// @ts-check
'use strict';
// Owns: how console.log and RT.inspect print a value: objects with one property a line and a trailing comma, arrays on one line
// until they grow long, instances with the methods and getters of their classes. util.inspect prints a different form. One
// Printer prints all arguments of a call: the estimated length of the current line carries over from one to the next.

const {
  BooleanValueOf,
  FunctionCall,
  JSONStringify,
  NumberValueOf,
  ObjectGetOwnPropertyDescriptor,
  ObjectGetPrototypeOf,
  RegExpExec,
  RegExpToString,
  SetAdd,
  SetHas,
  StringValueOf,
  SymbolDescription,
  SymbolFor,
  uncurry,
} = require('internal/primordials');
const { KIND } = require('internal/kinds');
const runtimeParts = require('internal/parts');
const { className, tagOf, functionLabel, classLabel, isClass } = require('internal/inspect/rt_names');
const { Writer, quoteLatin1 } = require('internal/inspect/rt_writer');
const { collectProperties, collectOwnSorted, isPrototype } = require('internal/inspect/rt_properties');
const { FORM, KIND_FORMS, consoleForm, consoleShape } = require('internal/inspect/rt_forms');
const collections = require('internal/inspect/rt_collections');
const { isElement, printElement } = require('internal/inspect/rt_element');

const SetDelete = uncurry(Set.prototype.delete);
const custom = SymbolFor('nodejs.util.inspect.custom');
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
const BEYOND_LATIN1 = /[^\x00-\xff]/;

/** A generator shows properties set on it, but not the methods that all generators have. */
function ownAsJSON(value) {
  try {
    return JSONStringify(value) ?? '{}';
  } catch {
    return '{}';
  }
}

/** Returns whether the console lists the members of `value` although its class has a custom util.inspect form. */
function isShaped(value) {
  if (value[consoleShape] === undefined) return false;
  for (let object = value; object !== null; object = ObjectGetPrototypeOf(object)) {
    if (ObjectGetOwnPropertyDescriptor(object, custom) !== undefined)
      return ObjectGetOwnPropertyDescriptor(object, consoleShape) !== undefined;
  }
  return false;
}

class Printer extends Writer {
  // --- one value ---------------------------------------------------------------------------------------------------

  formOf(value) {
    switch (typeof value) {
      case 'string':
        return FORM.STRING;
      case 'undefined':
        return FORM.UNDEFINED;
      case 'number':
        return FORM.NUMBER;
      case 'boolean':
        return FORM.BOOLEAN;
      case 'symbol':
        return FORM.SYMBOL;
      case 'bigint':
        return FORM.BIGINT;
    }
    if (value === null) return FORM.NULL;
    const kind = host.inspect.kindOf(value);
    if (kind === KIND.PROXY) return FORM.PROXY;
    if (typeof value[consoleForm] === 'function' && !isPrototype(value)) return FORM.OWN;
    if (typeof value[custom] === 'function' && !isPrototype(value)) return isShaped(value) ? FORM.OBJECT : FORM.CUSTOM;
    if (typeof value === 'function') return isClass(value) ? FORM.CLASS : FORM.FUNCTION;
    if (value === globalThis && this.hidesGlobal) return FORM.GLOBAL;
    if (kind === KIND.ERROR && value[consoleShape] !== undefined) return FORM.OBJECT; // a DOMException, as in Bun
    const form = KIND_FORMS[kind];
    if (form !== undefined) return form;
    return isElement(value) ? FORM.ELEMENT : FORM.OBJECT;
  }

  print(value, form = this.formOf(value)) {
    const { color } = this;
    switch (form) {
      case FORM.STRING:
        return this.string(value);
      case FORM.NUMBER:
        return this.number(value);
      case FORM.UNDEFINED:
        return this.token(9, `${color.dim}undefined${color.reset}`);
      case FORM.NULL:
        return this.token(4, `${color.yellow}null${color.reset}`);
      case FORM.BOOLEAN:
        return this.token(value ? 4 : 5, `${color.yellow}${value}${color.reset}`);
      case FORM.SYMBOL:
        return this.symbol(value);
      case FORM.BIGINT: {
        const digits = `${value}`;
        return this.token(digits.length, `${color.yellow}${digits}n${color.reset}`);
      }
      case FORM.REGEXP: {
        const source = RegExpToString(value);
        return this.token(source.length, `${color.red}${source}${color.reset}`);
      }
      case FORM.STRING_OBJECT:
        return this.stringObject(value);
      case FORM.NUMBER_OBJECT:
        return this.box(value, 'Number', `${NumberValueOf(value)}`);
      case FORM.BOOLEAN_OBJECT:
        return this.box(value, 'Boolean', `${BooleanValueOf(value)}`);
      case FORM.CUSTOM:
        return this.customized(value);
      case FORM.DATE:
        return this.date(value);
      case FORM.PROMISE:
        return this.promise(value);
      case FORM.BYTES:
        return collections.bytes(this, value);
      case FORM.ITERATOR:
        return collections.iterator(this, value);
      case FORM.PROXY: {
        const deferred = runtimeParts.deferredNamespace?.(value);
        return deferred === undefined ? this.proxy(value) : this.print(deferred);
      }
      case FORM.GLOBAL:
        return this.token(15, `${color.cyan}[Global Object]${color.reset}`);
      case FORM.OWN:
        return value[consoleForm](this);
      case FORM.ELEMENT:
        return printElement(this, value);
    }
    if (SetHas(this.open, value)) {
      this.out += `${color.circular}[Circular]${color.reset}`;
      return;
    }
    SetAdd(this.open, value);
    try {
      this.printNested(value, form);
    } finally {
      SetDelete(this.open, value);
    }
  }

  printNested(value, form) {
    switch (form) {
      case FORM.ARRAY:
        return collections.array(this, value);
      case FORM.MAP:
        return collections.map(this, value);
      case FORM.SET:
        return collections.set(this, value);
      case FORM.FUNCTION:
        return this.token(0, `${this.color.cyan}${functionLabel(value)}${this.color.reset}`);
      case FORM.CLASS: {
        const { text, width } = classLabel(value);
        return this.token(width, `${this.color.cyan}${text}${this.color.reset}`);
      }
      case FORM.ERROR: {
        this.out += host.inspect.errorText(value, this.hasColors, this.indent);
        return;
      }
      case FORM.GENERATOR: {
        const text = ownAsJSON(value);
        return this.token(text.length, text);
      }
      default:
        return this.object(value);
    }
  }

  promise(value) {
    if (!this.isSingleLine && this.isLineFull()) {
      this.out += '\n';
      this.writeIndent();
    }
    const state = PROMISE_STATES[host.inspect.promiseState(value)[0]];
    this.out += `Promise { ${this.color.promise}${state}${this.color.reset} }`;
  }

  proxy(value) {
    const target = host.inspect.proxyDetails(value)[0];
    if (target === null) this.token(15, `${this.color.circular}<Revoked Proxy>${this.color.reset}`);
    else this.print(target);
  }

  customized(value) {
    const { stylizer } = require('internal/inspect/rt_colors');
    const { inspect } = require('internal/inspect/inspect');
    const depth = this.maxDepth - this.depth;
    const options = { stylize: stylizer(this.hasColors), depth: this.maxDepth, colors: this.hasColors };
    const result = FunctionCall(value[custom], value, depth < 0 ? 0 : depth, options, inspect);
    if (typeof result === 'string') this.out += result;
    else if (this.formOf(result) === FORM.STRING_OBJECT) this.out += StringValueOf(result);
    else this.print(result, result === value ? this.formWithoutCustom(value) : undefined);
  }

  formWithoutCustom(value) {
    if (typeof value === 'function') return isClass(value) ? FORM.CLASS : FORM.FUNCTION;
    return KIND_FORMS[host.inspect.kindOf(value)] ?? FORM.OBJECT;
  }

  // --- objects -----------------------------------------------------------------------------------------------------

  /** An object with a name and all its keys quoted, as Headers and URLSearchParams print. */
  record(name, entries, deepName = name) {
    if (this.isTooDeep()) return this.tooDeep(deepName);
    const { quotesKeys: before } = this;
    this.quotesKeys = true;
    this.object(entries, name);
    this.quotesKeys = before;
  }

  isTooDeep() {
    return this.depth > this.maxDepth;
  }

  tooDeep(name) {
    this.isLineFull();
    if (this.isSingleLine) this.out += ' ';
    collections.tooDeep(this, name, 'Object');
  }

  object(value, name = className(value)) {
    if (this.isTooDeep()) return this.tooDeep(tagOf(value) || 'Object');
    this.facts(value, name);
  }

  /** Like object(), but also printed below the maximum depth. */
  facts(value, name) {
    this.isLineFull(); // an object starts on a new line if the current one is full
    const properties = this.isSorted ? collectOwnSorted(value) : collectProperties(value);
    if (properties.length === 0) {
      this.out += name === '' ? '{}' : `${name} {}`;
      return;
    }
    const { quotesStrings: before } = this;
    this.quotesStrings = true;
    this.line = this.indent * 2 + 1;
    this.indent++;
    this.depth++;
    this.out += `${name === '' ? '' : `${name} `}{${this.isSingleLine ? ' ' : '\n'}`;
    if (!this.isSingleLine) this.writeIndent();
    for (let i = 0; i < properties.length; i++) {
      if (i > 0) this.nextProperty();
      this.property(properties[i]);
    }
    this.depth--;
    this.quotesStrings = before;
    if (this.isSingleLine) return this.token(2, ' }'); // as in Bun, the indentation of one-line objects accumulates
    this.indent--;
    this.comma();
    this.out += '\n';
    this.writeIndent();
    this.token(1, '}');
  }

  nextProperty() {
    this.comma();
    if (this.isSingleLine) return this.space();
    this.out += '\n';
    this.writeIndent();
    this.resetLine();
  }

  property({ key, value, accessor }) {
    this.key(key);
    if (accessor !== undefined) {
      this.out += `${this.color.cyan}[${accessor}]${this.color.reset}`;
      return;
    }
    const form = this.formOf(value);
    const isText = form === FORM.STRING || form === FORM.STRING_OBJECT;
    if (isText) this.out += this.color.green;
    this.print(value, form);
    if (isText) this.out += this.color.reset;
  }

  key(key) {
    const { color } = this;
    if (typeof key === 'symbol') {
      const name = SymbolDescription(key) ?? '';
      this.token(13 + name.length, `${color.dim}[${color.blue}Symbol(${name})${color.end}]:${color.reset} `);
    } else if (!this.quotesKeys && RegExpExec(IDENTIFIER, key) !== null) {
      this.token(key.length + 1, `${color.reset}${key}${color.colon}`);
    } else {
      const text = RegExpExec(BEYOND_LATIN1, key) === null ? quoteLatin1(key) : `"${key}"`;
      this.token(key.length + 2, `${color.green}${text}${color.reset}${color.colon}`);
    }
  }
}

/** The depth that `null` and Infinity stand for. */
const UNLIMITED_DEPTH = 65535;
const PROMISE_STATES = ['<pending>', '<resolved>', '<rejected>'];

module.exports = { Printer, FORM, UNLIMITED_DEPTH };
