// atob and btoa: accepted input, and the errors for the rest.
const t = (f) => {
  try {
    return JSON.stringify(f());
  } catch (e) {
    return `${e.name}: ${e.message} ${e.code}`;
  }
};
for (const s of ['','a','ab','abc','abcd','ab==','ab=','abc=','=','==','===','====','a===','ab===','abcd=','abcd==',' a b c d ','a\u00a0','YQ\u0141','Y Q = =','YQ=\t=','-_8=','\u4100QUJD','/+8A','YWJj\n','YQ==YQ==','gIGC','\x0bYQ=='])console.log(JSON.stringify(s), t(()=>atob(s)));
for (const s of ['','a','ab','abc','\xff\xfe','\u0100','a\u4100','x'.repeat(100)])console.log(JSON.stringify(s), t(()=>btoa(s)));
console.log(t(()=>atob()),t(()=>btoa()),t(()=>atob(null)),t(()=>btoa(null)),t(()=>atob(Symbol())),t(()=>atob(1234)),t(()=>btoa({})));
for (const n of [1000, 100001]) { const s=Array.from({length:n},(_, i)=>String.fromCharCode(i%256)).join(''); console.log(atob(btoa(s))===s, btoa(s)===Buffer.from(s,'latin1').toString('base64')); }
