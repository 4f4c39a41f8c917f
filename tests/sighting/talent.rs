//! One mention of a talent at an address, whatever licenses the talent has.

use std::time::{Duration, Instant};

use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::Watch;
use crate::license::{Member, text};

const PAGE: &str = "https://wire.example/1";
const NAMED: &str = "Grace Hopper";

impl Watch {
    /// So many licenses over the talent that are watched, the oldest first.
    async fn licenses<const N: usize>(&self) -> [String; N] {
        let mut made = std::array::from_fn(|_| String::new());
        for license in &mut made {
            *license = self.license(json!({})).await;
        }
        made
    }

    fn pass(&self, minutes: u64) {
        self.world.app.clock.advance(Duration::from_mins(minutes));
    }

    /// The id and the license of each mention that somebody reads through a license.
    async fn read(&self, who: &Member, license: &str) -> Vec<(String, String)> {
        let path = format!("/licenses/{license}/mentions");
        let answer = who.external(&self.world.app, Method::GET, &path, None).await;
        let mention = |it: &Value| (text(&it["id"]), text(&it["license_id"]));
        answer.json()["data"].as_array().unwrap().iter().map(mention).collect()
    }

    /// The license by which somebody sees a mention, or the status of their refusal.
    async fn through(&self, who: &Member, mention: &str) -> Result<String, u16> {
        let path = format!("/mentions/{mention}");
        let answer = who.external(&self.world.app, Method::GET, &path, None).await;
        match answer.status.as_u16() {
            200 => Ok(text(&answer.json()["license_id"])),
            status => Err(status),
        }
    }

    /// What somebody was told of mentions: the kind, and by which license.
    async fn told_to(&self, who: &Member) -> Vec<(String, String)> {
        let path = "/events?limit=100";
        let feed = who.external(&self.world.app, Method::GET, path, None).await.json();
        let events = feed["data"].as_array().unwrap().iter();
        let of_mentions = events.filter(|it| it["type"].as_str().unwrap().starts_with("mention."));
        let line = |it: &Value| {
            let license = &it["data"]["license_id"];
            assert_eq!(license, &it["data"]["mention"]["license_id"]);
            (text(&it["type"]), text(license))
        };
        of_mentions.map(line).collect()
    }

    async fn decide(&self, who: &Member, mention: &str, status: &str) -> u16 {
        let (path, body) = (format!("/mentions/{mention}"), json!({ "status": status }));
        who.external(&self.world.app, Method::PATCH, &path, Some(body)).await.status.as_u16()
    }

    async fn delete(&self, license: &str) {
        let path = format!("/org/license/{license}");
        let (app, agency) = (&self.world.app, &self.world.agency);
        assert_eq!(agency.console(app, Method::DELETE, &path, None).await.status, 204);
    }

    /// Pushes the name; gives the one mention of it.
    async fn name(&self, url: &str) -> Value {
        let found = self.say(url, NAMED).await;
        let [mention] = &*found else { panic!("{found:?}") };
        mention.clone()
    }
}

fn by(kind: &str, license: &str) -> (String, String) {
    (format!("mention.{kind}"), license.to_owned())
}

#[db_test]
async fn all_licenses_list_one_mention_each_as_its_own(watch: Watch) {
    let licenses = watch.licenses::<3>().await;
    let mention = watch.name(PAGE).await;
    let id = text(&mention["mentionId"]);
    assert_eq!(mention["licenseId"], licenses[0]);
    let agency = &watch.world.agency;
    for license in &licenses {
        assert_eq!(watch.read(agency, license).await, [(id.clone(), license.clone())]);
    }
    assert_eq!(watch.through(agency, &id).await, Ok(licenses[0].clone()), "else the oldest");
    assert_eq!(watch.told_to(agency).await, [by("created", &licenses[0])]);
}

#[db_test]
async fn it_is_licensed_through_any_license_that_is_watched(watch: Watch) {
    let [first, second] = watch.licenses().await;
    let later = watch.license(json!({ "validFrom": "2027-01-01T00:00:00Z" })).await;
    assert_eq!(watch.name(PAGE).await["verdict"], "unlicensed");
    watch.world.grant(&later, "viewer").await;
    assert_eq!(watch.name(PAGE).await["verdict"], "needs_review", "it is not in force yet");
    watch.world.grant(&second, "viewer").await;
    let licensed = watch.name(PAGE).await;
    assert_eq!(
        (&licensed["verdict"], &licensed["licenseId"]),
        (&json!("licensed"), &json!(second))
    );
    watch.world.patch(&second, json!({ "can_crawl": false })).await;
    assert_eq!(watch.name(PAGE).await["verdict"], "needs_review", "it is watched no longer");
    watch.world.grant(&first, "viewer").await;
    assert_eq!(watch.name(PAGE).await["verdict"], "licensed");
}

