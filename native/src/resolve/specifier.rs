//! Properties of a specifier that follow from its form.
use std::borrow::Cow;

use crate::files::paths::percent_decode;

pub fn is_path(specifier: &str) -> bool {
    matches!(specifier, "." | "..") || ["./", "../", "/"].iter().any(|start| specifier.starts_with(start))
}

/// Returns whether it ends in a step that can only be a folder.
pub fn is_folder(specifier: &str) -> bool {
    matches!(specifier, "." | "..") || is_path(specifier) && (specifier.ends_with("/.") || specifier.ends_with("/.."))
}

/// Returns whether it names a package, a path inside one, or a path whose last step has no extension.
pub fn may_be_folder(specifier: &str) -> bool {
    !is_path(specifier) || !specifier.rsplit('/').next().unwrap_or("").trim_start_matches('.').contains('.')
}

/// Removes `..` from an absolute path lexically, as Node does; the folders need not exist.
pub fn without_parents(specifier: &str) -> Cow<'_, str> {
    let (path, query) = specifier.split_at(specifier.find(['?', '#']).unwrap_or(specifier.len()));
    if !path.starts_with('/') || !path.split('/').any(|step| step == "..") {
        return Cow::Borrowed(specifier);
    }
    let mut steps: Vec<&str> = Vec::new();
    for step in path.split('/').skip(1) {
        match step {
            ".." => drop(steps.pop()),
            "." => {}
            _ => steps.push(step),
        }
    }
    let end = if is_folder(path) { "/" } else { "" };
    Cow::Owned(format!("/{}{end}{query}", steps.join("/")))
}

/// Returns whether it names a package (`a`, `@s/a`) rather than a path inside one (`a/b`).
pub fn is_package_name(specifier: &str) -> bool {
    let slashes = specifier.matches('/').count();
    slashes == 0 || slashes == 1 && specifier.starts_with('@')
}

/// The path and the query of a file URL.
pub fn file_url(url: &str) -> Option<(String, String)> {
    let rest = url.strip_prefix("file:")?;
    let rest = match rest.strip_prefix("//") {
        Some(with_host) => with_host.strip_prefix("localhost").filter(|r| r.starts_with('/')).unwrap_or(with_host),
        None => rest,
    };
    let (path, query) = rest.split_at(rest.find(['?', '#']).unwrap_or(rest.len()));
    path.starts_with('/').then_some(())?;
    let bytes = percent_decode(path);
    if bytes.contains(&0) {
        return None;
    }
    Some((String::from_utf8(bytes).ok()?, query.to_string()))
}
