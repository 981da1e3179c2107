//! Names in certificates as Node writes them: subjects a line a part, alternative names quoted where they could deceive.
use std::ffi::{CStr, c_char, c_int, c_ulong};
use std::ptr::null_mut;

use crate::bio::Bio;
use crate::sys as ffi;

/// ASN1_STRFLGS_ESC_2253 | ASN1_STRFLGS_ESC_CTRL | ASN1_STRFLGS_UTF8_CONVERT, with XN_FLAG_SEP_MULTILINE or COMMA_PLUS.
const ESCAPED: c_ulong = 0x1 | 0x2 | 0x10;
const MULTILINE: c_ulong = 4 << 16;
const ONE_LINE: c_ulong = 1 << 16;

fn printed(name: *mut ffi::X509_NAME, flags: c_ulong) -> String {
    let bio = Bio::new();
    // SAFETY: a live BIO and name.
    unsafe { ffi::X509_NAME_print_ex(bio.0, name, 0, flags) };
    String::from_utf8_lossy(&bio.take()).into_owned()
}

/// `CN=…` and the others, a line each.
pub fn name_lines(name: *mut ffi::X509_NAME) -> String {
    printed(name, ESCAPED | MULTILINE)
}

/// (short name, value) of each part, in order.
pub fn name_parts(name: *mut ffi::X509_NAME) -> Vec<(String, String)> {
    let mut parts = Vec::new();
    // SAFETY: a live name; the value is freed once it is copied.
    unsafe {
        for index in 0..ffi::X509_NAME_entry_count(name) {
            let entry = ffi::X509_NAME_get_entry(name, index);
            let object = ffi::X509_NAME_ENTRY_get_object(entry);
            let nid = ffi::OBJ_obj2nid(object);
            let key = match nid {
                0 => {
                    let mut text = [0 as c_char; 128];
                    ffi::OBJ_obj2txt(text.as_mut_ptr(), text.len() as c_int, object, 1);
                    CStr::from_ptr(text.as_ptr()).to_string_lossy().into_owned()
                }
                nid => CStr::from_ptr(ffi::OBJ_nid2sn(nid)).to_string_lossy().into_owned(),
            };
            let mut value = null_mut();
            let size = ffi::ASN1_STRING_to_UTF8(&mut value, ffi::X509_NAME_ENTRY_get_data(entry));
            if size < 0 {
                continue;
            }
            let text = String::from_utf8_lossy(std::slice::from_raw_parts(value, size as usize)).into_owned();
            ffi::CRYPTO_free(value.cast(), c"".as_ptr(), 0);
            parts.push((key, text));
        }
    }
    parts
}

/// A name that could end early or start another is quoted as JSON quotes it.
fn quoted(prefix: &str, bytes: &[u8]) -> String {
    let is_safe = !bytes.is_empty()
        && bytes.iter().all(|byte| (0x20..0x7f).contains(byte) && !matches!(byte, b'"' | b'\\' | b',' | b'\''));
    let text: String = bytes.iter().map(|byte| *byte as char).collect();
    if is_safe {
        return format!("{prefix}:{text}");
    }
    let mut out = String::new();
    for character in text.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            ' '..='~' => out.push(character),
            other => out.push_str(&format!("\\u{:04x}", other as u32)),
        }
    }
    format!("{prefix}:\"{out}\"")
}

unsafe fn general_name(name: *const ffi::GENERAL_NAME) -> String {
    // SAFETY: a live name; its member is of the kind that its type says.
    unsafe {
        let member = (*name).d;
        let bytes = || {
            let text = member as *const ffi::ASN1_STRING;
            std::slice::from_raw_parts(ffi::ASN1_STRING_get0_data(text), ffi::ASN1_STRING_length(text) as usize)
        };
        match (*name).type_ {
            1 => quoted("email", bytes()),
            2 => quoted("DNS", bytes()),
            4 => {
                let text = printed(member as *mut ffi::X509_NAME, ESCAPED | ONE_LINE);
                quoted_text("DirName", &text)
            }
            6 => quoted("URI", bytes()),
            7 => match bytes() {
                [a, b, c, d] => format!("IP Address:{a}.{b}.{c}.{d}"),
                data if data.len() == 16 => {
                    let groups: Vec<_> =
                        data.chunks(2).map(|pair| format!("{:X}", u16::from_be_bytes([pair[0], pair[1]]))).collect();
                    format!("IP Address:{}", groups.join(":"))
                }
                _ => "IP Address:<invalid>".to_owned(),
            },
            8 => {
                let mut text = [0 as c_char; 128];
                ffi::OBJ_obj2txt(text.as_mut_ptr(), text.len() as c_int, member as *const ffi::ASN1_OBJECT, 1);
                format!("Registered ID:{}", CStr::from_ptr(text.as_ptr()).to_string_lossy())
            }
            3 => "X400Name:<unsupported>".to_owned(),
            5 => "EdiPartyName:<unsupported>".to_owned(),
            _ => "othername:<unsupported>".to_owned(),
        }
    }
}

fn quoted_text(prefix: &str, text: &str) -> String {
    if text.contains([',', '"', '\'', '\\']) || !text.is_ascii() {
        return format!("{prefix}:\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    }
    format!("{prefix}:{text}")
}

/// The subject's alternative names; None without the extension.
pub fn general_names(x509: *mut ffi::X509) -> Option<String> {
    // SAFETY: a live certificate; the stack is ours and freed with its names.
    unsafe {
        let stack =
            ffi::X509_get_ext_d2i(x509, ffi::NID_subject_alt_name, null_mut(), null_mut()) as *mut ffi::OPENSSL_STACK;
        if stack.is_null() {
            return None;
        }
        let names: Vec<_> = (0..ffi::OPENSSL_sk_num(stack))
            .map(|index| general_name(ffi::OPENSSL_sk_value(stack, index) as *const ffi::GENERAL_NAME))
            .collect();
        ffi::GENERAL_NAMES_free(stack.cast());
        Some(names.join(", "))
    }
}

#[repr(C)]
struct AccessDescription {
    method: *mut ffi::ASN1_OBJECT,
    location: *mut ffi::GENERAL_NAME,
}

/// Where to ask about the certificate and its issuer, a line each.
pub fn info_access(x509: *mut ffi::X509) -> Option<String> {
    // SAFETY: a live certificate; the stack is ours and freed with its descriptions.
    unsafe {
        let stack =
            ffi::X509_get_ext_d2i(x509, ffi::NID_info_access, null_mut(), null_mut()) as *mut ffi::OPENSSL_STACK;
        if stack.is_null() {
            return None;
        }
        let mut lines = Vec::new();
        for index in 0..ffi::OPENSSL_sk_num(stack) {
            let each = &*(ffi::OPENSSL_sk_value(stack, index) as *const AccessDescription);
            let mut text = [0 as c_char; 128];
            ffi::OBJ_obj2txt(text.as_mut_ptr(), text.len() as c_int, each.method, 0);
            let method = CStr::from_ptr(text.as_ptr()).to_string_lossy();
            lines.push(format!("{method} - {}", general_name(each.location)));
        }
        ffi::AUTHORITY_INFO_ACCESS_free(stack.cast());
        Some(lines.join("\n"))
    }
}
