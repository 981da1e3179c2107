//! Symmetric ciphers, with Node's states and errors.
use std::ffi::c_int;
use std::ptr::{null, null_mut};
use std::sync::Mutex;

use crate::sys as ffi;

use crate::cipher_method::{Context, GCM_SIV_MODE, Method, NID_CHACHA20_POLY1305, SIV_MODE, WRAP_MODE};
use crate::errors::Failure;
use crate::errors::{self, with_code};
use crate::functions::functions;
use crate::table::Table;
use crate::values::{Bytes, Outcome};

const CHACHA_IV_LIMIT: usize = 12;
const DEFAULT_TAG: usize = 16;

#[derive(PartialEq, Clone, Copy)]
enum Tag {
    Unknown,
    Known,
    Passed,
}

pub struct Cipher {
    /// None once it is finished.
    ctx: Option<Context>,
    method: Method,
    is_encrypting: bool,
    pub tag: Vec<u8>,
    tag_length: Option<usize>,
    tag_state: Tag,
    has_failed: bool,
    longest: usize,
}

static CIPHERS: Table<Mutex<Cipher>> = Table::new();

fn invalid_tag(length: usize) -> Failure {
    with_code("TypeError", "ERR_CRYPTO_INVALID_AUTH_TAG", &format!("Invalid authentication tag length: {length}"))
}

fn invalid_iv() -> Failure {
    with_code("TypeError", "ERR_CRYPTO_INVALID_IV", "Invalid initialization vector")
}

fn is_gcm_tag(length: usize) -> bool {
    matches!(length, 4 | 8 | 12..=16)
}

impl Cipher {
    pub fn new(
        name: &str,
        key: &[u8],
        iv: Option<&[u8]>,
        tag_length: Option<usize>,
        is_encrypting: bool,
    ) -> Outcome<Cipher> {
        let method =
            Method::find(name).ok_or_else(|| with_code("Error", "ERR_CRYPTO_UNKNOWN_CIPHER", "Unknown cipher"))?;
        let expected = method.iv_length() as usize;
        let is_authenticated = method.is_authenticated();
        match iv {
            None if expected != 0 => return Err(invalid_iv()),
            Some(iv) if !is_authenticated && iv.len() != expected => return Err(invalid_iv()),
            Some(iv) if method.nid() == NID_CHACHA20_POLY1305 && iv.len() > CHACHA_IV_LIMIT => return Err(invalid_iv()),
            _ => {}
        }
        let ctx = Context::new();
        let mut cipher = Cipher {
            ctx: None,
            method,
            is_encrypting,
            tag: Vec::new(),
            tag_length: None,
            tag_state: Tag::Unknown,
            has_failed: false,
            longest: i32::MAX as usize,
        };
        // SAFETY: the context is fresh and the method live; key and iv have checked sizes.
        unsafe {
            if cipher.method.mode() == WRAP_MODE {
                ffi::EVP_CIPHER_CTX_set_flags(ctx.0, ffi::EVP_CIPHER_CTX_FLAG_WRAP_ALLOW);
            }
            if ffi::EVP_CipherInit_ex(ctx.0, cipher.method.0, null_mut(), null(), null(), is_encrypting.into()) != 1 {
                return Err(errors::take_queued("Failed to initialize cipher"));
            }
            if is_authenticated && !matches!(cipher.method.mode(), SIV_MODE | GCM_SIV_MODE) {
                cipher.prepare_tag(&ctx, name, iv.map_or(0, <[u8]>::len), tag_length)?;
            }
            if ffi::EVP_CIPHER_CTX_set_key_length(ctx.0, key.len() as c_int) != 1 {
                errors::clear();
                return Err(with_code("RangeError", "ERR_CRYPTO_INVALID_KEYLEN", "Invalid key length"));
            }
            let iv = iv.map_or(null(), |iv| if iv.is_empty() { c"".as_ptr().cast::<u8>() } else { iv.as_ptr() });
            if ffi::EVP_CipherInit_ex(ctx.0, null(), null_mut(), key.as_ptr(), iv, is_encrypting.into()) != 1 {
                return Err(errors::take_queued("Failed to initialize cipher"));
            }
        }
        cipher.ctx = Some(ctx);
        Ok(cipher)
    }

