//! The commands beside `serve`.

use std::io::Read as _;
use std::process::Stdio;

use grantor_testkit::postgres::PostgresServer;
use grantor_testkit::server::{Installation, eventually};
use grantor_testkit::smtp::{SelfSigned, SmtpServer};
use grantor_testkit::{db_test, seed};
use serde_json::Value;

use super::{with_tls, write_identity};

#[tokio::test]
async fn help_names_every_command() {
    let help = Installation::default().run("--help").await.ok();
    let commands = ["serve", "worker", "migrate", "backup", "restore", "check-config", "doctor"];
    for name in commands.into_iter().chain([
        "openapi",
        "keys",
        "demo",
        "listen",
        "verify",
        "--data-dir <PATH>",
    ]) {
        assert!(help.contains(name), "{name} is missing in\n{help}");
    }
}

#[tokio::test]
async fn a_slip_on_the_command_line_is_told() {
    let installation = Installation::default();
    for (words, hint) in [("serv", "serve"), ("serve --lisen x", "--listen"), ("", "Usage")] {
        let ran = installation.run(words).await;
        assert_eq!(ran.code, Some(2), "{words}");
        assert!(ran.err.contains(hint), "{words}: {}", ran.err);
    }
}

#[tokio::test]
async fn check_config_shows_values_masked_and_their_source() {
    let installation =
        Installation::default().with("GRANTOR_REDIS_URL", "redis://:hunter2@cache.test");
    let table = installation.run("check-config --service-name harbor").await.ok();
    let row = |key: &str| table.lines().find(|line| line.starts_with(key)).unwrap().to_owned();
    assert!(row("service_name ").contains("harbor") && row("service_name ").contains("flag"));
    assert!(row("redis_url").contains("redis://:********@cache.test"), "{table}");
    assert!(row("redis_url").ends_with("environment GRANTOR_REDIS_URL"), "{table}");
    assert!(!table.contains("hunter2"));
    assert!(!installation.data("").exists(), "looking makes nothing");
    let bad = installation.with("GRANTOR_LIMITS", "nonsense").run("check-config").await;
    assert_eq!((bad.code, bad.out.as_str()), (Some(1), ""));
    assert!(bad.err.starts_with("grantor: GRANTOR_LIMITS (environment): "), "{}", bad.err);
}

#[tokio::test]
async fn looking_refuses_what_serving_would() {
    let one = SelfSigned::of("127.0.0.1");
    let key = SelfSigned::of("127.0.0.1").key;
    let installation = Installation::default();
    let paths = write_identity(installation.folder(), &SelfSigned { key, ..one });
    let installation = with_tls(installation, &paths);
    for words in ["check-config", "doctor", "serve"] {
        let ran = installation.run(words).await;
        assert_eq!(ran.code, Some(1), "{words}");
        let said = format!("{}{}", ran.out, ran.err);
        assert!(said.contains("are not a certificate and its key: "), "{words}: {said}");
    }
    std::fs::remove_file(&paths[0]).unwrap();
    let ran = installation.run("check-config").await;
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert!(ran.err.starts_with("grantor: tls_cert: "), "{}", ran.err);
    for (name, value) in [
        ("GRANTOR_REDIS_URL", "rediss://cache.test?sslcert=c"),
        ("GRANTOR_SMTP_URL", "smtp://mail.test"),
        ("GRANTOR_CERTIFICATE_FONTS", "/dev/null"),
    ] {
        let installation = Installation::default().with(name, value);
        let serve = installation.run("serve").await;
        assert!(serve.err.starts_with(&format!("grantor: {name} (environment): ")));
        for words in ["check-config", "doctor"] {
            let ran = installation.run(words).await;
            assert_eq!((ran.code, &ran.err), (Some(1), &serve.err), "{words}");
        }
    }
}

#[tokio::test]
async fn a_reader_that_goes_away_is_no_fault() {
    let installation = Installation::default();
    for words in ["check-config", "check-config --reference", "openapi external", "doctor"] {
        let mut command = installation.command(words);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // Nobody reads from the first line on.
        drop(child.stdout.take());
        let mut said = String::new();
        child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        let ended = child.wait().unwrap();
        assert_eq!((ended.code(), said.as_str()), (Some(0), ""), "{words}");
    }
}

