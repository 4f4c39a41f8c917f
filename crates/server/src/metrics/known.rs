//! The metrics of this program: their help texts, and their counters at zero. A counter that
//! appears with its first event looks as if it had never increased.

use metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};

/// Counters without labels.
const PLAIN: [(&str, &str); 10] = [
    ("grantor_access_log_skipped_total", "Reads left out of the access log"),
    ("grantor_database_servers_left_total", "Database servers left because of their role"),
    ("grantor_limiter_fallback_total", "Requests counted in memory without Redis"),
    ("grantor_mail_sent_total", "Emails sent"),
    ("grantor_nodes_lost_total", "Dead nodes whose work this node freed"),
    ("grantor_refusals_skipped_total", "Rejected credentials left out of the log"),
    ("grantor_replica_fallbacks_total", "Reads of the replica that the primary took over"),
    ("grantor_scan_items_total", "Items scanned by pods and for sources"),
    ("grantor_spans_dropped_total", "Spans dropped because the collector is too slow"),
    ("grantor_webhook_dropped_total", "Deliveries dropped because the receiver lost access"),
];

/// Counters with a label whose values are known.
const LABELED: [(&str, &str, &str, &[&str]); 7] = [
    (
        "grantor_connections_refused_total",
        "Connections refused, by reason",
        "reason",
        &["address", "total", "descriptors"],
    ),
    (
        "grantor_mail_failed_total",
        "Failed attempts to send an email",
        "outcome",
        &["retry", "given_up"],
    ),
    (
        "grantor_otlp_failures_total",
        "Requests to the collector that failed",
        "signal",
        &["traces", "metrics"],
    ),
    (
        "grantor_scan_requests_total",
        "Requests of scans to sites, by result",
        "outcome",
        &["answered", "failed"],
    ),
    (
        "grantor_webhook_attempts_total",
        "Delivery attempts, by result",
        "outcome",
        &["delivered", "failed"],
    ),
    (
        "grantor_websub_pushes_total",
        "Pushes of WebSub hubs, by result",
        "outcome",
        &["accepted", "rejected", "gone"],
    ),
    (
        "grantor_websub_requests_total",
        "Requests to WebSub hubs, by result",
        "outcome",
        &["accepted", "failed"],
    ),
];

/// Counters whose labels are known where they are counted.
const OTHERS: [(&str, &str); 5] = [
    ("grantor_database_wait_timeouts_total", "Units of work that no connection took in time"),
    ("grantor_http_requests_total", "HTTP requests"),
    ("grantor_job_failures_total", "Failed runs of background jobs"),
    ("grantor_job_items_total", "Items processed by background jobs"),
    ("grantor_job_panics_total", "Panicked runs of background jobs"),
];

const GAUGES: [(&str, &str); 11] = [
    ("grantor_build_info", "The running version"),
    ("grantor_connections", "Open connections"),
    ("grantor_database_up", "Whether the database responded to this scrape"),
    ("grantor_limiter_nodes", "Nodes that share the rate limits, as Redis last knew them"),
    ("grantor_nodes", "Nodes that use the database"),
    ("grantor_queue_age_seconds", "How long the oldest item of a queue has been due"),
    ("grantor_queue_depth", "How much of a queue is due, up to 10,000"),
    ("grantor_ready", "Whether this node could take requests at this scrape, as /readyz says"),
    ("grantor_redis_up", "Whether Redis responded last"),
    ("grantor_reference_images", "Reference images that this node has in an index in memory"),
    ("grantor_replica_lag_seconds", "How far the replica is behind the primary"),
];

const HISTOGRAMS: [(&str, &str); 3] = [
    ("grantor_database_wait_seconds", "Time that a unit of work waits for a connection"),
    ("grantor_sqlite_commit_units", "Units of work in one commit"),
    ("grantor_webhook_attempt_seconds", "Duration of a delivery attempt"),
];

/// Sets the help text of each metric, and what only appears with its first event to zero.
pub(super) fn describe() {
    for (name, help) in PLAIN {
        describe_counter!(name, help);
        counter!(name).increment(0);
    }
    for (name, help, label, values) in LABELED {
        describe_counter!(name, help);
        for value in values {
            counter!(name, label => *value).increment(0);
        }
    }
    for (name, help) in OTHERS {
        describe_counter!(name, help);
    }
    for (name, help) in GAUGES {
        describe_gauge!(name, help);
    }
    for (name, help) in HISTOGRAMS {
        describe_histogram!(name, help);
    }
    // Like the counters: it is there before the first attempt. The others are from the start.
    drop(histogram!("grantor_webhook_attempt_seconds"));
    gauge!("grantor_build_info", "version" => env!("CARGO_PKG_VERSION")).set(1.0);
}
