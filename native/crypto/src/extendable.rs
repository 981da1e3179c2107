//! Web Crypto's extendable digests and MACs: cSHAKE, KMAC, TurboSHAKE and KangarooTwelve (`sponge`), each in one call.
use crate::errors::plain;
use crate::functions::functions;
use crate::sponge::{self, Strength};
use crate::values::{Bytes, Outcome};

/// The strength at the end of a name.
fn strength_of(name: &str) -> Outcome<Strength> {
    let bits = if name.ends_with("128") { Some(128) } else { name.ends_with("256").then_some(256) };
    bits.map(Strength).ok_or_else(|| plain(&format!("Digest method {name} is not supported")))
}

fn cshake(name: &str, data: Bytes, function: Bytes, custom: Bytes, bits: usize) -> Outcome<Vec<u8>> {
    Ok(sponge::cshake(strength_of(name)?, data, function, custom, bits))
}

fn kmac(name: &str, key: Bytes, key_bits: u64, data: Bytes, custom: Bytes, bits: usize) -> Outcome<Vec<u8>> {
    Ok(sponge::kmac(strength_of(name)?, key, key_bits, data, custom, bits))
}

fn turboshake(name: &str, separation: u32, data: Bytes, size: usize) -> Outcome<Vec<u8>> {
    Ok(sponge::turboshake(strength_of(name)?, separation as u8, data, size))
}

fn kangaroo(name: &str, data: Bytes, custom: Bytes, size: usize) -> Outcome<Vec<u8>> {
    Ok(sponge::kangaroo(strength_of(name)?, data, custom, size))
}

functions!(cshake, kmac, turboshake, kangaroo);
