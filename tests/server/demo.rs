//! `grantor demo` and `grantor serve --demo`: the sample is whole, every way into it works, and no
//! store that holds anything is touched.

mod site;

use std::collections::BTreeSet;
use std::process::Command;

use grantor_testkit::server::{GrantorProcess, Installation, Reply, eventually, exchange, finish};
use grantor_testkit::{db_test, seed};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

async fn post(server: &GrantorProcess, path: &str, body: &Value) -> Value {
    let body = body.to_string();
    let text = format!(
        "POST {path} HTTP/1.1\r\nhost: test\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let reply = exchange(server.connect().await, text.as_bytes()).await.expect("an answer");
    assert!(matches!(reply.status, 200 | 201), "{path}: {}", reply.body);
    reply.json()["data"].clone()
}

async fn get(server: &GrantorProcess, path: &str, token: &str) -> Reply {
    let bearer = format!("authorization: Bearer {token}");
    server.ask(&format!("GET {path}"), &[&bearer, "x-source: console"]).await
}

/// What an account's API client gets at an address of the external API.
struct Client<'a> {
    server: &'a GrantorProcess,
    token: String,
}

impl<'a> Client<'a> {
    async fn of(server: &'a GrantorProcess, account: &Value) -> Self {
        let pair = json!({ "api_key": account["apiKey"], "api_secret": account["apiSecret"] });
        let token = text(&post(server, "/auth/token", &pair).await["access_token"]);
        Self { server, token }
    }

    async fn list(&self, path: &str) -> Vec<Value> {
        let reply = get(self.server, path, &self.token).await;
        assert_eq!(reply.status, 200, "{path}: {}", reply.body);
        reply.json()["data"].as_array().unwrap().clone()
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}")).to_owned()
}

/// The different values of a member.
fn all<'a>(items: &'a [Value], member: &str) -> BTreeSet<&'a str> {
    items.iter().map(|it| it[member].as_str().unwrap()).collect()
}

/// How many rows there are, by table.
async fn counts(installation: &Installation) -> Vec<(&'static str, String)> {
    let mut counts = Vec::new();
    for table in [
        "meta",
        "tenants",
        "users",
        "admins",
        "clients",
        "talents",
        "licenses",
        "images",
        "permissions",
        "requests",
        "offers",
        "request_messages",
        "grants",
        "platforms",
        "pax",
        "pods",
        "watched_feeds",
        "sources",
        "mentions",
        "bookmarks",
        "webhooks",
        "deliveries",
        "cards",
        "subscriptions",
        "bills",
        "events",
        "log_entries",
        "mails",
    ] {
        let query = format!("SELECT CAST(count(*) AS text) FROM {table}");
        counts.push((table, seed::rows(&installation.options(), &query).await[0][0].clone()));
    }
    counts
}

#[db_test]
async fn a_sample_made_beside_a_running_server_is_whole_and_made_once(installation: Installation) {
    let server = installation.serve().await;
    let (one, other) =
        tokio::join!(installation.run("demo --json"), installation.run("demo --json"));
    let (first, second) = if one.code == Some(0) { (one, other) } else { (other, one) };
    assert_eq!((second.code, second.out.as_str()), (Some(1), ""), "of two at once one makes it");
    let made: Value = serde_json::from_str(&first.ok()).unwrap();
    let before = counts(&installation).await;
    let refused = installation.run("demo --json").await;
    assert_eq!((refused.code, refused.out.as_str()), (Some(1), ""));
    assert!(refused.err.contains("The database is not empty"), "{}", refused.err);
    assert_eq!(counts(&installation).await, before);
    let mates = made["team"]["members"].as_array().unwrap();
    assert_eq!(all(mates, "role"), ["Team_Lead", "Team_Member"].into());
    assert_eq!(all(mates, "password").len(), 2);
    assert_eq!(all(made["accounts"].as_array().unwrap(), "password").len(), 4);
    let [requests, grants] = ["requests", "grants"].map(|it| made[it].as_array().unwrap());
    assert_eq!((requests.len(), grants.len()), (7, 5));
    assert_eq!(all(requests, "status"), ["accepted", "offered", "open"].into());
    assert_eq!(all(grants, "number").len(), 5);
    people_come_in(&server, &made).await;
    the_agency_sees_everything(&server, &made["accounts"][0]).await;
    others_hold_their_rights(&server, &made["accounts"][1]).await;
    both_sides_see_requests_and_grants(&server, &made["accounts"]).await;
    a_picture_is_delivered(&server, &made["accounts"][3]).await;
    platforms_are_verified(&server, &made["accounts"][2]).await;
}

