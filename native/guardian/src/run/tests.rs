//! The core with a guardian that the test plays: no script runs, and reports arrive when the test sends them.
use rt_wire::decision::Refusals;
use rt_wire::frames::frame_of;
use rt_wire::plan::{Failures, Problems, Words};
use rt_wire::protocol::Spawn;

use super::*;
use crate::passing;

mod driven;
mod folders;
mod remote;
mod terminals;

const NO_PROCESS: libc::pid_t = libc::pid_t::MAX;
const AT_ONCE: Option<Duration> = Some(Duration::ZERO);
const PIDS: i32 = 1000;

/// The guardian's end of the channel.
struct Guardian {
    channel: Opened,
    frames: Frames,
    passed: Vec<Opened>,
    /// The ends that the scripts write to, by key.
    outputs: BTreeMap<u32, Vec<Opened>>,
    started: Vec<u32>,
    argv: BTreeMap<u32, Vec<Bytes>>,
    other_orders: Vec<Order>,
}

impl Guardian {
    /// Reads the orders that have arrived. Scripts start at once, unless `is_starting` is false.
    fn take_orders(&mut self, is_starting: bool) {
        while system::wait_for([self.channel.0], AT_ONCE)[0] {
            let mut buffer = [0; 1 << 16];
            let Ok((count @ 1.., mut passed)) = passing::receive(&self.channel, &mut buffer) else { return };
            self.passed.append(&mut passed);
            self.frames.feed(&buffer[..count]);
            while let Ok(Some(message)) = self.frames.next_message() {
                match Order::decode(&message) {
                    Some(Order::Spawn(spawn)) => self.start(*spawn, is_starting),
                    order => self.other_orders.extend(order),
                }
            }
        }
    }

    fn start(&mut self, spawn: Spawn, is_starting: bool) {
        let descriptors: Vec<Opened> = self.passed.drain(..spawn.passed as usize).collect();
        if is_starting {
            self.outputs.insert(spawn.key, descriptors);
            self.argv.insert(spawn.key, spawn.argv);
            self.started.push(spawn.key);
            self.report(&Report::Started { key: spawn.key, pid: PIDS + spawn.key as i32, given: 0 });
        }
    }

    fn report(&self, report: &Report) {
        system::send(&self.channel, &frame_of(&report.encode()));
    }

    fn print(&self, key: u32, stream: usize, text: &[u8]) {
        let outputs = &self.outputs[&key];
        // SAFETY: the text is readable.
        let written = unsafe { libc::write(outputs[stream].0, text.as_ptr().cast(), text.len()) };
        assert_eq!(written, text.len() as isize);
    }

    fn end(&mut self, key: u32, status: c_int) {
        self.outputs.remove(&key);
        self.report(&Report::Ended { key, status, cpu_us: 0, peak_bytes: 0 });
    }
}

struct Rig {
    core: RunCore,
    guardian: Guardian,
    events: Vec<Event>,
    out: Opened,
}

impl Rig {
    fn new(plan: Plan, options: Options) -> Rig {
        // A shell starts background jobs with SIGINT ignored, and the core does not listen to ignored signals.
        [libc::SIGHUP, libc::SIGINT, libc::SIGTERM]
            .into_iter()
            .for_each(|signal| crate::signals::set_action(signal, libc::SIG_DFL));
        let (ours, theirs) = system::channel(libc::SOCK_STREAM).unwrap_or_else(|_| unreachable!());
        let client = Client::attach(NO_PROCESS, ours, 1);
        let mut core = RunCore::new(plan, client, options).unwrap_or_else(|_| unreachable!());
        let (out, writer) = system::pipe(0).unwrap_or_else(|_| unreachable!());
        // SAFETY: a plain system call.
        unsafe { libc::fcntl(writer.0, libc::F_SETPIPE_SZ, 1 << 20) }; // room for what a test prints between two looks
        core.out = Output::new(writer.0);
        core.err = Output::new(writer.0);
        std::mem::forget(writer); // the outputs use it to the end of the process
        let guardian = Guardian {
            channel: theirs,
            frames: Frames::default(),
            passed: Vec::new(),
            outputs: BTreeMap::new(),
            started: Vec::new(),
            argv: BTreeMap::new(),
            other_orders: Vec::new(),
        };
        Rig { core, guardian, events: Vec::new(), out }
    }

