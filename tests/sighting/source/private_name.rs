//! The name of a source is its tenant's own: others who see the mention read the host instead.

use grantor_domain::search::FindQuery;
use grantor_service::operations::record_index;
use grantor_service::watching::mention::{self, MentionSearch};
use grantor_testkit::db_test;
use http::Method;
use serde_json::{Value, json};

use super::{SAID, Watching, rss};
use crate::license::{Member, text};
use crate::service::{caller, page};
use crate::web::kit::Browser;

const NAME: &str = "Zebra lawsuit";
/// A word of the name, in lower case.
const WORD: &str = "zebra";

impl Watching {
    /// The agency names its source, and the brand gets a role on the license before something is
    /// found. Returns the mention's ID.
    async fn named(&self, role: &str) -> String {
        self.put_text("/feed", &rss(&[("/1", SAID, None)]));
        self.source(&self.site.url("/feed"), json!({ "name": NAME })).await;
        assert_eq!(self.world().grant(&self.license, role).await.status, 201);
        self.scan().await;
        text(&self.mentions().await[0]["id"])
    }

    async fn body(&self, who: &Member, path: &str) -> String {
        let answer = who.external(&self.world().app, Method::GET, path, None).await;
        assert_eq!(answer.status, 200, "{path}");
        String::from_utf8(answer.body).unwrap()
    }

    /// The names of the mention's source in the events of a member, in order.
    async fn told_names(&self, who: &Member) -> Vec<String> {
        let feed: Value = serde_json::from_str(&self.body(who, "/events?limit=100").await).unwrap();
        let events = feed["data"].as_array().unwrap().iter();
        let mentions = events.filter(|it| it["type"].as_str().unwrap().starts_with("mention."));
        mentions.map(|it| text(&it["data"]["mention"]["source"]["name"])).collect()
    }

    /// The host and port of the site, which the address of the mention already tells.
    fn host(&self) -> String {
        format!("127.0.0.1:{}", self.site.port())
    }

    /// How many mentions a member finds by a word.
    async fn finds(&self, who: &Member, word: &str) -> u64 {
        let reader = caller(&self.world().app, who).await.reader();
        let find = FindQuery::parse(word).unwrap();
        let search = MentionSearch { find, ..MentionSearch::default() };
        mention::search(self.app(), reader, search, page(1, 20)).await.unwrap().total
    }
}

#[db_test]
async fn only_the_tenant_of_a_source_reads_its_name_in_the_api(site: Watching) {
    let id = site.named("viewer").await;
    let (agency, brand) = (&site.world().agency, &site.world().brand);
    let (one, list) = (format!("/mentions/{id}"), format!("/licenses/{}/mentions", site.license));
    for path in [&*one, &*list, "/events?limit=100"] {
        let own = site.body(agency, path).await;
        assert!(own.contains(NAME), "{path}: {own}");
        let theirs = site.body(brand, path).await;
        assert!(theirs.contains(&id) && !theirs.to_lowercase().contains(WORD), "{path}: {theirs}");
    }
    let shown: Value = serde_json::from_str(&site.body(brand, &one).await).unwrap();
    let own: Value = serde_json::from_str(&site.body(agency, &one).await).unwrap();
    assert_eq!(shown["source"], json!({ "id": null, "name": site.host() }));
    let id = text(&own["source"]["id"]);
    assert_eq!(own["source"]["name"], NAME);
    assert!(site.body(agency, "/events?limit=100").await.contains(&id));
    assert!(!site.body(brand, "/events?limit=100").await.contains(&id), "nor in events");
}

/// Whoever decides, each organization is told the name that it may read.
#[db_test]
async fn only_the_tenant_of_a_source_is_told_its_name(site: Watching) {
    let id = site.named("trustee").await;
    let (agency, brand) = (&site.world().agency, &site.world().brand);
    let body = Some(json!({ "status": "confirmed" }));
    let path = format!("/mentions/{id}");
    let decided = brand.external(&site.world().app, Method::PATCH, &path, body).await;
    assert_eq!(
        (decided.status.as_u16(), &decided.json()["source"]["name"]),
        (200, &json!(site.host()))
    );
    assert_eq!(site.told_names(brand).await, [site.host(), site.host()]);
    assert_eq!(site.told_names(agency).await, [NAME, NAME]);
    for query in [
        "SELECT summary || mail_values FROM notices",
        "SELECT message || details FROM log_entries WHERE action LIKE 'mention%'",
    ] {
        let said = site.rows(query).await.concat().join("\n").to_lowercase();
        assert!(!said.is_empty() && !said.contains(WORD), "{query}: {said}");
    }
}

#[db_test]
async fn only_the_tenant_of_a_source_finds_mentions_by_its_name(site: Watching) {
    site.named("viewer").await;
    let (agency, brand) = (&site.world().agency, &site.world().brand);
    for settled in [false, true] {
        // The first letters and a whole word are found in different ways.
        for word in ["zeb", WORD, "lawsuit zeb"] {
            let found = [site.finds(agency, word).await, site.finds(brand, word).await];
            assert_eq!(found, [1, 0], "{word}, settled: {settled}");
        }
        assert_eq!(site.finds(brand, "grace 127").await, 1, "by what everybody sees");
        record_index::index_changed(site.app()).await.unwrap();
    }
}

#[db_test]
async fn only_the_tenant_of_a_source_sees_its_name_on_pages(site: Watching) {
    let id = site.named("trustee").await;
    let app = &site.world().app;
    let mut ada = Browser::signed_in(app, "ada@example.com").await;
    let mut bea = Browser::signed_in(app, "bea@example.com").await;
    let form = [("target_type", "mention"), ("target_id", &*id)];
    for browser in [&mut ada, &mut bea] {
        browser.follow("/app/bookmarks", &form).await;
    }
    for path in [
        "/app/mentions",
        &format!("/app/mentions/{id}"),
        &format!("/app/licenses/{}", site.license),
        "/app/bookmarks",
        "/app/search?search=hopper",
        "/app/export/mentions",
    ] {
        ada.get(path).await.says(200, &[NAME]);
        bea.get(path).await.says(200, &[&site.host()]).hides(NAME);
    }
}