#[db_test]
async fn whoever_holds_a_license_is_told_once_by_one_that_they_see(watch: Watch) {
    let [first, second, third] = watch.licenses().await;
    let (world, cara) =
        (&watch.world, Member::join(&watch.world.app, "cara@example.com", Some("Brand")).await);
    world.grant(&second, "viewer").await;
    world.grant(&third, "viewer").await;
    let organization = json!({ "organizationId": cara.organization });
    world.grant_to(&third, organization, "trustee").await;
    let id = text(&watch.name(PAGE).await["mentionId"]);
    assert_eq!(watch.decide(&cara, &id, "confirmed").await, 200);
    for (who, license) in [(&world.agency, &first), (&world.brand, &second), (&cara, &third)] {
        let told = [by("created", license), by("updated", license)];
        assert_eq!(watch.told_to(who).await, told, "{}", who.email);
        assert_eq!(watch.through(who, &id).await, Ok(license.clone()));
    }
}

#[db_test]
async fn a_person_is_told_where_they_act(watch: Watch) {
    let [_, second] = watch.licenses().await;
    let brand = &watch.world.brand;
    watch.world.grant_to(&second, json!({ "userEmail": brand.email }), "viewer").await;
    let nobody = json!({ "userEmail": "nobody@example.com" });
    watch.world.grant_to(&second, nobody, "viewer").await;
    let id = text(&watch.name(PAGE).await["mentionId"]);
    assert_eq!(watch.told_to(brand).await, [by("created", &second)]);
    assert_eq!(watch.through(brand, &id).await, Ok(second));
}

#[db_test]
async fn who_holds_no_license_that_lists_it_does_not_see_it(watch: Watch) {
    let [_watched] = watch.licenses().await;
    let draft = watch.license(json!({ "status": "draft" })).await;
    watch.world.grant(&draft, "licensor").await;
    let id = text(&watch.name(PAGE).await["mentionId"]);
    let brand = &watch.world.brand;
    assert_eq!(watch.read(brand, &draft).await, []);
    assert_eq!(watch.through(brand, &id).await, Err(403));
    assert_eq!(watch.decide(brand, &id, "confirmed").await, 403);
    assert_eq!(watch.told_to(brand).await, []);
}

#[db_test]
async fn trustees_of_any_of_its_licenses_decide(watch: Watch) {
    let [first, second] = watch.licenses().await;
    let brand = &watch.world.brand;
    watch.world.grant(&first, "viewer").await;
    let id = text(&watch.name(PAGE).await["mentionId"]);
    assert_eq!(watch.decide(brand, &id, "dismissed").await, 403);
    watch.world.grant(&second, "trustee").await;
    assert_eq!(watch.decide(brand, &id, "dismissed").await, 200);
    let path = format!("/licenses/{first}/mentions");
    let listed = brand.external(&watch.world.app, Method::GET, &path, None).await.json();
    assert_eq!(listed["data"][0]["note"], Value::Null);
    assert!(listed["data"][0].get("note").is_some(), "notes are for those who decide");
    assert_eq!(
        watch.through(brand, &id).await,
        Ok(first),
        "the oldest, whichever lets them decide"
    );
}

#[db_test]
async fn a_license_that_is_watched_no_longer_keeps_its_past(watch: Watch) {
    let [first, second] = watch.licenses().await;
    watch.name(PAGE).await;
    watch.pass(1);
    watch.world.patch(&second, json!({ "can_crawl": false })).await;
    watch.pass(1);
    watch.name("https://wire.example/2").await;
    let agency = &watch.world.agency;
    let listed = [watch.read(agency, &first).await.len(), watch.read(agency, &second).await.len()];
    assert_eq!(listed, [2, 1]);
}

#[db_test]
async fn a_license_that_is_newly_watched_lists_what_is_seen_again(watch: Watch) {
    let [first] = watch.licenses().await;
    let id = text(&watch.name(PAGE).await["mentionId"]);
    watch.name("https://wire.example/2").await;
    watch.pass(1);
    let [second] = watch.licenses().await;
    let agency = &watch.world.agency;
    assert_eq!(watch.read(agency, &second).await, []);
    assert_eq!(text(&watch.name(PAGE).await["mentionId"]), id);
    assert_eq!(watch.read(agency, &second).await, [(id, second)]);
    assert_eq!(watch.read(agency, &first).await.len(), 2);
    assert_eq!(watch.told().await, ["mention.created", "mention.created"]);
}

