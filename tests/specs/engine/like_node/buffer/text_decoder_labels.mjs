// Every label that decodes to the same text on all platforms, streams of multi-byte encodings, and fatal errors.
const labels='ibm866 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-8-i iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 koi8-r koi8-u macintosh windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 x-mac-cyrillic gbk gb18030  iso-2022-jp  latin1 ascii utf-16be x-user-defined replacement nope'.split(/ +/);
const L=(...a)=>process.stdout.write(a.join(' ')+'\n');
const all=Uint8Array.from({length:256},(_, i)=>i);
for(const l of labels){try{const d=new TextDecoder(l);const t=d.decode(all);let h=0;for(const c of t)h=(h*31+c.codePointAt(0))>>>0;L(l,d.encoding,t.length,h)}catch(e){L(l,e.name,e.code,e.message)}}
const s=new TextDecoder('shift_jis');L(s.decode(new Uint8Array([0x82]),{stream:true})+'|'+s.decode(new Uint8Array([0xa0]),{stream:true})+'|'+s.decode());
const e=new TextDecoder('euc-jp',{fatal:true});try{e.decode(new Uint8Array([0xff,0x80]))}catch(x){L(x.name,x.code,x.message)}L(e.decode(new Uint8Array([0xa4,0xa2])));
L(new TextDecoder('gb18030').decode(new Uint8Array([0x94,0x39,0xda,0x33])),new TextDecoder('big5').decode(new Uint8Array([0xa4,0xa4])),new TextDecoder('iso-2022-jp').decode(new Uint8Array([0x1b,0x24,0x42,0x24,0x22,0x1b,0x28,0x42])));
