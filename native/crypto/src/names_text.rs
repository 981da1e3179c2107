//! Names in certificates in Node's form: subjects with one part per line, alternative names quoted where they could
//! mislead.
use std::ffi::{CStr, c_char, c_int, c_ulong};
use std::ptr::null_mut;

use crate::bio::Bio;
use crate::sys as ffi;

/// ASN1_STRFLGS_ESC_2253 | ASN1_STRFLGS_ESC_CTRL | ASN1_STRFLGS_UTF8_CONVERT, with XN_FLAG_SEP_MULTILINE or COMMA_PLUS.
const ESCAPED: c_ulong = 0x1 | 0x2 | 0x10;
const MULTILINE: c_ulong = 4 << 16;
/// RFC 2253 without its escapes of control characters and of those beyond ASCII, which `quote` escapes.
const AS_RFC_2253: c_ulong = 0x311 | 1 << 16 | 1 << 20 | 1 << 24;

fn print_name(name: *mut ffi::X509_NAME, flags: c_ulong) -> String {
    let bio = Bio::new();
    // SAFETY: the BIO and the name are live.
    unsafe { ffi::X509_NAME_print_ex(bio.0, name, 0, flags) };
    String::from_utf8_lossy(&bio.take()).into_owned()
}

/// `CN=…` and the others, a line each.
pub fn name_lines(name: *mut ffi::X509_NAME) -> String {
    print_name(name, ESCAPED | MULTILINE)
}

/// (short name, value) of each part, in order.
pub fn name_parts(name: *mut ffi::X509_NAME) -> Vec<(String, String)> {
    let mut parts = Vec::new();
    // SAFETY: the name is live; the value is freed once it is copied.
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

/// The encoding of a name's characters: one byte each (IA5String), or UTF-8.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Coding {
    Latin1,
    Utf8,
}

/// Quote a name that could end early or begin another as JSON does, leaving no comma in it, at which programs split.
fn quote(prefix: &str, bytes: &[u8], coding: Coding) -> String {
    let is_plain =
        |character: char| (' '..='~').contains(&character) || (coding == Coding::Utf8 && character >= '\u{80}');
    let text = match coding {
        Coding::Latin1 => bytes.iter().map(|byte| *byte as char).collect(),
        Coding::Utf8 => String::from_utf8_lossy(bytes).into_owned(),
    };
    let is_safe = |character: char| is_plain(character) && !matches!(character, '"' | '\\' | ',' | '\'');
    if !text.is_empty() && text.chars().all(is_safe) {
        return format!("{prefix}:{text}");
    }
    let mut out = String::new();
    for character in text.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            other if other != ',' && is_plain(other) => out.push(other),
            other => out.push_str(&format!("\\u{:04x}", other as u32)),
        }
    }
    format!("{prefix}:\"{out}\"")
}

#[repr(C)]
struct OtherName {
    kind: *mut ffi::ASN1_OBJECT,
    value: *mut OtherValue,
}
#[repr(C)]
struct OtherValue {
    kind: c_int,
    text: *const ffi::ASN1_STRING,
}

unsafe fn bytes_of<'a>(text: *const ffi::ASN1_STRING) -> &'a [u8] {
    // SAFETY: a live string, whose bytes live as long as it.
    unsafe { std::slice::from_raw_parts(ffi::ASN1_STRING_get0_data(text), ffi::ASN1_STRING_length(text) as usize) }
}

/// Names of special kinds: those of RFC 4985, 5216, 6120 and 8398, and Microsoft's.
unsafe fn other_name(name: *const OtherName) -> String {
    const UTF8_STRING: c_int = 12;
    const IA5_STRING: c_int = 22;
    const KNOWN: &[(c_int, &str, Coding)] = &[
        (1208, "SmtpUTF8Mailbox", Coding::Utf8),
        (1209, "XmppAddr", Coding::Utf8),
        (1210, "SRVName", Coding::Latin1),
        (649, "UPN", Coding::Utf8),
        (1211, "NAIRealm", Coding::Utf8),
    ];
    // SAFETY: the name is live; its value is of the kind that its type states.
    unsafe {
        let nid = ffi::OBJ_obj2nid((*name).kind);
        let value = &*(*name).value;
        match KNOWN.iter().find(|(known, _, _)| *known == nid) {
            Some((_, prefix, coding))
                if value.kind == if *coding == Coding::Utf8 { UTF8_STRING } else { IA5_STRING } =>
            {
                let whole = [prefix.as_bytes(), b":", bytes_of(value.text)].concat();
                quote("othername", &whole, *coding)
            }
            _ => "othername:<unsupported>".to_owned(),
        }
    }
}

unsafe fn general_name(name: *const ffi::GENERAL_NAME) -> String {
    // SAFETY: the name is live; its member is of the kind that its type states.
    unsafe {
        let member = (*name).d;
        let bytes = || bytes_of(member as *const ffi::ASN1_STRING);
        match (*name).type_ {
            1 => quote("email", bytes(), Coding::Latin1),
            2 => quote("DNS", bytes(), Coding::Latin1),
            4 => {
                let text = print_name(member as *mut ffi::X509_NAME, AS_RFC_2253);
                quote("DirName", text.as_bytes(), Coding::Utf8)
            }
            6 => quote("URI", bytes(), Coding::Latin1),
            7 => match bytes() {
                [a, b, c, d] => format!("IP Address:{a}.{b}.{c}.{d}"),
                data if data.len() == 16 => {
                    let groups: Vec<_> =
                        data.chunks(2).map(|pair| format!("{:X}", u16::from_be_bytes([pair[0], pair[1]]))).collect();
                    format!("IP Address:{}", groups.join(":"))
                }
                data => format!("IP Address:<invalid length={}>", data.len()),
            },
            8 => {
                let mut text = [0 as c_char; 128];
                ffi::OBJ_obj2txt(text.as_mut_ptr(), text.len() as c_int, member as *const ffi::ASN1_OBJECT, 1);
                format!("Registered ID:{}", CStr::from_ptr(text.as_ptr()).to_string_lossy())
            }
            3 => "X400Name:<unsupported>".to_owned(),
            5 => "EdiPartyName:<unsupported>".to_owned(),
            0 => other_name(member as *const OtherName),
            _ => "othername:<unsupported>".to_owned(),
        }
    }
}

/// The subject's alternative names; None without the extension.
pub fn general_names(x509: *mut ffi::X509) -> Option<String> {
    // SAFETY: the certificate is live; the stack is owned and freed with its names.
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

/// The access methods for the certificate and its issuer, one per line.
pub fn info_access(x509: *mut ffi::X509) -> Option<String> {
    // SAFETY: the certificate is live; the stack is owned and freed with its descriptions.
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
