//! Nodes: what a dead one held is free, in every table.

use std::collections::BTreeSet;

use grantor_storage::Result;
use grantor_storage::node::{Node, beat, list, remove};
use grantor_storage::schema::describe;
use grantor_testkit::store::TestStore;
use grantor_testkit::{db_test, seed};

use super::backup::tables::fill;
use super::{NOW, id};

/// Every table with rows that a node holds, the column that says until when, and which rows can be
/// held.
const HELD: [(&str, &str, &str); 10] = [
    ("cases", "next_look_at", "1 = 1"),
    ("chat_messages", "due_at", "1 = 1"),
    ("chores", "due_at", "1 = 1"),
    ("deliveries", "due_at", "status = 'pending'"),
    ("mails", "next_attempt_at", "state = 'queued'"),
    ("pods", "due_at", "1 = 1"),
    ("scan_hosts", "held_until", "1 = 1"),
    ("subscriptions", "wakes_at", "1 = 1"),
    ("watched_feeds", "due_at", "1 = 1"),
    ("websub_subscriptions", "due_at", "1 = 1"),
];
const NODE: &str = "00000000-0000-0000-0000-000000000001";

/// A node with this number, which has beaten once.
pub(super) fn node(number: u128) -> Node {
    Node {
        id: id(number),
        beats: 1,
        schema_version: grantor_storage::migrate::latest(),
        key_ring: "c50c557f:kid".to_owned(),
        program: "0.1.0".to_owned(),
        started_at: NOW,
    }
}

async fn count(test: &TestStore, (table, _, _): (&str, &str, &str)) -> String {
    let held = format!("SELECT CAST(count(node_id) AS text) FROM {table}");
    seed::rows(&test.options, &held).await.remove(0).remove(0)
}

#[db_test]
async fn every_table_with_held_rows_is_known(test: TestStore) {
    let described: Result<_> = test.store.read(describe).await;
    let has_node = |table: &grantor_storage::schema::Table| {
        table.columns.iter().any(|column| column.name == "node_id")
    };
    let tables = described.unwrap().into_iter().filter(|(_, table)| has_node(table));
    let mut names: BTreeSet<String> = tables.map(|(name, _)| name).collect();
    // A key is free when the row of its node is gone.
    assert!(names.remove("idempotency_keys") && names.remove("nodes"));
    assert_eq!(names, HELD.map(|(name, ..)| name.to_owned()).into());
}

#[db_test]
async fn what_a_dead_node_held_is_free_at_once(test: TestStore) {
    fill(&test).await;
    let it = seed::id(&test.options, NODE);
    for (table, due, rows) in HELD {
        let script = format!(
            "UPDATE {table} SET node_id = {it}, {due} = 9000000000000000 WHERE {rows};
             UPDATE subscriptions SET leased_until = wakes_at"
        );
        seed::run(&test.options, script).await;
    }
    for _ in 0..2 {
        test.store.write(|tx| beat(tx, &node(1))).await.unwrap();
    }
    let removed = |beats| test.store.write(move |tx| remove(tx, id(1), beats, NOW));
    assert_eq!(removed(1).await, Ok(false), "it has beaten since");
    for held in HELD {
        assert_eq!(count(&test, held).await, "1", "{}", held.0);
    }
    assert_eq!(removed(2).await, Ok(true));
    assert_eq!(removed(2).await, Ok(false), "once");
    for held in HELD {
        assert_eq!(count(&test, held).await, "0", "{}", held.0);
        if held.0 != "scan_hosts" {
            let query = format!("SELECT CAST({} AS text) FROM {} WHERE {}", held.1, held.0, held.2);
            let due = seed::rows(&test.options, &query).await;
            assert_eq!(due, [[NOW.as_micros().to_string()]], "{}", held.0);
        }
    }
}

#[db_test]
async fn a_node_that_was_taken_for_dead_is_back_with_its_next_beat(test: TestStore) {
    let beats = async || test.store.write(|tx| beat(tx, &node(1))).await.unwrap();
    beats().await;
    beats().await;
    let listed = async || test.store.read(list).await.unwrap();
    assert_eq!(listed().await, [Node { beats: 2, ..node(1) }]);
    assert_eq!(test.store.write(|tx| remove(tx, id(1), 2, NOW)).await, Ok(true));
    assert_eq!(listed().await, []);
    beats().await;
    assert_eq!(listed().await, [node(1)]);
}