    fn prepare_tag(&mut self, ctx: &Context, name: &str, iv_size: usize, tag_length: Option<usize>) -> Outcome<()> {
        if !ctx.control(ffi::EVP_CTRL_AEAD_SET_IVLEN, iv_size, null_mut()) {
            errors::clear();
            return Err(invalid_iv());
        }
        let mode = self.method.mode();
        if mode == ffi::EVP_CIPH_GCM_MODE {
            if let Some(length) = tag_length {
                if !is_gcm_tag(length) {
                    return Err(invalid_tag(length));
                }
                self.tag_length = Some(length);
            }
            return Ok(());
        }
        let length = match tag_length {
            Some(length) => length,
            None if self.method.nid() == NID_CHACHA20_POLY1305 => DEFAULT_TAG,
            None => {
                let message = format!("authTagLength required for {name}");
                return Err(with_code("TypeError", "ERR_CRYPTO_INVALID_AUTH_TAG", &message));
            }
        };
        if !ctx.control(ffi::EVP_CTRL_AEAD_SET_TAG, length, null_mut()) {
            errors::clear();
            return Err(invalid_tag(length));
        }
        self.tag_length = Some(length);
        if mode == ffi::EVP_CIPH_CCM_MODE {
            self.longest = match iv_size {
                12 => 16_777_215,
                13 => 65_535,
                _ => i32::MAX as usize,
            };
        }
        Ok(())
    }

    fn is_ccm(&self) -> bool {
        self.method.mode() == ffi::EVP_CIPH_CCM_MODE
    }

    fn check_length(&self, size: usize) -> Outcome<()> {
        if self.is_ccm() && size > self.longest {
            let message = "Invalid message length";
            return Err(with_code("RangeError", "ERR_CRYPTO_INVALID_MESSAGELEN", message));
        }
        Ok(())
    }

    /// Passes the expected tag to OpenSSL, once.
    fn pass_tag(&mut self) -> bool {
        let Some(ctx) = &self.ctx else { return false };
        if self.tag_state == Tag::Known {
            if !ctx.control(ffi::EVP_CTRL_AEAD_SET_TAG, self.tag.len(), self.tag.as_mut_ptr().cast()) {
                return false;
            }
            self.tag_state = Tag::Passed;
        }
        true
    }

    pub fn update(&mut self, data: &[u8]) -> Outcome<Vec<u8>> {
        const UNSUPPORTED: &str = "Trying to add data in unsupported state";
        if data.len() > i32::MAX as usize {
            return Err(with_code("RangeError", "ERR_OUT_OF_RANGE", "data is too long"));
        }
        if self.ctx.is_none() {
            return Err(errors::plain(UNSUPPORTED));
        }
        self.check_length(data.len())?;
        if !self.is_encrypting && self.method.is_authenticated() && !self.pass_tag() {
            return Err(errors::plain(UNSUPPORTED));
        }
        let ctx = self.ctx.as_ref().expect("checked");
        let mut size: c_int = (data.len() as c_int).saturating_add(self.method.block_size());
        // Key wrap requires the size of its output.
        // SAFETY: with a null target the call only returns the size; otherwise there is room for the input and a block.
        unsafe {
            if self.is_encrypting
                && self.method.mode() == WRAP_MODE
                && ffi::EVP_CipherUpdate(ctx.0, null_mut(), &mut size, data.as_ptr(), data.len() as c_int) != 1
            {
                return Err(errors::plain(UNSUPPORTED));
            }
            let mut out = vec![0; size.max(0) as usize + 32];
            let done =
                ffi::EVP_CipherUpdate(ctx.0, out.as_mut_ptr(), &mut size, data.as_ptr(), data.len() as c_int) == 1;
            if !done {
                if !self.is_encrypting && (self.is_ccm() || self.method.mode() == SIV_MODE) {
                    self.has_failed = true;
                    errors::clear();
                    return Ok(Vec::new());
                }
                return Err(errors::plain(UNSUPPORTED));
            }
            out.truncate(size.max(0) as usize);
            Ok(out)
        }
    }

    pub fn finish(&mut self) -> Outcome<Vec<u8>> {
        let is_authenticated = self.method.is_authenticated();
        if self.ctx.is_none() {
            return Err(with_code("Error", "ERR_CRYPTO_INVALID_STATE", "Invalid state"));
        }
        let mut out = vec![0; 64];
        let mut size: c_int = 0;
        let passed = self.is_encrypting || !is_authenticated || self.pass_tag();
        let ctx = self.ctx.take().expect("checked");
        let is_unchecked =
            self.method.nid() == NID_CHACHA20_POLY1305 && !self.is_encrypting && self.tag_state != Tag::Passed;
        let done = if is_unchecked || !passed {
            false
        } else if self.is_ccm() && !self.is_encrypting {
            !self.has_failed && self.tag_state == Tag::Passed
        } else {
            // SAFETY: room for a block.
            unsafe { ffi::EVP_CipherFinal_ex(ctx.0, out.as_mut_ptr(), &mut size) == 1 }
        };
        if !done {
            let message = match is_authenticated {
                true => "Unsupported state or unable to authenticate data",
                false => "Unsupported state",
            };
            let first = errors::peek();
            return Err(errors::from_queue(first, Some(message)));
        }
        if self.is_encrypting && is_authenticated {
            let length = *self.tag_length.get_or_insert(DEFAULT_TAG);
            self.tag = vec![0; length];
            ctx.control(ffi::EVP_CTRL_AEAD_GET_TAG, length, self.tag.as_mut_ptr().cast());
        }
        out.truncate(size.max(0) as usize);
        Ok(out)
    }

