const { format } = require('node:util');
console.log = (...values) => process.stdout.write(`${format(...values)}\n`); // as Node prints values

const l = require('leveldown');
const fs = require('fs');
const d = fs.mkdtempSync('./level-');
const db = l(d);
db.open((e) => {
  console.log(e);
  db.put('a', '1', (e) => {
    db.get('a', { asBuffer: false }, (e, v) => {
      console.log(e, v);
      db.get('q', (e) => {
        console.log(e.message);
        const it = db.iterator({ keyAsBuffer: false });
        it.next((e, k, v) => {
          console.log(e, k, v);
          it.end(() =>
            db.close((e) => {
              console.log(e);
              fs.rmSync(d, { recursive: true });
            }),
          );
        });
      });
    });
  });
});
