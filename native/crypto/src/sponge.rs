//! Keccak's sponge (FIPS 202), and functions on top of it that OpenSSL lacks: cSHAKE and KMAC (SP 800-185), TurboSHAKE
//! and KangarooTwelve (RFC 9861). RustCrypto provides the permutation.
use keccak::Keccak;

const STATE: usize = 200;
/// The rounds of SHA-3 and its variants, and of TurboSHAKE.
const FULL: usize = 24;
const HALF: usize = 12;
/// The suffix of the message, with the first bit of the padding.
const SHAKE: u8 = 0x1f;
const CSHAKE: u8 = 0x04;
const SINGLE: u8 = 0x07;
const FINAL: u8 = 0x06;
const LEAF: u8 = 0x0b;
/// A chunk of KangarooTwelve's tree.
const CHUNK: usize = 8192;

/// The security level of a function, in bits: 128 or 256.
#[derive(Clone, Copy)]
pub struct Strength(pub usize);

impl Strength {
    fn rate(self) -> usize {
        STATE - self.0 / 4
    }
}

struct Sponge {
    state: [u64; 25],
    keccak: Keccak,
    rounds: usize,
    rate: usize,
    /// How much of the rate is used.
    at: usize,
}

impl Sponge {
    fn new(strength: Strength, rounds: usize) -> Sponge {
        Sponge { state: [0; 25], keccak: Keccak::new(), rounds, rate: strength.rate(), at: 0 }
    }

    fn permute(&mut self) {
        let state = &mut self.state;
        match self.rounds {
            HALF => self.keccak.with_p1600::<HALF>(|permute| permute(state)),
            _ => self.keccak.with_f1600(|permute| permute(state)),
        }
        self.at = 0;
    }

    fn put(&mut self, byte: u8) {
        self.state[self.at / 8] ^= u64::from(byte) << (8 * (self.at % 8));
        self.at += 1;
    }

    fn absorb(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            if self.at == self.rate {
                self.permute();
            }
            match bytes.split_first_chunk::<8>() {
                Some((lane, rest)) if self.at.is_multiple_of(8) => {
                    self.state[self.at / 8] ^= u64::from_le_bytes(*lane);
                    self.at += 8;
                    bytes = rest;
                }
                _ => {
                    self.put(bytes[0]);
                    bytes = &bytes[1..];
                }
            }
        }
    }

    fn squeeze(mut self, suffix: u8, out: &mut [u8]) {
        if self.at == self.rate {
            self.permute();
        }
        self.put(suffix);
        self.at = self.rate - 1;
        self.put(0x80);
        for block in out.chunks_mut(self.rate) {
            self.permute();
            for (lane, bytes) in self.state.iter().zip(block.chunks_mut(8)) {
                bytes.copy_from_slice(&lane.to_le_bytes()[..bytes.len()]);
            }
        }
    }
}

/// The bytes of a number without leading zeros.
fn significant(number: u64) -> Vec<u8> {
    number.to_be_bytes().into_iter().skip_while(|byte| *byte == 0).collect()
}

/// `left_encode` of SP 800-185; zero has one byte.
fn left_encode(number: u64) -> Vec<u8> {
    let bytes = if number == 0 { vec![0] } else { significant(number) };
    [vec![bytes.len() as u8], bytes].concat()
}

fn right_encode(number: u64) -> Vec<u8> {
    let bytes = if number == 0 { vec![0] } else { significant(number) };
    [bytes.clone(), vec![bytes.len() as u8]].concat()
}

/// `length_encode` of RFC 9861; zero has no byte.
fn length_encode(number: u64) -> Vec<u8> {
    let bytes = significant(number);
    [bytes.clone(), vec![bytes.len() as u8]].concat()
}

fn encode_string(bytes: &[u8], bits: u64) -> Vec<u8> {
    [left_encode(bits), bytes.to_vec()].concat()
}

/// Pads to a whole number of blocks, preceded by the block size.
fn pad(parts: &[Vec<u8>], rate: usize) -> Vec<u8> {
    let mut all = left_encode(rate as u64);
    all.extend(parts.concat());
    all.resize(all.len().next_multiple_of(rate), 0);
    all
}

