//! CPU time and medians. Wall-clock time means little on a busy machine.

use std::error::Error;
use std::time::{Duration, Instant};

pub(crate) type Outcome<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

/// The median without the first value, which is a warm-up round.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.remove(0);
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The CPU time of all threads of a process (`self` or a process id) so far.
pub(crate) fn processor_time(process: &str) -> Outcome<Duration> {
    let mut nanoseconds = 0;
    for task in std::fs::read_dir(format!("/proc/{process}/task"))? {
        // A thread may end between being listed and being read.
        if let Ok(text) = std::fs::read_to_string(task?.path().join("schedstat")) {
            nanoseconds += text.split(' ').next().unwrap_or_default().parse::<u64>()?;
        }
    }
    Ok(Duration::from_nanos(nanoseconds))
}

#[expect(clippy::disallowed_methods, reason = "a bench measures time")]
pub(crate) fn clock() -> Instant {
    Instant::now()
}

#[expect(clippy::print_stdout, reason = "a benchmark prints its results")]
pub(crate) fn report(suite: &str, line: &str) {
    println!("{suite}: {line}");
}
