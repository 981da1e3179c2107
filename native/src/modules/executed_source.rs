//! Copies of what a debug build executes, after transpiling: /tmp/rt-debug-src/<path of the file>, or below the folder that
//! `RT_DEBUG_SRC` names.
//!
//! Without the feature `debug_logs` nothing is written. A copy never goes through a folder or link that another user can
//! change, and never follows a link at its own place. The first failure is reported once; the program runs on.

#[cfg(not(feature = "debug_logs"))]
#[inline(always)]
pub fn store(_name: &str, _source: &str) {}

#[cfg(feature = "debug_logs")]
pub use storing::store;

#[cfg(feature = "debug_logs")]
mod storing {
    use std::fs::{DirBuilder, OpenOptions};
    use std::io::{Error, Result, Write};
    use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
    use std::path::{Component, Path, PathBuf};
    use std::sync::Once;

    use rt_wire::trust;

    const VARIABLE: &str = "RT_DEBUG_SRC";
    const DEFAULT: &str = "/tmp/rt-debug-src";

    /// Stores the text that V8 compiles as `name`, which is the path of a file with or without a query, or a URL.
    pub fn store(name: &str, source: &str) {
        static REPORTED: Once = Once::new();
        let root = std::env::var_os(VARIABLE).filter(|value| !value.is_empty());
        let root = root.map_or_else(|| PathBuf::from(DEFAULT), PathBuf::from);
        let Some(place) = place_of(name, &root) else { return };
        if let Err(error) = write(&root, &place, source) {
            REPORTED.call_once(|| {
                let place = place.display();
                let text = format!(
                    "rt: the executed source is not stored in {place}: {error}; {VARIABLE} names another folder\n"
                );
                let _ = std::io::stderr().write_all(text.as_bytes());
            });
        }
    }

    /// The place of a file's copy; None if `name` is not the path of a file.
    fn place_of(name: &str, root: &Path) -> Option<PathBuf> {
        let path = Path::new(name.split('?').next()?);
        let is_plain = path.components().all(|part| matches!(part, Component::RootDir | Component::Normal(_)));
        (path.is_absolute() && is_plain).then(|| root.join(path.strip_prefix("/").unwrap_or(path)))
    }

    fn write(root: &Path, place: &Path, source: &str) -> Result<()> {
        let root = std::path::absolute(root)?;
        let place = std::path::absolute(place)?;
        let folder = place.parent().unwrap_or(&root);
        check(folder)?;
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        check(folder)?; // a part that did not exist may have been created by another user
        let fresh = place.with_added_extension(format!("{}.new", std::process::id()));
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true).mode(0o600).custom_flags(libc::O_NOFOLLOW | libc::O_CLOEXEC);
        options.open(&fresh)?.write_all(source.as_bytes())?;
        std::fs::rename(&fresh, &place)
    }

    fn check(folder: &Path) -> Result<()> {
        match trust::flaw(folder) {
            Some((part, Some(owner))) => Err(Error::other(format!("{} belongs to user {owner}", part.display()))),
            Some((part, None)) => Err(Error::other(format!("other users can write to {}", part.display()))),
            None => Ok(()),
        }
    }
}
