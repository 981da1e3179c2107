use super::*;

fn schedule(concurrency: usize, after: &[Vec<u32>]) -> Schedule {
    Schedule::new(concurrency, after.iter().map(|needs| &needs[..])).unwrap_or_else(|| unreachable!())
}

fn take_all(schedule: &mut Schedule) -> Vec<u32> {
    std::iter::from_fn(|| schedule.take_ready()).collect()
}

/// A small generator of numbers, the same in every run (xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }

    fn pick(&mut self, from: &[u32]) -> u32 {
        from[self.below(from.len())]
    }

    /// An acyclic graph of up to twelve tasks in random listing order.
    fn graph(&mut self) -> Vec<Vec<u32>> {
        let count = 1 + self.below(12);
        let mut order: Vec<u32> = (0..count as u32).collect();
        (1..count).for_each(|place| order.swap(place, self.below(place + 1)));
        let mut after = vec![Vec::new(); count];
        for (place, key) in order.iter().enumerate().skip(1) {
            after[*key as usize] = (0..self.below(5)).map(|_| order[self.below(place)]).collect();
        }
        after
    }
}

/// `keys` and everything that depends on one of them.
fn with_dependents(keys: &[u32], after: &[Vec<u32>]) -> Vec<u32> {
    let mut found = keys.to_vec();
    while let Some(more) = (0..)
        .zip(after)
        .find(|(key, needs)| !found.contains(key) && needs.iter().any(|need| found.contains(need)))
        .map(|(key, _)| key)
    {
        found.push(more);
    }
    found.sort_unstable();
    found
}

const GRAPHS: u64 = 400;

#[test]
fn every_task_runs_once_in_order_and_within_the_limit() {
    for seed in 1..GRAPHS {
        let mut numbers = Numbers(seed);
        let after = numbers.graph();
        let limit = 1 + numbers.below(4);
        let mut one = schedule(limit, &after);
        let mut done = Vec::new();
        while !one.is_finished() {
            for key in take_all(&mut one) {
                assert!(after[key as usize].iter().all(|need| done.contains(need)));
            }
            assert!((1..=limit).contains(&one.running().len()));
            let key = numbers.pick(&one.running());
            assert_eq!(one.end(key, 0), []);
            done.push(key);
        }
        done.sort_unstable();
        assert!(done.into_iter().eq(0..after.len() as u32));
        assert_eq!(one.exit_status(), 0);
    }
}

#[test]
fn a_failure_skips_exactly_what_depends_on_it() {
    for seed in 1..GRAPHS {
        let mut numbers = Numbers(seed);
        let after = numbers.graph();
        let failing = numbers.below(after.len()) as u32;
        let mut one = schedule(99, &after);
        let (mut ran, mut skipped) = (Vec::new(), Vec::new());
        while !one.is_finished() {
            take_all(&mut one);
            let key = one.running()[0];
            ran.push(key);
            skipped.extend(one.end(key, if key == failing { 7 } else { 0 }).into_iter().map(|(key, _)| key));
        }
        let mut expected = with_dependents(&[failing], &after);
        expected.retain(|key| *key != failing);
        skipped.sort_unstable();
        assert_eq!(skipped, expected);
        assert_eq!(ran.len() + skipped.len(), after.len());
        assert_eq!(one.exit_status(), 7);
    }
}

