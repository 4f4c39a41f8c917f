//! `/org/verify/platform/{platformId}`: proofs that are really looked for.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use grantor_outbound::{Dns, Lookup, SystemDns, TxtLookup};
use grantor_testkit::app::{Answer, TestConfig};
use grantor_testkit::dns::NameServer;
use grantor_testkit::listener::{Call, Listener, Script};
use grantor_testkit::{Engine, Fixture, db_test, seed};
use http::Method;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use super::platform::{CREATE, Grounds, managed, text};
use super::{faults, refused};
use crate::outbound::FakeDns;
use crate::outbound::corpus::NAMES;

pub(super) const FILE: &str = "/.well-known/grantor-verification.txt";

/// Addresses from a table, texts from a name server of the test's own.
struct TestDns {
    addresses: FakeDns,
    texts: SystemDns,
    gate: Arc<Gate>,
}

/// Where `slow.example` waits to be resolved.
struct Gate {
    reached: AtomicBool,
    open: Semaphore,
}

impl Dns for TestDns {
    fn lookup<'a>(&'a self, host: &'a str) -> Lookup<'a> {
        Box::pin(async move {
            if host == "slow.example" {
                self.gate.reached.store(true, Ordering::SeqCst);
                // It is opened by being closed for good.
                let _ = self.gate.open.acquire().await;
            }
            self.addresses.lookup(host).await
        })
    }

    fn txt_records<'a>(&'a self, name: &'a str) -> TxtLookup<'a> {
        self.texts.txt_records(name)
    }
}

/// Pages of a site, by path; what is not there is a 404.
type Pages = Arc<Mutex<Vec<(String, Script)>>>;

/// Grounds with a site and a name server.
pub(super) struct Estate {
    pub(super) grounds: Grounds,
    pub(super) site: Listener,
    names: NameServer,
    pages: Pages,
    gate: Arc<Gate>,
}

impl Fixture for Estate {
    async fn on(engine: Engine) -> Self {
        Self::allowing(engine, "127.0.0.0/8, 0.0.0.0/8").await
    }
}

impl Estate {
    pub(super) async fn allowing(engine: Engine, networks: &str) -> Self {
        let names = NameServer::start().await.unwrap();
        let pages = Pages::default();
        let shown = Arc::clone(&pages);
        let site = Listener::start(move |call| page(&shown, call)).await.unwrap();
        let table = NAMES.iter().fold(FakeDns::default(), |dns, (name, it)| dns.with(name, &[*it]));
        let addresses = table.with("public.example", &["8.8.8.8"]).with("gone.example", &["fails"]);
        let gate = Arc::new(Gate { reached: AtomicBool::new(false), open: Semaphore::new(0) });
        let texts = SystemDns::with_server(names.address());
        let dns: Arc<dyn Dns> = Arc::new(TestDns { addresses, texts, gate: Arc::clone(&gate) });
        let (allowed, dns) = (networks.parse().unwrap(), Some(dns));
        let grounds =
            Grounds::with_config(engine, TestConfig { allowed, dns, ..TestConfig::default() })
                .await;
        Self { grounds, site, names, pages, gate }
    }

    /// A platform on the site, at a name or address of it.
    pub(super) async fn platform(&self, host: &str) -> Value {
        let domain = format!("{host}:{}", self.site.port());
        self.grounds.platform(json!({ "domain": domain })).await
    }

    pub(super) fn put(&self, path: &str, script: Script) {
        let mut pages = self.pages.lock().unwrap();
        pages.retain(|(known, _)| known != path);
        pages.push((path.to_owned(), script));
    }

    pub(super) fn put_file(&self, platform: &Value) {
        self.put(FILE, Script::ok(token(platform).as_bytes()));
    }

    async fn verify(&self, platform: &Value, query: &str) -> Answer {
        self.grounds.get(&checked(platform, query)).await
    }

    /// What one check finds missing; nothing where it finds the proof.
    pub(super) async fn missing(&self, platform: &Value, method: &str) -> Value {
        // Ten a minute are let through.
        self.grounds.home.app.clock.advance(Duration::from_mins(1));
        let answer = self.verify(platform, &format!("?method={method}")).await;
        assert_eq!(answer.status, 200, "{}", answer.json());
        let checks = answer.json()["data"]["checks"].clone();
        assert_eq!((checks.as_array().unwrap().len(), &checks[0]["method"]), (1, &json!(method)));
        assert_eq!(checks[0]["ok"], checks[0]["reason"].is_null());
        checks[0]["reason"].clone()
    }

