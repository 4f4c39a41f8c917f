//! The keys of a backup: whether they open all that the database sealed.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use grantor_domain::id::TenantId;
use grantor_domain::single_sign_on::{Connection, Issuer, ProviderClientId};
use grantor_keys::{Keys, Purpose};
use grantor_service::operations::backup::{SEALED, open_all};
use grantor_service::operations::key_ring;
use grantor_service::watching::websub;
use grantor_storage::Tx;
use grantor_storage::backup::{Archive, export};
use grantor_storage::single_sign_on::{self, SealedSecret};
use grantor_testkit::app::TestApp;
use grantor_testkit::db_test;
use grantor_testkit::entropy::SeededEntropy;
use http::Method;
use serde_json::json;

use crate::license::World;
use crate::sighting::Watch;
use crate::web::factor::leave_some_of_each;

/// One value of every kind that is sealed: a mail, an answer, a code's session, both secrets of a
/// webhook, the code of a shared link, the secret of a hub, a chat address, the code of a case,
/// authenticator apps, a sign-in that waits, the secret of an identity provider.
async fn seal_some(watch: &Watch) {
    let world = &watch.world;
    let hook = json!({ "url": "https://hooks.example/one" });
    let request = world.app.request(Method::POST, "/webhooks").bearer(&world.agency.external);
    let made = request.header("idempotency-key", "k1").json(&hook).send().await;
    assert_eq!(made.status, 201, "{}", made.json());
    let rotate = format!("/webhooks/{}/rotate-secret", made.json()["id"].as_str().unwrap());
    let rotated = world.agency.external(&world.app, Method::POST, &rotate, None).await;
    assert_eq!(rotated.status, 200, "{}", rotated.json());
    let forgot = json!({ "email": world.agency.email });
    assert_eq!(world.app.post("/v1.0.1/auth/forgot/password", &forgot).await.status, 201);
    let grant = world.granted(&world.public().await, crate::grant::terms()).await;
    let path = format!("/grants/{}/certificate.pdf", grant["id"].as_str().unwrap());
    assert_eq!(world.as_brand(Method::GET, &path, None).await.status, 200);
    let app = world.app.app.clone();
    let (feed, topic) = (app.ids.next(), "https://site.example/feed");
    let hub = "https://hub.example/";
    let subscribe = move |tx: &mut Tx<'_>| websub::subscribe(&app, tx, feed, hub, topic);
    assert!(world.app.app.store.write(subscribe).await.unwrap());
    let chat = json!({ "name": "Chat", "url": "https://chat.example/a", "kinds": ["request"] });
    let path = "/org/chat-addresses";
    let added = world.agency.console(&world.app, Method::POST, path, Some(chat)).await;
    assert_eq!(added.status, 201, "{}", added.json());
    watch.license(json!({})).await;
    let mentions = watch.say("https://site.example/1", "Grace Hopper").await;
    let path = format!("/mentions/{}", mentions[0]["mentionId"].as_str().unwrap());
    let decided = json!({ "status": "confirmed", "allowed": false });
    assert_eq!(world.as_agency(Method::PATCH, &path, Some(decided)).await.status, 200);
    let opened = world.as_agency(Method::POST, &format!("{path}/case"), None).await;
    assert_eq!(opened.status, 201, "{}", opened.json());
    leave_some_of_each(&world.app, world.agency.email).await;
    seal_provider(world).await;
    key_ring::bind(&world.app.app.store, world.app.app.keys.root_ids()).await.unwrap();
}

/// The secret of an identity provider.
async fn seal_provider(world: &World) {
    let app = &world.app.app;
    let tenant: TenantId = world.agency.organization.parse().unwrap();
    let secret = app.keys.seal(Purpose::Field, &format!("single_sign_on/{tenant}"), b"secret");
    let connection = Connection {
        tenant,
        issuer: Issuer::parse("https://login.example").unwrap(),
        client_id: ProviderClientId::parse("client").unwrap(),
        metadata: "{}".to_owned(),
        enabled: true,
        new_member_role: None,
        created_at: app.clock.now(),
        updated_at: app.clock.now(),
    };
    let put =
        move |tx: &mut Tx<'_>| single_sign_on::put(tx, &connection, &SealedSecret(secret.clone()));
    app.store.write(put).await.unwrap();
}

/// A backup of this app with the ring of that folder.
async fn backed_up(world: &World, ring: &Path, to: &Path) -> Archive {
    let (app, now) = (&world.app.app, world.app.app.clock.now());
    let beside = vec![ring.join("keys.json")];
    export(&app.store, &app.objects, to.to_owned(), beside, now).await.unwrap();
    Archive::open(to.to_owned()).await.unwrap()
}

fn opened(world: &World, archive: &Archive) -> Result<Option<u64>, String> {
    let entropy = Arc::new(SeededEntropy::new(3));
    open_all(archive, Arc::clone(&world.app.app.clock), entropy)
}

#[db_test]
async fn the_ring_of_a_backup_opens_all_that_is_sealed(watch: Watch) {
    seal_some(&watch).await;
    let world = &watch.world;
    let place = tempfile::tempdir().unwrap();
    let own = world.app.object_folder();
    let archive = backed_up(world, own.parent().unwrap(), &place.path().join("one")).await;
    let mut expected = 0;
    for column in &SEALED {
        let mut values = 0;
        let count = archive.each_row(column.table, &[column.name], |row| {
            values += u64::from(row[0].is_string());
            Ok(())
        });
        count.unwrap();
        assert!(values > 0, "nothing is sealed in {}.{}", column.table, column.name);
        expected += values;
    }
    assert_eq!(opened(world, &archive), Ok(Some(expected)));
}

