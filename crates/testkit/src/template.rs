//! A migrated database that tests copy, because migrating takes longer than most tests.

use std::path::Path;
use std::sync::LazyLock;

use grantor_domain::Timestamp;
use grantor_storage::{Options, Store, StoreUrl, migrate};

/// The name of the template, derived from the migrations so that an outdated one is never used.
pub(crate) static NAME: LazyLock<String> = LazyLock::new(|| {
    let text = migrate::MIGRATIONS.iter().flat_map(|step| step.text.bytes());
    let sum = text.fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("grantor_template_{sum:016x}")
});

/// Creates a migrated `SQLite` database at the path.
pub(crate) async fn copy_sqlite_to(file: &Path) {
    let template = std::env::temp_dir().join(NAME.as_str()).with_extension("sqlite");
    if !template.exists() {
        // Tests run in several processes. Each that finds no template creates one and renames it, so
        // that none sees a half-written file.
        let folder = tempfile::tempdir().expect("a folder for the template");
        let fresh = folder.path().join("grantor.sqlite");
        migrate_sqlite(&fresh).await;
        std::fs::rename(&fresh, &template).expect("the template is put in its place");
    }
    std::fs::copy(&template, file).expect("the template is copied");
}

/// Closes the database at the end, which leaves everything in the one file.
async fn migrate_sqlite(file: &Path) {
    let options = Options::new(StoreUrl::Sqlite(file.to_owned()), 1);
    let store = Store::open(&options).await.expect("the template opens");
    migrate::run(&store, Timestamp::from_secs(0)).await.expect("migrations apply");
    drop(store);
    assert!(!file.with_extension("sqlite-wal").exists(), "the template was not closed");
}
