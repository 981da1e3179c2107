// Databases: statements, parameters of every kind, types, functions, transactions, errors with SQLite's codes.
process.removeAllListeners('warning');
const { inspect } = require('node:util');
const {DatabaseSync,StatementSync}=require('node:sqlite');
const t=(n,f)=>{let r;try{r=inspect(f())}catch(e){r=[e.name,e.code,e.message,e.errcode,e.errstr].join(' ')}process.stdout.write(n+' '+r+'\n')};
const d=new DatabaseSync(':memory:');t('exec',()=>d.exec("create table t(a integer primary key,b text,c blob,d real); insert into t(b) values('x;y'); delete from t;"));
const i=d.prepare('insert into t(b,c,d) values(?,?,?)');t('run',()=>i.run('x',new Uint8Array([1,2]),1.5));t('run2',()=>i.run(null,null,2));
const s=d.prepare('select * from t');t('all',()=>s.all());t('get',()=>s.get());t('iter',()=>[...s.iterate()]);
t('named',()=>d.prepare('select :a as x, $b as y, @c as z').get({a:1,$b:'q',c:2n}));t('bare',()=>d.prepare('select :a as x').get({':a':1}));t('unknown',()=>d.prepare('select :a as x').get({b:1}));
t('bad sql',()=>d.exec('selec'));t('prep bad',()=>d.prepare('selec'));t('many',()=>d.prepare('select ?').get(1,2));t('bind sym',()=>d.prepare('select ?').get(Symbol()));t('bool',()=>d.prepare('select ?').get(true));t('undef',()=>d.prepare('select ?').get(undefined));
t('big',()=>d.prepare('select 9223372036854775807 as n').get());t('big2',()=>{const q=d.prepare('select 9223372036854775807 as n, 1 as m, 1.5 as r');q.setReadBigInts(true);return q.get()});t('none',()=>d.prepare('select 1 where 0').get());
t('arr',()=>{const q=d.prepare('select 1 as a,2 as b');q.setReturnArrays(true);return q.all()});
t('fn',()=>{d.function('add2',(a,b)=>a+b);return d.prepare('select add2(1,2) as r').get()});
t('constraint',()=>d.exec('insert into t(a) values(1)'));t('open',()=>d.isOpen);t('tx',()=>{d.exec('begin');const r=d.isTransaction;d.exec('insert into t(b) values(5)');d.exec('rollback');return [r,d.isTransaction,s.all().length]});t('loc',()=>d.location());
t('type',()=>d.prepare('select typeof(?) a, typeof(?) b, typeof(?) c').get(1,1n,'x'));
t('sql',()=>d.exec(5));t('sql2',()=>d.prepare(5));
t('close',()=>d.close());t('after',()=>d.prepare('x'));t('close2',()=>d.close());t('new',()=>new DatabaseSync());t('stmt',()=>new StatementSync());t('ro',()=>new DatabaseSync('/nonexistent/x'));t('notopen',()=>{const d=new DatabaseSync(':memory:',{open:false});return d.exec('x')});
t('fin',()=>s.all());
const f=new DatabaseSync('file.db');f.exec('create table if not exists q(x)');f.prepare('insert into q values(?)').run('kept');f.close();const g=new DatabaseSync('file.db',{readOnly:true});t('kept',()=>g.prepare('select * from q').all());t('readonly',()=>g.exec('delete from q'));