#[db_test]
async fn the_sample_fits_into_every_plan(installation: Installation) {
    let plan =
        "talents = 1\nlicenses = 1\nwebhooks = 0\nimage_bytes = 1\ninvitations_per_day = 1\n";
    let plans = ["free", "starter", "pro", "enterprise"].map(|it| format!("[{it}]\n{plan}"));
    std::fs::write(installation.folder().join("plans.toml"), plans.concat()).unwrap();
    let installation = installation.with("GRANTOR_PLANS_FILE", "plans.toml");
    let made: Value = serde_json::from_str(&installation.run("demo --json").await.ok()).unwrap();
    assert_eq!(made["accounts"].as_array().unwrap().len(), 4, "{made}");
}

async fn platforms_are_verified(server: &GrantorProcess, account: &Value) {
    let login = json!({ "username": account["email"], "password": account["password"] });
    let token = text(&post(server, "/v1.0.1/auth/login", &login).await["accessToken"]);
    let platforms = get(server, "/v1.0.1/org/platforms?status=verified", &token).await.json();
    assert_eq!(platforms["data"]["pagination"]["total"], 2, "{platforms}");
    let pax = get(server, "/v1.0.1/console/pax?status=active", &token).await.json();
    assert_eq!(pax["data"]["pagination"]["total"], 2, "{pax}");
}

async fn people_come_in(server: &GrantorProcess, made: &Value) {
    let login =
        json!({ "username": made["console"]["email"], "password": made["console"]["password"] });
    let session = post(server, "/v1.0.1/auth/login", &login).await;
    let roster = get(server, "/v1.0.1/org/talent/roster", &text(&session["accessToken"])).await;
    assert_eq!(roster.json()["data"]["pagination"]["total"], 8, "{}", roster.body);
    let token = json!({ "token": made["admin"]["token"] });
    let staff = post(server, "/v1.0.1/auth/authenticateAdmin", &token).await;
    let members = get(server, "/v1.0.1/admin/members", &text(&staff["accessToken"])).await;
    assert_eq!(members.status, 200, "{}", members.body);
    let pods = get(server, "/v1.0.1/pax/pods", &text(&staff["accessToken"])).await;
    let pods = pods.json()["data"]["pods"].as_array().unwrap().clone();
    assert_eq!(all(&pods, "status"), ["running", "stopped"].into());
    let plans = get(server, "/v1.0.1/org/subscriptions", &text(&session["accessToken"])).await;
    let paid = &plans.json()["data"]["subscription"];
    assert_eq!(paid["subscriptionId"], made["billing"]["subscriptionId"], "{}", plans.body);
    let bills = get(server, "/v1.0.1/org/bill/history", &text(&session["accessToken"])).await;
    assert_eq!(bills.json()["data"]["bills"][0]["status"], "paid", "{}", bills.body);
    let catalog = server.get("/metadata").await.json();
    assert_eq!(catalog["pagination"]["total"], 7, "{catalog}");
}