    pub(super) async fn status(&self, platform: &Value) -> Value {
        let path = format!("/v1.0.1/platforms/{}", text(&platform["platformId"]));
        self.grounds.get(&path).await.json()["data"]["status"].clone()
    }
}

fn page(pages: &Pages, call: &Call) -> Script {
    let pages = pages.lock().unwrap();
    let found = pages.iter().find(|(path, _)| *path == call.path);
    found.map_or_else(|| Script::answer(404, b""), |(_, script)| script.clone())
}

fn token(platform: &Value) -> String {
    text(&platform["verification"]["file"]["content"])
}

fn checked(platform: &Value, query: &str) -> String {
    format!("/v1.0.1/org/verify/platform/{}{query}", text(&platform["platformId"]))
}

fn home_page(platform: &Value) -> Script {
    let tag = &platform["verification"]["metaTag"];
    let (name, content) = (text(&tag["name"]), text(&tag["content"]));
    let page = format!(
        "<!doctype html><html><head><title>Wire</title>
         <meta name=\"{name}\" content=\"{content}\"></head><body>News</body></html>"
    );
    Script::ok(page.as_bytes())
}

#[db_test]
async fn without_a_proof_each_check_says_what_is_missing(estate: Estate) {
    let platform = estate.platform("wire.example").await;
    let answer = estate.verify(&platform, "").await;
    let data = json!({
        "platformId": platform["platformId"],
        "domain": format!("wire.example:{}", estate.site.port()),
        "verificationStatus": "pending_verification",
        "verificationMethod": null,
        "verifiedAt": null,
        "checks": [
            { "method": "dns", "ok": false,
              "reason": "_grantor-challenge.wire.example has no TXT record" },
            { "method": "metaTag", "ok": false, "reason": "/ returned status 404" },
            { "method": "file", "ok": false,
              "reason": format!("{FILE} returned status 404") },
        ],
    });
    let message = "The domain is not verified yet. See the failed checks.";
    let body = json!({ "data": data, "message": message, "status": "success" });
    assert_eq!(answer.whole(), (200, body));
    assert_eq!(estate.status(&platform).await, "pending_verification");
    assert_eq!(estate.grounds.logged("platform.verify").await, 1);
}

#[db_test]
async fn a_txt_record_proves_a_domain(estate: Estate) {
    let platform = estate.platform("wire.example").await;
    let dns = platform["verification"]["dns"].clone();
    let (name, value) = (text(&dns["name"]), text(&dns["value"]));
    estate.names.add(&name, &["v=spf1 -all"]);
    let other = format!("{name} has no TXT record with the expected value");
    assert_eq!(estate.missing(&platform, "dns").await, other);
    // Long texts come in pieces, which belong together.
    estate.names.add(&name, &[&value[..10], &value[10..]]);
    let answer = estate.verify(&platform, "").await.json();
    let data = &answer["data"];
    let told = (&data["verificationStatus"], &data["verificationMethod"], &answer["message"]);
    assert_eq!(told, (&json!("verified"), &json!("dns"), &json!("The domain is verified")));
    assert_eq!(data["verifiedAt"], "2026-01-01T00:01:00.000000Z");
    assert_eq!(estate.status(&platform).await, "verified");
    assert!(estate.names.queries().iter().all(|it| *it == name), "{:?}", estate.names.queries());
}

#[db_test]
async fn a_meta_tag_on_the_home_page_proves_a_domain(estate: Estate) {
    let platform = estate.platform("wire.example").await;
    let other = "the head of the home page has no meta tag named grantor-verification";
    estate.put("/", Script::ok(b"<html><head></head><body>Hi"));
    assert_eq!(estate.missing(&platform, "metaTag").await, other);
    let comment = format!("<body><meta name=grantor-verification content={}>", token(&platform));
    estate.put("/", Script::ok(comment.as_bytes()));
    assert_eq!(estate.missing(&platform, "metaTag").await, other, "visitors write in the body");
    estate.put("/", Script::ok(b"<meta name=grantor-verification content=other>"));
    let wrong = "the meta tag named grantor-verification does not have the expected content";
    assert_eq!(estate.missing(&platform, "metaTag").await, wrong);
    estate.put("/", home_page(&platform));
    assert_eq!(estate.missing(&platform, "metaTag").await, Value::Null);
    assert_eq!(estate.status(&platform).await, "verified");
}

