//! The report of a fatal error (`--report-on-fatalerror`). JavaScript composes it in advance; what is known only at the
//! end is filled in then, on any thread, without V8.
use std::fs;
use std::mem::zeroed;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use rt_guardian::system::microseconds;

use crate::v8::api::layout::CallbackInfo;
use crate::v8::values::function::Natives;
use crate::v8::values::function::guarded;
use crate::v8::values::interrupt::FATAL_REPORT;

pub const NATIVES: Natives = &[("fatalReport_keep", keep)];

/// A report with placeholders such as `"event": "@event@"` and `"userCpuSeconds": "@userCpuSeconds@"`. The first
/// occurrence of each as a member of that name is replaced; of the program's own texts only the command line, an array,
/// precedes some of them.
struct PreparedReport {
    text: String,
    folder: String,
    /// Empty if the name is derived from the time.
    name: String,
    sequence: i64,
}

static PREPARED: Mutex<Option<PreparedReport>> = Mutex::new(None);

/// `fatalReport_keep(text, folder, name, sequence)`: sets the report to write if the process ends by a fatal error;
/// without a text, none is written.
extern "C" fn keep(info: &CallbackInfo) {
    guarded(info, |call| {
        let text = |index| call.utf8(index).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let report = text(0).map(|all| PreparedReport {
            text: all,
            folder: text(1).unwrap_or_default(),
            name: text(2).unwrap_or_default(),
            sequence: call.integer(3),
        });
        let _ = FATAL_REPORT.set(write);
        *PREPARED.lock().unwrap_or_else(PoisonError::into_inner) = report;
    });
}

/// Writes the report, at most once. Called just before the process ends.
pub fn write(event: &str) {
    let Some(report) = PREPARED.lock().unwrap_or_else(PoisonError::into_inner).take() else { return };
    let now = Now::read();
    let name = if report.name.is_empty() { now.name(report.sequence) } else { report.name.clone() };
    let text = fill_template(&report.text, event, &name, &now);
    if let "stdout" | "stderr" = name.as_str() {
        let descriptor = if name == "stdout" { 1 } else { 2 };
        // SAFETY: `text` is alive, and nothing closes these descriptors now.
        unsafe { libc::write(descriptor, text.as_ptr().cast(), text.len()) };
        return;
    }
    eprint!("\nWriting Node.js report to file: {name}");
    let path = if report.folder.is_empty() { name.clone().into() } else { Path::new(&report.folder).join(&name) };
    match fs::write(&path, text) {
        Ok(()) => eprintln!("\nNode.js report completed"),
        Err(problem) => eprintln!("\nFailed to open Node.js report file: {} ({problem})", path.display()),
    }
}

/// The current time, in local time and UTC.
struct Now {
    milliseconds: i128,
    local: libc::tm,
    universal: libc::tm,
}

impl Now {
    fn read() -> Now {
        // SAFETY: the structures consist of numbers, and the C library fills them.
        unsafe {
            let (mut time, mut local, mut universal) = zeroed::<(libc::timespec, libc::tm, libc::tm)>();
            libc::clock_gettime(libc::CLOCK_REALTIME, &mut time);
            libc::localtime_r(&time.tv_sec, &mut local);
            libc::gmtime_r(&time.tv_sec, &mut universal);
            Now {
                milliseconds: i128::from(time.tv_sec) * 1000 + i128::from(time.tv_nsec) / 1_000_000,
                local,
                universal,
            }
        }
    }

    fn name(&self, sequence: i64) -> String {
        let process = std::process::id();
        format!("report.{}.{process}.0.{sequence:03}.json", stamp(&self.local))
    }
}

/// Local date and time, as in file names.
pub fn local_stamp() -> String {
    stamp(&Now::read().local)
}

fn stamp(time: &libc::tm) -> String {
    let [year, month, day, hour, minute, second] = parts(time);
    format!("{year}{month:02}{day:02}.{hour:02}{minute:02}{second:02}")
}

fn parts(time: &libc::tm) -> [i32; 6] {
    [time.tm_year + 1900, time.tm_mon + 1, time.tm_mday, time.tm_hour, time.tm_min, time.tm_sec]
}

fn quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            letter if letter < ' ' => quoted.push_str(&format!("\\u{:04x}", letter as u32)),
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

fn fill_template(text: &str, event: &str, name: &str, now: &Now) -> String {
    let [year, month, day, hour, minute, second] = parts(&now.universal);
    // SAFETY: the structure consists of numbers, and the kernel fills it.
    let usage = unsafe {
        let mut usage = zeroed::<libc::rusage>();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        usage
    };
    let seconds = |time: libc::timeval| microseconds(time) as f64 / 1e6;
    let gaps = [
        ("event", quote(event)),
        ("filename", quote(name)),
        ("dumpEventTime", quote(&format!("{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"))),
        ("dumpEventTimeStamp", quote(&now.milliseconds.to_string())),
        ("userCpuSeconds", seconds(usage.ru_utime).to_string()),
        ("kernelCpuSeconds", seconds(usage.ru_stime).to_string()),
        ("maxRss", (i128::from(usage.ru_maxrss) * 1024).to_string()),
        ("IORequired", usage.ru_majflt.to_string()),
        ("IONotRequired", usage.ru_minflt.to_string()),
        ("reads", usage.ru_inblock.to_string()),
        ("writes", usage.ru_oublock.to_string()),
    ];
    gaps.iter().fold(text.to_owned(), |text, (gap, value)| {
        // The name precedes the placeholder: a text of the program may equal the placeholder, but cannot contain bare
        // quotes.
        let fill = |space: &str| (format!("\"{gap}\":{space}\"@{gap}@\""), format!("\"{gap}\":{space}{value}"));
        let ((wide, wide_filled), (narrow, narrow_filled)) = (fill(" "), fill(""));
        if text.contains(&wide) {
            text.replacen(&wide, &wide_filled, 1)
        } else {
            text.replacen(&narrow, &narrow_filled, 1)
        }
    })
}
