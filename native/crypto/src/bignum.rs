//! Big numbers, converted from and to big-endian bytes.
use crate::sys as ffi;

pub struct Number(pub *mut ffi::BIGNUM);
// SAFETY: the number is owned, and never changed once it is shared.
unsafe impl Send for Number {}
// SAFETY: as above.
unsafe impl Sync for Number {}

impl Drop for Number {
    fn drop(&mut self) {
        // SAFETY: this value owns the object, which is freed once.
        unsafe { ffi::BN_clear_free(self.0) }
    }
}

impl Number {
    pub fn new() -> Number {
        // SAFETY: the call creates an object.
        Number(unsafe { ffi::BN_new() })
    }

    pub fn from_word(word: u64) -> Number {
        Number::from_bytes(&word.to_be_bytes())
    }

    pub fn from_bytes(bytes: &[u8]) -> Number {
        Number::try_from_bytes(bytes).unwrap_or_else(Number::new) // no real number is that long
    }

    /// None if there are too many bytes; the error is in OpenSSL's queue.
    pub fn try_from_bytes(bytes: &[u8]) -> Option<Number> {
        // SAFETY: `data` has `len()` readable bytes; null makes a new number.
        let number = unsafe { ffi::BN_bin2bn(bytes.as_ptr(), i32::try_from(bytes.len()).ok()?, std::ptr::null_mut()) };
        (!number.is_null()).then_some(Number(number))
    }

    /// Copies a number owned elsewhere.
    pub fn copy_of(other: *const ffi::BIGNUM) -> Option<Number> {
        // SAFETY: a live number, or null.
        (!other.is_null()).then(|| Number(unsafe { ffi::BN_dup(other) }))
    }

    pub fn bits(&self) -> i32 {
        // SAFETY: the number is live.
        unsafe { ffi::BN_num_bits(self.0) }
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        self.to_padded((self.bits() as usize).div_ceil(8))
    }

    /// Big-endian bytes, padded with zeroes.
    pub fn to_padded(&self, size: usize) -> Vec<u8> {
        let size = size.max((self.bits() as usize).div_ceil(8));
        let mut out = vec![0; size];
        // SAFETY: room for `size` bytes, which is enough.
        unsafe { ffi::BN_bn2binpad(self.0, out.as_mut_ptr(), size as i32) };
        out
    }

    pub fn is_less_than(&self, other: &Number) -> bool {
        // SAFETY: the numbers are live.
        unsafe { ffi::BN_cmp(self.0, other.0) < 0 }
    }

    pub fn to_hex(&self) -> String {
        // SAFETY: the text is terminated and freed by us.
        unsafe {
            let text = ffi::BN_bn2hex(self.0);
            let owned = std::ffi::CStr::from_ptr(text).to_string_lossy().into_owned();
            ffi::CRYPTO_free(text.cast(), c"".as_ptr(), 0);
            owned
        }
    }
}
