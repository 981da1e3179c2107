//! The `type` of the package a file belongs to.
use std::path::{Path, PathBuf};
use std::sync::RwLock;

use rapidhash::RapidHashMap;

use super::jsonc::{self, Json};
use crate::files::regular::contents;

/// Caches the nearest package.json's `type` for each folder looked up.
#[derive(Default)]
pub struct PackageTypes {
    known: RwLock<RapidHashMap<PathBuf, Option<bool>>>,
}

impl PackageTypes {
    /// `Some(true)` for `"module"`, `Some(false)` for `"commonjs"`, None without a `type`.
    pub fn is_module(&self, folder: &Path) -> Option<bool> {
        if let Some(known) = self.known.read().ok().and_then(|known| known.get(folder).copied()) {
            return known;
        }
        let said = match contents(&folder.join("package.json")) {
            Ok(bytes) => declared(&bytes),
            Err(_) if folder.file_name().is_some_and(|name| name == "node_modules") => None,
            Err(_) => folder.parent().and_then(|parent| self.is_module(parent)),
        };
        if let Ok(mut known) = self.known.write() {
            known.insert(folder.to_path_buf(), said);
        }
        said
    }

    pub fn clear(&self) {
        if let Ok(mut known) = self.known.write() {
            known.clear();
        }
    }
}

fn declared(bytes: &[u8]) -> Option<bool> {
    let text = String::from_utf8_lossy(bytes);
    // Most package.json files have no `type`, which needs no parsing to find out.
    if !text.contains("\"type\"") {
        return None;
    }
    let json = jsonc::read(text.trim_start_matches('\u{feff}'), "package.json").ok()?;
    match json.get("type").and_then(Json::text)? {
        "module" => Some(true),
        "commonjs" => Some(false),
        _ => None,
    }
}
