//! TLS to PostgreSQL: who the server is, and who we are.

use std::path::Path;

use grantor_storage::{DatabaseRole, Error, Options, Result, Store, StoreUrl};
use grantor_testkit::postgres::PostgresServer;
use grantor_testkit::smtp::SelfSigned;
use tempfile::TempDir;

/// A server that requires certificates of clients, and the files of a client.
struct Secured {
    server: PostgresServer,
    files: TempDir,
}

impl Secured {
    fn start() -> Self {
        let (own, client) = (SelfSigned::of("localhost"), SelfSigned::of("client"));
        let server = PostgresServer::start_with_tls(&own, &client, true);
        let files = tempfile::tempdir().unwrap();
        let texts =
            [("root", &own.certificate), ("cert", &client.certificate), ("key", &client.key)];
        for (name, text) in texts {
            std::fs::write(files.path().join(name), text).unwrap();
        }
        Self { server, files }
    }

    fn path(&self, name: &str) -> String {
        self.files.path().join(name).display().to_string()
    }

    /// Opens a store with this host and these parameters.
    async fn open(&self, host: &str, parameters: &str) -> Result<()> {
        let address = self.server.address();
        let (ip, port) = address.split_once(':').unwrap();
        let url = format!(
            "postgres://grantor@{host}:{port}/postgres?hostaddr={ip}&{}",
            parameters.replace("{root}", &format!("sslrootcert={}", self.path("root"))).replace(
                "{us}",
                &format!("sslcert={}&sslkey={}", self.path("cert"), self.path("key"))
            )
        );
        let mut options = Options::new(StoreUrl::Postgres(url), 1);
        (options.readers, options.writers) = (1, 1);
        Store::open(&options).await.map(drop)
    }

    async fn refusal(&self, host: &str, parameters: &str) -> String {
        match self.open(host, parameters).await {
            Err(Error::Unavailable(why)) => why,
            other => panic!("{host} {parameters}: {other:?}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_is_verified_as_far_as_the_url_says() {
    let it = Secured::start();
    assert_eq!(it.open("localhost", "sslmode=verify-full&{root}&{us}").await, Ok(()));
    assert_eq!(it.open("localhost", "sslmode=require&{root}&{us}").await, Ok(()));
    assert_eq!(it.open("db.example.com", "sslmode=verify-ca&{root}&{us}").await, Ok(()));
    assert_eq!(it.open("db.example.com", "sslmode=prefer&{us}").await, Ok(()));
    for mode in ["verify-full", "require"] {
        let other_name =
            it.refusal("db.example.com", &format!("sslmode={mode}&{{root}}&{{us}}")).await;
        assert!(other_name.contains("certificate not valid for name"), "{other_name}");
    }
    for mode in ["verify-full", "verify-ca", "require"] {
        let unknown = it.refusal("localhost", &format!("sslmode={mode}&{{us}}")).await;
        assert!(unknown.contains("invalid peer certificate"), "{unknown}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_knows_us_by_our_certificate() {
    let it = Secured::start();
    let nobody = it.refusal("localhost", "sslmode=verify-full&{root}").await;
    assert!(nobody.contains("refused the connection"), "{nobody}");
    let plain = it.refusal("localhost", "sslmode=disable").await;
    assert!(plain.contains("pg_hba.conf"), "{plain}");
    assert_eq!(it.open("localhost", "sslmode=verify-full&{root}&{us}").await, Ok(()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_renewed_certificate_needs_no_restart() {
    let it = Secured::start();
    let (root, aside) = (it.files.path().join("root"), it.files.path().join("aside"));
    std::fs::copy(&root, &aside).unwrap();
    std::fs::write(&root, SelfSigned::of("localhost").certificate).unwrap();
    let other = it.refusal("localhost", "sslmode=verify-full&{root}&{us}").await;
    assert!(other.contains("invalid peer certificate"), "{other}");
    std::fs::copy(&aside, &root).unwrap();
    assert_eq!(it.open("localhost", "sslmode=verify-full&{root}&{us}").await, Ok(()));
}

fn refused(parameters: &str) -> String {
    let url = format!("postgres://u:secret@db/g?sslmode=verify-full&{parameters}");
    StoreUrl::check_postgres(&url, DatabaseRole::Primary).unwrap_err()
}

#[test]
fn files_that_cannot_be_used_are_named() {
    let files = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = files.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let (one, other) = (SelfSigned::of("one"), SelfSigned::of("other"));
    let (cert, key) = (write("cert", &one.certificate), write("key", &other.key));
    let (empty, none) = (write("empty", ""), Path::new("/none.pem").display().to_string());
    assert_eq!(
        refused(&format!("sslrootcert={none}")),
        "sslrootcert: /none.pem: I/O error: No such file or directory (os error 2)"
    );
    let said = refused(&format!("sslrootcert={empty}"));
    assert_eq!(said, format!("sslrootcert: {empty} has no certificate"));
    let said = refused(&format!("sslcert={cert}&sslkey={empty}"));
    assert!(said.starts_with(&format!("sslkey: {empty} is not an unencrypted key: ")), "{said}");
    let said = refused(&format!("sslcert={cert}&sslkey={key}"));
    assert!(said.starts_with(&format!("sslcert, sslkey: {cert} and {key} do not fit")), "{said}");
}
