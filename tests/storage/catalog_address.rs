//! Addresses of the catalog's pages: one for each page, and old ones lead to the new one.

use grantor_domain::catalog_address::{AddressKind, candidates};
use grantor_storage::catalog_address::{self, AddressedPage};
use grantor_storage::{Result, migrate};
use grantor_testkit::store::TestStore;
use grantor_testkit::{db_test, seed};
use uuid::Uuid;

use super::NOW;

const ADA: Uuid = Uuid::from_u128(1);
const BEA: Uuid = Uuid::from_u128(2);

async fn assign(test: &TestStore, kind: AddressKind, subject: Uuid, name: &'static str) {
    let work = move |tx: &mut grantor_storage::Tx<'_>| {
        catalog_address::assign(tx, kind, subject, name, NOW)
    };
    let done: Result<()> = test.store.write(work).await;
    done.unwrap();
}

async fn rename(test: &TestStore, subject: Uuid, name: String) {
    let kind = AddressKind::Talent;
    let work = move |tx: &mut grantor_storage::Tx<'_>| {
        catalog_address::rename(tx, kind, subject, &name, NOW)
    };
    let done: Result<()> = test.store.write(work).await;
    done.unwrap();
}

/// The current addresses of both pages.
async fn current(test: &TestStore) -> [Option<String>; 2] {
    let found: Result<_> = test.store.read(|tx| catalog_address::list_of(tx, &[ADA, BEA])).await;
    let found = found.unwrap();
    [ADA, BEA].map(|it| found.get(&it).cloned())
}

async fn find(test: &TestStore, kind: AddressKind, slug: &'static str) -> Option<AddressedPage> {
    let found: Result<_> = test.store.read(move |tx| catalog_address::find(tx, kind, slug)).await;
    found.unwrap()
}

fn leads(subject: Uuid, slug: &str) -> AddressedPage {
    AddressedPage { subject, slug: slug.to_owned() }
}

#[db_test]
async fn two_pages_never_have_one_address(test: TestStore) {
    let (talent, owner) = (AddressKind::Talent, AddressKind::Owner);
    for _ in 0..2 {
        assign(&test, talent, ADA, "Grâce Hopper").await;
        assign(&test, talent, BEA, "Grace  hopper").await;
    }
    let second = &candidates("Grace Hopper", BEA)[1];
    assert_eq!(current(&test).await, [Some("grace-hopper".to_owned()), Some(second.clone())]);
    assert_eq!(find(&test, talent, "grace-hopper").await, Some(leads(ADA, "grace-hopper")));
    assert_eq!(find(&test, owner, "grace-hopper").await, None);
    assign(&test, owner, Uuid::from_u128(3), "Grace Hopper").await;
    let owner = find(&test, owner, "grace-hopper").await;
    assert_eq!(owner, Some(leads(Uuid::from_u128(3), "grace-hopper")));
}

#[db_test]
async fn an_old_address_leads_to_the_new_one(test: TestStore) {
    let talent = AddressKind::Talent;
    assign(&test, talent, ADA, "Grace Hopper").await;
    for (name, now) in
        [("Zoë Hopper", "zoe-hopper"), ("Grace Hopper", "grace-hopper"), ("Zoë H.", "zoe-h")]
    {
        rename(&test, ADA, name.to_owned()).await;
        assert_eq!(find(&test, talent, now).await, Some(leads(ADA, now)));
        assert_eq!(find(&test, talent, "grace-hopper").await, Some(leads(ADA, now)));
    }
    rename(&test, BEA, "Bea".to_owned()).await;
    assert_eq!(current(&test).await, [Some("zoe-h".to_owned()), None], "only pages are renamed");
    for number in 0..30 {
        rename(&test, ADA, format!("Name {number}")).await;
    }
    let query = "SELECT CAST(count(*) AS text) FROM catalog_addresses";
    assert_eq!(seed::rows(&test.options, query).await, [["10"]]);
    assert_eq!(find(&test, talent, "zoe-h").await, None);
    assert_eq!(find(&test, talent, "name-25").await, Some(leads(ADA, "name-29")));
}

#[db_test]
async fn pages_that_a_migration_added_are_named_at_the_next_start(test: TestStore) {
    seed::public_licenses(&test.options, 21).await;
    let script = "INSERT INTO catalog_addresses (subject_id, number, kind, created_at)
           SELECT talent_id, 1, 'talent', 0 FROM talents;
         INSERT INTO catalog_addresses (subject_id, number, kind, created_at)
           SELECT tenant_id, 1, 'owner', 0 FROM tenants;";
    seed::run(&test.options, script.to_owned()).await;
    for _ in 0..2 {
        migrate::run(&test.store, NOW).await.unwrap();
        let query = "SELECT kind, slug FROM catalog_addresses ORDER BY kind, slug";
        let named = seed::rows(&test.options, query).await;
        let expected = [
            ["owner", "sample-agency"],
            ["talent", "talent-1"],
            ["talent", "talent-2"],
            ["talent", "talent-3"],
        ];
        assert_eq!(named, expected);
    }
}
