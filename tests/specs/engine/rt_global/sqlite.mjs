// rt:sqlite under the name bun:sqlite: databases, statements, bound and returned values, transactions, errors.
import { Database, Statement, SQLiteError, constants, default as Def } from 'bun:sqlite';
import * as all from 'bun:sqlite';
import { show, outcome } from './table.mjs';

const rows = [];
const t = (name, work) => {
  let thrown;
  const reported = outcome(() => {
    try {
      return work();
    } catch (error) {
      thrown = [error.name, error.code, error.message, error.errno, error.byteOffset];
    }
  });
  rows.push([name, thrown === undefined ? reported : outcome(() => thrown)]);
};
t('const',()=>JSON.stringify(constants))
t('def',()=>Def===Database);
const db=new Database(':memory:');
t('db',()=>[db.filename,db.handle>=0,db.inTransaction,Object.keys(db)]);
t('run',()=>db.run('create table t(id integer primary key, name text, v blob, r real)'));
t('ins',()=>db.run('insert into t(name,r) values(?,?)','a',1.5))
t('ins arr',()=>db.run('insert into t(name,r) values(?,?)',['b',2]))
t('ins obj',()=>db.run('insert into t(name,r) values($n,$r)',{$n:'c',$r:3}));
t('ins obj bare',()=>db.run('insert into t(name,r) values($n,$r)',{n:'d',r:3}));
t('multi',()=>db.run('insert into t(name) values(1); insert into t(name) values(2)'))
t('exec',()=>db.exec('delete from t where name in (1,2)'))
t('exec===run',()=>db.exec===db.run);
const q=db.query('select * from t')
t('q same',()=>db.query('select * from t')===q)
t('prep same',()=>db.prepare('select * from t')===q);
t('all',()=>q.all())
t('get',()=>q.get())
t('values',()=>q.values())
t('raw',()=>q.raw?.())
t('iter',()=>[...q.iterate()])
t('iter2',()=>[...q])
t('proto',()=>Object.getPrototypeOf(q.get())===Object.prototype);
t('run q',()=>q.run())
t('cols',()=>[q.columnNames,q.columnTypes,q.declaredTypes,q.paramsCount])
t('str',()=>[q.toString(),String(q),JSON.stringify(q),q.native!=null])
t('none',()=>[db.query('select 1 where 0').get(),db.query('select 1 where 0').all(),db.query('select 1 where 0').values()]);
t('ins get',()=>db.query('insert into t(name) values (?) returning id').get('z'))
t('ins all',()=>db.query('insert into t(name) values (?)').all('zz'))
t('ins vals',()=>db.query('insert into t(name) values (?)').values('zz'));
t('miss',()=>db.query('select ? a').get())
t('too many',()=>db.query('select ? a').get(1,2))
t('pos named',()=>db.query('select $a a, $b b').get(1,2))
t('obj',()=>db.query('select $a a, :b b, @c c').get({$a:1,':b':2,'@c':3}));
t('obj extra',()=>db.query('select $a a').get({$a:1,$z:3}))
t('obj miss',()=>db.query('select $a a').get({}))
t('arr',()=>db.query('select ? a, ? b').get([1,2]))
t('?1',()=>db.query('select ?1 a, ?2 b').get(1,2))
t('?1o',()=>db.query('select ?1 a').get({1:5}))
t('null',()=>db.query('select ? a').get(null))
t('undef',()=>db.query('select ? a').get(undefined));
for(const v of [true,false,1,1.5,-0,2**53,2**60,123n,2n**63n,2n**64n,'x',new Uint8Array([1,2]),new ArrayBuffer(2),new Date(0),Symbol('x'),()=>1,{a:1},[1],Buffer.from('q'),NaN,Infinity])t('bind '+String(typeof v),()=>db.query('select ? a, typeof(?) b').get(v,v));
t('big',()=>db.query('select 9223372036854775807 a, 9007199254740993 b').get())
t('safe',()=>db.query('select 9223372036854775807 a, 1 b').safeIntegers(true).get())
t('safe?',()=>{const s=db.prepare('select 1 a');return [s.safeIntegers(),s.safeIntegers(true)===s,s.safeIntegers()]});
const sd=new Database(':memory:',{safeIntegers:true})
t('safe db',()=>[sd.query('select 1 a').get(),sd.run('create table x(a)'),sd.run('insert into x values(1)')])
t('too large',()=>sd.query('select ? a').get(2n**64n));
const st=new Database(':memory:',{strict:true})
t('strict',()=>st.query('select $a a').get({a:1}))
t('strict miss',()=>st.query('select $a a').get({}))
t('strict extra',()=>st.query('select $a a').get({a:1,b:2}))
t('strict $',()=>st.query('select $a a').get({$a:1}))
t('strict pos miss',()=>st.query('select ? a').get());
class C{get big(){return this.id+1} hello(){return 'hi '+this.name}}
const as=db.query('select id,name from t').as(C)
t('as',()=>[as.get() instanceof C,as.get().hello(),as.get().big,as.all().length,as.get()])
t('as bad',()=>db.query('select 1').as(5))
t('as bad',()=>db.query('select 1').as({}));
const blank = new Database(':memory:');
function Bad() {} Bad.prototype = 123;
function Nul() {} Nul.prototype = null;
for (const [name, Class] of Object.entries({ Bad, Nul, arrow: () => {}, async: async function () {}, generator: function* () {}, bound: class {}.bind(), method: { m() {} }.m, list: [], text: 'a', nothing: null, proxy: new Proxy(class {}, {}), map: Map })) t(`as ${name}`, () => Object.getPrototypeOf(blank.query('select 1 as a').as(Class).get()) === Class.prototype);
for (const [name, work] of Object.entries({ run: (sql) => blank.run(sql), query: (sql) => blank.query(sql).all(), prepare: (sql) => blank.prepare(sql).all() }))
  for (const sql of ['', ' ', '\n\t', '-- c', '/* c */', ';', ' ; ', '-- c\n select 1', 'select 1; -- c', undefined, null, 5]) t(`${name} ${JSON.stringify(sql)}`, () => { try { work(sql); return 'done'; } catch (error) { return [error.name, error.message]; } });
