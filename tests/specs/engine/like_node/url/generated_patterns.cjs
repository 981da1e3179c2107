// Patterns generated from meaningful pieces, the same in every run, and what they match.
const sorted = (value) => JSON.stringify(value, (key, each) => (key === 'groups' ? Object.fromEntries(Object.entries(each).sort()) : each));
let seed=12345; const rnd=(n)=>{seed=(seed*1103515245+12345)&0x7fffffff;return (seed>>8)%n;};
const frag=['/','foo','bar','.','*',':id','(a|b)','{','}','?','+',':x(\\d+)','\\','https','://','@','#','?','a b','é','[','::1',']','-','com','%20','data:',':','80','(.*)','([^\\/]+?)','}?','{/x}?','{a:b}','$','(?:x)'];
const gen=(n)=>Array.from({length:1+rnd(n)},()=>frag[rnd(frag.length)]).join('');
const names=['protocol','username','password','hostname','port','pathname','search','hash'];
const inputs=['https://foo.com/foo/bar?x#y','http://a:b@bar.com:80/a','data:foo','https://foo/12',{pathname:'/foo/bar'},{hostname:'foo.com'},{pathname:'foo',protocol:'data'}];
const show=(p)=>names.map(n=>p[n]).join(' | ')+' '+p.hasRegExpGroups;
for(let i=0;i<600;i++){
  const kind=rnd(4); let args;
  if(kind===0) args=[gen(8)]; else if(kind===1) args=['https://'+gen(6)]; else if(kind===2) args=[{[names[rnd(8)]]:gen(5)}]; else args=[gen(4),'https://ex.com:8080/base/x?q=1#h'];
  if(kind===2&&rnd(3)===0) args[0].baseURL='https://ex.com/base/x';
  let line=JSON.stringify(args)+' => ';
  try{ const p=new URLPattern(...args); line+=show(p)+' '+inputs.map(x=>{try{return sorted(p.exec(x))}catch(e){return e.code}}).join(' ; ');}catch(e){line+=e.code}
  console.log(line);
}