    fn begin(plan: Plan, options: Options) -> Rig {
        let mut rig = Rig::new(plan, options);
        assert_eq!(rig.core.begin(), Ok(()));
        rig.settle();
        rig
    }

    /// Lets the core and the guardian act until neither has anything to do.
    fn settle(&mut self) {
        for _ in 0..6 {
            self.guardian.take_orders(true);
            assert_eq!(self.core.turn(AT_ONCE, -1), Ok(()));
            self.events.append(&mut self.core.take_events());
        }
    }

    fn end(&mut self, key: u32, status: c_int) {
        self.guardian.end(key, status);
        self.settle();
    }

    fn raise(&mut self, signal: c_int) {
        // SAFETY: the signal is blocked in this thread, and stays pending for it.
        unsafe { libc::raise(signal) };
        self.settle();
    }

    /// The tasks that ended, each with its status and whether it was skipped.
    fn ended(&self) -> Vec<(u32, c_int, bool)> {
        let ended = |event: &Event| match event {
            Event::TaskEnded { task, status, is_skipped, .. } => Some((*task, *status, *is_skipped)),
            _ => None,
        };
        self.events.iter().filter_map(ended).collect()
    }

    fn printed(&self) -> String {
        let mut buffer = vec![0; 1 << 20];
        let count = if system::wait_for([self.out.0], AT_ONCE)[0] { self.out.read(&mut buffer) } else { 0 };
        String::from_utf8_lossy(&buffer[..count]).into_owned()
    }
}

/// A plan with these dependencies, and with so many steps in each task.
fn plan(after: &[&[u32]], steps: usize) -> Plan {
    let step = |task: usize, number: usize| TaskStep {
        prefix: format!("t{task}: ").into_bytes(),
        script: format!("step{number}").into_bytes(),
        name: format!("t{task}").into_bytes(),
        annotated_name: format!("T{task}").into_bytes(),
        process: StepProcess { argv: vec![b"true".to_vec()], ..StepProcess::default() },
    };
    let tasks = after.iter().enumerate().map(|(key, after)| {
        Arc::new(Task {
            label: format!("t{key}").into_bytes(),
            folder: b"/no/such/folder".to_vec(),
            after: after.to_vec(),
            steps: (0..steps).map(|number| step(key, number)).collect(),
        })
    });
    Plan {
        grace_ms: 60_000,
        concurrency: 9,
        is_adaptive: false,
        exits_on_error: true,
        is_joined: true,
        dropped: vec![],
        tasks: tasks.collect(),
        words: Words {
            exited: b"Exited with code {code}".to_vec(),
            signaled: b"Signaled: {signal}".to_vec(),
            done: vec![],
            skipped: b"Skipped".to_vec(),
            signals: (0..32).map(|number| format!("SIG{number}").into_bytes()).collect(),
        },
        failures: Failures {
            is_always: true,
            lists_skipped: true,
            head: b"{count} failed\n".to_vec(),
            exited: b"{name} exited with code {code}\n".to_vec(),
            signaled: b"{name} ended by {signal}\n".to_vec(),
            skipped: b"{name} did not run, because {reason}\n".to_vec(),
            dependency: b"{name} failed".to_vec(),
            unrelated: b"another failed".to_vec(),
            annotated_exit: b"::{name} exited with {code}\n".to_vec(),
            annotated_signal: vec![],
        },
        problems: Problems {
            refusals: Refusals::take(&mut rt_wire::frames::Reader(&[0; 12])).unwrap_or_else(|| unreachable!()),
            lost: vec![],
            unanswered: vec![],
            descriptor_limit: vec![],
            output: vec![],
            folder_gone: b"{folder} is gone\n".to_vec(),
            failed: 1,
        },
    }
}

fn printing() -> Options {
    Options { printer: Some(Printer::default()), lists_failures: true, ..Options::default() }
}

const EXITED_3: c_int = 3 << 8;

