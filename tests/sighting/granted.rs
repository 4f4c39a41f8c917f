//! Verdicts by grants: which grant counts when, and who reads its number.

use std::time::Duration;

use grantor_domain::{Clock as _, Timestamp};
use grantor_storage::scan;
use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::{Watch, item, platform, push};
use crate::grant::{days, terms};
use crate::license::{Member, text};

const PAGE: &str = "https://wire.example/1";
const OTHER: &str = "https://wire.example/2";
const NAMED: &str = "Published while licensed by grant GR-2026-000001";
const MASKED: &str = "Published while licensed by a grant";

impl Watch {
    /// A watched license, and the brand's grant under it from February to July.
    pub(crate) async fn granted(&self) -> (String, Value) {
        let license = self.license(json!({ "status": "public" })).await;
        let grant = self.world.granted(&license, terms()).await;
        (license, grant)
    }

    /// Pushes the talent's name as the brand's API client and returns the mention.
    pub(crate) async fn publish(&self, url: &str, published_at: Option<&str>) -> Value {
        publish(self, &self.world.brand, &self.pax, (url, published_at)).await
    }

    /// An organization that is a trustee of the license, with an ingest key of its own.
    async fn trustee(&self, license: &str) -> (Member, String) {
        let cara = Member::join(&self.world.app, "cara@example.com", Some("Brand")).await;
        let organization = json!({ "organizationId": cara.organization });
        let shared = self.world.grant_to(license, organization, "trustee").await;
        assert_eq!(shared.status, 201, "{}", shared.json());
        let (_, pax) = platform(&self.world, &cara, "other.example").await;
        (cara, pax)
    }

    /// What a member reads of a mention of the license: on its own, and in the list of the license.
    async fn reads(&self, who: &Member, license: &str, mention: &str) -> [Value; 2] {
        let get = async |path: String| {
            who.external(&self.world.app, Method::GET, &path, None).await.json()
        };
        let listed = get(format!("/licenses/{license}/mentions")).await;
        [get(format!("/mentions/{mention}")).await, listed["data"][0].clone()]
    }

    /// The type and the reason of each event about mentions that a member got.
    async fn reasons_told(&self, who: &Member) -> Vec<(String, String)> {
        let path = "/events?limit=100";
        let feed = who.external(&self.world.app, Method::GET, path, None).await.json();
        let events = feed["data"].as_array().unwrap().iter();
        let of_mentions = events.filter(|it| it["data"]["mention"].is_object());
        let line = |it: &Value| (text(&it["type"]), text(&it["data"]["mention"]["verdict_reason"]));
        of_mentions.map(line).collect()
    }
}

async fn publish(
    watch: &Watch,
    who: &Member,
    pax: &str,
    (url, published_at): (&str, Option<&str>),
) -> Value {
    let mut item = item(url, "Grace Hopper");
    item["publishedAt"] = json!(published_at);
    let path = format!("/v1.0.1/console/pax/{pax}/content");
    let body = json!({ "items": [item] });
    let answer = who.external(&watch.world.app, Method::POST, &path, Some(body)).await;
    assert_eq!(answer.status, 201, "{}", answer.json());
    answer.json()["data"]["items"][0]["mentions"][0].clone()
}

fn verdict(mention: &Value) -> [&str; 2] {
    ["verdict", "verdictReason"].map(|it| mention[it].as_str().unwrap())
}

#[db_test]
async fn a_grant_counts_when_the_content_was_published(mut watch: Watch) {
    watch.granted().await;
    let early = "Licensed by grant GR-2026-000001, which starts after this was published";
    assert_eq!(verdict(&watch.publish(PAGE, None).await), ["needs_review", early]);
    watch.world.pass(days(31)).await;
    assert_eq!(verdict(&watch.publish(OTHER, None).await), ["licensed", NAMED]);
    assert_eq!(verdict(&watch.publish(PAGE, None).await), ["needs_review", early], "seen before");
    watch.world.pass(days(183)).await;
    let ended =
        "Previously licensed by grant GR-2026-000001, which ended before this was published";
    let late = watch.publish("https://wire.example/3", None).await;
    assert_eq!(verdict(&late), ["needs_review", ended]);
    assert_eq!(verdict(&watch.publish(OTHER, None).await), ["licensed", NAMED]);
    assert_eq!(watch.told().await, ["mention.created"; 3], "no verdict has changed");
}

