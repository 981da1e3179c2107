//! Watched runs of packages whose folders are deleted.
use super::*;

#[test]
fn a_watched_script_whose_folder_is_gone_has_failed() {
    let options = Options { is_watched: true, ..Options::default() };
    let mut rig = Rig::new(plan(&[&[]], 1), options);
    assert_eq!(rig.core.begin(), Ok(()));
    rig.guardian.take_orders(false);
    rig.guardian.report(&Report::Refused { key: 0, errno: libc::ENOENT, words: vec![], path: None });
    rig.settle();
    let block = b"/no/such/folder is gone\n".to_vec();
    assert!(rig.events.contains(&Event::Output { task: 0, step: 0, stream: libc::STDERR_FILENO, block }));
    assert_eq!(rig.ended(), [(0, 1, false)]);
    assert_eq!(rig.core.restart(&[0], None, libc::SIGTERM, Duration::ZERO), Ok(vec![0]));
    rig.settle();
    assert_eq!(rig.guardian.started, [0]);
}

#[test]
fn a_watched_script_whose_folder_exists_again_has_failed() {
    let mut only = plan(&[&[]], 1);
    Arc::make_mut(&mut only.tasks[0]).folder = b"/".to_vec();
    let mut rig = Rig::new(only, Options { is_watched: true, ..Options::default() });
    assert_eq!(rig.core.begin(), Ok(()));
    rig.guardian.take_orders(false);
    rig.guardian.report(&Report::Refused { key: 0, errno: libc::ENOENT, words: vec![], path: Some(b"/".to_vec()) });
    rig.settle();
    assert_eq!(rig.ended(), [(0, 1, false)]);
}

#[test]
fn a_folder_that_is_gone_when_the_run_stops_is_not_an_error() {
    let mut rig = Rig::new(plan(&[&[], &[]], 2), Options { is_watched: true, ..Options::default() });
    assert_eq!(rig.core.begin(), Ok(()));
    rig.guardian.take_orders(false);
    rig.core.stop(libc::SIGTERM, Duration::from_secs(60));
    for key in [0, 1] {
        rig.guardian.report(&Report::Refused { key, errno: libc::ENOENT, words: vec![], path: None });
    }
    rig.settle();
    assert!(rig.core.is_finished());
    assert!(!rig.events.iter().any(|event| matches!(event, Event::Output { .. })));
}