#[db_test]
async fn a_command_that_ends_by_itself_does_not_warn_of_counters(installation: Installation) {
    for words in ["migrate", "keys rotate", "doctor", "openapi external"] {
        let ran = installation.run(words).await;
        assert_eq!(ran.code, Some(0), "{words}: {}", ran.err);
        assert!(!ran.err.contains("redis_url"), "{words}: {}", ran.err);
    }
}

#[db_test]
async fn the_doctor_finds_a_fresh_and_a_used_installation_well(installation: Installation) {
    for schema in ["empty; the first start creates it", "up to date"] {
        let report = installation.run("doctor").await.ok();
        assert!(report.contains(&format!("schema: {schema}")), "{report}");
        assert!(!report.contains("BAD"), "{report}");
        installation.serve().await.stop().await;
    }
}

#[db_test]
async fn the_doctor_notices_that_the_key_ring_is_lost(installation: Installation) {
    installation.serve().await.stop().await;
    std::fs::remove_file(installation.data("keys.json")).unwrap();
    let ran = installation.run("doctor").await;
    let line = "BAD   keys: keys.json is missing, but the database belongs to another key ring";
    assert!(ran.code == Some(1) && ran.out.contains(line), "{}", ran.out);
    assert!(!installation.data("keys.json").exists(), "looking makes none");
}

#[db_test]
async fn the_doctor_looks_for_a_key_ring_where_it_belongs(installation: Installation) {
    installation.serve().await.stop().await;
    let secret = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    let installation = installation.with("GRANTOR_KEY_RING_SECRET", secret);
    let (file, kept) = (installation.data("keys.json"), installation.data("kept.json"));
    let report = installation.run("doctor").await.ok();
    let line = "note  keys: not in the database yet; the next start takes over keys.json";
    assert!(report.contains(line), "{report}");

    std::fs::rename(&file, &kept).unwrap();
    let ran = installation.run("doctor").await;
    let line = "BAD   keys: the key ring is not in the database, and there is no keys.json to take \
                over, but the database belongs to another key ring";
    assert!(ran.code == Some(1) && ran.out.contains(line), "{}", ran.out);

    std::fs::rename(&kept, &file).unwrap();
    installation.serve().await.stop().await;
    std::fs::remove_file(&file).unwrap();
    let report = installation.run("doctor").await.ok();
    assert!(report.contains("ok    keys: the key ring is valid"), "{report}");
}

#[tokio::test]
async fn the_doctor_says_what_is_wrong() {
    for (name, value, finding) in [
        ("GRANTOR_DATABASE_URL", "postgres://grantor@127.0.0.1:1/x", "database_url: "),
        ("GRANTOR_REDIS_URL", "redis://127.0.0.1:1", "redis_url: Redis does not respond"),
        ("GRANTOR_DATA_DIR", "/dev/null/data", "data_dir: /dev/null/data cannot be written"),
        ("GRANTOR_TRUSTED_PROXIES", "0.0.0.0/0", "trusted_proxies: a /0 network"),
        ("GRANTOR_SMTP_URL", "smtp://127.0.0.1:1", "smtp_url: the mail server cannot be used: "),
    ] {
        let ran = Installation::default().with(name, value).run("doctor").await;
        assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""), "{name}");
        let line = format!("BAD   {finding}");
        assert!(ran.out.lines().any(|it| it.starts_with(&line)), "{name}: {}", ran.out);
    }
}

#[tokio::test]
async fn the_doctor_goes_on_without_a_database() {
    let installation = Installation::default();
    installation.serve().await.stop().await;
    let installation =
        installation.with("GRANTOR_DATABASE_URL", "postgres://grantor@127.0.0.1:1/x");
    let report = installation.run("doctor").await.out;
    assert!(report.contains("BAD   database_url: "), "{report}");
    assert!(report.contains("note  keys: the key ring is valid; "), "{report}");
    std::fs::write(installation.data("keys.json"), "{}").unwrap();
    let report = installation.run("doctor").await.out;
    assert!(report.contains("BAD   database_url: ") && report.contains("BAD   keys: "), "{report}");
}

