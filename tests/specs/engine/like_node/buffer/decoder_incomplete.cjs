// Incomplete and impossible characters in chunks: which bytes StringDecoder holds back.
const { StringDecoder } = require('node:string_decoder');

const sequences = 'f5|f69b|f4 90|c0|e0 80|ed a0 80|f0 8f|c1 bf|ff|fe 80|f8 88|e2 82 ac|f4 8f bf bf|f7 bf bf bf|f69b 9b9b|61e2 82|e2 61|80 80 80 80';
for (const sequence of sequences.split('|')) {
  const decoder = new StringDecoder('utf8');
  const parts = sequence.split(' ').map((hex) => decoder.write(Buffer.from(hex, 'hex')));
  console.log(sequence, JSON.stringify([...parts, decoder.end()]));
}
