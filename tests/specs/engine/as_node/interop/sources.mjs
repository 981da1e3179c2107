import source text from './throws.cjs';