#[db_test]
async fn a_file_proves_a_domain(estate: Estate) {
    let platform = estate.platform("127.0.0.1").await;
    for content in [String::new(), "x".to_owned(), format!("{} and more", token(&platform))] {
        estate.put(FILE, Script::ok(content.as_bytes()));
        let wrong = format!("{FILE} does not have the expected content");
        assert_eq!(estate.missing(&platform, "file").await, wrong, "{content}");
    }
    estate.put(FILE, Script::answer(500, token(&platform).as_bytes()));
    let wrong = format!("{FILE} returned status 500");
    assert_eq!(estate.missing(&platform, "file").await, wrong);
    estate.put(FILE, Script::ok(format!("\u{feff}{}\r\n", token(&platform)).as_bytes()));
    let data = estate.verify(&platform, "").await.json()["data"].clone();
    assert_eq!(
        (&data["verificationStatus"], &data["verificationMethod"]),
        (&json!("verified"), &json!("file"))
    );
    let reason = "an IP address has no DNS records: use the meta tag or the file";
    assert_eq!(data["checks"][0]["reason"], reason);
}

#[db_test]
async fn another_claims_proof_proves_nothing(estate: Estate) {
    let own = estate.platform("wire.example").await;
    let domain = text(&own["domain"]);
    let foreign = estate.grounds.foreign_platform(&domain).await;
    estate.put_file(&foreign);
    let wrong = format!("{FILE} does not have the expected content");
    assert_eq!(estate.missing(&own, "file").await, wrong);
}

#[db_test]
async fn one_organization_has_proved_a_domain(estate: Estate) {
    let own = estate.platform("wire.example").await;
    let foreign = estate.grounds.foreign_platform(&text(&own["domain"])).await;
    estate.put_file(&own);
    assert_eq!(estate.missing(&own, "file").await, Value::Null);
    estate.put_file(&foreign);
    let path = checked(&foreign, "");
    let home = &estate.grounds.home;
    let second = home.send_as(&estate.grounds.stranger, Method::GET, &path, None).await;
    let message = "Another organization has verified this domain";
    assert_eq!(second.whole(), (409, refused("RESOURCE_CONFLICT", message)));
    home.send(Method::DELETE, &managed(&own), None).await;
    let third = home.send_as(&estate.grounds.stranger, Method::GET, &path, None).await.json();
    assert_eq!(third["data"]["verificationStatus"], "verified", "once the first is gone");
}

#[db_test]
async fn what_was_proved_stays_so(estate: Estate) {
    let platform = estate.platform("wire.example").await;
    estate.put_file(&platform);
    let first = estate.verify(&platform, "").await.json()["data"].clone();
    estate.grounds.home.app.clock.advance(Duration::from_mins(5));
    estate.put("/", home_page(&platform));
    let again = estate.verify(&platform, "?method=metaTag").await.json()["data"].clone();
    let kept = |it: &Value| (it["verificationMethod"].clone(), it["verifiedAt"].clone());
    assert_eq!((again["checks"][0]["ok"].clone(), kept(&again)), (json!(true), kept(&first)));
    estate.pages.lock().unwrap().clear();
    let later = estate.verify(&platform, "").await.json();
    let message = "The domain stays verified, but the proof was not found this time";
    assert_eq!((&later["message"], kept(&later["data"])), (&json!(message), kept(&first)));
    assert_eq!(later["data"]["verificationStatus"], "verified");
}

#[db_test]
async fn a_method_that_is_none_is_named(estate: Estate) {
    let platform = estate.platform("wire.example").await;
    let answer = estate.verify(&platform, "?method=txt").await;
    let wrong = json!({ "method": "must be one of dns, metaTag, file" });
    assert_eq!((faults(&answer), estate.site.connections()), ((400, wrong), 0));
}

