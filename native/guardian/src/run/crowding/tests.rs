use super::*;

const BUSY: fn() -> Option<Ticks> = || None;

fn ticks(idle: u64, all: u64) -> impl FnOnce() -> Option<Ticks> {
    move || Some(Ticks { idle, all })
}

#[test]
fn the_first_number_depends_on_the_cpus() {
    assert_eq!([1, 2, 3, 8, 64].map(initial_for), [4, 4, 6, 16, 128]);
}

#[test]
fn the_ticks_of_all_cpus_are_read() {
    let text = "cpu  10 1 5 100 20 0 2 3 7 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n";
    assert_eq!(Ticks::parse(text), Some(Ticks { idle: 120, all: 141 }));
    for broken in ["", "cpu0 1 2 3 4 5 6 7 8\n", "cpu  1 2\n", "cpu  1 x 3 4 5\n"] {
        assert_eq!(Ticks::parse(broken), None, "{broken:?}");
    }
    assert!(Ticks::now().is_some());
}

#[test]
fn the_slots_double_at_each_review_while_cpus_are_idle() {
    let (mut crowding, start) = (Crowding::default(), Instant::now());
    assert_eq!(crowding.review(start, 4, 4, ticks(0, 0)), 0);
    assert_eq!(crowding.deadline(), Some(start + REVIEW));
    assert_eq!(crowding.review(start + REVIEW / 2, 4, 4, || unreachable!()), 0);
    assert_eq!(crowding.review(start + REVIEW, 4, 4, ticks(30, 100)), 4);
    assert_eq!(crowding.review(start + REVIEW * 2, 8, 8, ticks(59, 200)), 0);
    assert_eq!(crowding.review(start + REVIEW * 3, 8, 8, ticks(159, 300)), 8);
    crowding.rest();
    assert_eq!(crowding.deadline(), None);
}

#[test]
fn a_run_in_which_nothing_starts_gets_a_slot_although_the_cpus_are_busy() {
    let (mut crowding, start) = (Crowding::default(), Instant::now());
    assert_eq!(crowding.review(start, 4, 4, BUSY), 0);
    assert_eq!(crowding.review(start + REVIEW, 4, 4, BUSY), 0);
    assert_eq!(crowding.review(start + REVIEW * 2, 4, 5, BUSY), 0); // one has ended, and another has started
    assert_eq!(crowding.review(start + REVIEW * 2 + STALLED - REVIEW, 4, 5, BUSY), 0);
    assert_eq!(crowding.review(start + REVIEW * 2 + STALLED, 4, 5, BUSY), 1);
    assert_eq!(crowding.review(start + REVIEW * 3 + STALLED, 5, 6, BUSY), 0);
}
