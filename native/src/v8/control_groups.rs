//! The control groups that this process is in: their folders, and the figures in them.
use std::path::{Path, PathBuf};

const GROUPS: &str = "/sys/fs/cgroup";

/// The folders of `controller` in which there may be a limit: this process's group, those above it, the root. The second
/// version of groups has an empty list of controllers in /proc/self/cgroup, the first names its own folder. In a container
/// the path may be of the world outside: then the root is the container's, and other folders are not there.
pub fn folders(controller: &str) -> Vec<PathBuf> {
    let groups = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    groups.lines().filter_map(|line| folders_of(line, controller)).flatten().collect()
}

fn folders_of(line: &str, controller: &str) -> Option<Vec<PathBuf>> {
    let mut fields = line.splitn(3, ':');
    let (_, controllers, group) = (fields.next()?, fields.next()?, fields.next()?);
    let root = match controllers {
        "" => PathBuf::from(GROUPS),
        _ if controllers == controller => Path::new(GROUPS).join(controller),
        _ => return None,
    };
    Some(Path::new(group.trim_start_matches('/')).ancestors().map(|part| root.join(part)).collect())
}

/// The number in a group's file; `None` where there is no such file, or no limit.
pub fn figure(folder: &Path, file: &str) -> Option<u64> {
    std::fs::read_to_string(folder.join(file)).ok()?.trim().parse().ok()
}