async fn the_agency_sees_everything(server: &GrantorProcess, account: &Value) {
    let agency = Client::of(server, account).await;
    let licenses = agency.list("/licenses?per_page=100").await;
    assert_eq!(licenses.len(), 14);
    assert_eq!(all(&licenses, "status"), ["draft", "expired", "private", "public"].into());
    assert_eq!(all(&licenses, "license_type").len(), 8);
    assert_eq!(agency.list("/bookmarks").await.len(), 3);
    let mut verdicts = BTreeSet::new();
    for license in &licenses {
        let path = format!("/licenses/{}/mentions", text(&license["id"]));
        let found = agency.list(&path).await;
        verdicts.extend(found.iter().map(|it| (text(&it["verdict"]), text(&it["status"]))));
    }
    assert_eq!(verdicts.len(), 9, "{verdicts:?}");
    let webhooks = agency.list("/webhooks").await;
    let path = format!("/webhooks/{}/deliveries?per_page=100", text(&webhooks[0]["id"]));
    let deliveries = agency.list(&path).await;
    assert_eq!(all(&deliveries, "status"), ["delivered", "failed"].into());
    assert_eq!(deliveries.len(), 21);
}

async fn others_hold_their_rights(server: &GrantorProcess, account: &Value) {
    let brand = Client::of(server, account).await;
    assert_eq!(brand.list("/bookmarks").await.len(), 2);
    let held = brand.list("/licenses?sort=title&order=asc").await;
    let pair = |it: &Value| (text(&it["external_id"]), text(&it["permission"]));
    let held: Vec<_> = held.iter().map(pair).collect();
    let expected = [
        ("QF-009", "trustee"),
        ("QF-005", "trustee"),
        ("QF-001", "viewer"),
        ("QF-006", "licensor"),
    ];
    assert_eq!(held, expected.map(|(id, role)| (id.to_owned(), role.to_owned())));
}

async fn both_sides_see_requests_and_grants(server: &GrantorProcess, accounts: &Value) {
    let [agency, brand] =
        [Client::of(server, &accounts[0]).await, Client::of(server, &accounts[1]).await];
    let unread = |it: &[Value]| it.iter().map(|it| it["unread"].as_u64().unwrap()).sum::<u64>();
    let received = agency.list("/requests?role=owner").await;
    assert_eq!((received.len(), unread(&received)), (7, 3));
    assert_eq!(all(&received, "status"), ["accepted", "offered", "open"].into());
    let given = agency.list("/grants?role=owner").await;
    assert_eq!(given.len(), 5);
    assert_eq!(all(&given, "status"), ["active", "ended", "revoked", "scheduled"].into());
    let sent = brand.list("/requests?role=asker").await;
    assert_eq!((sent.len(), unread(&sent)), (4, 2));
    let held = brand.list("/grants?status=active").await;
    assert_eq!((held.len(), &held[0]["terms"]["exclusive"]), (1, &json!(true)), "{held:?}");
}

