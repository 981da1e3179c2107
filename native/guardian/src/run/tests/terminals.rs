//! The core when each task has a terminal.
use super::*;
use crate::pseudo_terminal::Size;
use crate::run::terminals::MOST_INPUT;
use crate::terminal;

const SIZE: Size = Size { rows: 24, columns: 80 };

fn begin(steps: usize) -> Rig {
    Rig::begin(plan(&[&[]], steps), Options { terminal: Some(SIZE), ..Options::default() })
}

fn device(rig: &Rig) -> &Opened {
    &rig.guardian.outputs[&0][0]
}

fn size_of(device: &Opened) -> (u16, u16) {
    // SAFETY: the call fills the structure.
    unsafe {
        let mut size: libc::winsize = std::mem::zeroed();
        assert_eq!(libc::ioctl(device.0, libc::TIOCGWINSZ, &raw mut size), 0);
        (size.ws_row, size.ws_col)
    }
}

fn make_raw(device: &Opened) {
    let mut modes = terminal::get(device.0).unwrap_or_else(|_| unreachable!());
    // SAFETY: the call changes plain data.
    unsafe { libc::cfmakeraw(&mut modes) };
    assert!(terminal::set(device.0, &modes));
}

fn output(rig: &Rig) -> String {
    let block = |event: &Event| match event {
        Event::Output { block, .. } => block.clone(),
        _ => vec![],
    };
    String::from_utf8_lossy(&rig.events.iter().flat_map(block).collect::<Vec<u8>>()).into_owned()
}

#[test]
fn the_streams_of_a_task_are_one_terminal_whose_hang_up_is_the_end_of_output() {
    let mut rig = begin(1);
    assert_eq!(rig.guardian.outputs[&0].len(), 3);
    for stream in 0..3 {
        rig.guardian.print(0, stream, b"one\n");
    }
    rig.settle();
    assert_eq!(output(&rig), "one\r\n".repeat(3));
    let drained = Event::Drained { task: 0, step: 0, stream: libc::STDOUT_FILENO };
    assert!(!rig.events.contains(&drained));
    rig.guardian.print(0, 1, b"last");
    rig.end(0, 0);
    assert!(output(&rig).ends_with("last") && rig.events.contains(&drained));
    assert!(rig.core.is_finished());
}

#[test]
fn a_terminal_keeps_its_size_over_steps_and_gets_input() {
    let mut rig = begin(2);
    assert_eq!(size_of(device(&rig)), (24, 80));
    let larger = Size { rows: 50, columns: 300 };
    rig.core.resize(0, larger);
    rig.core.resize(7, larger); // there is no such task
    assert_eq!((size_of(device(&rig)), rig.core.write_input(7, b"x")), ((50, 300), 0));
    assert_eq!(rig.core.write_input(0, b"hello\n"), 6);
    let mut typed = [0; 64];
    let count = device(&rig).read(&mut typed);
    assert_eq!(&typed[..count], b"hello\n");
    rig.end(0, 0);
    assert_eq!(output(&rig), "hello\r\n"); // the echo
    assert_eq!((rig.guardian.started.len(), size_of(device(&rig))), (2, (50, 300)));
    rig.end(0, 0);
    assert_eq!(rig.core.write_input(0, b"x"), 0);
}

#[test]
fn input_that_a_task_does_not_read_is_bounded_and_blocks_nothing() {
    let mut rig = begin(1);
    make_raw(device(&rig));
    let typed = vec![b'x'; MOST_INPUT];
    let mut accepted = 0;
    loop {
        let count = rig.core.write_input(0, &typed);
        accepted += count;
        if count < typed.len() {
            break;
        }
    }
    assert!((MOST_INPUT..2 * MOST_INPUT).contains(&accepted));
    rig.guardian.print(0, 1, b"still here");
    rig.settle();
    assert_eq!(output(&rig), "still here");
    let mut buffer = [0; 1 << 16];
    while accepted > 0 {
        accepted -= device(&rig).read(&mut buffer);
        rig.settle();
    }
    assert_eq!(system::wait_for([device(&rig).0], AT_ONCE), [false]);
    rig.end(0, 0);
}

#[test]
fn without_terminals_there_is_no_input() {
    let mut rig = Rig::begin(plan(&[&[]], 1), Options::default());
    rig.core.resize(0, SIZE);
    assert_eq!(rig.core.write_input(0, b"x"), 0);
    rig.end(0, 0);
}

#[test]
fn what_is_replayed_ends_its_lines_as_a_terminal_does() {
    let mut rig = Rig::begin(plan(&[&[]], 1), Options { terminal: Some(SIZE), is_driven: true, ..Options::default() });
    assert_eq!(rig.core.finish(0, vec![(0, 1, b"one\ntwo\n".to_vec())], vec![]), Ok(true));
    rig.settle();
    assert_eq!(output(&rig), "one\r\ntwo\r\n");
}
