// @ts-check
'use strict';
// Owns: JSX elements in console output, printed as markup.

const { setOf } = require('internal/collections');
const {
  ArrayFilter,
  ArrayForEach,
  ArrayIsArray,
  ObjectGetOwnPropertyDescriptor,
  ObjectKeys,
  SetHas,
  StringRepeat,
  SymbolFor,
  intact,
} = require('internal/primordials');

const ELEMENT_TYPES = setOf(
  intact([SymbolFor('react.element'), SymbolFor('react.fragment'), SymbolFor('react.transitional.element')]),
);
const LONGEST_INLINE_TEXT = 128;

const isElement = (value) => {
  const descriptor = ObjectGetOwnPropertyDescriptor(value, '$$typeof');
  return descriptor !== undefined && SetHas(ELEMENT_TYPES, descriptor.value);
};

function tagName(type) {
  if (typeof type === 'string') return type;
  if (typeof type === 'symbol') return '';
  if (typeof type === 'function' || (typeof type === 'object' && type !== null)) return type.name || 'NoName';
  return type === undefined ? 'unknown' : String(type);
}

function printElement(printer, element) {
  const { color } = printer;
  const name = tagName(element.type);
  const nameColor = typeof element.type === 'string' ? (color.elementTag ?? color.green) : color.cyan;
  printer.out += `${color.reset}<${nameColor}${name}${color.reset}`;
  if (element.key !== undefined && element.key !== null) {
    printer.out += ' key=';
    printQuoted(printer, element.key);
  }
  const props = element.props;
  const children = props !== null && typeof props === 'object' ? printProperties(printer, props) : undefined;
  if (!printer.isSingleLine && hasPrintableChildren(children)) {
    printChildren(printer, children);
    printer.out += `</${nameColor}${name}${color.reset}>`;
  } else {
    printer.out += ' />';
  }
}

function printQuoted(printer, value) {
  const before = printer.quotesStrings;
  printer.quotesStrings = true;
  printer.print(value);
  printer.quotesStrings = before;
}

function printProperties(printer, props) {
  const names = ArrayFilter(ObjectKeys(props), (name) => name !== 'children');
  printer.indent++;
  ArrayForEach(names, (name, index) => {
    if (index === 0) printer.space();
    printer.out += `${printer.color.blue}${name}${printer.color.colon === ': ' ? '=' : `\x1b[2m=\x1b[0m`}`;
    printQuoted(printer, props[name]);
    if (index + 1 === names.length) return;
    printer.space();
  });
  printer.indent--;
  return props.children;
}

const hasPrintableChildren = (children) =>
  (typeof children === 'string' && children !== '') ||
  (ArrayIsArray(children) && children.length > 0) ||
  (typeof children === 'object' && children !== null && !ArrayIsArray(children) && isElement(children));

function printChildren(printer, children) {
  if (typeof children === 'string') {
    if (children.length < LONGEST_INLINE_TEXT) {
      printer.out += `>${children}`;
    } else {
      const indentation = StringRepeat('  ', printer.indent);
      printer.out += `>\n${indentation}  ${children}\n${indentation}`;
    }
    return;
  }
  printer.out += '>\n';
  printer.indent++;
  printer.writeIndent();
  const list = ArrayIsArray(children) ? children : [children];
  const before = printer.quotesStrings;
  printer.quotesStrings = false;
  ArrayForEach(list, (child, index) => {
    printer.print(child);
    if (index + 1 < list.length) {
      printer.out += '\n';
      printer.writeIndent();
    }
  });
  printer.quotesStrings = before;
  printer.indent--;
  printer.out += '\n';
  printer.writeIndent();
}

module.exports = { isElement, printElement };
