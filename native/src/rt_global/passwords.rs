//! The slow hashes for passwords: Argon2 and bcrypt. Python formats the result.
use ::argon2::{Algorithm, Argon2, Params, Version};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

#[pyfunction(name = "argon2")]
#[expect(clippy::too_many_arguments)]
fn hash_argon2(
    py: Python<'_>,
    variant: &str,
    password: &[u8],
    salt: &[u8],
    memory_kib: u32,
    passes: u32,
    lanes: u32,
    size: usize,
) -> PyResult<Vec<u8>> {
    let refused = |problem: ::argon2::Error| PyValueError::new_err(problem.to_string());
    let algorithm = Algorithm::new(variant).map_err(refused)?;
    let params = Params::new(memory_kib, passes, lanes, Some(size)).map_err(refused)?;
    let mut hash = vec![0; size];
    py.detach(|| Argon2::new(algorithm, Version::V0x13, params).hash_password_into(password, salt, &mut hash))
        .map_err(refused)?;
    Ok(hash)
}

#[pyfunction(name = "bcrypt")]
fn hash_bcrypt(py: Python<'_>, password: &[u8], cost: u32, salt: [u8; 16]) -> PyResult<String> {
    let hash = py
        .detach(|| ::bcrypt::hash_with_salt(password, cost, salt))
        .map_err(|problem| PyValueError::new_err(problem.to_string()))?;
    Ok(hash.format_for_version(::bcrypt::Version::TwoB))
}

#[pyfunction]
fn bcrypt_matches(py: Python<'_>, password: &[u8], hash: &str) -> PyResult<bool> {
    py.detach(|| ::bcrypt::verify(password, hash)).map_err(|problem| PyValueError::new_err(problem.to_string()))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(hash_argon2, module)?)?;
    module.add_function(wrap_pyfunction!(hash_bcrypt, module)?)?;
    module.add_function(wrap_pyfunction!(bcrypt_matches, module)?)
}