#[db_test]
async fn a_publication_date_counts_within_seven_days(mut watch: Watch) {
    watch.granted().await;
    // Two days after the grant has ended.
    watch.world.pass(days(214)).await;
    let unconfirmed = "May be licensed by grant GR-2026-000001, but the publication date is more \
                       than 7 days from when this was first seen";
    let ended =
        "Previously licensed by grant GR-2026-000001, which ended before this was published";
    for (number, published, expected) in [
        (1, "2026-07-31T23:59:59Z", ["licensed", NAMED]),
        (2, "2026-08-01T00:00:00Z", ["needs_review", ended]),
        (3, "2026-07-28T00:00:00Z", ["licensed", NAMED]),
        (4, "2026-07-26T00:00:00Z", ["needs_review", unconfirmed]),
        (5, "2026-09-01T00:00:00Z", ["needs_review", unconfirmed]),
    ] {
        let url = format!("https://wire.example/{number}");
        let found = watch.publish(&url, Some(published)).await;
        assert_eq!(verdict(&found), expected, "{published}");
    }
}

/// Negative control: without a grant, nothing depends on the publication date.
#[db_test]
async fn without_a_grant_the_publication_date_does_not_matter(mut watch: Watch) {
    let license = watch.license(json!({ "status": "public" })).await;
    let old = Some("2020-01-01T00:00:00Z");
    assert_eq!(verdict(&watch.publish(PAGE, old).await)[0], "unlicensed");
    watch.world.grant(&license, "viewer").await;
    assert_eq!(verdict(&watch.publish(PAGE, old).await)[0], "licensed");
    watch.world.granted(&license, terms()).await;
    watch.world.pass(days(31)).await;
    let reason = "The platform's organization has an active permission";
    assert_eq!(verdict(&watch.publish(PAGE, old).await), ["licensed", reason]);
}

#[db_test]
async fn a_revocation_does_not_reach_back(mut watch: Watch) {
    let (_, grant) = watch.granted().await;
    watch.world.pass(days(31)).await;
    watch.publish(PAGE, None).await;
    watch.world.app.clock.advance(Duration::from_mins(1));
    let path = format!("/grants/{}/revoke", text(&grant["id"]));
    let body = json!({ "reason": "The campaign broke the conditions" });
    assert!(watch.world.as_agency(Method::POST, &path, Some(body)).await.status.is_success());
    assert_eq!(verdict(&watch.publish(PAGE, None).await), ["licensed", NAMED]);
    let revoked =
        "Previously licensed by grant GR-2026-000001, which was revoked before this was published";
    assert_eq!(verdict(&watch.publish(OTHER, None).await), ["needs_review", revoked]);
}

#[db_test]
async fn a_later_grant_changes_the_verdict_of_what_it_covers(mut watch: Watch) {
    let license = watch.license(json!({ "status": "public" })).await;
    watch.world.pass(days(40)).await;
    assert_eq!(verdict(&watch.publish(PAGE, None).await)[0], "unlicensed");
    watch.world.granted(&license, terms()).await;
    assert_eq!(verdict(&watch.publish(PAGE, None).await), ["licensed", NAMED]);
    assert_eq!(watch.told().await, ["mention.created", "mention.updated"]);
}

/// Feeds that have not changed are scanned again after the last change.
#[db_test]
async fn a_new_grant_is_a_reason_to_scan_again(watch: Watch) {
    let license = watch.license(json!({ "status": "public" })).await;
    let last_change = async || -> Option<Timestamp> {
        let found: grantor_storage::Result<_> =
            watch.world.app.app.store.read(scan::last_change).await;
        found.unwrap()
    };
    watch.world.app.clock.advance(Duration::from_mins(1));
    let now = watch.world.app.clock.now();
    assert!(last_change().await < Some(now));
    watch.world.granted(&license, terms()).await;
    assert_eq!(last_change().await, Some(now));
}

#[db_test]
async fn only_the_parties_of_a_grant_read_its_number(mut watch: Watch) {
    let (license, _) = watch.granted().await;
    let (mut cara, pax) = watch.trustee(&license).await;
    watch.world.pass(days(31)).await;
    cara.external = cara.renewed(&watch.world.app).await;
    let mention = text(&watch.publish(PAGE, None).await["mentionId"]);
    let (agency, brand) = (&watch.world.agency, &watch.world.brand);
    for (who, reason) in [(agency, NAMED), (brand, NAMED), (&cara, MASKED)] {
        for shown in watch.reads(who, &license, &mention).await {
            let found = [&shown["id"], &shown["verdict"], &shown["verdict_reason"]];
            assert_eq!(json!(found), json!([mention, "licensed", reason]), "{}", who.email);
            assert_eq!(shown.to_string().contains("GR-"), reason == NAMED, "{}", who.email);
        }
    }
    let told = publish(&watch, &cara, &pax, (PAGE, None)).await;
    assert_eq!(verdict(&told), ["licensed", MASKED], "another platform tells of the same page");
}