#[db_test]
async fn a_deleted_license_leaves_what_others_list(watch: Watch) {
    let [first, second] = watch.licenses().await;
    let id = text(&watch.name(PAGE).await["mentionId"]);
    let agency = &watch.world.agency;
    watch.delete(&first).await;
    assert_eq!(watch.through(agency, &id).await, Ok(second.clone()));
    watch.pass(1);
    let [third] = watch.licenses().await;
    watch.name("https://wire.example/2").await;
    watch.delete(&second).await;
    assert_eq!(watch.through(agency, &id).await, Err(404), "nobody lists it any more");
    assert_eq!(watch.read(agency, &third).await.len(), 1);
    let days = "SELECT CAST(sum(total) AS text) FROM mention_days";
    let counted = seed::rows(&watch.world.app.database.options, days).await;
    assert_eq!(counted, [["1"]]);
}

#[db_test]
async fn what_nobody_lists_is_back_when_it_is_seen_again(watch: Watch) {
    let [first] = watch.licenses().await;
    let id = text(&watch.name(PAGE).await["mentionId"]);
    let agency = &watch.world.agency;
    assert_eq!(watch.decide(agency, &id, "dismissed").await, 200);
    watch.delete(&first).await;
    watch.pass(1);
    let [second] = watch.licenses().await;
    assert_eq!(watch.through(agency, &id).await, Err(404));
    assert_eq!(text(&watch.name(PAGE).await["mentionId"]), id);
    let mention = watch.mentions(&second).await[0].clone();
    let kept = [&mention["id"], &mention["license_id"], &mention["status"]];
    assert_eq!(json!(kept), json!([id, second, "dismissed"]), "what was decided stays");
    let days = "SELECT status, CAST(total AS text) FROM mention_days WHERE total > 0";
    let counted = seed::rows(&watch.world.app.database.options, days).await;
    assert_eq!(counted, [["dismissed", "1"]]);
}

#[db_test]
async fn a_bookmark_leads_to_it_through_any_license(watch: Watch) {
    let [first, second] = watch.licenses().await;
    let (world, brand) = (&watch.world, &watch.world.brand);
    let granted = world.grant(&first, "viewer").await.json();
    world.grant(&second, "viewer").await;
    let id = text(&watch.name(PAGE).await["mentionId"]);
    let body = json!({ "target_type": "mention", "target_id": id });
    let made = brand.external(&world.app, Method::POST, "/bookmarks", Some(body)).await.json();
    assert_eq!(made["target"]["license_id"], first);
    let right = text(&granted["data"]["permissionId"]);
    let path = format!("/org/license/{first}/permissions/{right}");
    world.agency.console(&world.app, Method::DELETE, &path, None).await;
    let kept = brand.external(&world.app, Method::GET, "/bookmarks", None).await.json();
    let kept = &kept["data"][0];
    assert_eq!(
        (&kept["access_lost"], &kept["target"]["license_id"]),
        (&json!(false), &json!(second))
    );
}

#[expect(clippy::disallowed_methods, reason = "it tells how long a push takes")]
fn now() -> Instant {
    Instant::now()
}

/// A talent with ten thousand licenses, all of them granted to the platform's organization.
#[db_test]
async fn it_costs_the_same_however_many_licenses_there_are(watch: Watch) {
    let [first] = watch.licenses().await;
    watch.world.grant(&first, "viewer").await;
    let store = &watch.world.app.app.store;
    let push = async |url: &str| {
        let before = store.statements();
        let began = now();
        assert_eq!(watch.name(url).await["licenseId"], first);
        (store.statements() - before, began.elapsed())
    };
    push(PAGE).await;
    let (few, before) = push("https://wire.example/2").await;
    seed::copy_license(&watch.world.app.database.options, &first, 10_000).await;
    // Engines prepare their statements anew after so many rows.
    push("https://wire.example/3").await;
    let (many, took) = push("https://wire.example/4").await;
    let (again, _) = push("https://wire.example/4").await;
    assert_eq!((many, again < many), (few, true));
    for table in ["mentions", "events WHERE type = 'mention.created'"] {
        let count = format!("SELECT CAST(count(*) AS text) FROM {table}");
        let count = seed::rows(&watch.world.app.database.options, &count).await;
        assert_eq!(count, [["4"]], "{table}");
    }
    grantor_testkit::print_figure(&format!(
        "a push of one name: {many} statements, {before:?} with one license, {took:?} with 10,000 more"
    ));
}
