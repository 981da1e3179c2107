//! Tasks that run on another machine.
use super::*;

fn driven() -> Options {
    Options { is_driven: true, ..printing() }
}

fn remote_end(outcome: Outcome) -> RemoteEnd {
    RemoteEnd { outcome, ran: Duration::from_millis(1500), cpu_us: 20, peak_bytes: 30 }
}

#[test]
fn a_remote_task_has_the_lines_events_and_status_of_a_local_one() {
    let mut rig = Rig::begin(plan(&[&[], &[]], 2), driven());
    assert_eq!((rig.core.start_remote(0), rig.core.start_remote(0)), (Ok(true), Ok(false)));
    assert_eq!(rig.core.remote_output(0, 2, b"one\nhalf ".to_vec()), Ok(()));
    assert_eq!(rig.core.remote_output(0, 2, b"line\n".to_vec()), Ok(()));
    assert_eq!(rig.core.remote_output(1, 1, b"it does not run\n".to_vec()), Ok(()));
    assert_eq!(rig.core.end_remote(0, remote_end(Outcome::Exited(0))), Ok(true));
    assert!(!rig.core.is_finished()); // the second step
    assert_eq!(rig.core.end_remote(0, remote_end(Outcome::Exited(3))), Ok(true));
    assert_eq!(rig.core.end_remote(0, remote_end(Outcome::Exited(0))), Ok(false));
    rig.settle();
    assert!(rig.printed().starts_with("t0: one\nt0: half line\n"));
    assert_eq!((rig.guardian.started.clone(), rig.ended()), (vec![], vec![(0, 3, false)]));
    let end = StepEnd {
        outcome: Outcome::Exited(3),
        was_requested: false,
        was_stopped: false,
        seconds: 1.5,
        cpu_us: 20,
        peak_bytes: 30,
    };
    assert!(
        rig.events.iter().any(|event| matches!(event, Event::StepEnded { step: 1, end: found, .. } if *found == end))
    );
    assert_eq!(rig.core.start(1, vec![]), Ok(true));
    rig.settle();
    assert_eq!(rig.core.end_remote(1, remote_end(Outcome::Exited(0))), Ok(false)); // it runs here
    rig.end(1, 0);
    rig.end(1, 0);
    assert_eq!((rig.core.is_finished(), rig.core.exit_status()), (true, 3));
}

#[test]
fn a_remote_task_restarts_from_its_first_step_and_gets_no_signal_of_the_guardian() {
    let mut rig = Rig::begin(plan(&[&[]], 2), driven());
    assert_eq!((rig.core.restart_remote(0), rig.core.start_remote(0)), (Ok(false), Ok(true)));
    assert_eq!(rig.core.end_remote(0, remote_end(Outcome::Exited(0))), Ok(true));
    assert_eq!(rig.core.restart_remote(0), Ok(true));
    assert!(rig.core.end(0, libc::SIGTERM, Duration::ZERO, false));
    rig.settle();
    assert_eq!(rig.guardian.other_orders, []);
    assert_eq!(rig.core.end_remote(0, remote_end(Outcome::Signaled(libc::SIGTERM))), Ok(true));
    let steps: Vec<usize> = rig
        .core
        .take_events()
        .iter()
        .chain(&rig.events)
        .filter_map(|event| if let Event::StepStarted { step, .. } = event { Some(*step) } else { None })
        .collect();
    assert_eq!((steps.len(), rig.core.is_finished()), (3, true));
}

#[test]
fn a_remote_task_waits_for_a_huge_line() {
    let mut rig = Rig::begin(plan(&[&[], &[]], 1), driven());
    assert_eq!((rig.core.start_remote(0), rig.core.start_remote(1)), (Ok(true), Ok(true)));
    for _ in 0..2 {
        assert_eq!(rig.core.remote_output(0, 1, vec![b'x'; 40_000]), Ok(()));
    }
    assert_eq!((rig.core.takes_output(0), rig.core.takes_output(1)), (true, false));
    assert_eq!(rig.core.remote_output(0, 1, b"\n".to_vec()), Ok(()));
    assert!(rig.core.takes_output(1));
}
