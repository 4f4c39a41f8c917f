//! `/decisions`.

use std::time::Duration;

use grantor_domain::Timestamp;
use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::{STARTS, days, terms};
use crate::license::{Member, World, text};

impl World {
    async fn decide(&self, question: Value) -> Value {
        let body = json!({ "questions": [question] });
        let answer = self.as_brand(Method::POST, "/decisions", Some(body)).await;
        assert_eq!(answer.status, 200, "{}", answer.json());
        answer.json()["decisions"][0].clone()
    }
}

fn question(license: &str) -> Value {
    json!({
        "license_id": license, "use": "advertising", "territory": "US",
        "at": "2026-03-01T00:00:00Z",
    })
}

#[db_test]
async fn a_grant_allows_what_it_covers(world: World) {
    let license = world.public().await;
    let none = world.decide(question(&license)).await;
    assert_eq!(
        (&none["decision"], &none["reasons"][0]["code"]),
        (&json!("ask"), &json!("NO_GRANT"))
    );
    world.granted(&license, terms()).await;
    let reason = json!({
        "code": "GRANT_COVERS", "message": "A grant covers this use", "license_id": license,
        "grant_number": "GR-2026-000001",
    });
    let allowed = json!({ "decision": "allowed", "reasons": [reason] });
    assert_eq!(world.decide(question(&license)).await, allowed);
    let mut by_talent = question(&license);
    by_talent.as_object_mut().unwrap().remove("license_id");
    by_talent["talent_id"] = json!(world.talent);
    assert_eq!(world.decide(by_talent).await, allowed);
    let mut early = question(&license);
    early["at"] = json!("2026-01-15T00:00:00Z");
    let early = world.decide(early).await;
    assert_eq!((&early["decision"], &early["closest"]), (&json!("ask"), &json!({ "at": STARTS })));
}

#[db_test]
async fn the_past_is_answered_as_it_was(mut world: World) {
    let license = world.shared(json!({ "uses": ["advertising"] })).await;
    world.pass(days(10)).await;
    let mut then = question(&license);
    then["at"] = json!("2026-01-05T00:00:00Z");
    let before = world.decide(then.clone()).await;
    assert_eq!(before["reasons"][0]["code"], "PERMISSION");
    world.patch(&license, json!({ "uses": ["voice"] })).await;
    assert_eq!(world.decide(then.clone()).await, before, "the license allowed it then");
    let mut now = then.clone();
    now.as_object_mut().unwrap().remove("at");
    assert_eq!(world.decide(now).await["reasons"][0]["code"], "USE_NOT_COVERED");
    then["at"] = json!("2025-12-01T00:00:00Z");
    let denied = world.decide(then.clone()).await;
    assert_eq!(denied["reasons"][0]["code"], "LICENSE_NOT_IN_FORCE");
    // The first moment at which it was allowed: when the permission was given.
    let given = "SELECT CAST(created_at AS text) FROM permissions";
    let given = seed::rows(&world.app.database.options, given).await;
    let given = Timestamp::from_micros(given[0][0].parse().unwrap());
    assert_eq!(denied["closest"], json!({ "at": given }));
    then["at"] = denied["closest"]["at"].clone();
    assert_eq!(world.decide(then).await["reasons"][0]["code"], "PERMISSION");
}

#[db_test]
async fn before_the_license_a_later_grant_is_closest(world: World) {
    let license = world.public().await;
    let mut early = question(&license);
    early["at"] = json!("2025-12-01T00:00:00Z");
    let denied = world.decide(early.clone()).await;
    let told = (&denied["reasons"][0]["code"], denied.get("closest"));
    assert_eq!(told, (&json!("LICENSE_NOT_IN_FORCE"), None), "nothing is allowed yet");
    world.granted(&license, terms()).await;
    let denied = world.decide(early.clone()).await;
    assert_eq!(denied["reasons"][0]["code"], "LICENSE_NOT_IN_FORCE");
    assert_eq!(denied["closest"], json!({ "at": STARTS }));
    early["at"] = denied["closest"]["at"].clone();
    assert_eq!(world.decide(early).await["reasons"][0]["code"], "GRANT_COVERS");
}

