//! Growing: a backup of a running server on one engine becomes a server on the other.

use grantor_testkit::postgres::TestDatabase;
use grantor_testkit::seed;
use grantor_testkit::server::Installation;
use grantor_testkit::{Engine, Fixture as _};
use serde_json::Value;

/// What callers see of an installation: its keys and its catalog.
async fn seen(room: &Installation) -> [Value; 2] {
    let server = room.serve().await;
    assert_eq!(server.get("/readyz").await.status, 200);
    [server.get("/.well-known/jwks.json").await.json(), server.get("/metadata").await.json()]
}

async fn moves(from: Engine, to: Engine) {
    let (old, new) = (Installation::on(from).await, Installation::on(to).await);
    let folder = old.folder().join("backup");
    let folder = folder.display();
    let server = old.serve().await;
    seed::public_licenses(&old.options(), 25).await;
    assert!(old.run(&format!("backup --to {folder}")).await.ok().starts_with("Wrote "));
    assert_eq!(server.get("/health").await.status, 200, "the server goes on");
    drop(server);

    let said = new.run(&format!("restore --from {folder}")).await.ok();
    assert!(said.starts_with("Restored ") && said.contains(to.name()), "{said}");
    let (before, after) = (seen(&old).await, seen(&new).await);
    assert_eq!(before[1]["pagination"]["total"], 25);
    assert_eq!(after, before);

    let again = new.run(&format!("restore --from {folder}")).await;
    assert_eq!(again.code, Some(1));
    let refusal = "grantor: restore: the database already has rows (in ";
    assert!(again.err.starts_with(refusal) && again.err.lines().count() == 1, "{}", again.err);
    assert_eq!(seen(&new).await, before, "what was there is still there");
}

#[tokio::test]
async fn from_sqlite_to_postgres() {
    moves(Engine::Sqlite, Engine::Postgres).await;
}

#[tokio::test]
async fn from_postgres_to_sqlite() {
    moves(Engine::Postgres, Engine::Sqlite).await;
}

#[tokio::test]
async fn a_backup_is_not_put_beside_other_keys() {
    let (old, new) = (Installation::default(), Installation::default());
    old.serve().await.stop().await;
    new.serve().await.stop().await;
    assert!(old.run("backup --to backup").await.ok().contains("keep it as safe as them"));
    let database = TestDatabase::empty().await;
    let new = new.with("GRANTOR_DATABASE_URL", database.url());
    let ran = new.run(&format!("restore --from {}/backup", old.folder().display())).await;
    let keys = new.data("keys.json");
    let sentence = format!(
        "grantor: restore: {} is another key ring than the backup's; move it away first\n",
        keys.display()
    );
    assert_eq!((ran.code, ran.err), (Some(1), sentence));
}
