//! A start that cannot go well stops at once, with one sentence that says what to mend.

use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;

use grantor_storage::StoreUrl;
use grantor_testkit::server::Installation;
use grantor_testkit::smtp::SelfSigned;
use grantor_testkit::{db_test, seed};

use super::{with_tls, write_identity};

/// The one sentence on standard error.
async fn refused(installation: &Installation) -> String {
    let ran = installation.run("serve").await;
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{}", ran.err);
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    for word in ["panicked", "RUST_BACKTRACE", "stack backtrace", "Error {"] {
        assert!(!ran.err.contains(word), "{}", ran.err);
    }
    ran.err.strip_prefix("grantor: ").expect("the program's name").trim_end().to_owned()
}

/// With one variable.
async fn refused_with(name: &str, value: &str) -> String {
    refused(&Installation::default().with(name, value)).await
}

#[tokio::test]
async fn malformed_settings_are_named() {
    for (name, value, what) in [
        ("LISTEN", "localhost", "\"localhost\" is not an address such as 127.0.0.1:8080"),
        ("LISEN", "127.0.0.1:0", "unknown setting; did you mean GRANTOR_LISTEN?"),
        ("METRICS_LISTEN", "on", "\"on\" is not an address such as 127.0.0.1:9090 or off"),
        (
            "LIMITS",
            "metadata=many",
            "\"many\" must be requests and a duration, such as 10/60s, 10/5m, 10/1h",
        ),
        (
            "SMTP_URL",
            "http://u:hunter2@mail.test",
            "the value (hidden because it may be secret) is not a URL such as \
             smtps://user:password@mail.example.com",
        ),
        (
            "LISTEN",
            "198.51.100.1:0",
            "198.51.100.1:0 would serve plain HTTP to other machines; set tls_cert and tls_key, \
             or trusted_proxies for a proxy that terminates TLS",
        ),
        (
            "SERVICE_NAME",
            "jwks.json",
            "\"jwks.json\" is reserved for the public keys; choose another name",
        ),
        ("REDIS_URL", "rediss://c?sslcert=c", "it must name both sslcert and sslkey, or neither"),
        ("SMTP_URL", "smtps://u@m.test", "it must contain both a user and a password, or neither"),
        ("TLS_CERT", "cert.pem", "requires tls_key, which is not set"),
        (
            "PLANS_FILE",
            "no-such.toml",
            "no-such.toml cannot be read: No such file or directory (os error 2)",
        ),
        (
            "CERTIFICATE_FONTS",
            "no-such.ttf",
            "no-such.ttf cannot be read: No such file or directory (os error 2)",
        ),
    ] {
        let said = refused_with(&format!("GRANTOR_{name}"), value).await;
        assert_eq!(said, format!("GRANTOR_{name} (environment): {what}"));
    }
}

#[tokio::test]
async fn nothing_is_made_for_a_start_that_is_refused() {
    for (name, value) in [
        ("GRANTOR_SMTP_URL", "smtp://mail.test?tls=maybe"),
        ("GRANTOR_REDIS_URL", "redis://cache.test/first"),
    ] {
        let installation = Installation::default().with(name, value);
        let said = refused(&installation).await;
        assert!(said.starts_with(&format!("{name} (environment): ")), "{said}");
        assert!(!installation.data("").exists());
    }
}

#[tokio::test]
async fn an_address_that_others_cannot_use() {
    for listen in ["0.0.0.0:0", "[::]:0"] {
        let installation = Installation::default().with("GRANTOR_LISTEN", listen);
        let installation = installation.with("GRANTOR_TRUSTED_PROXIES", "127.0.0.1");
        assert_eq!(
            refused(&installation).await,
            "public_url (default): must be set, because clients cannot use the listen address"
        );
    }
}

#[tokio::test]
async fn an_unknown_key_of_the_file_is_named_with_its_file() {
    let installation = Installation::default();
    std::fs::write(installation.folder().join("grantor.toml"), "retention_event = 3\n").unwrap();
    assert_eq!(
        refused(&installation).await,
        "retention_event (file grantor.toml): unknown setting; did you mean \
         retention_events?"
    );
}

#[tokio::test]
async fn a_wrong_figure_of_a_plan_is_named_with_file_plan_and_member() {
    let installation = Installation::default();
    std::fs::write(installation.folder().join("plans.toml"), "[pro]\ntalents = \"many\"\n")
        .unwrap();
    let installation = installation.with("GRANTOR_PLANS_FILE", "plans.toml");
    assert_eq!(
        refused(&installation).await,
        "GRANTOR_PLANS_FILE (environment): plans.toml, plan pro, talents: must be a whole number of \
         at least 0, or \"unlimited\""
    );
    std::fs::write(installation.folder().join("plans.toml"), "[pro]\ntalents = 7\n").unwrap();
    let shown = installation.run("check-config").await;
    let row = shown.out.lines().find(|line| line.starts_with("plans_file ")).unwrap();
    let row: Vec<_> = row.split_whitespace().collect();
    assert_eq!(row, ["plans_file", "plans.toml", "environment", "GRANTOR_PLANS_FILE"]);
}

#[tokio::test]
async fn a_data_directory_that_cannot_be_written() {
    let installation = Installation::default();
    let file = installation.folder().join("file");
    std::fs::write(&file, "").unwrap();
    let data = file.join("data");
    let installation = installation.with("GRANTOR_DATA_DIR", data.to_str().unwrap());
    let expected =
        format!("data_dir: {} cannot be written: Not a directory (os error 20)", data.display());
    assert_eq!(refused(&installation).await, expected);
}