#[db_test]
async fn others_are_asked_about_only_by_the_owner(world: World) {
    let license = world.public().await;
    world.granted(&license, terms()).await;
    let mut about = question(&license);
    about["party"] = json!(world.agency.organization);
    assert_eq!(world.decide(about.clone()).await["reasons"][0]["code"], "NOT_VISIBLE");
    about["party"] = json!(world.brand.organization);
    let body = json!({ "questions": [about] });
    let answer = world.as_agency(Method::POST, "/decisions", Some(body)).await;
    assert_eq!(answer.json()["decisions"][0]["reasons"][0]["code"], "GRANT_COVERS");
}

#[db_test]
async fn every_invalid_question_is_named(world: World) {
    let body = json!({ "questions": [
        { "use": "posters", "territory": "UK" },
        { "license_id": "1", "use": "voice", "territory": "US", "at": "soon", "party": "me" },
    ] });
    let refused = world.as_brand(Method::POST, "/decisions", Some(body)).await;
    let details = refused.json()["error"]["details"].as_object().unwrap().clone();
    let named: Vec<_> = details.keys().map(String::as_str).collect();
    assert_eq!(
        named,
        [
            "questions.0",
            "questions.0.territory",
            "questions.0.use",
            "questions.1.at",
            "questions.1.license_id",
            "questions.1.party",
        ]
    );
    for body in [json!({}), json!({ "questions": [] })] {
        let refused = world.as_brand(Method::POST, "/decisions", Some(body)).await;
        assert_eq!(refused.status, 400);
    }
}

/// Asks so many questions about the licenses, in turn, and returns how many statements that takes.
async fn statements(world: &World, questions: usize, licenses: &[String]) -> u64 {
    let ask = |(at, license): (usize, &String)| {
        let mut question = question(license);
        question["territory"] = json!(if at.is_multiple_of(2) { "US" } else { "DE" });
        question["at"] = json!(if at.is_multiple_of(3) {
            "2026-03-01T00:00:00Z"
        } else {
            "2026-01-01T00:00:01Z"
        });
        question
    };
    let asked: Vec<_> = licenses.iter().cycle().take(questions).enumerate().map(ask).collect();
    let before = world.app.app.store.statements();
    let body = Some(json!({ "questions": asked }));
    let answer = world.as_brand(Method::POST, "/decisions", body).await;
    assert_eq!(answer.json()["decisions"].as_array().unwrap().len(), questions);
    world.app.app.store.statements() - before
}

#[db_test]
async fn a_thousand_questions_take_few_statements(world: World) {
    let mut licenses = Vec::new();
    for _ in 0..10 {
        let license = world.shared(json!({})).await;
        world.app.clock.advance(Duration::from_secs(1));
        world.patch(&license, json!({ "title": "Spring" })).await;
        licenses.push(license);
    }
    world.granted(&licenses[0], terms()).await;
    statements(&world, 2, &licenses[..1]).await;
    let two = statements(&world, 2, &licenses[..1]).await;
    assert_eq!(statements(&world, 1_000, &licenses[..1]).await, two, "about one license");
    // Some of the questions are about a time before the license. The versions under which the
    // permission counted later are read for all of them at once.
    let ten = statements(&world, 1_000, &licenses).await;
    assert_eq!(ten, two + 1, "about ten licenses");
    assert_eq!(statements(&world, 20, &licenses).await, ten, "however many questions");
    assert!(two <= 8, "{two}");
}

/// A question about all licenses of the talent.
fn about_talent(world: &World, usage: &str) -> Value {
    json!({
        "talent_id": world.talent, "use": usage, "territory": "US", "at": "2026-03-01T00:00:00Z",
    })
}

/// The licenses in bulk have larger ids, so that the license with the grant is the last one.
#[db_test]
async fn every_license_of_a_talent_counts_in_as_many_statements(world: World) {
    let license = world.public().await;
    world.granted(&license, terms()).await;
    let store = &world.app.app.store;
    let cost = async |questions: usize| {
        let asked = vec![about_talent(&world, "voice"); questions];
        let before = store.statements();
        let body = Some(json!({ "questions": asked }));
        let answer = world.as_brand(Method::POST, "/decisions", body).await;
        assert_eq!(answer.json()["decisions"].as_array().unwrap().len(), questions);
        store.statements() - before
    };
    cost(1).await;
    let one = cost(1).await;
    let options = &world.app.database.options;
    seed::public_licenses(options, 300).await;
    let talent = seed::id(options, &world.talent);
    seed::run(options, format!("UPDATE licenses SET talent_id = {talent}")).await;
    assert_eq!(cost(100).await, one, "100 questions about 301 licenses");
    let allowed = world.decide(about_talent(&world, "advertising")).await;
    let reason = json!({
        "code": "GRANT_COVERS", "message": "A grant covers this use", "license_id": license,
        "grant_number": "GR-2026-000001",
    });
    assert_eq!(allowed, json!({ "decision": "allowed", "reasons": [reason] }));
    let ask = world.decide(about_talent(&world, "social_media")).await;
    let reasons = ask["reasons"].as_array().unwrap().len();
    let closest = json!({ "use": "advertising" });
    assert_eq!((&ask["decision"], reasons, &ask["closest"]), (&json!("ask"), 200, &closest));
}