#[test]
fn stale_tasks_run_again_in_order_and_others_do_not() {
    for seed in 1..GRAPHS {
        let mut numbers = Numbers(seed);
        let after = numbers.graph();
        let mut one = schedule(99, &after);
        let mut runs = vec![0; after.len()];
        let mut succeeded: Vec<u32> = Vec::new();
        let mut turn = |one: &mut Schedule, numbers: &mut Numbers, succeeded: &mut Vec<u32>, may_fail: bool| {
            for key in take_all(one) {
                assert!(after[key as usize].iter().all(|need| succeeded.contains(need)));
                runs[key as usize] += 1;
            }
            if !one.running().is_empty() {
                let key = numbers.pick(&one.running());
                let runs_again = one.runs_again(key);
                let status = if may_fail { numbers.below(2) as u8 } else { 0 };
                one.end(key, status);
                if status == 0 && !runs_again {
                    succeeded.push(key);
                }
            }
            runs.clone()
        };
        let mut before = vec![0; after.len()];
        for _ in 0..numbers.below(2 * after.len() + 1) {
            before = turn(&mut one, &mut numbers, &mut succeeded, true);
        }
        let stale = with_dependents(&[numbers.below(after.len()) as u32], &after);
        let running = one.running();
        let restarted = one.restart(&stale);
        assert!(restarted.leaving.iter().all(|key| running.contains(key) && stale.contains(key)));
        let count = restarted.leaving.len() + restarted.outdated.len() + restarted.waiting.len();
        assert_eq!(count, stale.len());
        succeeded.retain(|key| !stale.contains(key));
        let mut now = before.clone();
        while !one.is_finished() {
            now = turn(&mut one, &mut numbers, &mut succeeded, false);
        }
        assert!(
            stale.iter().filter(|key| succeeded.contains(key)).all(|key| now[*key as usize] > before[*key as usize])
        );
        let untouched = running.iter().filter(|key| !stale.contains(key));
        assert!(untouched.into_iter().all(|key| now[*key as usize] == before[*key as usize]));
    }
}

#[test]
fn ready_tasks_start_in_listing_order() {
    let mut one = schedule(2, &[vec![], vec![], vec![], vec![0]]);
    assert_eq!(take_all(&mut one), [0, 1]);
    one.end(0, 0);
    assert_eq!(take_all(&mut one), [2]);
}

#[test]
fn a_task_starts_when_all_its_dependencies_have_succeeded() {
    let mut one = schedule(8, &[vec![1, 2, 2], vec![], vec![]]);
    assert_eq!(take_all(&mut one), [1, 2]);
    assert_eq!(one.end(1, 0), []);
    assert_eq!(take_all(&mut one), []);
    assert_eq!(one.end(2, 0), []);
    assert_eq!(take_all(&mut one), [0]);
    assert!(!one.is_finished());
    one.end(0, 3);
    assert!(one.is_finished());
    assert_eq!(one.exit_status(), 3);
}

#[test]
fn the_first_failing_status_in_listing_order_counts() {
    let mut one = schedule(9, &[vec![], vec![], vec![]]);
    take_all(&mut one);
    for (key, status) in [(2, 9), (1, 5), (0, 0)] {
        one.end(key, status);
    }
    assert_eq!(one.exit_status(), 5);
}

#[test]
fn the_cause_of_a_skipped_task_is_its_own_dependency() {
    let mut one = schedule(1, &[vec![], vec![0], vec![1], vec![]]);
    assert_eq!(take_all(&mut one), [0]);
    assert_eq!(one.end(0, 1), [(1, 0), (2, 1)]);
    assert_eq!(take_all(&mut one), [3]);
    assert_eq!(one.stop(), []);
}

#[test]
fn stopping_gives_up_what_has_not_started() {
    let mut one = schedule(1, &[vec![], vec![0], vec![]]);
    assert_eq!(take_all(&mut one), [0]);
    assert_eq!(one.stop(), [1, 2]);
    assert_eq!(take_all(&mut one), []);
    assert!(!one.is_finished());
    one.end(0, 0);
    assert!(one.is_finished());
}

#[test]
fn a_refused_start_is_tried_again_with_fewer_at_once() {
    let mut one = schedule(3, &[vec![], vec![], vec![], vec![]]);
    assert_eq!(take_all(&mut one), [0, 1, 2]);
    one.put_back(2);
    assert_eq!(take_all(&mut one), []);
    one.end(0, 0);
    assert_eq!(take_all(&mut one), [2]);
    assert_eq!(one.stop(), [3]);
}

