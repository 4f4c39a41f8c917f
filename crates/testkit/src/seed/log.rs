//! Log entries in bulk.

use grantor_domain::Timestamp;
use grantor_storage::log::index;
use grantor_storage::{Options, Store};

use super::dialect::Dialect;
use super::run;

/// `count` log entries of the tenant with this name, seven each second from 1970 on. Entries of
/// another `kind` have other ids.
pub async fn log_entries(options: &Options, tenant: &str, action: &str, kind: u8, count: u32) {
    write(options, tenant, action, kind, count).await;
    index_log(options).await;
}

/// Like [`log_entries`], with several actions and starting ten days ago: a server with the right
/// time would delete entries of 1970.
pub async fn recent_log_entries(options: &Options, tenant: &str, actions: &[&str], count: u32) {
    for (action, kind) in actions.iter().zip(8..) {
        write(options, tenant, action, kind, count).await;
    }
    let script = format!(
        "UPDATE log_entries SET created_at = created_at + ({} - 864000) * 1000000
         WHERE created_at < 1000000000000000",
        Dialect::of(&options.url).now
    );
    run(options, script).await;
    index_log(options).await;
}

async fn write(options: &Options, tenant: &str, action: &str, kind: u8, count: u32) {
    let dialect = Dialect::of(&options.url);
    let script = format!(
        "INSERT INTO log_entries (tenant_id, created_at, log_id, class, scheme, level, action,
           message, actor_kind, actor_name, resource_type, duration_micros, details)
         SELECT t.tenant_id, n / 7 * 1000000, {id}, 'audit', 'console', 'INFO', '{action}', 'Entry ' || n,
           'system', 'system', 'sample', 0, '{{}}'
         FROM tenants t, {series} WHERE t.name = '{tenant}'",
        id = dialect.id.replace("KIND", &kind.to_string()).replace("OF", "n"),
        series = (dialect.series)(count),
    );
    run(options, script).await;
}

/// Updates the index, as a worker does after entries were written, including the newest entries.
pub async fn index_log(options: &Options) {
    let (store, end) = (Store::open(options).await, Timestamp::from_micros(i64::MAX));
    let store = store.expect("the store opens");
    loop {
        let folded = store.write(move |tx| index::update(tx, end, 5_000)).await;
        if folded.expect("the index is written") == 0 {
            break;
        }
    }
}