#[db_test]
async fn events_name_the_grant_to_its_parties_only(mut watch: Watch) {
    let (license, _) = watch.granted().await;
    watch.world.grant(&license, "viewer").await;
    let (mut cara, _) = watch.trustee(&license).await;
    watch.world.pass(days(31)).await;
    cara.external = cara.renewed(&watch.world.app).await;
    let mention = text(&watch.publish(PAGE, None).await["mentionId"]);
    let (path, body) = (format!("/mentions/{mention}"), json!({ "status": "confirmed" }));
    let reviewed = cara.external(&watch.world.app, Method::PATCH, &path, Some(body)).await;
    assert_eq!(
        (reviewed.status.as_u16(), &reviewed.json()["verdict_reason"]),
        (200, &json!(MASKED))
    );
    let (agency, brand) = (&watch.world.agency, &watch.world.brand);
    for (who, reason) in [(agency, NAMED), (brand, NAMED), (&cara, MASKED)] {
        let expected = ["mention.created", "mention.updated"];
        let expected = expected.map(|it| (it.to_owned(), reason.to_owned()));
        assert_eq!(watch.reasons_told(who).await, expected, "{}", who.email);
    }
}

/// The brand sees the license by nothing but its grant.
#[db_test]
async fn a_licensee_is_told_of_mentions_while_its_grant_is_active(mut watch: Watch) {
    let (license, grant) = watch.granted().await;
    let path = format!("/mentions/{}", text(&watch.publish(PAGE, None).await["mentionId"]));
    assert_eq!(watch.world.as_brand(Method::GET, &path, None).await.status, 403);
    let nothing = Vec::<(String, String)>::new();
    assert_eq!(watch.reasons_told(&watch.world.brand).await, nothing);
    watch.world.pass(days(31)).await;
    let mention = text(&watch.publish(OTHER, None).await["mentionId"]);
    let path = format!("/mentions/{mention}");
    let seen = watch.world.as_brand(Method::GET, &path, None).await;
    assert_eq!((seen.status.as_u16(), &seen.json()["license_id"]), (200, &json!(license)));
    let feed = watch.world.as_brand(Method::GET, "/events?limit=100", None).await.json();
    let events = feed["data"].as_array().unwrap();
    let told = events.iter().find(|it| it["type"] == "mention.created").unwrap();
    assert_eq!(told["data"]["license_id"], json!(license));
    for (name, value) in told["data"]["mention"].as_object().unwrap() {
        assert_eq!(&seen.json()[name], value, "{name}");
    }
    let body = json!({ "status": "confirmed" });
    assert_eq!(watch.world.as_agency(Method::PATCH, &path, Some(body)).await.status, 200);
    let expected = ["mention.created", "mention.updated"];
    let expected = expected.map(|it| (it.to_owned(), NAMED.to_owned()));
    assert_eq!(watch.reasons_told(&watch.world.brand).await, expected);
    let revoke = format!("/grants/{}/revoke", text(&grant["id"]));
    let body = json!({ "reason": "The campaign broke the conditions" });
    assert_eq!(watch.world.as_agency(Method::POST, &revoke, Some(body)).await.status, 200);
    watch.publish("https://wire.example/3", None).await;
    assert_eq!(watch.world.as_brand(Method::GET, &path, None).await.status, 403);
    let told = watch.reasons_told(&watch.world.brand).await;
    assert_eq!(told, nothing, "not even what was told before");
    let recipients = "SELECT CAST(count(*) AS text) FROM feed_entries f
        JOIN events e ON e.event_id = f.event_id
        WHERE e.type LIKE 'mention.%' AND f.feed_id <> e.owner_id";
    let recipients = seed::rows(&watch.world.app.database.options, recipients).await;
    assert_eq!(recipients, [["2"]], "neither before nor after the grant");
}

/// The owner's rights take no statement, so each further item costs both the same.
#[db_test]
async fn the_rights_of_a_publisher_are_read_once_for_all_content(watch: Watch) {
    watch.granted().await;
    let (_, own) = platform(&watch.world, &watch.world.agency, "own.example").await;
    let store = &watch.world.app.app.store;
    let cost = async |who: &Member, pax: &str, pages: std::ops::Range<u32>| {
        let url = |it| format!("https://{}.example/{it}", &who.email[..3]);
        let items: Vec<_> = pages.map(|it| item(&url(it), "Grace Hopper")).collect();
        let before = store.statements();
        assert_eq!(push(&watch.world, who, pax, json!(items)).await.status, 201);
        store.statements() - before
    };
    let mut further = vec![];
    for (who, pax) in [(&watch.world.agency, &*own), (&watch.world.brand, &*watch.pax)] {
        cost(who, pax, 0..1).await;
        let one = cost(who, pax, 1..2).await;
        further.push(cost(who, pax, 2..23).await - one);
    }
    assert_eq!(further[1], further[0] + 20, "and the agency is told of what others push");
}
