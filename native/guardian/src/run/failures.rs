//! The list of failures at the end of a run: what failed, and what did not run because of it.
use std::collections::BTreeMap;

use rt_wire::outcome::Outcome;
use rt_wire::plan::Plan;
use rt_wire::protocol::Bytes;
use rt_wire::template::fill;

use super::events::StepEnd;

/// Records failures as they happen.
#[derive(Default)]
pub struct FailureList {
    /// By task: the step that failed, and how it ended. Interruptions are not failures.
    failed: BTreeMap<u32, (usize, Outcome)>,
    /// Tasks that did not run, in the order of the events, with the label of the failed dependency if there is one.
    skipped: Vec<(u32, Option<Bytes>)>,
}

impl FailureList {
    pub fn record_end(&mut self, task: u32, step: usize, end: StepEnd) {
        if end.outcome != Outcome::Exited(0) && !end.is_interruption() {
            self.failed.insert(task, (step, end.outcome));
        }
    }

    pub fn record_skip(&mut self, task: u32, dependency: Option<Bytes>) {
        self.skipped.push((task, dependency));
    }

    /// Removes the failure of a task that runs again.
    pub fn forget(&mut self, task: u32) {
        self.failed.remove(&task);
        self.skipped.retain(|(skipped, _)| *skipped != task);
    }

    /// The text of the list; may be empty.
    pub fn text(&self, plan: &Plan) -> Bytes {
        let words = &plan.failures;
        let annotates = !words.annotated_exit.is_empty();
        let is_wanted = (words.lists_skipped && !self.skipped.is_empty()) || words.is_always || annotates;
        if self.failed.is_empty() || !is_wanted {
            return Vec::new();
        }
        let mut text = fill(&words.head, &[("count", self.failed.len().to_string().as_bytes())]);
        for (task, (step, outcome)) in &self.failed {
            let Some(step) = plan.tasks.get(*task as usize).and_then(|task| task.steps.get(*step)) else { continue };
            text.extend(sentence(plan, *outcome, &step.name, (&words.exited, &words.signaled)));
        }
        for (task, dependency) in &self.skipped {
            let label = plan.tasks.get(*task as usize).map_or(&b""[..], |task| &task.label);
            let reason = dependency.as_ref().map(|label| fill(&words.dependency, &[("name", label)]));
            text.extend(fill(
                &words.skipped,
                &[("name", label), ("reason", reason.as_ref().unwrap_or(&words.unrelated))],
            ));
        }
        for (task, (step, outcome)) in self.failed.iter().filter(|_| annotates) {
            let Some(step) = plan.tasks.get(*task as usize).and_then(|task| task.steps.get(*step)) else { continue };
            let templates = (&words.annotated_exit, &words.annotated_signal);
            text.extend(sentence(plan, *outcome, &step.annotated_name, templates));
        }
        text
    }
}

/// Fills the first template for an exit code, the second one for a signal.
fn sentence(plan: &Plan, outcome: Outcome, name: &[u8], (exited, signaled): (&Bytes, &Bytes)) -> Bytes {
    match outcome {
        Outcome::Exited(code) => fill(exited, &[("name", name), ("code", code.to_string().as_bytes())]),
        Outcome::Signaled(number) => fill(signaled, &[("name", name), ("signal", plan.words.signal(number))]),
    }
}
