//! Metrics of the process, with the names that all Prometheus clients use.

use std::fmt::Write as _;

use grantor_domain::Timestamp;
use rustix::process::{Resource, getrlimit};
use rustix::time::{ClockId, clock_gettime};

/// Writes the metrics of this process. What the system does not tell is left out.
pub(super) fn render(out: &mut String, started: Timestamp) {
    let cpu = clock_gettime(ClockId::ProcessCPUTime);
    let cpu = format!("{}.{:06}", cpu.tv_sec, cpu.tv_nsec / 1_000);
    let (whole, micros) = (started.as_secs(), started.as_micros().rem_euclid(1_000_000));
    let start = format!("{whole}.{micros:06}");
    let limit = getrlimit(Resource::Nofile).current;
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let of_status = |name: &str| {
        let line = status.lines().find_map(|it| it.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    let open = std::fs::read_dir("/proc/self/fd").ok().map(Iterator::count);
    let metrics = [
        ("process_cpu_seconds_total", "counter", "CPU time used", Some(cpu)),
        ("process_start_time_seconds", "gauge", "When the process started", Some(start)),
        (
            "process_resident_memory_bytes",
            "gauge",
            "Resident memory",
            of_status("VmRSS:").map(|kib| (kib * 1024).to_string()),
        ),
        ("process_threads", "gauge", "Threads", of_status("Threads:").map(|it| it.to_string())),
        ("process_open_fds", "gauge", "Open file descriptors", open.map(|it| it.to_string())),
        ("process_max_fds", "gauge", "Limit on them", limit.map(|it| it.to_string())),
    ];
    for (name, kind, help, value) in metrics {
        if let Some(value) = value {
            // Writing to a text cannot fail.
            let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn the_process_is_measured() {
        let mut text = String::new();
        render(&mut text, Timestamp::from_micros(1_700_000_000_000_001));
        let value = |name: &str| -> f64 {
            let line = text.lines().find_map(|it| it.strip_prefix(&format!("{name} ")));
            line.unwrap_or_else(|| panic!("{name} is missing in {text}")).parse().unwrap()
        };
        assert!(value("process_cpu_seconds_total") > 0.0);
        assert!(value("process_resident_memory_bytes") > 1_000_000.0);
        assert!(value("process_open_fds") >= 3.0);
        assert!(value("process_max_fds") > value("process_open_fds"));
        assert!(value("process_threads") >= 1.0);
        assert!(text.contains("process_start_time_seconds 1700000000.000001\n"), "{text}");
    }
}