async fn a_picture_is_delivered(server: &GrantorProcess, account: &Value) {
    let person = Client::of(server, account).await;
    let own = person.list("/licenses?include_image_urls=true").await;
    assert_eq!(all(&own, "external_id"), ["NE-001", "QF-009"].into());

    let url =
        text(&own.iter().find(|it| it["external_id"] == "NE-001").unwrap()["image_urls"][0]["url"]);
    let path = url.splitn(4, '/').nth(3).unwrap();
    let mut stream = server.connect().await;
    let asked = format!("GET /{path} HTTP/1.1\r\nhost: test\r\nconnection: close\r\n\r\n");
    stream.write_all(asked.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    let start = answer.windows(4).position(|it| it == b"\r\n\r\n").unwrap() + 4;
    let picture = image::load_from_memory(&answer[start..]).unwrap();
    assert_eq!((picture.width(), picture.height()), (360, 450));
}

#[db_test]
async fn a_store_that_holds_anything_is_left_as_it_is(installation: Installation) {
    drop(
        installation.run("admin create --email root@example.com --fullname Root --json").await.ok(),
    );
    let before = counts(&installation).await;
    let refused = installation.run("demo").await;
    assert_eq!((refused.code, refused.out.as_str()), (Some(1), ""));
    let told = "grantor: nothing was changed: The database is not empty.";
    assert!(refused.err.starts_with(told), "{}", refused.err);
    assert_eq!(counts(&installation).await, before);
}

#[tokio::test]
async fn a_sample_that_broke_off_is_never_called_whole() {
    let installation = Installation::default();
    drop(installation.run("migrate").await.ok());
    // The first picture cannot be kept: the accounts are there by then.
    std::fs::write(installation.data("objects"), "").unwrap();
    let failed = installation.run("demo").await;
    assert_eq!((failed.code, failed.out.as_str()), (Some(1), ""));
    let told = "grantor: the sample data is incomplete: ";
    assert!(failed.err.contains(told), "{}", failed.err);
    let refused = installation.run("demo").await;
    assert_eq!((refused.code, refused.out.as_str()), (Some(1), ""));
    assert!(refused.err.contains("in this database is incomplete"), "{}", refused.err);
    let file = installation.folder().join("printed");
    let _server = GrantorProcess::start_printing(installation.command("serve --demo"), &file).await;
    let printed = printed(&file, "sample data is incomplete").await;
    assert!(!printed.contains("PASSWORD"), "{printed}");
}

/// What a server printed, as soon as this is in it.
async fn printed(file: &std::path::Path, part: &str) -> String {
    eventually(part, async || std::fs::read_to_string(file).ok().filter(|text| text.contains(part)))
        .await
}

#[db_test]
async fn the_line_that_a_server_prints_works_when_it_is_pasted(installation: Installation) {
    let file = installation.folder().join("printed");
    let mut server =
        GrantorProcess::start_printing(installation.command("serve --demo"), &file).await;
    let first = printed(&file, "access_token").await;
    let line = first.lines().find(|it| it.starts_with("curl ")).unwrap();
    let mut shell = Command::new("sh");
    shell.args(["-c", line]);
    let page: Value = serde_json::from_str(&finish(shell).await.ok()).unwrap();
    assert_eq!(
        (page["data"].as_array().unwrap().len(), &page["pagination"]["total"]),
        (3, &json!(14))
    );
    for part in [
        "/app\n",
        "/app/dev/mail\n",
        "/app/admin/sign-in\n",
        "/docs\n",
        "EMAIL                            PASSWORD                  ROLE\n",
        "one-time token",
    ] {
        assert!(first.contains(part), "{part} is missing in\n{first}");
    }
    assert!(first.lines().count() <= 40, "more than a screen:\n{first}");
    assert!(!server.log().join("\n").contains("gs_test_"), "secrets are printed, not logged");
    site::settled(&installation).await;
    assert_eq!(server.stop().await, Some(0));

    let before = counts(&installation).await;
    let mut again =
        GrantorProcess::start_printing(installation.command("serve --demo"), &file).await;
    let second = printed(&file, "cannot be shown again").await;
    assert!(second.contains("/app/forgot") && !second.contains("PASSWORD"), "{second}");
    assert_eq!(again.stop().await, Some(0));
    // But for the client's last use, nothing was written.
    assert_eq!(counts(&installation).await, before);
}

#[tokio::test]
async fn the_screen_of_the_sample_comes_without_log_lines_unless_they_are_wanted() {
    for (words, is_logged) in [
        ("serve --demo", false),
        ("serve --demo --verbose", true),
        ("serve --demo --log info", true),
    ] {
        let installation = Installation::default();
        let (out, err) = (installation.folder().join("out"), installation.folder().join("err"));
        let mut command = installation.command(&format!("{words} --log-format human"));
        command.stdout(std::fs::File::create(&out).unwrap());
        command.stderr(std::fs::File::create(&err).unwrap());
        let mut server = command.spawn().unwrap();
        printed(&out, "curl ").await;
        server.kill().unwrap();
        server.wait().unwrap();
        let log = std::fs::read_to_string(&err).unwrap();
        assert_eq!(log.contains("INFO"), is_logged, "{words}: {log}");
        assert!(is_logged || log.is_empty(), "{log}");
    }
}

#[tokio::test]
async fn a_plain_start_stays_empty() {
    let installation = Installation::default();
    let server = installation.serve().await;
    assert_eq!(server.get("/metadata").await.json()["pagination"]["total"], 0);
}
