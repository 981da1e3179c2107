//! The question of a command line, in bytes: everything that must be equal before a cached start is considered.
//!
//! It consists of the user, which of stdout and stderr are terminals, the limit on descriptors, the launcher's paths, the
//! working folder, PATH and the words. The question of a program ends with the name of the program.
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use rt_guardian::system;
use rt_wire::cache_home::cache_home;
use rt_wire::cached_start::{self, CachedStart};
use rt_wire::{program, trust};

use crate::Call;

pub struct Question {
    /// Where its cached start is stored.
    pub place: PathBuf,
    pub words: Vec<u8>,
}

impl Question {
    /// None if no start can be cached.
    pub fn of(call: &Call) -> Option<Question> {
        let folder = cache_folder("starts")?;
        let working_folder = std::env::current_dir().ok()?;
        let path = std::env::var_os("PATH").unwrap_or_default();
        let executable = call.executable()?;
        // SAFETY: these calls only return numbers.
        let (terminals, user) = unsafe { ((libc::isatty(1), libc::isatty(2)), libc::geteuid()) };
        let limit = system::descriptor_limit().unwrap_or(u64::MAX);
        let mut words = format!("{user} {terminals:?} {limit}").into_bytes();
        let places = [executable.as_os_str(), &call.path, working_folder.as_os_str(), &path];
        for part in places.into_iter().chain(call.words.iter().map(|word| &**word)) {
            words.push(0);
            words.extend_from_slice(part.as_bytes());
        }
        Some(Question { place: folder.join(name_of(&words)), words })
    }

    /// The same question without the arguments of the program that it names; None if it does not name a program.
    pub fn of_program(&self, call: &Call) -> Option<Question> {
        let words: Vec<&[u8]> = call.words.iter().map(|word| word.as_bytes()).collect();
        let (end, _) = program::split(&words, call.command().as_bytes())?;
        let arguments: usize = words[end..].iter().map(|word| word.len() + 1).sum();
        let words = [program::QUESTION, &self.words[..self.words.len().checked_sub(arguments)?]].concat();
        Some(Question { place: self.place.with_file_name(name_of(&words)), words })
    }

    /// The cached start for this question, if it is valid.
    pub fn load(&self, environment: &[(Vec<u8>, Vec<u8>)]) -> Option<CachedStart> {
        let file = trust::open_own(&self.place).ok()?;
        if trust::flaw(self.place.parent()?).is_some() {
            return None;
        }
        let mut record = Vec::new();
        record.reserve_exact(file.metadata().ok()?.len().min(cached_start::LARGEST_BYTES) as usize + 1); // one read
        file.take(cached_start::LARGEST_BYTES).read_to_end(&mut record).ok()?;
        cached_start::load(&record, &self.words, environment)
    }
}

/// rt's cache folder `name` of this user.
pub fn cache_folder(name: &str) -> Option<PathBuf> {
    Some(cache_home(|name| std::env::var_os(name))?.join("rt").join(name))
}

fn name_of(words: &[u8]) -> String {
    format!("{:016x}", cached_start::checksum(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(words: &[&str]) -> (Question, Call) {
        let words = words.iter().map(Into::into).collect();
        let call = Call { path: "/bin/rt".into(), name: None, words, environment: vec![] };
        (Question::of(&call).unwrap(), call)
    }

    #[test]
    fn every_word_counts() {
        let (first, _) = question(&["a.ts", "x"]);
        assert_ne!(first.words, question(&["a.ts", "y"]).0.words);
        assert_ne!(first.words, question(&["a.ts x"]).0.words);
        assert_eq!(first.words, question(&["a.ts", "x"]).0.words);
    }

    #[test]
    fn the_arguments_of_a_program_do_not_count() {
        let of = |words: &[&str]| {
            let (question, call) = question(words);
            question.of_program(&call).map(|question| (question.words, question.place))
        };
        assert_eq!(of(&["a.ts", "x"]), of(&["a.ts", "other", "arguments"]));
        assert_eq!(of(&["run", "a.ts", "x"]), of(&["run", "a.ts"]));
        assert_ne!(of(&["a.ts"]), of(&["b.ts"]));
        assert_ne!(of(&["a.ts"]), of(&["run", "a.ts"]));
        assert_eq!(of(&["run"]), None);
    }
}
