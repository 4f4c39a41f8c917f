//! One schema: both engines describe the same tables, columns, keys and indexes.

use std::collections::BTreeMap;

use grantor_storage::Result;
use grantor_storage::schema::{Table, describe};
use grantor_testkit::store::TestStore;
use grantor_testkit::{Engine, Fixture};

async fn schema_on(engine: Engine) -> BTreeMap<String, Table> {
    let test = TestStore::on(engine).await;
    let read: Result<_> = test.store.read(describe).await;
    read.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn both_engines_have_one_schema() {
    let sqlite = schema_on(Engine::Sqlite).await;
    let postgres = schema_on(Engine::Postgres).await;
    assert_eq!(sqlite.keys().collect::<Vec<_>>(), postgres.keys().collect::<Vec<_>>());
    for (name, table) in &sqlite {
        assert_eq!(table, &postgres[name], "table {name}");
    }
}
