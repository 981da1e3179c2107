//! Prelinking: copies a shared library with relocations against its own symbols rewritten as relative ones.
//!
//! V8 refers to itself through 75,000 exported names, and looking them up takes 23 of the 25 ms that loading costs. If
//! the library defines a symbol itself, the symbol's offset is known beforehand. References to other libraries and
//! thread-local or indirect symbols are copied unchanged. Only the relocation tables differ from the original, so the
//! system copies the file, and the tables are written over the copy. Supports x86-64 ELF; anything unexpected is an error.
use std::fs::File;
use std::io::{Error, ErrorKind, Result};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use pyo3::prelude::*;

use crate::files::cache::draft;
use crate::files::cache::mapped::Mapped;

const LOAD: u32 = 1;
const DYNAMIC: u32 = 2;
const DT_SYMTAB: u64 = 6;
const DT_RELA: u64 = 7;
const DT_RELASZ: u64 = 8;
const DT_PLTRELSZ: u64 = 2;
const DT_JMPREL: u64 = 0x17;
const DT_RELACOUNT: u64 = 0x6fff_fff9;
const R_64: u32 = 1;
const R_GLOB_DAT: u32 = 6;
const R_JUMP_SLOT: u32 = 7;
const R_RELATIVE: u32 = 8;
const STT_TLS: u8 = 6;
const STT_IFUNC: u8 = 10;
const RELOCATION_SIZE: usize = 24;
const SYMBOL_SIZE: usize = 24;
const X86_64: u16 = 62;

/// Offset, kind and symbol, addend.
#[derive(Clone, Copy)]
struct Relocation(u64, u64, u64);

/// Bytes to write at an offset in the file.
struct Patch(usize, Vec<u8>);

struct Image<'a> {
    bytes: &'a [u8],
    /// Address, file offset and size in the file of each loaded segment.
    loads: Vec<(u64, u64, u64)>,
    /// File offset, tag and value of each entry.
    dynamic: Vec<(usize, u64, u64)>,
}

fn damage() -> Error {
    Error::new(ErrorKind::InvalidData, "not a shared library that can be prepared")
}