#[test]
fn a_task_starts_when_its_dependency_has_ended_and_output_is_reported() {
    let mut rig = Rig::begin(plan(&[&[], &[0]], 1), Options::default());
    assert_eq!(rig.guardian.started, [0]);
    rig.guardian.print(0, 1, b"hello\n");
    rig.settle();
    rig.end(0, 0);
    assert_eq!(rig.guardian.started, [0, 1]);
    let block = b"hello\n".to_vec();
    assert!(rig.events.contains(&Event::Output { task: 0, step: 0, stream: libc::STDOUT_FILENO, block }));
    assert!(rig.events.contains(&Event::Drained { task: 0, step: 0, stream: libc::STDOUT_FILENO }));
    rig.end(1, 0);
    assert!(rig.core.is_finished());
    assert_eq!(rig.ended(), [(0, 0, false), (1, 0, false)]);
    assert_eq!((rig.core.exit_status(), rig.core.signal()), (0, None));
}

#[test]
fn steps_of_a_task_follow_each_other_until_one_fails() {
    let mut rig = Rig::begin(plan(&[&[]], 3), Options::default());
    rig.end(0, 0);
    assert_eq!(rig.guardian.started, [0, 0]);
    rig.end(0, EXITED_3);
    assert!(rig.core.is_finished());
    assert!(rig.events.contains(&Event::StepSkipped { task: 0, step: 2, because: b"step1".to_vec() }));
    assert_eq!(rig.core.exit_status(), 3);
}

#[test]
fn a_failure_interrupts_the_others_and_skips_what_waits() {
    let mut rig = Rig::begin(plan(&[&[], &[], &[1]], 1), Options::default());
    rig.end(0, EXITED_3);
    assert_eq!(rig.guardian.other_orders, [Order::Signal(Some(1), libc::SIGINT)]);
    assert!(matches!(rig.core.life.state, State::Failing { .. }));
    rig.end(1, libc::SIGKILL);
    assert_eq!(rig.ended(), [(0, 3, false), (2, 0, true), (1, 137, false)]);
    assert!(rig.events.contains(&Event::StepSkipped { task: 2, step: 0, because: b"another failed".to_vec() }));
    let requested = |event: &Event| matches!(event, Event::StepEnded { task: 1, end, .. } if end.was_requested);
    assert!(rig.events.iter().any(requested));
    assert_eq!((rig.core.exit_status(), rig.core.signal()), (3, None));
}

#[test]
fn what_outlives_the_grace_period_is_killed() {
    let mut short = plan(&[&[], &[]], 1);
    short.grace_ms = 0;
    let mut rig = Rig::begin(short, Options::default());
    rig.end(0, EXITED_3);
    rig.settle();
    assert_eq!(rig.guardian.other_orders, [Order::Signal(Some(1), libc::SIGINT), Order::Kill(None)]);
    rig.end(1, libc::SIGKILL);
    assert!(rig.core.is_finished());
}

#[test]
fn without_exit_on_error_only_dependents_of_a_failure_are_skipped() {
    let mut lenient = plan(&[&[], &[], &[0]], 1);
    lenient.exits_on_error = false;
    let mut rig = Rig::begin(lenient, Options::default());
    rig.end(0, EXITED_3);
    assert_eq!(rig.guardian.other_orders, []);
    assert!(rig.events.contains(&Event::StepSkipped { task: 2, step: 0, because: b"t0".to_vec() }));
    rig.end(1, 0);
    assert!(rig.core.is_finished());
}

#[test]
fn a_signal_is_forwarded_once_and_ends_the_run() {
    let mut rig = Rig::begin(plan(&[&[], &[0]], 2), Options::default());
    rig.raise(libc::SIGTERM);
    assert_eq!(rig.guardian.other_orders, [Order::Signal(None, libc::SIGTERM)]);
    rig.end(0, 0); // no further step starts
    assert_eq!(rig.guardian.started, [0]);
    assert!(rig.core.is_finished() && !rig.core.is_open());
    assert!(rig.events.contains(&Event::Interrupted { signal: libc::SIGTERM }));
    assert_eq!(rig.core.signal(), Some(libc::SIGTERM));
}

#[test]
fn a_second_ctrl_c_kills_and_another_signal_is_only_forwarded() {
    let mut rig = Rig::begin(plan(&[&[]], 1), Options::default());
    rig.raise(libc::SIGHUP);
    rig.raise(libc::SIGTERM);
    rig.raise(libc::SIGINT);
    let signal = |number| Order::Signal(None, number);
    assert_eq!(rig.guardian.other_orders, [signal(libc::SIGHUP), signal(libc::SIGTERM), Order::Kill(None)]);
}

