//! A start image: what rt's modules are compiled to, with all that the interpreter would find out about itself at each
//! start. `rt_supervisor/start/image.py` writes it; this believes it while every file that it was made of is what it was.
//!
//! The file is one that the interpreter runs as it is. At its end stands what is read here: the evidence, its length and
//! its checksum.
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use rt_wire::answer::checksum;
use rt_wire::frames::Reader;
use rt_wire::{evidence, trust};

/// Changed with everything that an image's layout or meaning depends on.
pub const FORMAT: u32 = 1;
const TRAILER_BYTES: usize = 16;
const LARGEST_EVIDENCE: u64 = 1 << 20;
/// Variables that decide what the interpreter finds; each combination has an image of its own.
const FAMILIES: [&[u8]; 4] = [b"PYTHON", b"LC_", b"LANG", b"LD_"];
const HOME: &[u8] = b"HOME";

/// What an image is kept under: rt's own place, the user, and the variables that decide.
pub struct Key {
    pub place: PathBuf,
    pub words: Vec<u8>,
}

pub struct Image {
    pub place: PathBuf,
    pub interpreter: PathBuf,
    /// Of its evidence: another image has another one.
    pub checksum: u64,
    /// The extensions of source files.
    pub extensions: Vec<OsString>,
    /// What `head_start` needs to know of V8; empty where V8 is not to be started early.
    pub head_start: Vec<Vec<u8>>,
}

impl Key {
    pub fn new(folder: &Path, own: &OsStr, user: u32, environment: &[(Vec<u8>, Vec<u8>)]) -> Key {
        let is_one = |name: &[u8]| name == HOME || FAMILIES.iter().any(|family| name.starts_with(family));
        let mut found: Vec<_> = environment.iter().filter(|(name, _)| is_one(name)).collect();
        found.sort();
        let mut words = [format!("{user}").as_bytes(), b"\0", own.as_bytes()].concat();
        for (name, value) in found {
            words.extend_from_slice(&[b"\0", &name[..], b"=", value].concat());
        }
        Key { place: folder.join(format!("{:016x}.pyc", checksum(&words))), words }
    }

    /// The image that is kept under this key, if all that it was made of is as it was.
    pub fn recall(&self) -> Option<Image> {
        let file = trust::open_own(&self.place).ok()?;
        if trust::flaw(self.place.parent()?).is_some() {
            return None;
        }
        let (evidence, checksum) = evidence_of(&file)?;
        let mut from = Reader(&evidence);
        let is_mine = from.number()? == FORMAT && from.text()? == self.words;
        let interpreter = PathBuf::from(OsString::from_vec(from.text()?));
        let extensions = from.list(Reader::text)?.into_iter().map(OsString::from_vec).collect();
        let head_start = from.list(Reader::text)?;
        let identities = from.text()?;
        let holds = is_mine && from.0.is_empty() && evidence::is_unchanged(&identities);
        holds.then_some(Image { place: self.place.clone(), interpreter, checksum, extensions, head_start })
    }
}

fn evidence_of(file: &File) -> Option<(Vec<u8>, u64)> {
    let size = file.metadata().ok()?.len();
    let end = size.checked_sub(TRAILER_BYTES as u64)?;
    let mut trailer = [0; TRAILER_BYTES];
    file.read_exact_at(&mut trailer, end).ok()?;
    let (length, sum) = trailer.split_first_chunk::<8>()?;
    let length = u64::from_le_bytes(*length);
    if length > LARGEST_EVIDENCE {
        return None;
    }
    let mut evidence = vec![0; length as usize];
    file.read_exact_at(&mut evidence, end.checked_sub(length)?).ok()?;
    let found = checksum(&evidence);
    (sum == found.to_le_bytes()).then_some((evidence, found))
}
