//! Code packs: files with V8's code for many texts, stored by name together with the hash of the text.
//!
//! As with snapshots, a pack is used only if no other user can have written it, and it is replaced atomically. Damaged
//! pieces are ignored.
use std::collections::HashMap;
use std::io::Write;
use std::ops::Range;
use std::path::Path;

use rapidhash::v3::rapidhash_v3;

use super::code_cache::CodeOwner;
use crate::files::cache::draft;
use crate::files::cache::mapped::Mapped;

const MAGIC: u64 = 0x3130_4544_4f43_5452; // RTCODE01
/// Magic, checksum of the table, number of entries, size of the names.
const HEADER: usize = 32;
/// Hash of the text, checksum of the code, offset of the code, its size, size of the name.
const ENTRY: usize = 40;
/// V8 copies code at unaligned addresses.
const ALIGNMENT: usize = 8;
/// No program compiles that much; a larger file is not a pack.
const LARGEST: usize = 64 << 20;

struct Piece {
    text: u64,
    sum: u64,
    place: Range<usize>,
}

/// A pack read from a file.
pub struct Pack {
    pieces: HashMap<String, Piece>,
    file: Mapped,
}

/// Hash of a text, and its code.
pub type Code<'a> = (u64, &'a [u8]);

/// A text that was compiled without cached code.
pub struct Fresh {
    pub name: String,
    pub text: u64,
    pub owner: CodeOwner,
}

impl Fresh {
    /// The present code of each text that V8 can cache: name, hash of the text, code.
    pub fn encode_all(all: Vec<Fresh>) -> Vec<(String, u64, Vec<u8>)> {
        all.into_iter().filter_map(|Fresh { name, text, owner }| Some((name, text, owner.code()?))).collect()
    }
}

/// The hash that identifies a text.
pub fn hash_of(text: &str) -> u64 {
    rapidhash_v3(text.as_bytes())
}

impl Pack {
    pub fn read(path: &Path) -> Option<Pack> {
        let file = Mapped::open(path).ok()?;
        let pieces = table(file.bytes())?;
        Some(Pack { pieces, file })
    }

    fn code(&self, piece: &Piece) -> Option<&[u8]> {
        let code = self.file.bytes().get(piece.place.clone())?;
        (rapidhash_v3(code) == piece.sum).then_some(code)
    }

    /// The code for the text with that hash.
    pub fn find(&self, name: &str, text: u64) -> Option<&[u8]> {
        self.code(self.pieces.get(name).filter(|piece| piece.text == text)?)
    }

    /// All undamaged pieces, by name.
    pub fn all(&self) -> HashMap<&str, Code<'_>> {
        let pieces = self.pieces.iter();
        pieces.filter_map(|(name, piece)| Some((name.as_str(), (piece.text, self.code(piece)?)))).collect()
    }
}

/// Writes a pack with those pieces. Does nothing if it would be too large; if writing fails, the old file stays.
pub fn write(path: &Path, pieces: &HashMap<&str, Code<'_>>) {
    let pieces: Vec<(&str, u64, &[u8])> = pieces.iter().map(|(name, (text, code))| (*name, *text, *code)).collect();
    let bytes = file_of(&pieces);
    if bytes.len() <= LARGEST {
        let _ = draft::put(path, 0o600, None, false, |file| file.write_all(&bytes));
    }
}

fn word(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at.checked_add(8)?)?.try_into().ok()?))
}

/// The entries of a file; None if the table is damaged or the file is not a pack.
fn table(bytes: &[u8]) -> Option<HashMap<String, Piece>> {
    let size = |at: usize| usize::try_from(word(bytes, at)?).ok();
    let (count, names_size) = (size(16)?, size(24)?);
    let entries_end = HEADER.checked_add(count.checked_mul(ENTRY)?)?;
    let table = bytes.get(16..entries_end.checked_add(names_size)?)?;
    if bytes.len() > LARGEST || word(bytes, 0)? != MAGIC || word(bytes, 8)? != rapidhash_v3(table) {
        return None;
    }
    let mut name_at = entries_end;
    let mut pieces = HashMap::with_capacity(count);
    for entry in (0..count).map(|index| HEADER + index * ENTRY) {
        let (text, sum) = (word(bytes, entry)?, word(bytes, entry + 8)?);
        let (start, length, name_size) = (size(entry + 16)?, size(entry + 24)?, size(entry + 32)?);
        let name = std::str::from_utf8(bytes.get(name_at..name_at.checked_add(name_size)?)?).ok()?;
        name_at += name_size;
        pieces.insert(name.to_owned(), Piece { text, sum, place: start..start.checked_add(length)? });
    }
    Some(pieces)
}

/// Encodes a pack: name, hash of the text and code of each piece.
fn file_of(pieces: &[(&str, u64, &[u8])]) -> Vec<u8> {
    let names_size: usize = pieces.iter().map(|(name, ..)| name.len()).sum();
    let table_end = HEADER + pieces.len() * ENTRY + names_size;
    let mut bytes =
        Vec::with_capacity(table_end + pieces.iter().map(|(.., code)| code.len() + ALIGNMENT).sum::<usize>());
    for number in [MAGIC, 0, pieces.len() as u64, names_size as u64] {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    let mut start = table_end.next_multiple_of(ALIGNMENT);
    for (name, text, code) in pieces {
        for number in [*text, rapidhash_v3(code), start as u64, code.len() as u64, name.len() as u64] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        start = (start + code.len()).next_multiple_of(ALIGNMENT);
    }
    pieces.iter().for_each(|(name, ..)| bytes.extend_from_slice(name.as_bytes()));
    let sum = rapidhash_v3(&bytes[16..]);
    bytes[8..16].copy_from_slice(&sum.to_le_bytes());
    for (.., code) in pieces {
        bytes.resize(bytes.len().next_multiple_of(ALIGNMENT), 0);
        bytes.extend_from_slice(code);
    }
    bytes
}
