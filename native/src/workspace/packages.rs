//! The packages of a workspace: the folders that its patterns name, and their package.json files.
//!
//! `node_modules` is never entered, nor a hidden folder that no pattern names. A link to a folder counts as its target,
//! `**` does not follow links, and each real folder is listed once, so loops end. Packages come in the order of the
//! patterns, and those of one pattern in the order of their paths.
use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use pyo3::prelude::*;

use crate::workspace::globs::{Glob, Tail, alternatives, is_wild};
use crate::workspace::manifests::{Manifest, ManifestProblem, Reading, read_all};

/// Braces with more alternatives are refused.
const MOST_ALTERNATIVES: usize = 1000;

/// The system's limit for a path, in bytes.
const LONGEST_PATH: usize = 4096;

enum Segment {
    Literal(OsString),
    Wild { glob: Glob, hidden: bool },
    AnyDepth,
}

struct Folder {
    name: OsString,
    is_link: bool,
}

struct Candidate {
    path: PathBuf,
    through_link: bool,
}

#[derive(Default)]
struct Search {
    root: PathBuf,
    listings: HashMap<PathBuf, Rc<Vec<Folder>>>,
    listed: Vec<PathBuf>,
    visited: HashSet<(PathBuf, usize)>,
    found: Vec<Candidate>,
    known: HashSet<PathBuf>,
}

impl Search {
    /// The folders in `folder` by name; records that the listing was used.
    fn listing(&mut self, folder: &Path) -> Rc<Vec<Folder>> {
        if let Some(known) = self.listings.get(folder) {
            return known.clone();
        }
        let mut folders: Vec<Folder> = std::fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .filter_map(|entry| {
                let kind = entry.file_type().ok()?;
                let is_link = kind.is_symlink();
                let is_folder = kind.is_dir() || is_link && entry.path().is_dir();
                (is_folder && entry.file_name() != "node_modules").then(|| Folder { name: entry.file_name(), is_link })
            })
            .collect();
        folders.sort_by(|one, other| one.name.cmp(&other.name));
        let folders = Rc::new(folders);
        self.listed.push(folder.to_owned());
        self.listings.insert(folder.to_owned(), folders.clone());
        folders
    }

    /// Adds every folder below `folder` that `segments` match. A folder is visited once for each position in the
    /// pattern.
    fn walk(&mut self, folder: PathBuf, segments: &[Segment], through_link: bool) {
        let is_possible = folder.as_os_str().len() < LONGEST_PATH;
        if !is_possible || !self.visited.insert((folder.clone(), segments.len())) {
            return;
        }
        let Some((first, rest)) = segments.split_first() else {
            if self.known.insert(folder.clone()) {
                self.found.push(Candidate { path: folder, through_link });
            }
            return;
        };
        match first {
            Segment::Literal(name) if name == "node_modules" => {}
            Segment::Literal(name) => {
                let path = join_lexically(&folder, name);
                let through_link = through_link || path.is_symlink();
                self.walk(path, rest, through_link);
            }
            Segment::Wild { glob, hidden } => {
                for entry in self.listing(&folder).iter() {
                    if (*hidden || !is_hidden(&entry.name)) && glob.is_match(&entry.name.to_string_lossy()) {
                        self.walk(folder.join(&entry.name), rest, through_link || entry.is_link);
                    }
                }
            }
            Segment::AnyDepth => {
                if folder != self.root || !rest.is_empty() {
                    self.walk(folder.clone(), rest, through_link);
                }
                for entry in self.listing(&folder).iter().filter(|entry| !is_hidden(&entry.name)) {
                    let below = if entry.is_link { rest } else { segments };
                    self.walk(folder.join(&entry.name), below, through_link || entry.is_link);
                }
            }
        }
    }

