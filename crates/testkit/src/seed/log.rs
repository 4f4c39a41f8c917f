//! Entries of the log in bulk.

use grantor_domain::Timestamp;
use grantor_storage::log::index;
use grantor_storage::{Options, Store};

use super::run;
use super::words::Words;

/// So many settled entries in the log of the tenant of this name, seven each second from 1970 on.
/// Entries of another kind have other ids.
pub async fn log_entries(options: &Options, tenant: &str, action: &str, kind: u8, count: u32) {
    write(options, tenant, action, kind, count).await;
    index_log(options).await;
}

/// The same of several actions, from ten days ago on: a server whose clock is right would delete those
/// of 1970.
pub async fn recent_log_entries(options: &Options, tenant: &str, actions: &[&str], count: u32) {
    for (action, kind) in actions.iter().zip(8..) {
        write(options, tenant, action, kind, count).await;
    }
    let script = format!(
        "UPDATE log_entries SET created_at = created_at + ({} - 864000) * 1000000
         WHERE created_at < 1000000000000000",
        Words::of(&options.url).now
    );
    run(options, script).await;
    index_log(options).await;
}

async fn write(options: &Options, tenant: &str, action: &str, kind: u8, count: u32) {
    let words = Words::of(&options.url);
    let script = format!(
        "INSERT INTO log_entries (tenant_id, created_at, log_id, class, scheme, level, action,
           message, actor_kind, actor_name, resource_type, duration_micros, details)
         SELECT t.tenant_id, n / 7 * 1000000, {id}, 'audit', 'console', 'INFO', '{action}', 'Entry ' || n,
           'system', 'system', 'sample', 0, '{{}}'
         FROM tenants t, {series} WHERE t.name = '{tenant}'",
        id = words.id.replace("KIND", &kind.to_string()).replace("OF", "n"),
        series = (words.series)(count),
    );
    run(options, script).await;
}

/// Does what a worker does soon after entries were written, and for those of this moment too.
pub async fn index_log(options: &Options) {
    let (store, end) = (Store::open(options).await, Timestamp::from_micros(i64::MAX));
    let store = store.expect("the store opens");
    loop {
        let folded = store.write(move |tx| index::fold(tx, end, 5_000)).await;
        if folded.expect("the index is written") == 0 {
            break;
        }
    }
}
