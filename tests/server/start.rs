//! A start: from nothing, again, after a crash, from anywhere.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use grantor_storage::StoreUrl;
use grantor_testkit::server::{GrantorProcess, Installation};
use grantor_testkit::{db_test, seed};
use serde_json::{Value, json};

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

async fn keys(server: &GrantorProcess) -> Value {
    let keys = server.get("/.well-known/jwks.json").await.json();
    assert_eq!(keys["keys"].as_array().map(Vec::len), Some(2), "{keys}");
    let kids = [0, 1].map(|it| keys["keys"][it]["kid"].as_str().unwrap().starts_with("receipt-"));
    assert_eq!(kids, [false, true], "one for access tokens, one for receipts");
    keys
}

#[db_test]
async fn the_first_start_makes_everything_and_the_second_keeps_it(installation: Installation) {
    let mut server = installation.serve().await;
    let health = server.get("/health").await;
    assert_eq!((health.status, &health.json()["status"]), (200, &json!("healthy")));
    assert_eq!(
        (mode(&installation.data("")), mode(&installation.data("keys.json"))),
        (0o700, 0o600)
    );
    let made = keys(&server).await;
    assert_eq!(server.stop().await, Some(0));

    let again = installation.serve().await;
    assert_eq!(keys(&again).await, made);
    assert_eq!(again.get("/readyz").await.json()["status"], "ready");
    let stranger = Installation::default().serve().await;
    assert_ne!(keys(&stranger).await, made);
}

#[db_test]
async fn a_killed_server_starts_again_at_once(installation: Installation) {
    let mut server = installation.serve().await;
    let made = keys(&server).await;
    seed::public_licenses(&installation.options(), 10).await;
    server.signal("KILL");
    assert_eq!(server.ended().await.code(), None);

    let mut again = installation.serve().await;
    assert_eq!(keys(&again).await, made);
    assert_eq!(again.get("/metadata").await.json()["pagination"]["total"], 10);
    assert_eq!(again.get("/readyz").await.status, 200);
    assert_eq!(again.stop().await, Some(0));
    if let StoreUrl::Sqlite(_) = installation.options().url {
        assert_eq!(seed::rows(&installation.options(), "PRAGMA integrity_check").await, [["ok"]]);
    }
}

#[tokio::test]
async fn it_starts_in_any_folder_with_its_data_elsewhere() {
    let (installation, elsewhere) = (Installation::default(), tempfile::tempdir().unwrap());
    let data = elsewhere.path().join("deep/down");
    let mut command = installation.command("serve --data-dir");
    command.arg(&data).current_dir("/");
    let server = GrantorProcess::start(command).await;
    assert_eq!(server.get("/health").await.status, 200);
    assert!(data.join("keys.json").exists() && data.join("grantor.sqlite").exists());
    // The flag beat the variable.
    assert!(!installation.data("").exists());
}

#[tokio::test]
async fn without_any_setting_but_ports_it_keeps_everything_in_data() {
    let installation = Installation::default();
    let mut command = installation.command("serve --listen 127.0.0.1:0 --metrics-listen off");
    command.env_clear();
    let server = GrantorProcess::start(command).await;
    assert_eq!(server.get("/health").await.status, 200);
    assert!(installation.folder().join("data/keys.json").exists());
}
