//! OpenSSL's functions and constants that `openssl_sys` does not declare, with the signatures of OpenSSL 3.5's headers.
#![allow(non_camel_case_types, clashing_extern_declarations)]
use std::ffi::{c_char, c_int, c_long, c_uchar, c_uint, c_void};

use openssl_sys as ffi;
pub use openssl_sys::*;

pub enum NETSCAPE_SPKI {}

#[repr(C)]
pub struct EC_builtin_curve {
    pub nid: c_int,
    pub comment: *const c_char,
}

pub type Named = unsafe extern "C" fn(*const c_char, *mut c_void);

pub const BIO_CTRL_PENDING: c_int = 10;
pub const EVP_CIPH_GCM_MODE: c_int = 0x6;
pub const EVP_CIPH_CCM_MODE: c_int = 0x7;
pub const EVP_CIPH_OCB_MODE: c_int = 0x10003;
pub const EVP_CTRL_AEAD_SET_IVLEN: c_int = 0x9;
pub const EVP_CTRL_AEAD_GET_TAG: c_int = 0x10;
pub const EVP_CTRL_AEAD_SET_TAG: c_int = 0x11;

unsafe extern "C" {
    pub fn EVP_MD_get_flags(md: *const ffi::EVP_MD) -> std::ffi::c_ulong;
    pub fn EVP_MD_up_ref(md: *mut ffi::EVP_MD) -> c_int;
    pub fn HMAC(
        md: *const ffi::EVP_MD,
        key: *const c_void,
        key_size: c_int,
        data: *const c_uchar,
        size: usize,
        out: *mut c_uchar,
        out_size: *mut c_uint,
    ) -> *mut c_uchar;
    pub fn EVP_MD_do_all_sorted(
        each: unsafe extern "C" fn(*const ffi::EVP_MD, *const c_char, *const c_char, *mut c_void),
        data: *mut c_void,
    );
    pub fn EVP_CIPHER_do_all_sorted(
        each: unsafe extern "C" fn(*const ffi::EVP_CIPHER, *const c_char, *const c_char, *mut c_void),
        data: *mut c_void,
    );
    pub fn EC_curve_nist2nid(name: *const c_char) -> c_int;
    pub fn EC_GROUP_get0_order(group: *const ffi::EC_GROUP) -> *const ffi::BIGNUM;
    pub fn BN_is_zero(number: *const ffi::BIGNUM) -> c_int;
    /// As in `openssl_sys`, but with any number for the form.
    pub fn EC_POINT_point2oct(
        group: *const ffi::EC_GROUP,
        point: *const ffi::EC_POINT,
        form: c_uint,
        out: *mut c_uchar,
        size: usize,
        ctx: *mut ffi::BN_CTX,
    ) -> usize;
    pub fn ERR_set_mark() -> c_int;
    pub fn ERR_pop_to_mark() -> c_int;
    pub fn d2i_PrivateKey_bio(bio: *mut ffi::BIO, key: *mut *mut ffi::EVP_PKEY) -> *mut ffi::EVP_PKEY;
    pub fn PEM_read_bio_X509_AUX(
        bio: *mut ffi::BIO,
        out: *mut *mut ffi::X509,
        callback: ffi::pem_password_cb,
        user: *mut c_void,
    ) -> *mut ffi::X509;
    pub fn X509_check_ca(x509: *mut ffi::X509) -> c_int;
    pub fn EXTENDED_KEY_USAGE_free(usage: *mut c_void);
    pub fn GENERAL_NAMES_free(names: *mut c_void);
    pub fn AUTHORITY_INFO_ACCESS_free(access: *mut c_void);
    pub fn EC_curve_nid2nist(nid: c_int) -> *const c_char;
    pub fn X509_check_private_key(x509: *const ffi::X509, key: *const ffi::EVP_PKEY) -> c_int;
    pub fn d2i_PKCS12_bio(bio: *mut ffi::BIO, out: *mut *mut ffi::PKCS12) -> *mut ffi::PKCS12;
    pub fn X509_NAME_print_ex(
        bio: *mut ffi::BIO,
        name: *const ffi::X509_NAME,
        indent: c_int,
        flags: std::ffi::c_ulong,
    ) -> c_int;
    pub fn SSL_set_info_callback(
        ssl: *mut ffi::SSL,
        callback: Option<unsafe extern "C" fn(*const ffi::SSL, c_int, c_int)>,
    );
    pub fn SSL_set_cert_cb(
        ssl: *mut ffi::SSL,
        callback: Option<unsafe extern "C" fn(*mut ffi::SSL, *mut c_void) -> c_int>,
        data: *mut c_void,
    );
    pub fn SSL_CTX_get_client_CA_list(ctx: *const ffi::SSL_CTX) -> *mut ffi::stack_st_X509_NAME;
    pub fn SSL_dup_CA_list(names: *const ffi::stack_st_X509_NAME) -> *mut ffi::stack_st_X509_NAME;
    pub fn SSL_CTX_set_default_read_buffer_len(ctx: *mut ffi::SSL_CTX, size: usize);
    pub fn SSL_set_options(ssl: *mut ffi::SSL, options: u64) -> u64;
    pub fn SSL_renegotiate(ssl: *mut ffi::SSL) -> c_int;
    pub fn SSL_renegotiate_pending(ssl: *const ffi::SSL) -> c_int;
    pub fn SSL_set_psk_client_callback(
        ssl: *mut ffi::SSL,
        callback: Option<
            unsafe extern "C" fn(*mut ffi::SSL, *const c_char, *mut c_char, c_uint, *mut c_uchar, c_uint) -> c_uint,
        >,
    );
    pub fn SSL_set_psk_server_callback(
        ssl: *mut ffi::SSL,
        callback: Option<unsafe extern "C" fn(*mut ffi::SSL, *const c_char, *mut c_uchar, c_uint) -> c_uint>,
    );
    pub fn SSL_use_psk_identity_hint(ssl: *mut ffi::SSL, hint: *const c_char) -> c_int;
    pub fn SSL_get_shared_sigalgs(
        ssl: *mut ffi::SSL,
        index: c_int,
        signature: *mut c_int,
        hash: *mut c_int,
        both: *mut c_int,
        raw_signature: *mut c_uchar,
        raw_hash: *mut c_uchar,
    ) -> c_int;
    pub fn SSL_SESSION_get0_ticket(session: *const ffi::SSL_SESSION, data: *mut *const c_uchar, size: *mut usize);
    pub fn X509_STORE_CTX_get1_issuer(
        issuer: *mut *mut ffi::X509,
        ctx: *mut ffi::X509_STORE_CTX,
        x509: *const ffi::X509,
    ) -> c_int;
    pub fn SSL_CIPHER_get_auth_nid(cipher: *const ffi::SSL_CIPHER) -> c_int;
    pub fn X509_STORE_up_ref(store: *mut ffi::X509_STORE) -> c_int;
    pub fn X509_STORE_add_crl(store: *mut ffi::X509_STORE, list: *mut ffi::X509_CRL) -> c_int;
    pub fn SSL_CTX_set_timeout(ctx: *mut ffi::SSL_CTX, seconds: c_long) -> c_long;
    pub fn SSL_CTX_get_ciphers(ctx: *const ffi::SSL_CTX) -> *mut c_void;
    pub fn ERR_print_errors(bio: *mut ffi::BIO);
    pub fn PEM_read_bio_Parameters(bio: *mut ffi::BIO, out: *mut *mut ffi::EVP_PKEY) -> *mut ffi::EVP_PKEY;
    pub fn ERR_peek_error() -> std::ffi::c_ulong;
    pub fn ERR_error_string_n(code: std::ffi::c_ulong, text: *mut c_char, size: usize);
    pub fn EVP_CipherFinal_ex(ctx: *mut ffi::EVP_CIPHER_CTX, out: *mut c_uchar, size: *mut c_int) -> c_int;
    pub fn EVP_CIPHER_get0_name(cipher: *const ffi::EVP_CIPHER) -> *const c_char;
    pub fn EVP_MD_do_all_provided(
        library: *mut ffi::OSSL_LIB_CTX,
        each: unsafe extern "C" fn(*mut ffi::EVP_MD, *mut c_void),
        data: *mut c_void,
    );
    pub fn EVP_CIPHER_do_all_provided(
        library: *mut ffi::OSSL_LIB_CTX,
        each: unsafe extern "C" fn(*mut ffi::EVP_CIPHER, *mut c_void),
        data: *mut c_void,
    );
    pub fn EVP_MD_names_do_all(md: *const ffi::EVP_MD, each: Named, data: *mut c_void) -> c_int;
    pub fn EVP_CIPHER_names_do_all(cipher: *const ffi::EVP_CIPHER, each: Named, data: *mut c_void) -> c_int;
    pub fn EVP_CIPHER_get_mode(cipher: *const ffi::EVP_CIPHER) -> c_int;
    pub fn EC_get_builtin_curves(curves: *mut EC_builtin_curve, count: usize) -> usize;
    pub fn BN_check_prime(p: *const ffi::BIGNUM, ctx: *mut ffi::BN_CTX, callback: *mut c_void) -> c_int;
    pub fn BN_generate_prime_ex2(
        p: *mut ffi::BIGNUM,
        bits: c_int,
        safe: c_int,
        add: *const ffi::BIGNUM,
        rem: *const ffi::BIGNUM,
        callback: *mut c_void,
        ctx: *mut ffi::BN_CTX,
    ) -> c_int;
    pub fn EVP_PKEY_get0_type_name(key: *const ffi::EVP_PKEY) -> *const c_char;
    pub fn EVP_PKEY_CTX_set0_rsa_oaep_label(ctx: *mut ffi::EVP_PKEY_CTX, label: *mut c_void, size: c_int) -> c_int;
    pub fn EVP_PKEY_get0_RSA(key: *const ffi::EVP_PKEY) -> *const ffi::RSA;
    pub fn EVP_PKEY_get0_EC_KEY(key: *const ffi::EVP_PKEY) -> *const ffi::EC_KEY;
    pub fn EVP_DigestSignInit_ex(
        ctx: *mut ffi::EVP_MD_CTX,
        pkey_ctx: *mut *mut ffi::EVP_PKEY_CTX,
        md: *const c_char,
        library: *mut ffi::OSSL_LIB_CTX,
        query: *const c_char,
        key: *mut ffi::EVP_PKEY,
        params: *const OSSL_PARAM,
    ) -> c_int;
    pub fn EVP_DigestVerifyInit_ex(
        ctx: *mut ffi::EVP_MD_CTX,
        pkey_ctx: *mut *mut ffi::EVP_PKEY_CTX,
        md: *const c_char,
        library: *mut ffi::OSSL_LIB_CTX,
        query: *const c_char,
        key: *mut ffi::EVP_PKEY,
        params: *const OSSL_PARAM,
    ) -> c_int;
    pub fn d2i_PublicKey(
        kind: c_int,
        key: *mut *mut ffi::EVP_PKEY,
        data: *mut *const c_uchar,
        size: c_long,
    ) -> *mut ffi::EVP_PKEY;
    pub fn d2i_PKCS8_PRIV_KEY_INFO_bio(
        bio: *mut ffi::BIO,
        info: *mut *mut ffi::PKCS8_PRIV_KEY_INFO,
    ) -> *mut ffi::PKCS8_PRIV_KEY_INFO;
    pub fn PEM_bytes_read_bio(
        data: *mut *mut c_uchar,
        size: *mut c_long,
        name_found: *mut *mut c_char,
        name: *const c_char,
        bio: *mut ffi::BIO,
        callback: ffi::pem_password_cb,
        user: *mut c_void,
    ) -> c_int;
    pub fn i2d_RSAPrivateKey_bio(bio: *mut ffi::BIO, rsa: *const ffi::RSA) -> c_int;
    pub fn i2d_RSAPublicKey_bio(bio: *mut ffi::BIO, rsa: *const ffi::RSA) -> c_int;
    pub fn i2d_ECPrivateKey_bio(bio: *mut ffi::BIO, key: *const ffi::EC_KEY) -> c_int;
    pub fn NETSCAPE_SPKI_b64_decode(text: *const c_char, size: c_int) -> *mut NETSCAPE_SPKI;
    pub fn NETSCAPE_SPKI_get_pubkey(spki: *mut NETSCAPE_SPKI) -> *mut ffi::EVP_PKEY;
    pub fn NETSCAPE_SPKI_verify(spki: *mut NETSCAPE_SPKI, key: *mut ffi::EVP_PKEY) -> c_int;
    pub fn NETSCAPE_SPKI_free(spki: *mut NETSCAPE_SPKI);
    pub fn EVP_MD_get0_name(md: *const ffi::EVP_MD) -> *const c_char;
}

/// Functions that set one value of a key's context.
macro_rules! settings {
    ($($name:ident: $kind:ty,)*) => {
        unsafe extern "C" {
            $(pub fn $name(ctx: *mut ffi::EVP_PKEY_CTX, value: $kind) -> c_int;)*
        }
    };
}

settings! {
    EVP_PKEY_CTX_set_dh_pad: c_int,
    EVP_PKEY_CTX_set_rsa_pss_keygen_md: *const ffi::EVP_MD,
    EVP_PKEY_CTX_set_rsa_pss_keygen_mgf1_md: *const ffi::EVP_MD,
    EVP_PKEY_CTX_set_rsa_pss_keygen_saltlen: c_int,
    EVP_PKEY_CTX_set_dsa_paramgen_q_bits: c_int,
    EVP_PKEY_CTX_set_ec_param_enc: c_int,
    EVP_PKEY_CTX_set_rsa_oaep_md: *const ffi::EVP_MD,
    EVP_PKEY_CTX_set_kem_op: *const c_char,
}
