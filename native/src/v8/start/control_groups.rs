//! The control groups of this process: their folders, and the values in them.
use std::path::{Path, PathBuf};

pub const GROUPS: &str = "/sys/fs/cgroup";

/// A folder that may set a limit. The two versions of control groups name some values differently.
pub struct Group {
    folder: PathBuf,
    pub is_first_version: bool,
}

/// The groups of `controller` below `root`: this process's group, its ancestors, the root. In /proc/self/cgroup version
/// 2 has an empty controller list; in version 1 the controller names a folder. In a container the path may be the
/// host's; then the root is the container's own group, and the other folders do not exist.
pub fn groups(root: &Path, controller: &str) -> Vec<Group> {
    let listed = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    listed.lines().filter_map(|line| groups_of(root, line, controller)).flatten().collect()
}

fn groups_of(root: &Path, line: &str, controller: &str) -> Option<Vec<Group>> {
    let mut fields = line.splitn(3, ':');
    let (_, controllers, path) = (fields.next()?, fields.next()?, fields.next()?);
    let is_first_version = !controllers.is_empty();
    let root = if is_first_version { root.join(controller) } else { root.to_path_buf() };
    if is_first_version && controllers != controller {
        return None;
    }
    let parts = Path::new(path.trim_start_matches('/')).ancestors();
    Some(parts.map(|part| Group { folder: root.join(part), is_first_version }).collect())
}

impl Group {
    /// The number in one of its files; `None` if the file is missing or holds a word (`max` for no limit).
    pub fn figure(&self, file: &str) -> Option<u64> {
        std::fs::read_to_string(self.folder.join(file)).ok()?.trim().parse().ok()
    }
}