impl<'a> Image<'a> {
    fn parse(bytes: &'a [u8]) -> Result<Image<'a>> {
        let mut image = Image { bytes, loads: vec![], dynamic: vec![] };
        let is_elf = image.bytes.starts_with(b"\x7fELF\x02\x01") && image.number::<2>(0x12)? == u64::from(X86_64);
        if !is_elf {
            return Err(damage());
        }
        let (start, count) = (image.number::<8>(0x20)? as usize, image.number::<2>(0x38)? as usize);
        let mut dynamic = None;
        for index in 0..count {
            let at = start + 56 * index;
            let kind = image.number::<4>(at)? as u32;
            let (offset, address, size) = (image.word(at + 8)?, image.word(at + 16)?, image.word(at + 32)?);
            match kind {
                LOAD => image.loads.push((address, offset, size)),
                DYNAMIC => dynamic = Some((offset as usize, size as usize)),
                _ => {}
            }
        }
        let (offset, size) = dynamic.ok_or_else(damage)?;
        for at in (offset..offset.checked_add(size).ok_or_else(damage)?).step_by(16) {
            let (tag, value) = (image.word(at)?, image.word(at + 8)?);
            if tag == 0 {
                break;
            }
            image.dynamic.push((at, tag, value));
        }
        Ok(image)
    }

    fn number<const N: usize>(&self, at: usize) -> Result<u64> {
        let bytes = at.checked_add(N).and_then(|end| self.bytes.get(at..end)).ok_or_else(damage)?;
        Ok(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    fn word(&self, at: usize) -> Result<u64> {
        let bytes = at.checked_add(8).and_then(|end| self.bytes.get(at..end)).ok_or_else(damage)?;
        Ok(u64::from_le_bytes(bytes.try_into().expect("eight bytes")))
    }

    /// The file offset of a loaded address.
    fn place(&self, address: u64) -> Result<usize> {
        let inside = |load: &&(u64, u64, u64)| load.0 <= address && address - load.0 < load.2;
        let (start, offset, _) = self.loads.iter().find(inside).ok_or_else(damage)?;
        Ok((address - start + offset) as usize)
    }

    fn entry(&self, tag: u64) -> Result<(usize, u64)> {
        let entry = self.dynamic.iter().find(|(_, known, _)| *known == tag).ok_or_else(damage)?;
        Ok((entry.0, entry.2))
    }

    /// Splits the relocations of one table: first the relative ones, including those against the library's own symbols,
    /// which become relative; then the rest.
    fn split(&self, address: u64, size: u64, symbols: usize) -> Result<(Vec<Relocation>, Vec<Relocation>)> {
        let start = self.place(address)?;
        let count = size as usize / RELOCATION_SIZE;
        let (mut relative, mut other) = (Vec::with_capacity(count), vec![]);
        for index in 0..count {
            let at = start + RELOCATION_SIZE * index;
            let relocation = Relocation(self.word(at)?, self.word(at + 8)?, self.word(at + 16)?);
            let (kind, symbol) = (relocation.1 as u32, (relocation.1 >> 32) as usize);
            if kind == R_RELATIVE {
                relative.push(relocation);
                continue;
            }
            match self.own_symbol(symbols, symbol)? {
                Some(value) if kind == R_64 => {
                    let target = value.wrapping_add(relocation.2);
                    relative.push(Relocation(relocation.0, R_RELATIVE.into(), target));
                }
                Some(value) if kind == R_GLOB_DAT || kind == R_JUMP_SLOT => {
                    relative.push(Relocation(relocation.0, R_RELATIVE.into(), value));
                }
                _ => other.push(relocation),
            }
        }
        Ok((relative, other))
    }

    /// The value of a symbol that the library defines as a plain address.
    fn own_symbol(&self, symbols: usize, index: usize) -> Result<Option<u64>> {
        if index == 0 {
            return Ok(None);
        }
        let at = symbols + SYMBOL_SIZE * index;
        let info = *self.bytes.get(at + 4).ok_or_else(damage)?;
        let section = self.number::<2>(at + 6)?;
        let is_plain = section != 0 && info & 15 != STT_TLS && info & 15 != STT_IFUNC;
        Ok(if is_plain { Some(self.word(at + 8)?) } else { None })
    }

    /// The changes that make the library's references to itself relative.
    fn patches(&self) -> Result<Vec<Patch>> {
        let symbols = self.place(self.entry(DT_SYMTAB)?.1)?;
        let (_, table) = self.entry(DT_RELA)?;
        let (size_at, size) = self.entry(DT_RELASZ)?;
        let (calls_at, calls) = self.entry(DT_JMPREL)?;
        let (calls_size_at, calls_size) = self.entry(DT_PLTRELSZ)?;
        let (count_at, _) = self.entry(DT_RELACOUNT)?;
        if table + size != calls {
            return Err(damage()); // the two tables share their space
        }
        let (mut relative, foreign) = self.split(table, size, symbols)?;
        let (own_calls, foreign_calls) = self.split(calls, calls_size, symbols)?;
        relative.extend(own_calls);
        relative.sort_unstable_by_key(|relocation| relocation.0);
        let first = ((relative.len() + foreign.len()) * RELOCATION_SIZE) as u64;
        let all = relative.iter().chain(&foreign).chain(&foreign_calls);
        let bytes = all.flat_map(|&Relocation(offset, kind, addend)| [offset, kind, addend]).flat_map(u64::to_le_bytes);
        let word = |at: usize, value: u64| Patch(at + 8, value.to_le_bytes().to_vec());
        Ok(vec![
            Patch(self.place(table)?, bytes.collect()),
            word(size_at, first),
            word(count_at, relative.len() as u64),
            word(calls_at, table + first),
            word(calls_size_at, (foreign_calls.len() * RELOCATION_SIZE) as u64),
        ])
    }
}

/// Writes a prelinked copy of the library `source` to `target`, with that modification time.
#[pyfunction]
fn prelink(py: Python<'_>, source: PathBuf, target: PathBuf, mtime_ns: u64) -> PyResult<()> {
    py.detach(|| {
        let source = File::open(source)?;
        let is_empty = |error: &Error| error.kind() == ErrorKind::UnexpectedEof;
        let mapped = Mapped::of(&source).map_err(|error| if is_empty(&error) { damage() } else { error })?;
        let patches = Image::parse(mapped.bytes())?.patches()?;
        draft::put(&target, 0o700, Some(mtime_ns), true, |file| {
            draft::copy(&source, file)?;
            patches.iter().try_for_each(|Patch(at, bytes)| file.write_all_at(bytes, *at as u64))
        })
    })?;
    Ok(())
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(prelink, module)?)
}
