//! Encrypting or decrypting a whole message in one call.

use crate::cipher::Cipher;
use crate::errors;
use crate::functions::functions;
use crate::values::{Bytes, Outcome};

/// Process a whole message; the output ends with the tag, if there is one. Bytes to decrypt end with their tag.
#[allow(clippy::too_many_arguments)]
fn cipher_once(
    name: &str,
    key: Bytes,
    iv: Option<Bytes>,
    data: Bytes,
    encrypt: bool,
    aad: Option<Bytes>,
    tag_length: Option<usize>,
) -> Outcome<Vec<u8>> {
    errors::clear();
    let mut cipher = Cipher::new(name, key, iv, tag_length, encrypt)?;
    let (data, aad): (&[u8], Option<&[u8]>) = (data, aad);
    let out = (|| -> Outcome<Vec<u8>> {
        let tag_size = tag_length.unwrap_or(0);
        let (body, tag) = match encrypt {
            true => (data, &data[..0]),
            false if data.len() < tag_size => return Err(errors::plain("The provided data is too small.")),
            false => data.split_at(data.len() - tag_size),
        };
        if !tag.is_empty() {
            cipher.set_tag(tag)?;
        }
        if let Some(aad) = aad.filter(|aad| !aad.is_empty()) {
            cipher.add_data(aad, Some(body.len()))?;
        }
        let mut out = cipher.update(body)?;
        out.extend(cipher.finish()?);
        if encrypt {
            out.extend_from_slice(&cipher.tag);
        }
        Ok(out)
    })()?;
    Ok(out)
}
functions!(cipher_once);