#[tokio::test]
async fn the_doctor_looks_at_mail() {
    let installation = Installation::default();
    let report = installation.run("doctor").await.ok();
    assert!(report.contains("ok    mail: written to files in "), "{report}");
    std::fs::write(installation.data("mail"), "no folder").unwrap();
    let report = installation.run("doctor").await.out;
    assert!(report.contains("/mail cannot be written: Not a directory"), "{report}");

    let server = SmtpServer::start();
    let report = installation.with("GRANTOR_SMTP_URL", &server.url("")).run("doctor").await.ok();
    assert!(report.contains("ok    smtp_url: the mail server accepts the connection"), "{report}");
    assert!(server.greetings() > 0 && server.mails().is_empty());
}

#[tokio::test]
async fn the_doctor_compares_the_replica_with_the_primary() {
    let primary = PostgresServer::start();
    let mut replica = primary.start_standby();
    let installation = Installation::default()
        .with("GRANTOR_DATABASE_URL", &primary.url())
        .with("GRANTOR_DATABASE_REPLICA_URL", &replica.url());
    let finding = async || {
        let report = installation.run("doctor").await.out;
        let line = report.lines().find(|it| it.contains("database_replica_url: "));
        line.unwrap_or_else(|| panic!("no replica in {report}")).to_owned()
    };
    let said = finding().await;
    let start = "ok    database_replica_url: the replica is at most ";
    assert!(said.starts_with(start) && said.ends_with(" ms behind"), "{said}");

    replica.pause_replay(true).await;
    primary.run("CREATE TABLE filler AS SELECT generate_series(1, 50000)").await;
    let said = finding().await;
    let start = "note  database_replica_url: the replica still lacks ";
    assert!(said.starts_with(start), "{said}");

    replica.pause_replay(false).await;
    replica.promote().await;
    let said = finding().await;
    let start = "BAD   database_replica_url: the replica is on another timeline: ";
    assert!(said.starts_with(start), "{said}");

    replica.crash();
    let said = finding().await;
    assert!(said.starts_with("BAD   database_replica_url: database not available: "), "{said}");
}

/// The sample of the page is what the command prints.
#[tokio::test]
async fn the_size_of_an_installation_is_as_the_page_shows_it() {
    let page = include_str!("../../docs/sizing.md");
    let (_, rest) = page.split_once("$ grantor ").unwrap();
    let (words, rest) = rest.split_once("postgres://db/grantor\n").unwrap();
    let words = format!("{} postgres://db/grantor", words.replace('\\', ""));
    let (shown, _) = rest.split_once("```").unwrap();
    assert_eq!(Installation::default().run(&words).await.ok(), shown);
}

#[tokio::test]
async fn restore_says_what_can_be_done_with_a_backup() {
    let ran = Installation::default().run("restore").await;
    let said = "restore: use --from DIR to restore a backup, or --check DIR to verify one";
    assert!(ran.code == Some(1) && ran.err.contains(said), "{:?} {}", ran.code, ran.err);
}

#[db_test]
async fn migrate_applies_once(installation: Installation) {
    assert!(installation.run("migrate").await.ok().contains(": house"));
    assert!(installation.run("migrate").await.ok().ends_with("schema is up to date.\n"));
}

#[tokio::test]
async fn openapi_prints_both_documents() {
    let installation = Installation::default().with("GRANTOR_PUBLIC_URL", "https://grantor.test");
    for (surface, title, version, server) in [
        ("external", "external API v2", "3.1.0", "https://grantor.test"),
        ("console", "console, admin and legacy API", "1.0.1", "https://grantor.test/v1.0.1"),
    ] {
        let text = installation.run(&format!("openapi {surface}")).await.ok();
        let document: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(
            (&document["info"]["title"], &document["info"]["version"]),
            (&title.into(), &version.into())
        );
        assert_eq!(document["servers"][0]["url"], server);
        assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
    }
    assert!(!installation.data("").exists(), "printing needs no data directory");
}