t('err',()=>db.query('selec'))
t('err2',()=>db.query('select nope from t'))
t('err3',()=>db.run('insert into t(id) values(1)'))
t('err4',()=>db.run(''))
t('err5',()=>db.query(''))
t('err6',()=>db.query(5))
t('err7',()=>db.run())
t('err8',()=>new Database('/nonexistent/x'))
t('err9',()=>new Database('nofile.db',{readonly:true}))
t('err10',()=>new Database('nofile.db',{create:false,readwrite:true}));
const tx=db.transaction((...a)=>{db.run('insert into t(name) values(?)',['tx']);return [a,db.inTransaction]})
t('tx',()=>tx(1,2))
t('tx k',()=>Object.keys(tx))
t('txi',()=>[tx.deferred(1),tx.immediate(2),tx.exclusive(3)]);
const bad=db.transaction(()=>{db.run("insert into t(name) values('bad')");throw new Error('no')})
t('tx bad',()=>bad())
t('count',()=>db.query("select count(*) c from t where name='bad'").get());
const outer=db.transaction(()=>{try{bad()}catch{}return tx()})
t('nested',()=>outer())
t('tx arg',()=>db.transaction(5))
t('tx this',()=>db.transaction(function(){return this===undefined?'u':typeof this}).call({}));
t('ser',()=>[db.serialize().length,db.serialize() instanceof Buffer]);const de=Database.deserialize(db.serialize())
t('de',()=>de.query('select count(*) c from t').get())
t('de ro',()=>{const r=Database.deserialize(db.serialize(),true);r.run('delete from t')})
t('de opt',()=>Database.deserialize(db.serialize(),{strict:true}).query('select $a a').get({a:1}));
t('fin',()=>{const s=db.prepare('select 1');s.finalize();s.finalize();return [s.isFinalized,s.get()]})
t('tostr',()=>{const s=db.prepare('select ? a');s.get('x');return s.toString()});
t('fc',()=>db.fileControl(constants.SQLITE_FCNTL_PERSIST_WAL,0))
t('dispose',()=>{using x=new Database(':memory:');return x.query('select 1 a').get()});
t('fn2',()=>{db.function('add1',x=>x+1);return db.query('select add1(2) a').get()})
t('agg',()=>{db.aggregate('s1',{start:0,step:(a,b)=>a+b});return db.query('select s1(id) a from t').get()})
t('memory',()=>[new Database().filename,new Database('').filename,new Database(undefined).filename])
t('empty opts',()=>new Database(':memory:',{}).filename)
t('num',()=>new Database(5))
t('buf',()=>new Database(db.serialize()).query('select count(*) c from t').get())
t('cache',()=>Database.MAX_QUERY_CACHE_SIZE)
t('cc',()=>db.clearQueryCache());
t('close',()=>db.close())
t('close2',()=>db.close())
t('after',()=>db.query('select 1').get())
t('afterq',()=>q.get())
t('after tx',()=>db.inTransaction)
t('lens',()=>[Database.length,Database.prototype.query.length,Database.prototype.run.length,Database.prototype.prepare.length,Database.prototype.transaction.length]);
t('throwclose',()=>{const d=new Database(':memory:');const s=d.prepare('select 1');d.close(true)})
t('throwclose2',()=>{const d=new Database(':memory:');const s=d.query('select 1');s.get();d.close(true);return 'ok'});
const dd=new Database(':memory:');
t('bare',()=>dd.query('select $a a').get({a:1}))
t('few',()=>dd.query('select ? a, ? b').get(1))
t('keep',()=>{const q=dd.query('select ? k');q.get(5);return q.get()});
t('prep',()=>dd.prepare('select ? p',[7]).get())
t('prep2',()=>dd.prepare('select ? p',7).get())
t('prep2',()=>{const s=dd.prepare('select ? p',[7]);return [s.get(8),s.get()]});
t('named+pos',()=>dd.query('select $a a, ? b').get({$a:1},2))
t('dupname',()=>dd.query('select $a a, $a b').get({$a:1}))
t('dupcol',()=>dd.query('select 1 a, 2 a').get());
dd.run('create table x(a)')
t('run many w params',()=>dd.run('insert into x values(?); insert into x values(?)',[1]))
t('x',()=>dd.query('select * from x').values());
t('only comment',()=>dd.query('-- hi').get())
t('two',()=>dd.query('select 1 a; select 2 b').all())
t('runfail',()=>dd.run('insert into x values(9); insert into nope values(1)'))
t('x',()=>dd.query('select * from x').values());
t('col',()=>{const s=dd.query('select a, a+1 as z from x');return [s.columnNames,s.declaredTypes]})
t('coltypes',()=>dd.query('insert into x values(1)').columnTypes)
t('ct0',()=>dd.query('select a from x where 0').columnTypes)
t('ct2',()=>dd.query('select a from x').columnTypes)
t('reader',()=>[dd.query('select 1').reader,dd.query('insert into x values(3)').reader,dd.query('select 1').readonly]);
t('iterbreak',()=>{const q=dd.query('select * from x');for(const r of q.iterate())break;return q.all().length})
t('iterrow',()=>{const i=dd.query('select * from x').iterate();return [i.next(),Object.prototype.toString.call(i)]});
t('txname',()=>[dd.transaction(function foo(a,b){}).length,dd.transaction(function foo(a,b){}).name,typeof dd.transaction(()=>{}).deferred]);
t('values none',()=>dd.query('create table if not exists zz(a)').values())
t('get none',()=>dd.query('create table if not exists zz(a)').get())
t('all none',()=>dd.query('create table if not exists zz(a)').all());
t('text null',()=>dd.query("select char(97,0,98) a").get())
t('trunc',()=>dd.query('select ? a').get('a\0b'));
t('getclosed',()=>{const y=new Database(':memory:');const s=y.prepare('select 1');y.close();return s.isFinalized});
for (const strict of [true, false]) {
  const places = new Database(':memory:', { strict });
  for (const [text, given] of [
    ['?1, ?2', { 0: 'a', 1: 'b' }], ['?2, ?1', { 0: 'a', 1: 'b' }], ['?, ?', { 0: 'a', 1: 'b' }], ['?1, ?2', { '?1': 'a', '?2': 'b' }],
    ['?1, ?2', { '?1': 'n', 0: 'i', 1: 'b' }], ['?, ?', { 0: 'a' }], ['?3, ?1', { 0: 'a', 2: 'c' }], ['?1, $x', { 0: 'a', x: 'c' }],
    ['?, ?', {}], ['?, ?', Object.create({ 0: 'p', 1: 'q' })],
  ]) t(`places ${strict} ${text} ${JSON.stringify(given)}`, () => places.query(`select ${text}`).values(given));
}
show(rows);
