//! The processors, from `/proc`.
use crate::v8::{Call, HostOperation};

pub const OPERATIONS: &[(&str, HostOperation)] = &[("os_processors", processors)];

/// The index of each time in a processor's line of /proc/stat.
const TIMES: [(&str, usize); 5] = [("user", 0), ("nice", 1), ("sys", 2), ("idle", 3), ("irq", 5)];

/// `os_processors()`: the model, the speed in MHz and the times in ms of each.
fn processors(call: &Call<'_>) -> bool {
    let scope = &call.scope;
    let about = std::fs::read("/proc/cpuinfo").unwrap_or_default();
    let about = String::from_utf8_lossy(&about);
    let values_of = |wanted: &str| {
        let values = about.lines().filter_map(|line| line.split_once(':')).filter(|(name, _)| name.trim() == wanted);
        values.map(|(_, value)| value.trim().to_owned()).collect::<Vec<_>>()
    };
    let (models, speeds) = (values_of("model name"), values_of("cpu MHz"));
    let ticks_a_second = rustix::param::clock_ticks_per_second().max(1);
    let ms_a_tick = (1000 / ticks_a_second) as f64;
    let stat = std::fs::read_to_string("/proc/stat").unwrap_or_default();
    let lines = stat.lines().filter(|line| line.starts_with("cpu") && !line.starts_with("cpu "));
    let found = lines.enumerate().map(|(index, line)| {
        let numbers: Vec<f64> = line.split_whitespace().skip(1).filter_map(|number| number.parse().ok()).collect();
        let times = scope.object();
        for (name, place) in TIMES {
            scope.put(times, name, scope.number(numbers.get(place).copied().unwrap_or(0.0) * ms_a_tick));
        }
        let model = models.get(index).map_or("unknown", String::as_str);
        let speed = speeds.get(index).and_then(|speed| speed.parse::<f64>().ok()).unwrap_or(0.0);
        let processor = scope.object();
        scope.put(processor, "model", scope.text(model.as_bytes()).unwrap_or_else(|| scope.undefined()));
        scope.put(processor, "speed", scope.number(speed.round()));
        scope.put(processor, "times", times);
        processor
    });
    let found: Vec<_> = found.collect();
    call.answer(scope.array(&found));
    true
}
