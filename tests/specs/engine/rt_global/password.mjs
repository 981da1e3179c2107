// RT.password: the format of hashes, and rejected arguments.
import { RT, later, outcome, show } from './table.mjs';

const { password } = RT;
const cheap = { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 };
const shape = (text) => text.replace(/\$[A-Za-z\d+/.]{40,}/g, '$…');
const rows = [];
for (const options of [undefined, 'argon2id', 'argon2i', 'argon2d', 'bcrypt', cheap, { algorithm: 'bcrypt', cost: 4 }]) {
  const text = password.hashSync('secret', options);
  rows.push([`hash ${JSON.stringify(options)}`, [shape(text), password.verifySync('secret', text), await password.verify('Secret', text), await password.verify(new TextEncoder().encode('secret'), text)]]);
}
rows.push(['later', [shape(await password.hash('x', cheap)), await password.verify('x', await password.hash('x', { algorithm: 'bcrypt', cost: 4 }))]]);
const long = password.hashSync('a'.repeat(80), { algorithm: 'bcrypt', cost: 4 });
rows.push(['long', [password.verifySync('a'.repeat(80), long), password.verifySync('a'.repeat(79), long), password.verifySync(`${'a'.repeat(79)}b`, long)]]);
for (const args of [[''], [], ['x', 'nope'], ['x', { algorithm: 'bcrypt', cost: 3 }], ['x', { algorithm: 'bcrypt', cost: 32 }], ['x', { algorithm: 'argon2id', timeCost: 0 }]]) rows.push([`refused ${JSON.stringify(args)}`, [outcome(() => password.hashSync(...args)), outcome(() => password.hash(...args))]]);
for (const args of [['x', 'nope'], ['x', ''], ['x'], [], ['x', '$2a$04$abcdefghijklmnopqrstuu'], ['x', '$argon2id$v=19$m=8'], ['x', long, 'bcrypt'], ['x', long, 'nope']]) rows.push([`verify ${JSON.stringify(args).replace(long, 'long')}`, [outcome(() => password.verifySync(...args)), await later(() => password.verify(...args))]]);
const argon = (cost) => ({ algorithm: 'argon2id', ...cost });
const MALFORMED = [{}, [], 1, true, '', { algorithm: 'x' }, { algorithm: null }, { algorithm: 'bcrypt', cost: '4' }, { algorithm: 'bcrypt', cost: 4.5 }, argon({ timeCost: '1' }), argon({ timeCost: 1.5 }), argon({ timeCost: -1 }), argon({ memoryCost: 1 }), argon({ memoryCost: 'x' }), argon({ memoryCost: 2 ** 40 })];
const told = (work) => { try { return typeof work(); } catch (error) { return [error.name, error.code, error.message]; } };
for (const options of MALFORMED) rows.push([`told ${JSON.stringify(options)}`, told(() => password.hashSync('x', options))]);
for (const algorithm of ['x', '', {}, 1, null, undefined]) rows.push([`told of verifying ${JSON.stringify(algorithm)}`, told(() => password.verifySync('x', long, algorithm))]);
rows.push(['no cost', typeof password.hashSync('x', { ...cheap, cost: null })]);
show(rows);
