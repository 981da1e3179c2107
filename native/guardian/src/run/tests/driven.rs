//! The core under a driver that schedules.
use super::*;

fn driven() -> Options {
    Options { is_driven: true, ..printing() }
}

#[test]
fn a_driver_supplies_the_processes_of_each_step_when_it_starts_a_task() {
    let mut rig = Rig::begin(plan(&[&[], &[]], 2), driven());
    let process = |word: &[u8]| StepProcess { argv: vec![word.to_vec()], ..StepProcess::default() };
    assert_eq!(rig.core.start(1, vec![process(b"first"), process(b"second")]), Ok(true));
    rig.settle();
    assert_eq!(rig.guardian.argv, BTreeMap::from([(1, vec![b"first".to_vec()])]));
    rig.end(1, 0);
    assert_eq!(rig.guardian.argv, BTreeMap::from([(1, vec![b"second".to_vec()])]));
}

#[test]
fn a_driver_that_schedules_starts_tasks_in_any_order_and_failures_have_no_effect_on_others() {
    let mut rig = Rig::begin(plan(&[&[], &[0], &[0]], 1), driven());
    assert_eq!((rig.guardian.started.clone(), rig.core.is_finished()), (vec![], false));
    assert_eq!(rig.core.start(1, vec![]), Ok(true)); // although task 0 has not run
    assert_eq!(rig.core.start(1, vec![]), Ok(false));
    assert_eq!(rig.core.start(9, vec![]), Ok(false));
    rig.settle();
    rig.guardian.print(1, 1, b"ready\n");
    rig.settle();
    let block = b"ready\n".to_vec();
    assert!(rig.events.contains(&Event::Output { task: 1, step: 0, stream: libc::STDOUT_FILENO, block }));
    assert_eq!(rig.core.start(0, vec![]), Ok(true));
    rig.settle();
    rig.end(0, EXITED_3);
    assert_eq!((rig.guardian.other_orders.clone(), rig.ended()), (vec![], vec![(0, 3, false)]));
    assert_eq!(rig.core.skip(2, Some(0)), Ok(true));
    assert_eq!(rig.core.start(2, vec![]), Ok(false));
    rig.settle();
    assert!(rig.core.end(1, libc::SIGTERM, Duration::from_secs(60), false));
    rig.settle();
    assert_eq!(rig.guardian.other_orders, [Order::Signal(Some(1), libc::SIGTERM)]);
    assert!(!rig.core.is_finished());
    rig.end(1, libc::SIGTERM);
    assert!(rig.core.is_finished() && !rig.core.end(1, libc::SIGTERM, Duration::ZERO, false));
    assert_eq!(rig.ended(), [(0, 3, false), (2, 0, true), (1, 143, false)]);
    assert_eq!(rig.core.exit_status(), 3);
    assert_eq!(rig.core.print_failures(), Ok(()));
    let list = "1 failed\nt0 exited with code 3\nt2 did not run, because t0 failed\n::T0 exited with 3\n";
    assert!(rig.printed().ends_with(list));
}

#[test]
fn a_task_that_finishes_without_running_repeats_its_output() {
    let mut rig = Rig::begin(plan(&[&[], &[0]], 2), driven());
    assert_eq!(rig.core.start(1, vec![]), Ok(true));
    let output = [(0, 1, b"one\nhalf ".to_vec()), (0, 1, b"line".to_vec()), (1, 2, b"two\n".to_vec())];
    assert_eq!(rig.core.finish(0, output.to_vec(), b"cached".to_vec()), Ok(true));
    assert_eq!(rig.core.finish(0, output.to_vec(), b"cached".to_vec()), Ok(false));
    rig.settle();
    assert_eq!(rig.printed(), "t0: one\nt0: half line\nt0: two\nt0: cached\n");
    assert_eq!((rig.guardian.started.clone(), rig.ended()), (vec![1], vec![(0, 0, false)]));
    let ends = |event: &&Event| matches!(event, Event::StepEnded { end, .. } if *end == StepEnd::REPLAYED);
    assert_eq!(rig.events.iter().filter(ends).count(), 2);
    rig.end(1, 0);
    rig.end(1, 0);
    assert!(rig.core.is_finished());
}

#[test]
fn hidden_tasks_that_finish_without_running_are_printed_in_order_and_not_reported() {
    let mut rig = Rig::begin(plan(&[&[], &[], &[]], 1), driven());
    rig.core.hide_replays();
    let output = vec![(0, 1, b"stored\n".to_vec())];
    assert_eq!(rig.core.finish(0, output.clone(), b"cached".to_vec()), Ok(true));
    assert_eq!(rig.core.finish(2, output, b"cached".to_vec()), Ok(true));
    assert_eq!(rig.printed(), "", "lines are written together");
    assert_eq!(rig.core.write(Sink::Out, b"between\n"), Ok(()));
    assert_eq!(rig.printed(), "t0: stored\nt0: cached\nt2: stored\nt2: cached\nbetween\n");
    assert_eq!(rig.core.start(1, vec![]), Ok(true));
    rig.settle();
    rig.guardian.print(1, 1, b"ran\n");
    rig.settle();
    rig.end(1, 0);
    assert_eq!(rig.ended(), [(1, 0, false)]);
    assert!(rig.events.iter().any(|event| matches!(event, Event::Output { task: 1, .. })));
    assert!(rig.core.is_finished());
}

