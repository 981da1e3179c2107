//! The fast hashes of `RT.hash`, each by the crate that keeps it. None of them is a defence against malice.
use std::io::Cursor;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use wyhash_final4::generics::WyHasher;
use wyhash_final4::wyhash64::WyHash64;

/// For fewer bytes, releasing the GIL costs more than it gains.
const WORTH_DETACHING: usize = 64 * 1024;

/// The 32-bit algorithms, and xxHash3 as the peer has it, take the low half of `seed`.
#[expect(clippy::cast_possible_truncation)]
fn hash_short(algorithm: &str, data: &[u8], seed: u64) -> Option<u64> {
    let short_seed = seed as u32;
    Some(match algorithm {
        "wyhash" => WyHasher::<WyHash64>::from_seed(seed).hash(data),
        "cityHash32" => u64::from(cityhasher::hash::<u32>(data)),
        "cityHash64" => cityhasher::hash_with_seed::<u64>(data, seed),
        "xxHash32" => u64::from(xxhash_rust::xxh32::xxh32(data, short_seed)),
        "xxHash64" => xxhash_rust::xxh64::xxh64(data, seed),
        "xxHash3" => xxhash_rust::xxh3::xxh3_64_with_seed(data, u64::from(short_seed)),
        "murmur32v2" => u64::from(murmur2::murmur2(data, short_seed)),
        "murmur32v3" => u64::from(murmur3::murmur3_32(&mut Cursor::new(data), short_seed).ok()?),
        "murmur64v2" => murmur2::murmur64a(data, seed),
        "rapidhash" => rapidhash::v1::rapidhash_v1_seeded(data, &rapidhash::v1::RapidSecrets::seed_cpp(seed)),
        _ => return None,
    })
}

#[pyfunction]
fn hash_bytes(py: Python<'_>, algorithm: &str, data: &[u8], seed: u64) -> PyResult<u64> {
    let result = if data.len() > WORTH_DETACHING {
        py.detach(|| hash_short(algorithm, data, seed))
    } else {
        hash_short(algorithm, data, seed)
    };
    result.ok_or_else(|| PyValueError::new_err(format!("no such hash: {algorithm}")))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(hash_bytes, module)?)
}