    /// Keeps one candidate for each real folder, preferring the folder itself to a link.
    fn drop_repeated(&mut self) {
        if !self.found.iter().any(|candidate| candidate.through_link) {
            return;
        }
        let real = |path: &Path| std::fs::metadata(path).ok().map(|about| (about.dev(), about.ino()));
        let mut seen: HashSet<_> = self.found.iter().filter(|it| !it.through_link).map(|it| real(&it.path)).collect();
        seen.insert(real(&self.root));
        self.found.retain(|candidate| !candidate.through_link || seen.insert(real(&candidate.path)));
    }
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// Joins `folder` and `name`, resolving `.` and `..` lexically.
fn join_lexically(folder: &Path, name: &OsStr) -> PathBuf {
    match name.to_str() {
        Some(".") => folder.to_owned(),
        Some("..") => folder.parent().unwrap_or(folder).to_owned(),
        _ => folder.join(name),
    }
}

/// An entry of `workspaces`, prepared for the search.
struct Pattern {
    negated: bool,
    literal: bool,
    alternatives: Vec<String>,
}

fn pattern(text: &str) -> Result<Pattern, String> {
    let (negated, glob) = text.strip_prefix('!').map_or((false, text), |rest| (true, rest));
    if glob.starts_with('/') {
        return Err(format!("the workspaces pattern \"{text}\" is absolute; it must be relative to this folder"));
    }
    let Some(alternatives) = alternatives(glob, MOST_ALTERNATIVES) else {
        return Err(format!("the workspaces pattern \"{text}\" stands for more than {MOST_ALTERNATIVES} paths"));
    };
    let alternatives: Vec<String> = alternatives.iter().map(|text| tidy(text)).collect();
    let literal = alternatives.iter().all(|text| !is_wild(text));
    Ok(Pattern { negated, literal, alternatives })
}

/// Removes `.`, empty parts and a trailing slash from a relative path.
fn tidy(path: &str) -> String {
    path.split('/').filter(|part| !part.is_empty() && *part != ".").collect::<Vec<_>>().join("/")
}

fn segments(path: &str) -> Vec<Segment> {
    let mut segments: Vec<Segment> = vec![];
    for part in path.split('/').filter(|part| !part.is_empty()) {
        match part {
            "**" if matches!(segments.last(), Some(Segment::AnyDepth)) => {}
            "**" => segments.push(Segment::AnyDepth),
            part if is_wild(part) => {
                let glob = Glob::new(part, Tail::Below);
                segments.push(Segment::Wild { glob, hidden: part.starts_with('.') });
            }
            part => segments.push(Segment::Literal(part.into())),
        }
    }
    segments
}

type Found = (Vec<Reading>, Vec<PathBuf>);

fn search(root: PathBuf, texts: &[String]) -> Found {
    let mut problems = vec![];
    let patterns: Vec<Pattern> = texts
        .iter()
        .filter(|text| !text.is_empty())
        .filter_map(|text| pattern(text).map_err(|reason| problems.push(reason)).ok())
        .collect();
    let excluding: Vec<(usize, Vec<Glob>)> = patterns
        .iter()
        .enumerate()
        .filter(|(_, pattern)| pattern.negated)
        .map(|(place, pattern)| {
            (place, pattern.alternatives.iter().map(|text| Glob::new(text, Tail::BelowAndItself)).collect())
        })
        .collect();
    let mut search = Search { root, ..Search::default() };
    for (place, pattern) in patterns.iter().enumerate().filter(|(_, pattern)| !pattern.negated) {
        let before = search.found.len();
        for alternative in &pattern.alternatives {
            search.visited.clear();
            search.walk(search.root.clone(), &segments(alternative), false);
        }
        // What a negation excludes is included again only by a later pattern that names it literally.
        let root = search.root.clone();
        let excludes = |candidate: &Candidate| {
            let relative = candidate.path.strip_prefix(&root).unwrap_or(&candidate.path).to_string_lossy().into_owned();
            excluding
                .iter()
                .filter(|(negation, _)| !pattern.literal || *negation > place)
                .any(|(_, globs)| globs.iter().any(|glob| glob.is_match(&relative)))
        };
        let fresh = search.found.split_off(before);
        for candidate in fresh {
            if excludes(&candidate) {
                search.known.remove(&candidate.path);
            } else {
                search.found.push(candidate);
            }
        }
    }
    search.drop_repeated();
    let manifests: Vec<PathBuf> = search.found.iter().map(|it| it.path.join("package.json")).collect();
    let mut watched = search.listed;
    watched.extend(manifests.iter().cloned());
    let mut readings = read_all(manifests);
    let at = search.root.join("package.json");
    readings.extend(problems.into_iter().map(|reason| Err(ManifestProblem::about(at.clone(), reason))));
    (readings, watched)
}

#[pyfunction]
#[allow(clippy::type_complexity)]
fn find_packages(
    py: Python<'_>,
    root: PathBuf,
    patterns: Vec<String>,
) -> PyResult<(Vec<Py<Manifest>>, Vec<Py<ManifestProblem>>, Vec<OsString>)> {
    let (readings, watched) = py.detach(|| search(root, &patterns));
    let (mut manifests, mut problems) = (vec![], vec![]);
    for reading in readings {
        match reading {
            Ok(manifest) => manifests.push(Py::new(py, manifest)?),
            Err(problem) if problem.is_missing() => {}
            Err(problem) => problems.push(Py::new(py, problem)?),
        }
    }
    Ok((manifests, problems, watched.into_iter().map(PathBuf::into_os_string).collect()))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(find_packages, module)?)
}