#[db_test]
async fn a_mounted_ring_is_rotated_into_a_file_and_no_other_ring_is(installation: Installation) {
    installation.serve().await.stop().await;
    let ran = installation.run("keys rotate --to new.json").await;
    let refusal = "grantor: --to is for a key ring that is mounted, with key_ring_file. Without \
                   it, the key ring is rotated where it is.\n";
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), refusal));
    installation.serve().await.stop().await;
    // The folder of a bare name is the current one.
    let ring = installation.data("keys.json");
    let mounted = installation.with("GRANTOR_KEY_RING_FILE", ring.to_str().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let mut command = mounted.command("keys rotate --to new.json");
    let ran = command.current_dir(folder.path()).output().unwrap();
    let said = String::from_utf8(ran.stdout).unwrap();
    assert!(said.contains("new.json is the new key ring: give it to all nodes before"), "{said}");
    assert!(folder.path().join("new.json").exists());
}

#[db_test]
async fn a_rotation_whose_file_was_lost_is_withdrawn(installation: Installation) {
    installation.serve().await.stop().await;
    let ring = installation.data("keys.json");
    let mounted = installation.with("GRANTOR_KEY_RING_FILE", ring.to_str().unwrap());
    let rotated = async |file: &str| mounted.run(&format!("keys rotate --to {file}")).await;
    let refusal = async || {
        let ran = mounted.run("keys cancel").await;
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{}", ran.err);
        ran.err
    };
    assert_eq!(refusal().await, "grantor: There is no rotation to withdraw\n");
    assert_eq!(rotated("lost.json").await.code, Some(0));
    std::fs::remove_file(mounted.folder().join("lost.json")).unwrap();
    // Its keys are used by now.
    let used = "UPDATE meta SET value = '0' || substr(value, 17) WHERE name = 'key_ring_rotation'";
    seed::run(&mounted.options(), used.to_owned()).await;
    let stale = rotated("new.json").await;
    assert!(stale.code == Some(1) && stale.err.contains("the key ring is stale"), "{}", stale.err);

    let said = mounted.run("keys cancel").await.ok();
    assert!(said.starts_with("Withdrew the rotation to the keys "), "{said}");
    let logged = "SELECT actor_kind, resource_type FROM log_entries WHERE action = 'keys.cancel'";
    assert_eq!(seed::rows(&mounted.options(), logged).await, [["operator", "keys"]]);
    assert_eq!(rotated("new.json").await.code, Some(0));
    std::fs::rename(mounted.folder().join("new.json"), &ring).unwrap();
    let said = refusal().await;
    let start = "grantor: The key ring of this node has the keys of the last rotation (";
    assert!(said.starts_with(start), "{said}");
    mounted.serve().await.stop().await;
}

#[tokio::test]
async fn a_backup_of_nothing_is_refused() {
    let installation = Installation::default();
    let ran = installation.run("backup --to copy").await;
    let path = installation.data("grantor.sqlite");
    let refusal = format!("grantor: backup: there is no database at {}\n", path.display());
    assert_eq!((ran.code, ran.err), (Some(1), refusal));
    assert!(!path.exists(), "looking makes none");
}

#[db_test]
async fn a_running_server_publishes_rotated_keys(installation: Installation) {
    let server = installation.serve().await;
    let published = async || {
        let keys = server.get("/.well-known/jwks.json").await.json();
        let keys = keys["keys"].as_array().unwrap().clone();
        let receipt = |key: &Value| key["kid"].as_str().unwrap().starts_with("receipt-");
        keys.into_iter().partition::<Vec<_>, _>(|key| !receipt(key))
    };
    let before = published().await;
    let said = installation.run("keys rotate").await.ok();
    let kid = said.strip_prefix("Key ").and_then(|it| it.split(' ').next()).unwrap().to_owned();
    let after =
        eventually("the new key", async || Some(published().await).filter(|keys| keys.0.len() > 1))
            .await;
    assert_eq!(after.0[0]["kid"], kid.as_str());
    assert_eq!(after.0[1..], before.0, "the key before still verifies");
    assert!(said.contains(&format!("Key {} signs", after.1[0]["kid"].as_str().unwrap())), "{said}");
    assert_eq!(after.1[1..], before.1, "receipts are signed by a new key too");
}
