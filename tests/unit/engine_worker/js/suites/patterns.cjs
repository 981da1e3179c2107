'use strict';
// The methods that take a regular expression, over texts with surrogate pairs and patterns with empty matches.

module.exports = ({ compare, random, ours, rounds }) => {
  const { RegExpMatch, RegExpMatchAll, RegExpSearch, RegExpSplit } = ours('internal/patterns');
  const { RegExpReplace } = ours('internal/primordials');
  const PARTS = ['a', 'b', '😀', '\ud83d', '\ude00', '\n', 'ab', 'é'];
  const SOURCES = [
    '',
    'a*',
    '(?:)',
    '(?=b)',
    'b?',
    '(a)|',
    '^',
    '$',
    '.',
    '(?<x>.)?',
    '\\b',
    '[^a]*?',
    '(?<=a)',
    '\\ude00',
    '😀*',
  ];
  const FLAGS = ['', 'g', 'u', 'gu', 'gv', 'gm', 'gus', 'v'];
  const pick = (list) => list[random(list.length)];
  const shown = (match) => match && [...match, match.index, match.groups && { ...match.groups }];
  for (let round = 0; round < rounds; round++) {
    const text = Array.from({ length: random(7) }, () => pick(PARTS)).join('');
    const pattern = () => new RegExp(source, flags);
    const [source, flags] = [pick(SOURCES), pick(FLAGS)];
    const all = () => new RegExp(source, flags.includes('g') ? flags : `${flags}g`);
    const info = JSON.stringify([source, flags, text]);
    const same = (name, theirs, own) =>
      compare(
        name,
        () => JSON.stringify(theirs()),
        () => JSON.stringify(own()),
        info,
      );
    same(
      'matchAll',
      () => [...text.matchAll(all())].map(shown),
      () => RegExpMatchAll(pattern(), text).map(shown),
    );
    if (flags.includes('g'))
      same(
        'match',
        () => text.match(pattern()),
        () => RegExpMatch(pattern(), text),
      );
    same(
      'search',
      () => text.search(pattern()),
      () => RegExpSearch(pattern(), text),
    );
    same(
      'split',
      () => text.split(pattern()),
      () => RegExpSplit(pattern(), text),
    );
    same(
      'replace',
      () => text.replace(pattern(), (...found) => `<${found[0]}>`),
      () => RegExpReplace(pattern(), text, (...found) => `<${found[0]}>`),
    );
  }
};