#[test]
fn a_new_size_of_the_terminal_is_reported() {
    let mut rig = Rig::begin(plan(&[&[]], 1), Options::default());
    rig.raise(libc::SIGWINCH);
    assert!(rig.events.contains(&Event::Resized) && rig.core.is_open());
}

#[test]
fn a_pipe_that_stays_open_is_given_up_soon_after_its_script_has_ended() {
    let mut rig = Rig::begin(plan(&[&[]], 1), Options::default());
    rig.guardian.report(&Report::Ended { key: 0, status: 0, cpu_us: 0, peak_bytes: 0 });
    rig.settle();
    assert!(!rig.core.is_finished());
    while !rig.core.is_finished() {
        assert_eq!(rig.core.turn(None, -1), Ok(()));
    }
}

#[test]
fn a_start_that_a_limit_refuses_is_tried_again_when_another_task_has_ended() {
    let mut rig = Rig::new(plan(&[&[], &[]], 1), Options::default());
    assert_eq!(rig.core.begin(), Ok(()));
    rig.guardian.take_orders(false);
    rig.guardian.report(&Report::Started { key: 0, pid: PIDS, given: 0 });
    rig.guardian.report(&Report::Refused { key: 1, errno: libc::EAGAIN, words: b"no more".to_vec(), path: None });
    rig.settle();
    assert_eq!(rig.guardian.started, []);
    rig.guardian.report(&Report::Ended { key: 0, status: 0, cpu_us: 0, peak_bytes: 0 });
    rig.settle();
    assert_eq!(rig.guardian.started, [1]);
}

#[test]
fn any_other_refusal_ends_the_run() {
    let mut rig = Rig::new(plan(&[&[]], 1), Options::default());
    assert_eq!(rig.core.begin(), Ok(()));
    rig.guardian.take_orders(false);
    let (errno, words) = (libc::ENOENT, b"gone".to_vec());
    rig.guardian.report(&Report::Refused { key: 0, errno, words: words.clone(), path: Some(b"/x".to_vec()) });
    let refused = Failure::Refused { errno, words, path: Some(b"/x".to_vec()) };
    assert_eq!(rig.core.turn(None, -1), Err(Stop::Failed(refused)));
}

#[test]
fn a_step_whose_arguments_cannot_be_encoded_is_refused_without_an_order() {
    let mut broken = plan(&[&[]], 1);
    let task = Arc::make_mut(&mut broken.tasks[0]);
    task.steps[0].process.refusal = b"cannot encode".to_vec();
    let mut rig = Rig::new(broken, Options::default());
    let refused = Failure::Refused { errno: 0, words: b"cannot encode".to_vec(), path: None };
    assert_eq!(rig.core.begin(), Err(Stop::Failed(refused)));
}

#[test]
fn a_restarted_task_is_stopped_first_and_its_dependents_wait() {
    let options = Options { is_watched: true, ..Options::default() };
    let mut rig = Rig::begin(plan(&[&[], &[0]], 1), options);
    let grace = Duration::from_secs(60);
    assert_eq!(rig.core.restart(&[0, 1], None, libc::SIGUSR1, grace), Ok(vec![0, 1]));
    rig.settle();
    assert_eq!(rig.guardian.other_orders, [Order::Signal(Some(0), libc::SIGUSR1)]);
    rig.end(0, libc::SIGUSR1);
    assert!(rig.events.contains(&Event::Restarted { task: 0 }));
    assert_eq!((rig.guardian.started.clone(), rig.ended()), (vec![0, 0], vec![]));
    rig.end(0, 0);
    assert_eq!(rig.guardian.started, [0, 0, 1]);
}

#[test]
fn a_server_runs_on_until_what_it_depends_on_succeeds_again() {
    let mut rig = Rig::begin(plan(&[&[], &[0]], 1), Options { is_watched: true, ..Options::default() });
    rig.end(0, 0);
    for broken in [true, false] {
        assert_eq!(rig.core.restart(&[0, 1], None, libc::SIGUSR1, Duration::from_secs(60)), Ok(vec![0]));
        rig.settle();
        rig.end(0, if broken { EXITED_3 } else { 0 });
        rig.settle();
        assert_eq!(rig.guardian.other_orders.is_empty(), broken);
    }
    assert_eq!(rig.guardian.other_orders, [Order::Signal(Some(1), libc::SIGUSR1)]);
    rig.end(1, libc::SIGUSR1);
    assert_eq!(rig.guardian.started, [0, 1, 0, 0, 1]);
}

