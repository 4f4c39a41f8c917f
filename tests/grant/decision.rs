//! `/decisions`.

use grantor_testkit::db_test;
use http::Method;
use serde_json::{Value, json};

use super::{STARTS, days, terms};
use crate::license::{Member, World};

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
    assert_eq!(world.decide(then).await["reasons"][0]["code"], "LICENSE_NOT_IN_FORCE");
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
        world.app.clock.advance(std::time::Duration::from_secs(1));
        world.patch(&license, json!({ "title": "Spring" })).await;
        licenses.push(license);
    }
    world.granted(&licenses[0], terms()).await;
    statements(&world, 2, &licenses[..1]).await;
    let two = statements(&world, 2, &licenses[..1]).await;
    assert_eq!(statements(&world, 1_000, &licenses[..1]).await, two, "about one license");
    assert_eq!(statements(&world, 1_000, &licenses).await, two, "about ten licenses");
    assert!(two <= 8, "{two}");
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
