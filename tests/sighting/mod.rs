//! Content is scanned, and recognized talents become mentions.

mod again;
mod case;
mod evidence;
mod granted;
mod journey;
pub(crate) mod part;
pub(crate) mod picture;
mod push;
mod source;
mod talent;
mod verdict;
mod websub;

use grantor_testkit::app::Answer;
use grantor_testkit::{Engine, Fixture};
use http::Method;
use serde_json::{Value, json};

use crate::license::{Member, World, text};

/// An agency with a talent, Grâce Hopper, and a brand with a platform for which it pushes content.
pub(crate) struct Watch {
    pub(crate) world: World,
    pub(crate) platform: String,
    pub(crate) pax: String,
}

impl Fixture for Watch {
    async fn on(engine: Engine) -> Self {
        Self::over(World::on(engine).await).await
    }
}

impl Watch {
    pub(crate) async fn over(world: World) -> Self {
        let (platform, pax) = platform(&world, &world.brand, "wire.example").await;
        Self { world, platform, pax }
    }

    /// A watched license of the talent.
    pub(crate) async fn license(&self, more: Value) -> String {
        let mut body = json!({ "canCrawl": true });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.world.license(body).await
    }

    /// Pushes content as the brand.
    pub(crate) async fn push(&self, items: Value) -> Answer {
        push(&self.world, &self.world.brand, &self.pax, items).await
    }

    /// Pushes a text at a URL and returns the mentions in it.
    pub(crate) async fn say(&self, url: &str, said: &str) -> Vec<Value> {
        let answer = self.push(json!([item(url, said)])).await;
        assert_eq!(answer.status, 201, "{}", answer.json());
        answer.json()["data"]["items"][0]["mentions"].as_array().unwrap().clone()
    }

    /// Lists a license's mentions as the agency.
    pub(crate) async fn mentions(&self, license: &str) -> Vec<Value> {
        let answer = self.world.get(&format!("/licenses/{license}/mentions")).await;
        answer.json()["data"].as_array().unwrap().clone()
    }

    /// The types of the mention events in the agency's feed, in order.
    pub(crate) async fn told(&self) -> Vec<String> {
        let feed = self.world.get("/events?limit=100").await.json();
        let kinds = feed["data"].as_array().unwrap().iter().map(|it| text(&it["type"]));
        kinds.filter(|it| it.starts_with("mention.")).collect()
    }
}

/// Creates a platform with this domain and a PAX to push content.
pub(crate) async fn platform(world: &World, owner: &Member, domain: &str) -> (String, String) {
    let post = async |path: &str, body: Value, id: &str| {
        let made = owner.console(&world.app, Method::POST, path, Some(body)).await;
        assert_eq!(made.status, 201, "{}", made.json());
        text(&made.json()["data"][id])
    };
    let team = post("/org/create/team", json!({ "name": domain }), "teamId").await;
    let body =
        json!({ "name": "The Wire", "teamId": team, "type": "News Media", "domain": domain });
    let platform = post("/org/create/platform", body, "platformId").await;
    let body = json!({ "platformId": platform, "name": "Feed", "scopes": ["write"] });
    let pax = post("/console/pax", body, "paxId").await;
    (platform, pax)
}

pub(crate) async fn push(world: &World, member: &Member, pax: &str, items: Value) -> Answer {
    let path = format!("/console/pax/{pax}/content");
    member.console(&world.app, Method::POST, &path, Some(json!({ "items": items }))).await
}

/// A content item.
pub(crate) fn item(url: &str, said: &str) -> Value {
    json!({ "url": url, "title": "News", "text": said })
}
