import { drizzle } from 'drizzle-orm/libsql'; import { createClient } from '@libsql/client';
import { sqliteTable, integer, text } from 'drizzle-orm/sqlite-core'; import { eq, sql } from 'drizzle-orm';
const c = createClient({ url: 'file::memory:' }); const db = drizzle(c);
const u = sqliteTable('u', { id: integer('id').primaryKey(), name: text('name') });
await db.run(sql`create table u (id integer primary key, name text)`);
await db.insert(u).values([{ name: 'a' }, { name: 'b' }]);
console.log(JSON.stringify([await db.select().from(u).where(eq(u.id, 2)), db.select().from(u).toSQL()]));