#[tokio::test]
async fn a_taken_port() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    for setting in ["listen", "metrics_listen"] {
        let name = format!("GRANTOR_{}", setting.to_uppercase());
        assert_eq!(
            refused_with(&name, &address).await,
            format!("{setting}: {address} is already in use; choose another port")
        );
    }
}

#[tokio::test]
async fn a_database_that_does_not_answer() {
    // Nobody listens here once the listener is gone.
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let url = format!("postgres://keeper:hunter2@{closed}/licenses");
    let said = refused_with("GRANTOR_DATABASE_URL", &url).await;
    let start =
        format!("database_url: database not available: PostgreSQL at {closed} does not respond: ");
    assert!(said.starts_with(&start) && said.contains("Connection refused"), "{said}");
    assert!(said.ends_with(" (database \"licenses\")"), "{said}");
    assert!(!said.contains("hunter2") && !said.contains("keeper"), "{said}");
}

#[db_test]
async fn a_database_that_refuses(installation: Installation) {
    let StoreUrl::Postgres(url) = installation.options().url else { return };
    let (server, _) = url.rsplit_once('/').expect("a URL with a database");
    let said = refused_with("GRANTOR_DATABASE_URL", &format!("{server}/nowhere")).await;
    let start = "database_url: database not available: PostgreSQL at ";
    let end = " refused the connection: database \"nowhere\" does not exist";
    assert!(said.starts_with(start) && said.ends_with(end), "{said}");

    let address = server.rsplit_once(['@', '/']).expect("a host").1;
    let stranger = format!("postgres://stranger:hunter2@{address}/postgres");
    let said = refused_with("GRANTOR_DATABASE_URL", &stranger).await;
    assert!(
        said.contains(" refused the connection: ") && said.ends_with(" (database \"postgres\")"),
        "{said}"
    );
    assert!(!said.contains("hunter2") && !said.contains("stranger"), "{said}");
}

#[db_test]
async fn an_altered_migration(installation: Installation) {
    assert!(installation.run("migrate").await.ok().contains("house"));
    let altered = "UPDATE schema_migrations SET checksum = 'another' WHERE version = 1";
    seed::run(&installation.options(), altered.to_owned()).await;
    assert_eq!(
        refused(&installation).await,
        "database_url: migration 1 (house) was altered after it was applied: restore its text, or \
         the backup made before it"
    );
}

#[db_test]
async fn a_newer_database(installation: Installation) {
    assert!(installation.run("migrate").await.ok().contains("house"));
    let newer = "INSERT INTO schema_migrations VALUES (9999, 'tomorrow', 'its sum', 0)";
    seed::run(&installation.options(), newer.to_owned()).await;
    assert_eq!(
        refused(&installation).await,
        "database_url: the database has migration 9999 (tomorrow), which this version of Grantor \
         does not know: run the newer version"
    );
}

#[tokio::test]
async fn keys_that_others_can_read() {
    let installation = Installation::default();
    installation.serve().await.stop().await;
    let keys = installation.data("keys.json");
    std::fs::set_permissions(&keys, std::fs::Permissions::from_mode(0o644)).unwrap();
    let keys = keys.display();
    assert_eq!(
        refused(&installation).await,
        format!(
            "data_dir: {keys} can be read by users other than its owner: run `chmod 600 {keys}`"
        )
    );
}

#[db_test]
async fn a_key_ring_that_is_none_is_noticed_before_the_schema_changes(installation: Installation) {
    let keys = installation.data("keys.json");
    std::fs::create_dir(installation.data("")).unwrap();
    std::fs::write(&keys, "{}").unwrap();
    std::fs::set_permissions(&keys, std::fs::Permissions::from_mode(0o600)).unwrap();
    let said = refused(&installation).await;
    let start = format!("data_dir: {} is not a key ring: ", keys.display());
    assert!(said.starts_with(&start), "{said}");
    let report = installation.run("doctor").await.out;
    assert!(report.contains("schema: empty; the first start creates it"), "{report}");
}

#[db_test]
async fn keys_of_another_installation(installation: Installation) {
    let other = Installation::default();
    other.serve().await.stop().await;
    installation.serve().await.stop().await;
    std::fs::copy(other.data("keys.json"), installation.data("keys.json")).unwrap();
    let said = refused(&installation).await;
    let start = "data_dir: the database belongs to another key ring (root ";
    let end = "): copy that installation's keys.json to the data directory";
    assert!(said.starts_with(start) && said.ends_with(end), "{said}");
}

#[tokio::test]
async fn tls_files_that_do_not_serve() {
    let (one, other) = (SelfSigned::of("127.0.0.1"), SelfSigned::of("127.0.0.1"));
    let installation = Installation::default();
    let paths = write_identity(installation.folder(), &SelfSigned { key: other.key, ..one });
    let installation = with_tls(installation, &paths);
    let [cert, key] = [&paths[0], &paths[1]].map(|path| path.display().to_string());
    let said = refused(&installation).await;
    let start = format!("tls_cert, tls_key: {cert} and {key} are not a certificate and its key: ");
    assert!(said.starts_with(&start), "{said}");
    std::fs::write(&paths[1], "no key").unwrap();
    assert!(refused(&installation).await.starts_with(&start));
    for (path, setting) in paths.iter().zip(["tls_cert", "tls_key"]).rev() {
        std::fs::remove_file(path).unwrap();
        let what = "No such file or directory (os error 2)";
        assert_eq!(refused(&installation).await, format!("{setting}: {}: {what}", path.display()));
    }
}