/// The licenses in bulk have larger ids, and only the newest are read besides the shared one.
#[db_test]
async fn a_permission_on_an_old_license_of_a_talent_counts(world: World) {
    let license = world.shared(json!({})).await;
    let options = &world.app.database.options;
    seed::public_licenses(options, 300).await;
    let talent = seed::id(options, &world.talent);
    seed::run(options, format!("UPDATE licenses SET talent_id = {talent}")).await;
    let allowed = world.decide(about_talent(&world, "advertising")).await;
    let reason = &allowed["reasons"][0];
    assert_eq!((&reason["code"], &reason["license_id"]), (&json!("PERMISSION"), &json!(license)));
}

#[db_test]
async fn licenses_of_a_talent_that_cannot_be_seen_do_not_count(world: World) {
    world.license(json!({})).await;
    let answer = world.decide(about_talent(&world, "advertising")).await;
    let reason = &answer["reasons"];
    assert_eq!((reason.as_array().unwrap().len(), &reason[0]["code"]), (1, &json!("NOT_VISIBLE")));
}

#[db_test]
async fn a_grant_of_a_deleted_license_counts_for_its_talent(world: World) {
    let license = world.public().await;
    world.granted(&license, terms()).await;
    let path = format!("/org/license/{license}");
    let deleted = world.agency.console(&world.app, Method::DELETE, &path, None).await;
    assert_eq!(deleted.status, 204);
    let covered = world.decide(about_talent(&world, "advertising")).await;
    assert_eq!(covered["reasons"][0]["code"], "GRANT_COVERS");
}

/// The moment one second before what the query selects.
async fn last_second(world: &World, query: &str) -> Timestamp {
    let found = seed::rows(&world.app.database.options, query).await;
    Timestamp::from_micros(found[0][0].parse().unwrap()).minus(Duration::from_secs(1))
}

/// The license does not allow the use any more either, so that its former version counts.
#[db_test]
async fn a_former_permission_is_closest_while_it_was_held(world: World) {
    let license = world.public().await;
    let shared = world.grant(&license, "viewer").await;
    let right = text(&shared.json()["data"]["permissionId"]);
    world.app.clock.advance(Duration::from_secs(90));
    let path = format!("/org/license/{license}/permissions/{right}");
    let revoked = world.agency.console(&world.app, Method::DELETE, &path, None).await;
    assert!(revoked.status.is_success(), "{}", revoked.status);
    world.app.clock.advance(Duration::from_secs(90));
    assert_eq!(world.patch(&license, json!({ "uses": ["voice"] })).await.status, 200);
    world.app.clock.advance(Duration::from_secs(90));
    let asked = json!({ "license_id": license, "use": "advertising", "territory": "US" });
    let denied = world.decide(asked.clone()).await;
    assert_eq!(denied["reasons"][0]["code"], "USE_NOT_COVERED");
    let revoked_at = "SELECT CAST(revoked_at AS text) FROM past_permissions";
    let last = last_second(&world, revoked_at).await;
    assert_eq!(Timestamp::parse(&text(&denied["closest"]["at"])), Ok(last));
    assert_eq!(denied["closest"].as_object().unwrap().len(), 1);
    let mut then = asked.clone();
    then["at"] = denied["closest"]["at"].clone();
    assert_eq!(world.decide(then.clone()).await["reasons"][0]["code"], "PERMISSION");
    let aged = "UPDATE licenses SET version = version + 100".to_owned();
    seed::run(&world.app.database.options, aged).await;
    assert_eq!(world.decide(asked).await["closest"], json!(null), "only the newest versions");
    assert_eq!(world.decide(then).await["reasons"][0]["code"], "PERMISSION", "still exact");
}

