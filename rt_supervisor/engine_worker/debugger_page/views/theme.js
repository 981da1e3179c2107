// @ts-check
// Light or dark: as the system says, until the user chooses.
import { readStored, writeStored } from '../base/stored.js';

const STORED = 'theme';

export function setUpTheme() {
  const chosen = readStored(STORED, '');
  if (chosen) document.documentElement.dataset.theme = chosen;
}

export function toggleTheme() {
  const { dataset } = document.documentElement;
  const isDark = dataset.theme ? dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  dataset.theme = isDark ? 'light' : 'dark';
  writeStored(STORED, dataset.theme);
}