#[test]
fn a_task_that_finishes_without_running_waits_for_a_huge_line() {
    let mut rig = Rig::begin(plan(&[&[], &[]], 1), driven());
    assert_eq!(rig.core.start(0, vec![]), Ok(true));
    rig.settle();
    rig.guardian.print(0, 1, &[b'x'; 40_000]);
    rig.settle();
    rig.guardian.print(0, 1, &[b'x'; 40_000]);
    rig.settle();
    assert!(rig.printed().starts_with("t0: xxx"));
    assert_eq!(rig.core.finish(1, vec![(0, 1, b"other\n".to_vec())], vec![]), Ok(true));
    assert_eq!((rig.printed(), rig.ended()), (String::new(), vec![]));
    rig.guardian.print(0, 1, b"\n");
    rig.settle();
    assert_eq!((rig.printed().as_str(), rig.ended()), ("\nt1: other\n", vec![(1, 0, false)]));
}

#[test]
fn a_task_that_succeeds_in_its_second_attempt_has_not_failed() {
    let mut rig = Rig::begin(plan(&[&[]], 1), driven());
    assert_eq!(rig.core.start(0, vec![]), Ok(true));
    rig.settle();
    rig.end(0, EXITED_3);
    assert_eq!(rig.core.exit_status(), 3);
    assert_eq!(rig.core.restart(&[0], None, libc::SIGTERM, Duration::ZERO), Ok(vec![0]));
    assert!(!rig.core.is_finished());
    assert_eq!(rig.core.start(0, vec![]), Ok(true));
    rig.settle();
    rig.end(0, 0);
    assert_eq!((rig.guardian.started.clone(), rig.core.exit_status()), (vec![0, 0], 0));
    assert_eq!(rig.core.print_failures(), Ok(()));
    assert!(!rig.printed().contains("failed"));
}

#[test]
fn a_driver_that_schedules_learns_that_a_limit_deferred_a_task() {
    let mut rig = Rig::begin(plan(&[&[], &[]], 1), driven());
    assert_eq!((rig.core.start(0, vec![]), rig.core.start(1, vec![])), (Ok(true), Ok(true)));
    rig.guardian.take_orders(false);
    rig.guardian.report(&Report::Started { key: 0, pid: PIDS, given: 0 });
    rig.guardian.report(&Report::Refused { key: 1, errno: libc::EAGAIN, words: b"no more".to_vec(), path: None });
    rig.settle();
    assert!(rig.events.contains(&Event::Deferred { task: 1 }));
    rig.guardian.report(&Report::Ended { key: 0, status: 0, cpu_us: 0, peak_bytes: 0 });
    rig.settle();
    assert_eq!(rig.guardian.started, []);
    assert_eq!(rig.core.start(1, vec![]), Ok(true));
    rig.settle();
    assert_eq!(rig.guardian.started, [1]);
}

#[test]
fn an_interrupted_or_stopped_run_starts_nothing_for_its_driver() {
    let mut rig = Rig::begin(plan(&[&[], &[]], 1), driven());
    assert_eq!(rig.core.start(0, vec![]), Ok(true));
    rig.settle();
    rig.raise(libc::SIGTERM);
    let commands = [rig.core.start(1, vec![]), rig.core.finish(1, vec![], vec![]), rig.core.skip(1, None)];
    assert_eq!(commands, [Ok(false), Ok(false), Ok(false)]);
    rig.end(0, libc::SIGTERM);
    assert!(rig.core.is_finished());
    let mut rig = Rig::begin(plan(&[&[]], 1), driven());
    rig.core.stop(libc::SIGTERM, Duration::ZERO);
    assert_eq!(rig.core.start(0, vec![]), Ok(false));
    assert!(rig.core.is_finished());
}

#[test]
fn the_end_of_a_task_that_the_user_stops_is_not_a_failure() {
    let mut rig = Rig::begin(plan(&[&[], &[], &[1]], 2), printing());
    assert!(rig.core.end(0, libc::SIGTERM, Duration::from_secs(60), true));
    assert_eq!(rig.core.skip(2, Some(1)), Ok(true)); // before its dependency ends, which would start it
    assert!(rig.core.end(1, libc::SIGTERM, Duration::from_secs(60), true));
    rig.settle();
    rig.end(0, EXITED_3);
    rig.end(1, libc::SIGTERM);
    assert_eq!(
        (rig.guardian.started.clone(), rig.ended()),
        (vec![0, 1], vec![(2, 0, true), (0, 3, false), (1, 143, false)])
    );
    assert!(rig.core.is_finished());
    assert_eq!((rig.core.exit_status(), rig.core.print_failures()), (0, Ok(())));
    assert!(!rig.printed().contains("failed"));
}

#[test]
fn output_that_the_core_prints_is_reported_on_request() {
    for reports_output in [false, true] {
        let mut rig = Rig::begin(plan(&[&[]], 1), Options { reports_output, ..printing() });
        rig.guardian.print(0, 1, b"hello\n");
        rig.settle();
        let block = b"hello\n".to_vec();
        let event = Event::Output { task: 0, step: 0, stream: libc::STDOUT_FILENO, block };
        assert_eq!((rig.events.contains(&event), rig.printed().contains("hello")), (reports_output, true));
        rig.end(0, 0);
    }
}
