//! Records that are held while a unit of work decides about them.

use std::sync::mpsc;

use grantor_storage::{Engine, Result, tenant};
use grantor_testkit::server::eventually;
use grantor_testkit::{Fixture as _, db_test, seed};

use super::caller;
use crate::license::World;

/// On PostgreSQL a change of nothing would leave a dead row behind each time; `SQLite` has one writer.
#[db_test]
async fn holding_a_record_writes_nothing(world: World) {
    let tenant = caller(&world.app, &world.agency).await.tenant;
    let store = &world.app.app.store;
    let versions = async || match store.engine() {
        Engine::Sqlite => vec![],
        Engine::Postgres => {
            let query = "SELECT xmin::text || ctid::text FROM tenants ORDER BY tenant_id";
            seed::rows(&world.app.database.options, query).await
        }
    };
    let (before, statements) = (versions().await, store.statements());
    let held: Result<()> = store.write(move |tx| tenant::claim(tx, tenant)).await;
    assert_eq!((held, versions().await), (Ok(()), before));
    let cost = u64::from(store.engine() != Engine::Sqlite);
    assert_eq!(store.statements() - statements, cost);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_holds_a_record_keeps_others_waiting() {
    let world = World::on(Engine::Postgres).await;
    let tenant = caller(&world.app, &world.agency).await.tenant;
    let (store, (release, held)) = (world.app.app.store.clone(), mpsc::channel::<()>());
    let first = store.clone();
    let first = tokio::spawn(async move {
        let work = move |tx: &mut grantor_storage::Tx<'_>| -> Result<()> {
            tenant::claim(tx, tenant)?;
            // The lock is sent with the statement that follows it.
            tenant::find(tx, tenant)?;
            let _ = held.recv();
            Ok(())
        };
        first.write(work).await
    });
    let waiting = async || {
        let query = "SELECT CAST(count(*) AS text) FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'";
        seed::rows(&world.app.database.options, query).await.concat()
    };
    let holds = async || {
        let query = "SELECT CAST(count(*) AS text) FROM pg_stat_activity
            WHERE datname = current_database() AND state = 'idle in transaction'";
        (seed::rows(&world.app.database.options, query).await.concat() == ["1"]).then_some(())
    };
    eventually("the first to hold it", holds).await;
    let second =
        tokio::spawn(async move { store.write(move |tx| tenant::claim(tx, tenant)).await });
    eventually("the second to wait", async || (waiting().await == ["1"]).then_some(())).await;
    assert!(!second.is_finished());
    drop(release);
    assert_eq!((first.await.unwrap(), second.await.unwrap()), (Ok(()), Ok(())));
}
