// @ts-check
'use strict';
// Owns: parsing of a pattern in one string, `https://*.example.com/:id`, into the patterns of its components.

const { ArrayAt, ArrayIncludes, ArrayJoin, ArraySlice, ArraySome, StringSlice, intact } = require('internal/primordials');
const { tokenize } = require('web/url/pattern/tokens');
const { compile } = require('web/url/pattern/parts');
const { protocol: encodeProtocol, SPECIAL } = require('web/url/pattern/encoding');

const USUAL = { delimiter: '', prefix: '', ignoreCase: false };

const matchesSpecial = (component) => ArraySome(SPECIAL, (scheme) => component.test(scheme));

class Reader {
  constructor(text) {
    this.source = text;
    this.points = [...intact(text)];
    this.tokens = tokenize(this.points, 'lenient');
    /** @type {Record<string, string>} */
    this.result = {};
    this.start = 0; // the first token of the component
    this.at = 0;
    this.step = 1;
    this.braces = 0; // depth of groups
    this.brackets = 0; // depth of IPv6 brackets
    this.isSpecial = false;
    this.state = 'init';
  }

  safe(index) {
    return this.tokens[index] ?? ArrayAt(this.tokens, -1);
  }

  isPlain(index, value) {
    const token = this.safe(index);
    if (token.value !== value) return false;
    return token.type === 'char' || token.type === 'escaped' || token.type === 'invalid';
  }

  isSearchStart() {
    if (this.isPlain(this.at, '?')) return true;
    if (this.tokens[this.at].value !== '?') return false;
    const before = this.at - 1;
    if (before < 0) return true;
    return !ArrayIncludes(['name', 'regexp', 'close', 'asterisk'], this.safe(before).type);
  }

  isProtocolEnd() {
    return this.isPlain(this.at, ':');
  }
  hasSlashes() {
    return this.isPlain(this.at + 1, '/') && this.isPlain(this.at + 2, '/');
  }

  text() {
    const from = this.safe(this.start).index;
    const to = this.tokens[this.at].index;
    if (this.points.length === this.source.length) return StringSlice(this.source, from, to); // no surrogates
    return ArrayJoin(ArraySlice(this.points, from, to), '');
  }

  change(state, skip) {
    if (!ArrayIncludes(['init', 'authority', 'done'], this.state)) this.result[this.state] = this.text();
    if (this.state !== 'init' && state !== 'done') {
      const is = (...names) => ArrayIncludes(names, this.state);
      const to = (...names) => ArrayIncludes(names, state);
      if (is('protocol', 'authority', 'username', 'password') && to('port', 'pathname', 'search', 'hash'))
        this.result.hostname ??= '';
      if (is('protocol', 'authority', 'username', 'password', 'hostname', 'port') && to('search', 'hash'))
        this.result.pathname ??= this.isSpecial ? '/' : '';
      if (is('protocol', 'authority', 'username', 'password', 'hostname', 'port', 'pathname') && to('hash'))
        this.result.search ??= '';
    }
    this.state = state;
    this.at += skip;
    this.start = this.at;
    this.step = 0;
  }

  rewindTo(state) {
    this.at = this.start;
    this.step = 0;
    this.state = state;
  }

  /** At the end of the input: if it was read in the wrong state, goes back to the right one and returns true. */
  restarts() {
    if (this.state === 'init') {
      this.rewindTo('init');
      if (this.isPlain(this.at, '#')) this.change('hash', 1);
      else if (this.isSearchStart()) this.change('search', 1);
      else this.change('pathname', 0);
      return true;
    }
    if (this.state !== 'authority') return false;
    this.rewindTo('hostname');
    return true;
  }

  turn() {
    switch (this.state) {
      case 'init':
        if (this.isProtocolEnd()) this.rewindTo('protocol');
        return;
      case 'protocol':
        if (!this.isProtocolEnd()) return;
        this.isSpecial = matchesSpecial(compile(this.text(), encodeProtocol, USUAL));
        if (this.hasSlashes()) this.change('authority', 3);
        else if (this.isSpecial) this.change('authority', 1);
        else this.change('pathname', 1);
        return;
      case 'authority':
        if (this.isPlain(this.at, '@')) this.rewindTo('username');
        else if (this.isPlain(this.at, '/') || this.isSearchStart() || this.isPlain(this.at, '#')) this.rewindTo('hostname');
        return;
      case 'username':
        if (this.isPlain(this.at, ':')) this.change('password', 1);
        else if (this.isPlain(this.at, '@')) this.change('hostname', 1);
        return;
      case 'password':
        if (this.isPlain(this.at, '@')) this.change('hostname', 1);
        return;
      case 'hostname':
        if (this.isPlain(this.at, '[')) this.brackets++;
        else if (this.isPlain(this.at, ']')) this.brackets--;
        else if (this.isPlain(this.at, ':') && this.brackets === 0) this.change('port', 1);
        else this.afterHost();
        return;
      case 'port':
        this.afterHost();
        return;
      case 'pathname':
        if (this.isSearchStart()) this.change('search', 1);
        else if (this.isPlain(this.at, '#')) this.change('hash', 1);
        return;
      case 'search':
        if (this.isPlain(this.at, '#')) this.change('hash', 1);
    }
  }

  afterHost() {
    if (this.isPlain(this.at, '/')) this.change('pathname', 0);
    else if (this.isSearchStart()) this.change('search', 1);
    else if (this.isPlain(this.at, '#')) this.change('hash', 1);
  }

  read() {
    for (; this.at < this.tokens.length; this.at += this.step) {
      this.step = 1;
      const { type } = this.tokens[this.at];
      if (type === 'end') {
        if (this.restarts()) continue;
        this.change('done', 0);
        break;
      }
      if (type === 'open') {
        this.braces++;
        continue;
      }
      if (this.braces > 0) {
        if (type === 'close') this.braces--;
        else continue;
      }
      this.turn();
    }
    if ('hostname' in this.result) this.result.port ??= '';
    return this.result;
  }
}

module.exports = { readConstructorString: (text) => new Reader(text).read(), matchesSpecial };
