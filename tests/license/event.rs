//! What events say, whole: every kind that tells of a license, a permission or a mention (contract
//! section 6).

use std::time::Duration;

use grantor_service::Context;
use grantor_service::licensing::license;
use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::sighting::{self, MENTION};
use super::{Member, World, text};

impl World {
    /// What an organization's feed holds: sequence, kind, version and data.
    async fn feed(&self, member: &Member) -> Vec<(u64, String, u64, Value)> {
        let query = format!(
            "SELECT CAST(f.sequence AS text), e.type, CAST(e.resource_version AS text), e.data
             FROM feed_entries f JOIN events e ON e.event_id = f.event_id
             JOIN users u ON u.last_tenant_id = f.feed_id
             WHERE u.email = '{}' ORDER BY f.sequence",
            member.email
        );
        let rows = seed::rows(&self.app.database.options, &query).await;
        let read = |row: &Vec<String>| {
            let data = serde_json::from_str(&row[3]).unwrap();
            (row[0].parse().unwrap(), row[1].clone(), row[2].parse().unwrap(), data)
        };
        rows.iter().map(read).collect()
    }

    /// The kinds of events in a feed.
    async fn kinds(&self, member: &Member) -> Vec<String> {
        self.feed(member).await.into_iter().map(|it| it.1).collect()
    }

    /// The license as the external API shows it, without what only the reader has.
    async fn shown(&self, id: &str) -> Value {
        let mut shown = self.get(&format!("/licenses/{id}")).await.json();
        shown.as_object_mut().unwrap().remove("permission").unwrap();
        shown
    }

    async fn revoke(&self, license: &str, granted: &Value) {
        let right = text(&granted["data"]["permissionId"]);
        let path = format!("/org/license/{license}/permissions/{right}");
        let gone = self.agency.console(&self.app, Method::DELETE, &path, None).await;
        assert_eq!(gone.status, 204);
    }
}

#[db_test]
async fn a_life_of_a_license_is_told_whole(world: World) {
    let fee = json!({ "appearanceFee": "10", "currency": "EUR", "feePer": "day" });
    let mut more = json!({ "status": "public", "uses": ["voice"], "territories": ["DE"] });
    more.as_object_mut().unwrap().extend(fee.as_object().unwrap().clone());
    let id = world.license(more).await;
    let made = world.shown(&id).await;
    let granted = world.grant(&id, "viewer").await.json();
    world.patch(&id, json!({ "title": "Spring", "terms": { "x": 1 } })).await;
    let changed = world.shown(&id).await;
    world.patch(&id, json!({ "status": "expired" })).await;
    let ended = world.shown(&id).await;
    world.revoke(&id, &granted).await;
    let path = format!("/org/license/{id}");
    assert_eq!(world.agency.console(&world.app, Method::DELETE, &path, None).await.status, 204);

    let right = &granted["data"];
    let grantee = &world.brand.organization;
    let permission = json!({
        "id": right["permissionId"], "grantee_type": "organization", "grantee_id": grantee,
        "role": "viewer", "status": "accepted", "created_at": right["createdAt"],
    });
    let lost = json!({ "id": right["permissionId"], "grantee_id": grantee });
    let whole = |license: &Value| json!({ "license_id": id, "license": license });
    let with = |license: &Value, fields: &[&str]| json!({ "license_id": id, "license": license, "changed_fields": fields });
    let told = [
        ("license.created", 1, whole(&made)),
        ("license.published", 1, whole(&made)),
        (
            "permission.granted",
            1,
            json!({ "license_id": id, "license": made, "permission": permission }),
        ),
        ("license.updated", 2, with(&changed, &["title", "terms"])),
        ("license.updated", 3, with(&ended, &["status"])),
        ("license.expired", 3, whole(&ended)),
        ("permission.revoked", 3, json!({ "license_id": id, "permission": lost })),
        ("license.deleted", 4, json!({ "license_id": id })),
    ];
    let numbered = |told: &[(&str, u64, Value)]| -> Vec<_> {
        let told = (1..).zip(told.iter().cloned());
        told.map(|(at, (kind, version, data))| (at, kind.to_owned(), version, data)).collect()
    };
    assert_eq!(world.feed(&world.agency).await, numbered(&told));
    assert_eq!(world.feed(&world.brand).await, numbered(&told[2..7]), "while it could see");
}

#[db_test]
async fn an_end_by_time_and_a_new_name_are_told(world: World) {
    let id = world.license(json!({ "expiresAt": "2026-01-01T00:01:00Z" })).await;
    let path = format!("/talent/{}", world.talent);
    let body = Some(json!({ "fullname": "Grace M. Hopper" }));
    assert_eq!(world.agency.console(&world.app, Method::PATCH, &path, body).await.status, 200);
    let renamed = world.shown(&id).await;
    world.app.clock.advance(Duration::from_secs(59));
    license::expire(&world.app.app, &Context::system(Duration::ZERO)).await.unwrap();
    let ended = world.shown(&id).await;
    assert_eq!((&ended["status"], &ended["version"]), (&json!("expired"), &json!(3)));
    let renamed = json!({ "license_id": id, "license": renamed, "changed_fields": ["talent"] });
    let told = world.feed(&world.agency).await;
    assert_eq!(
        told[1..],
        [
            (2, "license.updated".to_owned(), 2, renamed),
            (3, "license.expired".to_owned(), 3, json!({ "license_id": id, "license": ended })),
        ]
    );
}

#[db_test]
async fn each_decision_is_another_version(world: World) {
    let id = world.license(json!({})).await;
    world.sight(&id).await;
    let path = format!("/mentions/{MENTION}");
    for status in ["confirmed", "confirmed", "dismissed"] {
        let body = Some(json!({ "status": status, "note": "between us" }));
        let answer = world.agency.external(&world.app, Method::PATCH, &path, body).await;
        assert_eq!(answer.status, 200);
    }
    let event = |at, version, status| {
        let data = json!({ "license_id": id, "mention": sighting::shown(&id, status) });
        (at, "mention.updated".to_owned(), version, data)
    };
    let told = world.feed(&world.agency).await;
    assert_eq!(told[1..], [event(2, 2, "confirmed"), event(3, 3, "dismissed")]);
}

#[db_test]
async fn of_a_draft_those_hear_it_is_shared_with_and_nobody_else(world: World) {
    let draft = json!({ "status": "draft" });
    let (shared, unshared) = (world.license(draft.clone()).await, world.license(draft).await);
    let granted = world.grant(&shared, "viewer").await.json();
    for id in [&shared, &unshared] {
        world.patch(id, json!({ "title": "Secret" })).await;
    }
    world.revoke(&shared, &granted).await;
    world.patch(&shared, json!({ "title": "Secret again" })).await;
    let kinds = ["permission.granted", "license.updated", "permission.revoked"];
    assert_eq!(world.kinds(&world.brand).await, kinds);
}