#[db_test]
async fn a_person_verifies_ten_times_a_minute(estate: Estate) {
    let platform = estate.grounds.platform(json!({ "domain": "gone.example" })).await;
    for left in (0..10).rev() {
        let answer = estate.verify(&platform, "?method=file").await;
        let remaining = answer.header("x-ratelimit-remaining").map(str::to_owned);
        assert_eq!((answer.status.as_u16(), remaining), (200, Some(left.to_string())));
    }
    let refused = estate.verify(&platform, "?method=file").await;
    assert_eq!(refused.json()["error"]["code"], "RATE_LIMIT_EXCEEDED");
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, Some("60")));
    estate.grounds.home.app.clock.advance(Duration::from_mins(1));
    assert_eq!(estate.verify(&platform, "?method=file").await.status, 200);
}

#[db_test]
async fn what_cannot_be_read_is_told_without_detail(estate: Estate) {
    let platform = estate.platform("wire.example").await;
    let large = vec![b'x'; 1024 * 1024 + 1];
    for (script, reason) in [
        (Script::ok(&large), "the response is too large"),
        (Script::Endless, "the response is too large"),
        (
            Script::redirect(302, "http://post.example/"),
            "the URL must not redirect to another host",
        ),
        (Script::redirect(302, FILE), "there were too many redirects"),
        (Script::Close, "the response is not valid HTTP"),
    ] {
        estate.put(FILE, script);
        let told = format!("{FILE} could not be read: {reason}");
        assert_eq!(estate.missing(&platform, "file").await, told);
    }
    estate.names.break_down();
    let told = "the TXT records of _grantor-challenge.wire.example could not be looked up";
    assert_eq!(estate.missing(&platform, "dns").await, told);
    let gone = estate.grounds.platform(json!({ "domain": "gone.example" })).await;
    let told = format!("{FILE} could not be read: the host name could not be resolved");
    assert_eq!(estate.missing(&gone, "file").await, told);
}

#[db_test]
async fn three_redirects_on_the_host_are_followed(estate: Estate) {
    let platform = estate.platform("wire.example").await;
    for (from, to) in [(FILE, "/1"), ("/1", "/2"), ("/2", "/3")] {
        estate.put(from, Script::redirect(301, to));
    }
    estate.put("/3", Script::ok(token(&platform).as_bytes()));
    assert_eq!(estate.missing(&platform, "file").await, Value::Null);
}

#[db_test]
async fn a_domain_that_was_changed_meanwhile_is_not_proved(estate: Estate) {
    let platform = estate.platform("slow.example").await;
    let (path, body) = (managed(&platform), json!({ "domain": "post.example" }));
    let (app, token) = (&estate.grounds.home.app, &estate.grounds.home.token);
    estate.put_file(&platform);
    let looking =
        app.request(Method::GET, &checked(&platform, "?method=file")).console(token).send();
    let moving = async {
        while !estate.gate.reached.load(Ordering::SeqCst) {
            tokio::task::yield_now().await;
        }
        let moved = app.request(Method::PATCH, &path).console(token).json(&body).send().await;
        assert_eq!(moved.status, 200, "{}", moved.json());
        estate.gate.open.close();
    };
    let (looked, ()) = tokio::join!(looking, moving);
    let message = "The platform's domain was changed in the meantime: verify it again";
    assert_eq!(looked.whole(), (409, refused("RESOURCE_CONFLICT", message)));
}

#[db_test]
async fn only_who_manages_the_platform_verifies_it(estate: Estate) {
    let platform = estate.platform("wire.example").await;
    let token = estate.grounds.home.colleague("Team_Member").await;
    let path = checked(&platform, "");
    let answer = estate.grounds.home.send_as(&token, Method::GET, &path, None).await;
    let message = "The role Team_Member does not allow you to manage platforms";
    assert_eq!(answer.whole(), (403, refused("INSUFFICIENT_PERMISSIONS", message)));
    let options = &estate.grounds.home.app.database.options;
    seed::set_role(options, "coll%", "Team_Lead").await;
    estate.grounds.home.app.clock.advance(Duration::from_secs(1));
    let answer = estate.grounds.home.send_as(&token, Method::GET, &path, None).await;
    let message = "This record doesn't belong to one of your teams";
    assert_eq!(answer.whole(), (403, refused("ACCESS_DENIED", message)));
    assert_eq!(estate.site.connections(), 0, "{CREATE} alone connects to nobody");
}
