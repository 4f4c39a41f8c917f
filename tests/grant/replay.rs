//! What was decided stays decided: a question about the past has the answer that it had then.

use std::collections::BTreeSet;
use std::time::Duration;

use grantor_domain::Clock as _;
use grantor_service::Context;
use grantor_service::licensing::grant as grants;
use grantor_testkit::db_test;
use http::Method;
use serde_json::{Value, json};

use crate::license::{World, text};

/// How often something changes, and how many questions follow. Tokens outlive the whole history.
const CHANGES: u32 = 100;
const QUESTIONS: usize = 100;
const PAUSE: Duration = Duration::from_secs(14);

const USES: [&str; 3] = ["advertising", "voice", "merchandise"];
const TERRITORIES: [&str; 3] = ["US", "DE", "FR"];

/// Numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(self.0 >> 33).unwrap() % sides
    }

    fn pick<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.roll(of.len())]
    }

    /// Some of the values; sometimes none, which does not limit a license.
    fn some(&mut self, of: &[&str]) -> Vec<String> {
        of.iter().filter(|_| self.roll(3) > 0).map(|it| (*it).to_owned()).collect()
    }
}

/// Licenses of the agency, and what happens to them.
struct History {
    world: World,
    dice: Dice,
    licenses: Vec<String>,
    grants: Vec<String>,
    permissions: Vec<String>,
}

impl History {
    async fn begin(world: World) -> Self {
        let mut licenses = Vec::new();
        for _ in 0..4 {
            licenses.push(world.public().await);
        }
        let dice = Dice(2026);
        Self { world, dice, licenses, grants: vec![], permissions: vec![] }
    }

    fn license(&mut self) -> String {
        let at = self.dice.roll(self.licenses.len());
        self.licenses[at].clone()
    }

    fn in_seconds(&self, seconds: u64) -> String {
        self.world.app.clock.now().plus(Duration::from_secs(seconds)).to_string()
    }

    /// Changes something at random. What does not fit is refused, as always.
    async fn change(&mut self) {
        let license = self.license();
        let (member, value) = match self.dice.roll(8) {
            0 => ("uses", json!(self.dice.some(&USES))),
            1 => ("territories", json!(self.dice.some(&TERRITORIES))),
            2 => ("status", json!(self.dice.pick(&["private", "public"]))),
            3 => {
                let later = (self.dice.roll(2) == 0).then(|| self.in_seconds(100));
                ("valid_from", json!(later))
            }
            4 => return self.revoke_grant().await,
            5 => return self.share(&license).await,
            _ => return self.grant(&license).await,
        };
        let changed = self.world.patch(&license, json!({ (member): value })).await;
        assert_eq!(changed.status, 200, "{member}: {}", changed.json());
    }

    /// The agency offers a grant that starts and ends soon, and the brand accepts it.
    async fn grant(&mut self, license: &str) {
        let (from, length) = (self.dice.roll(3), 60 + self.dice.roll(300));
        let starts = 50 * u64::try_from(from).unwrap();
        let terms = json!({
            "uses": [self.dice.pick(&USES)], "territories": [self.dice.pick(&TERRITORIES)],
            "starts_at": self.in_seconds(starts),
            "ends_at": self.in_seconds(starts + u64::try_from(length).unwrap()),
        });
        let licensee = json!({ "organization_id": self.world.brand.organization });
        let body = json!({ "licensee": licensee, "terms": terms });
        let path = format!("/licenses/{license}/offers");
        let offered = self.world.as_agency(Method::POST, &path, Some(body)).await.json();
        let Some(request) = offered["id"].as_str() else { return };
        let thread = self.world.as_brand(Method::GET, &format!("/requests/{request}"), None).await;
        let hash = text(&thread.json()["offers"][0]["terms_hash"]);
        let accepted = self.world.accept_offer(request, &hash).await;
        assert_eq!(accepted.status, 200, "{}", accepted.json());
        self.grants.push(text(&accepted.json()["id"]));
    }

    async fn revoke_grant(&mut self) {
        let Some(grant) = self.grants.pop() else { return };
        let body = json!({ "reason": "Not paid" });
        let path = format!("/grants/{grant}/revoke");
        self.world.as_agency(Method::POST, &path, Some(body)).await;
    }

    /// Gives the brand a permission, or revokes the last one.
    async fn share(&mut self, license: &str) {
        if let Some(path) = self.permissions.pop() {
            let world = &self.world;
            world.agency.console(&world.app, Method::DELETE, &path, None).await;
            return;
        }
        let made = self.world.grant(license, "viewer").await.json();
        let id = text(&made["data"]["permissionId"]);
        self.permissions.push(format!("/org/license/{license}/permissions/{id}"));
    }

    async fn wait(&self) {
        self.world.app.clock.advance(PAUSE);
        grants::advance(&self.world.app.app, &Context::system(Duration::ZERO)).await.unwrap();
    }

    /// Questions about the brand, and a few about the agency itself.
    fn questions(&mut self) -> Vec<Value> {
        let (brand, agency) =
            (self.world.brand.organization.clone(), self.world.agency.organization.clone());
        let ask = |_| {
            let party = if self.dice.roll(20) == 0 { &agency } else { &brand };
            json!({
                "license_id": self.license(), "use": self.dice.pick(&USES),
                "territory": self.dice.pick(&TERRITORIES), "party": party,
            })
        };
        (0..QUESTIONS).map(ask).collect()
    }

    /// The agency asks, because it sees its licenses whatever their status. Returns the decisions
    /// and their reasons.
    async fn ask(&self, questions: &[Value]) -> Vec<[Value; 2]> {
        let body = json!({ "questions": questions });
        let answer = self.world.as_agency(Method::POST, "/decisions", Some(body)).await;
        assert_eq!(answer.status, 200, "{}", answer.json());
        let decisions = answer.json()["decisions"].as_array().unwrap().clone();
        let told = |it: &Value| [it["decision"].clone(), it["reasons"].clone()];
        decisions.iter().map(told).collect()
    }
}

#[db_test]
async fn ten_thousand_decisions_stay_the_same(world: World) {
    let mut history = History::begin(world).await;
    let (mut asked, mut decided) = (Vec::new(), Vec::new());
    for _ in 0..CHANGES {
        history.change().await;
        history.wait().await;
        let questions = history.questions();
        decided.extend(history.ask(&questions).await);
        let at = history.in_seconds(0);
        asked.extend(questions.into_iter().map(|mut it| {
            it["at"] = json!(at);
            it
        }));
        history.wait().await;
    }
    assert_eq!(decided.len(), 10_000);
    let mut replayed = Vec::new();
    for batch in asked.chunks(1_000) {
        replayed.extend(history.ask(batch).await);
    }
    for (question, (then, now)) in asked.iter().zip(decided.iter().zip(&replayed)) {
        assert_eq!(then, now, "{question}");
    }
    // Otherwise the history would prove little.
    let codes = decided.iter().flat_map(|[_, reasons]| reasons.as_array().unwrap());
    let codes: BTreeSet<_> = codes.map(|it| text(&it["code"])).collect();
    assert!(codes.len() >= 8, "{codes:?}");
    let mut changed = 0;
    for (batch, then) in asked.chunks(1_000).zip(decided.chunks(1_000)) {
        let without_time = |it: &Value| {
            let mut question = it.clone();
            question.as_object_mut().unwrap().remove("at");
            question
        };
        let now = history.ask(&batch.iter().map(without_time).collect::<Vec<_>>()).await;
        changed += now.iter().zip(then).filter(|(now, then)| now != then).count();
    }
    assert!(changed > 1_000, "only {changed} answers are different today");
}
