//! Start images: rt's modules, compiled, with everything that the interpreter would otherwise determine at each start.
//!
//! `rt_supervisor/start/image.py` stores them. An image is a file that the interpreter can run; it ends with the record that
//! this module reads, the record's length and its checksum. An image is valid while every file that it was built from is
//! unchanged.
use std::ffi::OsString;
use std::fs::File;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use rt_wire::cached_start::{FORMAT, checksum};
use rt_wire::frames::Reader;
use rt_wire::{dependencies, trust};

use crate::question::cache_folder;

const TRAILER_BYTES: usize = 16;
const LARGEST_RECORD: u64 = 1 << 20;
/// Prefixes of variables that the interpreter's start depends on; each combination of values has its own image.
const DECIDING: [&[u8]; 4] = [b"PYTHON", b"LC_", b"LANG", b"LD_"];
const HOME: &[u8] = b"HOME";

/// Identifies an image: the user, the launcher's path, and the variables that the start depends on.
pub struct Key {
    pub place: PathBuf,
    pub words: Vec<u8>,
}

pub struct Image {
    pub place: PathBuf,
    pub interpreter: PathBuf,
    /// The checksum of its record, which differs between images.
    pub checksum: u64,
    /// The extensions of source files.
    pub extensions: Vec<Vec<u8>>,
    /// The fields of a head start; empty if V8 cannot be started early.
    pub head_start: Vec<Vec<u8>>,
}

impl Key {
    pub fn new(executable: &Path, environment: &[(Vec<u8>, Vec<u8>)]) -> Option<Key> {
        // SAFETY: it only returns a number.
        let user = unsafe { libc::geteuid() };
        Some(Key::in_folder(&cache_folder("images")?, executable, user, environment))
    }

    fn in_folder(folder: &Path, executable: &Path, user: u32, environment: &[(Vec<u8>, Vec<u8>)]) -> Key {
        let decides = |name: &[u8]| name == HOME || DECIDING.iter().any(|prefix| name.starts_with(prefix));
        let mut variables: Vec<_> = environment.iter().filter(|(name, _)| decides(name)).collect();
        variables.sort();
        let mut words = [format!("{user}").as_bytes(), b"\0", executable.as_os_str().as_bytes()].concat();
        for (name, value) in variables {
            words.extend_from_slice(&[b"\0", &name[..], b"=", value].concat());
        }
        Key { place: folder.join(format!("{:016x}.pyc", checksum(&words))), words }
    }

    /// The image of this key, if it is valid.
    pub fn load(&self) -> Option<Image> {
        let file = trust::open_own(&self.place).ok()?;
        if trust::flaw(self.place.parent()?).is_some() {
            return None;
        }
        let (record, checksum) = read_record(&file)?;
        let mut from = Reader(&record);
        let is_for_key = from.number()? == FORMAT && from.text()? == self.words;
        let interpreter = PathBuf::from(OsString::from_vec(from.text()?));
        let (extensions, head_start) = (from.texts()?, from.texts()?);
        let identities = from.text()?;
        let is_valid = is_for_key && from.0.is_empty() && dependencies::is_unchanged(&identities);
        is_valid.then(|| Image { place: self.place.clone(), interpreter, checksum, extensions, head_start })
    }
}

fn read_record(file: &File) -> Option<(Vec<u8>, u64)> {
    let size = file.metadata().ok()?.len();
    let end = size.checked_sub(TRAILER_BYTES as u64)?;
    let mut trailer = [0; TRAILER_BYTES];
    file.read_exact_at(&mut trailer, end).ok()?;
    let (length, sum) = trailer.split_first_chunk::<8>()?;
    let length = u64::from_le_bytes(*length);
    if length > LARGEST_RECORD {
        return None;
    }
    let mut record = vec![0; length as usize];
    file.read_exact_at(&mut record, end.checked_sub(length)?).ok()?;
    let found = checksum(&record);
    (sum == found.to_le_bytes()).then_some((record, found))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::DirBuilderExt;

    use rt_wire::frames::Writer;

    use super::*;

    fn environment(variables: &[(&str, &str)]) -> Vec<(Vec<u8>, Vec<u8>)> {
        variables.iter().map(|(name, value)| (name.as_bytes().to_vec(), value.as_bytes().to_vec())).collect()
    }

    #[test]
    fn deciding_variables_choose_the_image() {
        let key = |variables: &[(&str, &str)]| {
            Key::in_folder(Path::new("/c"), Path::new("/bin/rt"), 1, &environment(variables)).words
        };
        assert_eq!(key(&[("LANG", "C"), ("OTHER", "1")]), key(&[("LANG", "C")]));
        assert_ne!(key(&[("LANG", "C")]), key(&[("LANG", "de")]));
        assert_eq!(key(&[("LANG", "C"), ("HOME", "/")]), key(&[("HOME", "/"), ("LANG", "C")]));
    }

    #[test]
    fn damaged_and_truncated_images_are_not_loaded() {
        let Some(folder) = cache_folder("test-images") else { return };
        if std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder).is_err()
            || trust::flaw(&folder).is_some()
        {
            return; // this user has no cache
        }
        let key = Key::in_folder(&folder, Path::new("/bin/rt"), std::process::id(), &[]);
        let mut record = Writer::default();
        record.number(FORMAT).text(&key.words).text(b"/bin/python").texts(&[b".ts".to_vec()]).texts(&[]);
        record.text(&dependencies::identify(&[b"/".to_vec()], i64::MAX).unwrap());
        let length = record.0.len() as u64;
        let whole = [b"code", &record.0[..], &length.to_le_bytes(), &checksum(&record.0).to_le_bytes()].concat();
        let load = |bytes: &[u8]| {
            std::fs::write(&key.place, bytes).unwrap();
            key.load().map(|image| image.interpreter)
        };
        assert_eq!(load(&whole), Some("/bin/python".into()));
        for end in 0..whole.len() {
            assert_eq!(load(&whole[..end]), None, "{end} bytes");
        }
        for place in b"code".len()..whole.len() {
            let mut damaged = whole.clone();
            damaged[place] ^= 1;
            assert_eq!(load(&damaged), None, "byte {place}");
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
