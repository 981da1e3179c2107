import bcrypt, { compare, compareSync, genSalt, genSaltSync, getRounds, getSalt, hash, hashSync, truncates } from 'bcryptjs';
import { format } from 'node:util';

const log = (...values) => process.stdout.write(`${format(...values)}
`);
const tried = async (name, work) => { try { log(name, await work()); } catch (error) { log(name, 'failed:', error.name, error.code ?? '', error.message); } };

const salt = '$2b$04$abcdefghijklmnopqrstuu';
for (const word of ['', 'secret', 'ünïcödé', '€'.repeat(30)]) await tried(word.slice(0, 10), async () => { const made = hashSync(word, salt); return [made, compareSync(word, made), await compare(`${word}x`.slice(1), made), truncates(word)]; });
await tried('promise', async () => (await hash('secret', salt)) === hashSync('secret', salt));
await tried('callback', () => new Promise((resolve) => bcrypt.hash('secret', salt, (error, made) => resolve(made), (part) => part === 1 && log('progress', part))));
await tried('salts', async () => [genSaltSync(5).slice(0, 7), (await genSalt(4)).length, getRounds(salt + 'x'.repeat(31)), getSalt(hashSync('a', salt))]);
await tried('2a', () => compareSync('secret', hashSync('secret', salt).replace('$2b', '$2a')));
for (const [name, work] of Object.entries({ number: () => hashSync(1, salt), salt: () => hashSync('a', 'bad'), rounds: () => genSaltSync('x'), revision: () => hashSync('a', '$9z$04$abcdefghijklmnopqrstuu'), length: () => compareSync('a', 'short'), getSalt: () => getSalt('x'), none: () => hash() })) await tried(name, work);
