//! Growing: a backup of a running server on one engine becomes a server on the other.

use grantor_testkit::postgres::TestDatabase;
use grantor_testkit::seed;
use grantor_testkit::server::{Installation, eventually};
use grantor_testkit::{Engine, Fixture as _, db_test};
use serde_json::Value;

/// What callers see of an installation: its keys and its catalog.
async fn seen(installation: &Installation) -> [Value; 2] {
    let server = installation.serve().await;
    // A database that has just started can be slower than a probe waits.
    let ready = async || (server.get("/readyz").await.status == 200).then_some(());
    eventually("a ready server", ready).await;
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

/// An installation with the sample, which has pictures and sealed values.
async fn sampled(engine: Engine) -> Installation {
    let installation = Installation::on(engine).await;
    assert_eq!(installation.run("demo").await.code, Some(0));
    installation
}

/// How many pictures an installation has, by what the doctor says of them.
async fn pictures(installation: &Installation) -> String {
    let said = installation.run("doctor --deep").await.ok();
    let line = said.lines().find(|it| it.contains("objects: ")).expect("a line about objects");
    line.to_owned()
}

/// What the doctor says of the features of images.
async fn described(installation: &Installation, options: &str) -> String {
    let said = installation.run(&format!("doctor {options}")).await.ok();
    let line = said.lines().find(|it| it.contains("image features: ")).expect("a line");
    line.to_owned()
}

async fn brings_everything(from: Engine, to: Engine) {
    let (old, new) = (sampled(from).await, Installation::on(to).await);
    let folder = old.folder().join("backup").display().to_string();
    let said = old.run(&format!("backup --to {folder}")).await.ok();
    assert!(said.contains(" objects (") && said.contains("The backup contains the keys"), "{said}");
    let proved = new.run(&format!("restore --check {folder}")).await.ok();
    let start = format!("{folder} is complete: ");
    assert!(proved.starts_with(&start) && proved.contains("key ring decrypts all "), "{proved}");
    assert!(!new.data("").exists(), "looking makes nothing");
    assert_eq!(new.run(&format!("restore --from {folder}")).await.code, Some(0));
    // Features are no part of a backup. A server computes them anew.
    assert!(described(&old, "").await.starts_with("ok    image features: all "));
    let cramped = described(&old, "--recognition-memory 1").await;
    let told = "note  image features: recognition_memory is enough for about 0 of ";
    assert!(cramped.starts_with(told), "{cramped}");
    let waiting = described(&new, "").await;
    assert!(waiting.starts_with("note  image features: 0 of "), "{waiting}");
    let before = pictures(&old).await;
    assert!(before.starts_with("ok ") && !before.contains(" 0 pictures"), "{before}");
    assert_eq!(pictures(&new).await, before);
    assert_eq!(seen(&new).await, seen(&old).await);
}

#[tokio::test]
async fn everything_comes_from_sqlite_to_postgres() {
    brings_everything(Engine::Sqlite, Engine::Postgres).await;
}

#[tokio::test]
async fn everything_comes_from_postgres_to_sqlite() {
    brings_everything(Engine::Postgres, Engine::Sqlite).await;
}

/// Secrets that seal the key ring in the database.
const SECRETS: [&str; 2] = [
    "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
    "HxwdGxoZGBcWFRQTEhEQDw4NDAsKCQgHBgUEAwIBAAA=",
];

/// The key ring of a backup is a file, wherever the installation keeps it.
async fn brings_a_sealed_ring(from: Engine, to: Engine) {
    let old = Installation::on(from).await.with("GRANTOR_KEY_RING_SECRET", SECRETS[0]);
    assert_eq!(old.run("demo").await.code, Some(0));
    let folder = old.folder().join("backup").display().to_string();
    let said = old.run(&format!("backup --to {folder}")).await.ok();
    assert!(said.contains("The backup contains the keys"), "{said}");
    let names = std::fs::read_dir(old.data("")).unwrap().map(|it| it.unwrap().file_name());
    let copies: Vec<_> = names.filter(|it| it.to_string_lossy().contains("keys")).collect();
    assert!(copies.is_empty(), "no copy is left: {copies:?}");
    let proved = old.run(&format!("restore --check {folder}")).await.ok();
    assert!(proved.contains("The key ring decrypts all "), "{proved}");
    let before = seen(&old).await;
    let sealed = Installation::on(to).await.with("GRANTOR_KEY_RING_SECRET", SECRETS[1]);
    for new in [sealed, Installation::on(to).await] {
        let restored = new.run(&format!("restore --from {folder}")).await;
        assert_eq!(restored.code, Some(0), "{}", restored.err);
        assert_eq!(seen(&new).await, before);
    }
}

#[tokio::test]
async fn a_sealed_ring_comes_from_sqlite_to_postgres() {
    brings_a_sealed_ring(Engine::Sqlite, Engine::Postgres).await;
}

#[tokio::test]
async fn a_sealed_ring_comes_from_postgres_to_sqlite() {
    brings_a_sealed_ring(Engine::Postgres, Engine::Sqlite).await;
}

#[db_test]
async fn a_lost_picture_is_named_and_fails_the_backup(installation: Installation) {
    let installation = installation.with("GRANTOR_OBJECT_STORE", "files");
    assert_eq!(installation.run("demo").await.code, Some(0));
    let mut names: Vec<_> =
        std::fs::read_dir(installation.data("objects/images")).unwrap().collect();
    let lost = names.pop().unwrap().unwrap();
    let key = format!("images/{}", lost.file_name().to_str().unwrap());
    std::fs::remove_file(lost.path()).unwrap();
    let backup = installation.run("backup --to backup").await;
    let sentence = format!(
        "grantor: backup: the object {key} is in the database but not in the object store: \
         restore it from an older backup, or delete the image\n"
    );
    assert_eq!((backup.code, backup.err), (Some(1), sentence));
    assert!(!installation.folder().join("backup").exists());
    let doctor = installation.run("doctor").await;
    let line = format!("BAD   objects: 1 missing: {key}");
    assert!(doctor.code == Some(1) && doctor.out.contains(&line), "{}", doctor.out);
}

/// The sample has evidence, whose pictures are objects like all others.
#[db_test]
async fn lost_evidence_is_named_and_fails_the_backup(installation: Installation) {
    let installation = installation.with("GRANTOR_OBJECT_STORE", "files");
    assert_eq!(installation.run("demo").await.code, Some(0));
    let said = pictures(&installation).await;
    assert!(said.contains(" pictures of evidence, ") && !said.contains(" 0 pictures"), "{said}");
    assert!(installation.run("backup --to whole").await.ok().starts_with("Wrote "));
    for kind in ["evidence", "references"] {
        let folder = installation.data(&format!("objects/{kind}"));
        let lost = std::fs::read_dir(folder).unwrap().next().unwrap().unwrap();
        let key = format!("{kind}/{}", lost.file_name().to_str().unwrap());
        let bytes = std::fs::read(lost.path()).unwrap();
        std::fs::remove_file(lost.path()).unwrap();
        let doctor = installation.run("doctor").await;
        let line = format!("BAD   objects: 1 missing: {key}");
        assert!(doctor.code == Some(1) && doctor.out.contains(&line), "{}", doctor.out);
        let backup = installation.run("backup --to backup").await;
        let sentence = format!(
            "grantor: backup: the object {key} is in the database but not in the object store: \
             restore it from an older backup, or lower retention_evidence until its evidence is \
             deleted\n"
        );
        assert_eq!((backup.code, backup.err), (Some(1), sentence));
        std::fs::write(lost.path(), &bytes).unwrap();
        // The same object is missing in a backup.
        let copy = installation.folder().join("whole/objects").join(&key);
        std::fs::remove_file(&copy).unwrap();
        let check = installation.run("restore --check whole").await;
        assert!(check.code == Some(1) && check.err.contains(&key), "{}", check.err);
        std::fs::write(&copy, &bytes).unwrap();
    }
    assert_eq!(installation.run("restore --check whole").await.code, Some(0), "the control");
    assert!(pictures(&installation).await.starts_with("ok "), "the control");
}

#[db_test]
async fn the_doctor_tells_pictures_that_are_not_what_they_were(installation: Installation) {
    let installation = installation.with("GRANTOR_OBJECT_STORE", "files");
    assert_eq!(installation.run("demo").await.code, Some(0));
    let mut files = std::fs::read_dir(installation.data("objects/images")).unwrap();
    let (one, two) = (files.next().unwrap().unwrap().path(), files.next().unwrap().unwrap().path());
    let mut bytes = std::fs::read(&one).unwrap();
    bytes[20] ^= 1;
    std::fs::write(&one, bytes).unwrap();
    std::fs::write(&two, "short").unwrap();
    let doctor = installation.run("doctor --deep").await;
    let name = |path: &std::path::Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    for line in [
        format!("BAD   objects: 1 with the wrong size: images/{}", name(&two)),
        format!("BAD   objects: 1 with the wrong SHA-256: images/{}", name(&one)),
    ] {
        assert!(doctor.code == Some(1) && doctor.out.contains(&line), "{line}\n{}", doctor.out);
    }
}

#[db_test]
async fn a_backup_without_the_keys_of_its_database_is_refused(installation: Installation) {
    installation.serve().await.stop().await;
    let keys = installation.data("keys.json");
    std::fs::rename(&keys, installation.folder().join("elsewhere.json")).unwrap();
    let ran = installation.run("backup --to backup").await;
    let start = format!(
        "grantor: backup: {} is missing, and sealed values cannot be opened without it",
        keys.display()
    );
    assert!(ran.code == Some(1) && ran.err.starts_with(&start), "{}", ran.err);
    assert!(
        !installation.folder().join("backup").exists() && !keys.exists(),
        "no other ring is made"
    );
    std::fs::rename(installation.folder().join("elsewhere.json"), &keys).unwrap();
    assert_eq!(installation.run("backup --to backup").await.code, Some(0));
    let mode = |name: &str| {
        let path = installation.folder().join("backup").join(name);
        std::os::unix::fs::PermissionsExt::mode(&path.metadata().unwrap().permissions()) & 0o777
    };
    assert_eq!((mode("keys.json"), mode("")), (0o600, 0o700));
}

#[tokio::test]
async fn a_backup_is_not_put_beside_other_keys() {
    let (old, new) = (Installation::default(), Installation::default());
    old.serve().await.stop().await;
    new.serve().await.stop().await;
    assert!(
        old.run("backup --to backup")
            .await
            .ok()
            .contains("store it as securely as the keys themselves")
    );
    let database = TestDatabase::empty().await;
    let new = new.with("GRANTOR_DATABASE_URL", database.url());
    let ran = new.run(&format!("restore --from {}/backup", old.folder().display())).await;
    let keys = new.data("keys.json");
    let sentence = format!(
        "grantor: restore: {} is not the backup's key ring; move it elsewhere first\n",
        keys.display()
    );
    assert_eq!((ran.code, ran.err), (Some(1), sentence));
}