#[test]
fn a_restarted_task_that_does_not_end_is_killed() {
    let mut rig = Rig::begin(plan(&[&[]], 1), Options { is_watched: true, ..Options::default() });
    assert_eq!(rig.core.restart(&[0], None, libc::SIGTERM, Duration::ZERO), Ok(vec![0]));
    rig.settle();
    assert_eq!(rig.guardian.other_orders, [Order::Signal(Some(0), libc::SIGTERM), Order::Kill(Some(0))]);
}

#[test]
fn a_stopped_run_ends_when_what_runs_has_ended() {
    let mut rig = Rig::begin(plan(&[&[], &[0]], 1), Options { is_watched: true, ..Options::default() });
    rig.core.stop(libc::SIGTERM, Duration::from_secs(60));
    assert!(!rig.core.is_open() && !rig.core.is_finished());
    rig.settle();
    rig.end(0, libc::SIGTERM);
    assert!(rig.core.is_finished());
    assert_eq!(rig.guardian.started, [0]);
}

#[test]
fn a_printed_run_has_prefixed_lines_ends_and_a_list_of_failures() {
    let mut rig = Rig::begin(plan(&[&[], &[0]], 1), printing());
    rig.guardian.print(0, 1, b"one\ntw");
    rig.settle();
    rig.guardian.print(0, 2, b"o");
    rig.settle();
    rig.end(0, EXITED_3);
    assert!(rig.core.is_finished());
    assert_eq!(rig.core.print_failures(), Ok(()));
    let lines = "t0: one\nt0: two\nt0: Exited with code 3\nt1: Skipped\n";
    let list = "1 failed\nt0 exited with code 3\nt1 did not run, because another failed\n::T0 exited with 3\n";
    assert_eq!(rig.printed(), format!("{lines}{}", list.replace("another failed", "t0 failed")));
    assert!(!rig.events.iter().any(|event| matches!(event, Event::Output { .. } | Event::Drained { .. })));
}

#[test]
fn a_huge_line_holds_the_output_until_it_ends() {
    let mut rig = Rig::begin(plan(&[&[], &[]], 1), printing());
    let mut printed = String::new();
    for _ in 0..5 {
        rig.guardian.print(0, 1, &[b'x'; 20_000]);
        rig.settle();
        printed += &rig.printed();
    }
    rig.guardian.print(1, 1, b"other\n");
    rig.settle();
    assert!(printed.starts_with("t0: xxx") && rig.printed().is_empty());
    rig.guardian.print(0, 1, b"\n");
    rig.settle();
    assert_eq!(rig.printed(), "\nt1: other\n");
}

#[test]
fn a_closed_output_ends_the_run_as_sigpipe_does() {
    let mut rig = Rig::begin(plan(&[&[]], 1), printing());
    let (reader, writer) = system::pipe(0).unwrap_or_else(|_| unreachable!());
    rig.core.out = Output::new(writer.0);
    drop(reader);
    assert_eq!(rig.core.turn(None, -1), Err(Stop::Closed { hung_up: false }));
    rig.guardian.end(0, 0);
    rig.core.close();
    rig.guardian.take_orders(true);
    assert_eq!(rig.guardian.other_orders, [Order::Signal(None, libc::SIGTERM)]);
    assert_eq!(rig.core.signal(), Some(libc::SIGPIPE));
}

#[test]
fn a_signal_during_a_blocked_write_is_acted_on_and_the_write_is_abandoned() {
    let mut rig = Rig::begin(plan(&[&[]], 1), Options::default());
    // SAFETY: the signal is blocked in this thread, and stays pending for it.
    unsafe { libc::raise(libc::SIGTERM) };
    assert_eq!(rig.core.write(Sink::Out, &vec![0; 1 << 21]), Err(Stop::Abandoned));
    rig.core.close();
    assert_eq!(rig.core.write(Sink::Out, b"more"), Err(Stop::Abandoned)); // instead of waiting forever
    rig.guardian.take_orders(true);
    assert_eq!(rig.guardian.other_orders, [Order::Signal(None, libc::SIGTERM)]);
    assert_eq!(rig.core.signal(), Some(libc::SIGTERM));
}