#[test]
fn a_task_that_leaves_runs_again_when_it_has_ended() {
    let mut one = schedule(9, &[vec![], vec![0]]);
    let restarted = |leaving: &[u32], waiting: &[u32]| Restarted {
        leaving: leaving.into(),
        waiting: waiting.into(),
        ..Restarted::default()
    };
    assert_eq!(take_all(&mut one), [0]);
    assert_eq!(one.restart(&[0, 1, 1]), restarted(&[0], &[1]));
    assert!(one.runs_again(0));
    assert_eq!(one.restart(&[0]), restarted(&[], &[])); // it is being stopped already
    assert_eq!(take_all(&mut one), []);
    assert_eq!(one.end(0, 143), []);
    assert_eq!(take_all(&mut one), [0]);
    assert_eq!(one.end(0, 0), []);
    assert_eq!(take_all(&mut one), [1]);
    one.end(1, 3);
    assert!(one.is_finished());
    assert_eq!(one.exit_status(), 3);
    assert_eq!(one.restart(&[1]), restarted(&[], &[1]));
    assert_eq!(one.exit_status(), 0);
}

/// A build, and a server that depends on it and runs.
fn build_and_server(concurrency: usize) -> Schedule {
    let mut one = schedule(concurrency, &[vec![], vec![0]]);
    assert_eq!(take_all(&mut one), [0]);
    one.end(0, 0);
    assert_eq!(take_all(&mut one), [1]);
    let restarted = one.restart(&[0, 1]);
    assert_eq!(restarted, Restarted { leaving: vec![], outdated: vec![1], waiting: vec![0] });
    assert_eq!(take_all(&mut one), [0]);
    one
}

#[test]
fn a_running_dependent_is_stopped_once_its_dependencies_have_succeeded_again() {
    let mut one = build_and_server(1);
    assert_eq!((one.running(), one.take_leaving()), (vec![0, 1], vec![]));
    assert_eq!(one.end(0, 0), []);
    assert_eq!((one.take_leaving(), one.take_leaving()), (vec![1], vec![]));
    assert_eq!(take_all(&mut one), []);
    assert_eq!(one.end(1, 143), []);
    assert_eq!(take_all(&mut one), [1]);
}

#[test]
fn a_running_dependent_runs_on_when_a_dependency_fails() {
    let mut one = build_and_server(2);
    assert_eq!(one.end(0, 1), []); // nothing is skipped
    assert_eq!((one.running(), one.take_leaving()), (vec![1], vec![]));
    assert_eq!(one.restart(&[0, 1]).outdated, [1]);
    assert_eq!(take_all(&mut one), [0]);
    one.end(0, 0);
    assert_eq!(one.take_leaving(), [1]);
}

#[test]
fn an_outdated_task_that_ends_waits_for_its_dependencies() {
    let mut one = build_and_server(2);
    assert!(one.runs_again(1));
    assert_eq!(one.end(1, 5), []);
    assert_eq!(take_all(&mut one), []);
    assert_eq!(one.end(0, 0), []);
    assert_eq!((take_all(&mut one), one.take_leaving()), (vec![1], vec![]));
}

#[test]
fn an_outdated_task_that_ends_after_a_dependency_failed_is_over() {
    for (status, exit_status) in [(0, 1), (5, 1)] {
        let mut one = build_and_server(2);
        one.end(0, 1);
        assert!(!one.runs_again(1));
        one.end(1, status);
        assert!(one.is_finished());
        assert_eq!(one.exit_status(), exit_status);
        assert_eq!(one.restart(&[0, 1]).waiting, [0, 1]);
    }
}

#[test]
fn an_outdated_task_ends_with_a_stopped_run() {
    let mut one = build_and_server(2);
    assert_eq!(one.stop(), []);
    one.end(0, 0);
    assert_eq!(one.take_leaving(), []);
    assert_eq!((one.runs_again(1), one.end(1, 0)), (false, vec![]));
    assert!(one.is_finished());
}

#[test]
fn a_dependency_that_does_not_exist_is_refused() {
    assert!(Schedule::new(1, [&[7u32][..]].into_iter()).is_none());
}