/// `bits` bits of output as bytes; the rest of the last byte is zero.
fn truncate_bits(sponge: Sponge, suffix: u8, bits: usize) -> Vec<u8> {
    let mut out = vec![0; bits.div_ceil(8)];
    sponge.squeeze(suffix, &mut out);
    if let (Some(last), rest @ 1..) = (out.last_mut(), bits % 8) {
        *last &= 0xff << (8 - rest);
    }
    out
}

fn bits_of(bytes: &[u8]) -> u64 {
    bytes.len() as u64 * 8
}

pub fn cshake(strength: Strength, data: &[u8], function: &[u8], custom: &[u8], bits: usize) -> Vec<u8> {
    let mut sponge = Sponge::new(strength, FULL);
    let is_plain = function.is_empty() && custom.is_empty();
    if !is_plain {
        let names = [encode_string(function, bits_of(function)), encode_string(custom, bits_of(custom))];
        sponge.absorb(&pad(&names, strength.rate()));
    }
    sponge.absorb(data);
    truncate_bits(sponge, if is_plain { SHAKE } else { CSHAKE }, bits)
}

/// KMAC with a key of `key_bits` bits; the rest of its last byte is zero.
pub fn kmac(strength: Strength, key: &[u8], key_bits: u64, data: &[u8], custom: &[u8], bits: usize) -> Vec<u8> {
    let mut sponge = Sponge::new(strength, FULL);
    let rate = strength.rate();
    sponge.absorb(&pad(&[encode_string(b"KMAC", 32), encode_string(custom, bits_of(custom))], rate));
    sponge.absorb(&pad(&[encode_string(key, key_bits)], rate));
    sponge.absorb(data);
    sponge.absorb(&right_encode(bits as u64));
    truncate_bits(sponge, CSHAKE, bits)
}

pub fn turboshake(strength: Strength, suffix: u8, data: &[u8], size: usize) -> Vec<u8> {
    let mut sponge = Sponge::new(strength, HALF);
    sponge.absorb(data);
    truncate_bits(sponge, suffix, size * 8)
}

/// KangarooTwelve's tree: the first chunk goes into the root node, each later one into a leaf whose value follows.
struct Tree {
    strength: Strength,
    top: Sponge,
    leaf: Option<Sponge>,
    leaves: u64,
    filled: usize,
}

impl Tree {
    fn new(strength: Strength) -> Tree {
        Tree { strength, top: Sponge::new(strength, HALF), leaf: None, leaves: 0, filled: 0 }
    }

    fn absorb(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            if self.filled == CHUNK {
                self.begin_leaf();
            }
            let (now, later) = bytes.split_at(bytes.len().min(CHUNK - self.filled));
            self.leaf.as_mut().unwrap_or(&mut self.top).absorb(now);
            self.filled += now.len();
            bytes = later;
        }
    }

    fn begin_leaf(&mut self) {
        if self.leaves == 0 {
            self.top.absorb(&[3, 0, 0, 0, 0, 0, 0, 0]);
        }
        self.end_leaf();
        self.leaf = Some(Sponge::new(self.strength, HALF));
        self.leaves += 1;
        self.filled = 0;
    }

    fn end_leaf(&mut self) {
        if let Some(leaf) = self.leaf.take() {
            let mut value = vec![0; self.strength.0 / 4];
            leaf.squeeze(LEAF, &mut value);
            self.top.absorb(&value);
        }
    }

    fn squeeze(mut self, size: usize) -> Vec<u8> {
        if self.leaves == 0 {
            return truncate_bits(self.top, SINGLE, size * 8);
        }
        self.end_leaf();
        self.top.absorb(&length_encode(self.leaves));
        self.top.absorb(&[0xff, 0xff]);
        truncate_bits(self.top, FINAL, size * 8)
    }
}

pub fn kangaroo(strength: Strength, data: &[u8], custom: &[u8], size: usize) -> Vec<u8> {
    let mut tree = Tree::new(strength);
    tree.absorb(data);
    tree.absorb(custom);
    tree.absorb(&length_encode(custom.len() as u64));
    tree.squeeze(size)
}