#[db_test]
async fn a_revoked_grant_is_closest_before_it_was_revoked(mut world: World) {
    let license = world.public().await;
    let grant = world.granted(&license, terms()).await;
    world.pass(days(40)).await;
    let path = format!("/grants/{}/revoke", text(&grant["id"]));
    let reason = json!({ "reason": "Not paid" });
    assert_eq!(world.as_agency(Method::POST, &path, Some(reason)).await.status, 200);
    world.app.clock.advance(Duration::from_secs(90));
    let mut asked = json!({ "license_id": license, "use": "advertising", "territory": "US" });
    let denied = world.decide(asked.clone()).await;
    assert_eq!(denied["reasons"][0]["code"], "GRANT_REVOKED");
    let last = last_second(&world, "SELECT CAST(revoked_at AS text) FROM grants").await;
    assert_eq!(Timestamp::parse(&text(&denied["closest"]["at"])), Ok(last));
    asked["at"] = denied["closest"]["at"].clone();
    assert_eq!(world.decide(asked).await["reasons"][0]["code"], "GRANT_COVERS");
}

#[db_test]
async fn a_later_grant_does_not_change_what_was_decided(mut world: World) {
    let license = world.public().await;
    world.pass(days(40)).await;
    let mut then = question(&license);
    then["at"] = json!("2026-02-05T00:00:00Z");
    let before = world.decide(then.clone()).await;
    assert_eq!(before["reasons"][0]["code"], "NO_GRANT");
    world.granted(&license, terms()).await;
    assert_eq!(world.decide(then).await, before, "it was accepted later");
    let now = json!({ "license_id": license, "use": "advertising", "territory": "US" });
    assert_eq!(world.decide(now).await["reasons"][0]["code"], "GRANT_COVERS");
}

#[db_test]
async fn a_later_permission_does_not_change_what_was_decided(mut world: World) {
    let license = world.public().await;
    world.pass(Duration::from_mins(10)).await;
    let mut then = question(&license);
    then["at"] = json!("2026-01-01T00:05:00Z");
    let before = world.decide(then.clone()).await;
    assert_eq!(before["reasons"][0]["code"], "NO_GRANT");
    assert_eq!(world.grant(&license, "viewer").await.status, 201);
    assert_eq!(world.decide(then).await, before, "it was given later");
    let now = json!({ "license_id": license, "use": "advertising", "territory": "US" });
    assert_eq!(world.decide(now).await["reasons"][0]["code"], "PERMISSION");
}

#[db_test]
async fn a_grant_outlives_its_deleted_license(world: World) {
    let license = world.public().await;
    world.granted(&license, terms()).await;
    let path = format!("/org/license/{license}");
    let deleted = world.agency.console(&world.app, Method::DELETE, &path, None).await;
    assert_eq!(deleted.status, 204);
    let covered = world.decide(question(&license)).await;
    assert_eq!(covered["reasons"][0]["code"], "GRANT_COVERS");
    let mut late = question(&license);
    late["at"] = json!("2027-03-01T00:00:00Z");
    let late = world.decide(late).await;
    assert_eq!(
        (&late["decision"], &late["reasons"][0]["code"]),
        (&json!("denied"), &json!("LICENSE_NOT_IN_FORCE"))
    );
}

/// Otherwise the owner would learn who has the address that it shared a license with.
#[db_test]
async fn an_unclaimed_share_counts_for_its_holder_alone(world: World) {
    let license = world.license(json!({})).await;
    let individual = Member::join(&world.app, "ivy@example.com", None).await;
    let grantee = json!({ "userEmail": individual.email });
    assert_eq!(world.grant_to(&license, grantee, "viewer").await.status, 201);
    let mut asked = question(&license);
    asked["party"] = json!(individual.organization);
    let body = json!({ "questions": [asked] });
    let told = world.as_agency(Method::POST, "/decisions", Some(body)).await.json();
    assert_eq!(told["decisions"][0]["reasons"][0]["code"], "NO_GRANT");
    let body = json!({ "questions": [question(&license)] });
    let own = individual.external(&world.app, Method::POST, "/decisions", Some(body)).await.json();
    assert_eq!(own["decisions"][0]["reasons"][0]["code"], "PERMISSION");
}
