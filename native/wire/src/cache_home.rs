//! The location of rt's caches: `rt` in the user's cache folder.
use std::ffi::OsString;
use std::path::PathBuf;

/// The user's cache folder: XDG_CACHE_HOME, or `.cache` in HOME. Relative paths are ignored.
pub fn cache_home(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let absolute = |name| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn home(variables: &[(&str, &str)]) -> Option<PathBuf> {
        cache_home(|name| variables.iter().find(|(each, _)| *each == name).map(|(_, value)| value.into()))
    }

    #[test]
    fn absolute_paths_count() {
        assert_eq!(home(&[("XDG_CACHE_HOME", "/c"), ("HOME", "/h")]), Some("/c".into()));
        assert_eq!(home(&[("XDG_CACHE_HOME", "c"), ("HOME", "/h")]), Some("/h/.cache".into()));
        assert_eq!(home(&[("XDG_CACHE_HOME", ""), ("HOME", "/h")]), Some("/h/.cache".into()));
        assert_eq!(home(&[("HOME", "h")]), None);
        assert_eq!(home(&[]), None);
    }
}