    pub fn set_tag(&mut self, tag: &[u8]) -> Outcome<bool> {
        if self.ctx.is_none() || !self.method.is_authenticated() || self.is_encrypting || self.tag_state != Tag::Unknown
        {
            return Ok(false);
        }
        let fits = match self.method.mode() {
            ffi::EVP_CIPH_GCM_MODE => is_gcm_tag(tag.len()) && self.tag_length.is_none_or(|length| length == tag.len()),
            _ => self.tag_length == Some(tag.len()),
        };
        if !fits {
            return Err(invalid_tag(tag.len()));
        }
        self.tag_length = Some(tag.len());
        self.tag = tag.to_vec();
        self.tag_state = Tag::Known;
        Ok(true)
    }

    pub fn add_data(&mut self, data: &[u8], plain_length: Option<usize>) -> Outcome<bool> {
        if self.ctx.is_none() || !self.method.is_authenticated() {
            return Ok(false);
        }
        let mut size: c_int = 0;
        if self.is_ccm() {
            let Some(length) = plain_length else {
                let message = "options.plaintextLength required for CCM mode with AAD";
                return Err(with_code("TypeError", "ERR_MISSING_ARGS", message));
            };
            self.check_length(length)?;
            if !self.is_encrypting && !self.pass_tag() {
                return Ok(false);
            }
            let ctx = self.ctx.as_ref().expect("checked");
            // SAFETY: no bytes are passed, only their number.
            if unsafe { ffi::EVP_CipherUpdate(ctx.0, null_mut(), &mut size, null(), length as c_int) } != 1 {
                errors::clear();
                return Ok(false);
            }
        }
        let ctx = self.ctx.as_ref().expect("checked");
        // SAFETY: without a target the bytes are only authenticated.
        Ok(unsafe { ffi::EVP_CipherUpdate(ctx.0, null_mut(), &mut size, data.as_ptr(), data.len() as c_int) == 1 })
    }
}

fn cipher_new(name: &str, key: Bytes, iv: Option<Bytes>, tag_length: Option<usize>, encrypt: bool) -> Outcome<u64> {
    errors::clear();
    Ok(CIPHERS.add(Mutex::new(Cipher::new(name, key, iv, tag_length, encrypt)?)))
}

fn with<R>(number: u64, work: impl FnOnce(&mut Cipher) -> Outcome<R>) -> Outcome<R> {
    errors::clear();
    work(&mut CIPHERS.get(number)?.lock().expect("no holder panics"))
}

fn cipher_update(number: u64, data: Bytes) -> Outcome<Vec<u8>> {
    with(number, |cipher| cipher.update(data))
}

fn cipher_final(number: u64) -> Outcome<Vec<u8>> {
    with(number, Cipher::finish)
}

fn cipher_set_padding(number: u64, padding: bool) -> Outcome<bool> {
    with(number, |cipher| {
        // SAFETY: the context is live.
        Ok(cipher
            .ctx
            .as_ref()
            .is_some_and(|ctx| unsafe { ffi::EVP_CIPHER_CTX_set_padding(ctx.0, padding.into()) } == 1))
    })
}

fn cipher_tag(number: u64) -> Outcome<Option<Vec<u8>>> {
    with(number, |cipher| {
        let is_there = cipher.ctx.is_none() && cipher.is_encrypting && !cipher.tag.is_empty();
        Ok(is_there.then(|| cipher.tag.to_vec()))
    })
}

fn cipher_set_tag(number: u64, tag: Bytes) -> Outcome<bool> {
    with(number, |cipher| cipher.set_tag(tag))
}

fn cipher_set_aad(number: u64, data: Bytes, plain_length: Option<usize>) -> Outcome<bool> {
    with(number, |cipher| cipher.add_data(data, plain_length))
}

fn cipher_free(number: u64) {
    CIPHERS.remove(number);
}

functions!(
    cipher_new,
    cipher_update,
    cipher_final,
    cipher_set_padding,
    cipher_tag,
    cipher_set_tag,
    cipher_set_aad,
    cipher_free
);
