import { format } from 'node:util';
import { PrismaLibSql } from '@prisma/adapter-libsql';
import { PrismaClient } from './generated/client.ts';

const tell = (...values: unknown[]) => process.stdout.write(`${format(...values)}\n`);
const prisma = new PrismaClient({ adapter: new PrismaLibSql({ url: 'file:./dev.db' }) });
await prisma.$executeRawUnsafe('create table User (id integer primary key autoincrement, email text unique not null, name text)');
await prisma.$executeRawUnsafe(
  'create table Post (id integer primary key autoincrement, title text not null, authorId integer not null references User(id))',
);
const made = await prisma.user.create({
  data: { email: 'a@b', name: 'A', posts: { create: [{ title: 'one' }, { title: 'two' }] } },
  include: { posts: true },
});
tell(made);
tell(await prisma.user.findMany({ where: { posts: { some: { title: 'two' } } }, select: { name: true } }));
tell(await prisma.post.groupBy({ by: ['authorId'], _count: true }));
await prisma.user.create({ data: { email: 'a@b' } }).catch(({ code, name }) => tell(code, name));
tell(await prisma.$transaction([prisma.post.deleteMany(), prisma.user.updateMany({ data: { name: 'B' } })]));
await prisma
  .$transaction(async (inside) => {
    await inside.user.deleteMany();
    throw new Error('taken back');
  })
  .catch(({ message }) => tell(message));
tell(await prisma.$queryRaw`select name from User where email = ${'a@b'}`);
await prisma.$disconnect();