/// A backup of this app without a ring.
async fn backed_up_alone(app: &TestApp, to: &Path) -> Archive {
    let (app, now) = (&app.app, app.app.clock.now());
    export(&app.store, &app.objects, to.to_owned(), vec![], now).await.unwrap();
    Archive::open(to.to_owned()).await.unwrap()
}

#[db_test]
async fn sealed_values_without_a_ring_are_noticed(watch: Watch) {
    seal_some(&watch).await;
    let (world, place) = (&watch.world, tempfile::tempdir().unwrap());
    let archive = backed_up_alone(&world.app, &place.path().join("bound")).await;
    assert_eq!(opened(world, &archive), Err("the backup has no key ring".to_owned()));

    // Also if the database does not name its ring.
    let script = "DELETE FROM meta WHERE name = 'key_ring'";
    grantor_testkit::seed::run(&world.app.database.options, script.to_owned()).await;
    let archive = backed_up_alone(&world.app, &place.path().join("unbound")).await;
    let said = opened(world, &archive).unwrap_err();
    let number = said
        .strip_prefix("the backup has ")
        .and_then(|it| it.strip_suffix(" sealed values and no key ring"));
    assert!(number.is_some_and(|it| it.parse().is_ok_and(|it: u64| it > 0)), "{said}");
}

#[db_test]
async fn a_new_database_needs_no_ring(app: TestApp) {
    let place = tempfile::tempdir().unwrap();
    let archive = backed_up_alone(&app, &place.path().join("new")).await;
    let (clock, entropy) = (Arc::clone(&app.app.clock), Arc::new(SeededEntropy::new(3)));
    assert_eq!(open_all(&archive, clock, entropy), Ok(None));
}

#[db_test]
async fn another_ring_or_an_altered_value_is_noticed(watch: Watch) {
    seal_some(&watch).await;
    let world = &watch.world;
    let place = tempfile::tempdir().unwrap();
    let entropy = Arc::new(SeededEntropy::new(99));
    Keys::open(place.path(), Arc::clone(&world.app.app.clock), entropy).unwrap();
    let archive = backed_up(world, place.path(), &place.path().join("one")).await;
    let said = opened(world, &archive).unwrap_err();
    assert!(
        said.starts_with("the backup's key ring does not belong to its database (root "),
        "{said}"
    );

    let script = "UPDATE mails SET sealed = (SELECT sealed FROM challenges LIMIT 1)";
    grantor_testkit::seed::run(&world.app.database.options, script.to_owned()).await;
    let own = world.app.object_folder();
    let archive = backed_up(world, own.parent().unwrap(), &place.path().join("two")).await;
    let said = opened(world, &archive).unwrap_err();
    assert!(said.contains("the key ring cannot open a value of mails.sealed"), "{said}");
}

/// Columns of bytes that hold nothing sealed: hashes, MACs, digests and public content.
const NOT_SEALED: [&str; 34] = [
    "admin_tokens.token_hash",
    "cases.code_hash",
    "ceremonies.ceremony_hash",
    "challenges.challenge_hash",
    "challenges.code_mac",
    "challenges.link_hash",
    "clients.old_secret_hash",
    "clients.secret_hash",
    "exchanges.refresh_hash",
    "expired_tokens.token_hash",
    "feed_cursors.digest",
    "idempotency_keys.body_hash",
    "image_entries.entries",
    "image_features.features",
    "image_hashes.hash",
    "invitations.token_hash",
    "kept_images.hash",
    "key_rings.sealed",
    "license_postings.bits",
    "log_postings.bits",
    "log_times.spans",
    "object_chunks.data",
    "passkeys.credential_id",
    "record_postings.bits",
    "recovery_codes.code_mac",
    "refresh_tokens.token_hash",
    "scanned_images.hashes",
    "scanned_items.digest",
    "scanned_items.picture",
    "shared_receipts.code_hash",
    "undo_objects.token_hash",
    "undos.token_hash",
    "websub_pushes.body",
    "websub_subscriptions.token_hash",
];

#[test]
fn every_column_of_bytes_is_known_to_be_sealed_or_not() {
    let mut found = BTreeSet::new();
    for step in grantor_storage::migrate::MIGRATIONS {
        let mut table = "";
        for line in step.text.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.as_slice() {
                ["CREATE", "TABLE", name, ..] => table = name,
                ["ALTER", "TABLE", name, "ADD", "COLUMN", column, "BYTEA" | "BYTEA;", ..] => {
                    found.insert(format!("{name}.{column}"));
                }
                ["ALTER", "TABLE", name, "RENAME", "TO", other] => {
                    let other = other.trim_end_matches(';');
                    let moved = |it: String| match it.strip_prefix(&format!("{name}.")) {
                        Some(column) => format!("{other}.{column}"),
                        None => it,
                    };
                    found = found.into_iter().map(moved).collect();
                }
                [column, "BYTEA" | "BYTEA,", ..] => {
                    found.insert(format!("{table}.{column}"));
                }
                _ => {}
            }
        }
    }
    let sealed = SEALED.iter().map(|it| format!("{}.{}", it.table, it.name));
    let known: BTreeSet<_> = sealed.chain(NOT_SEALED.map(str::to_owned)).collect();
    assert_eq!(found, known);
}
