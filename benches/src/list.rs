//! The cost of the lists, searches and counts of the console API, the admin API and the pages in
//! the real program, with growing numbers of records.

use std::collections::BTreeMap;

use grantor_testkit::server::Installation;
use grantor_testkit::{Engine, Fixture as _, seed};
use serde_json::{Value, json};

use crate::license::{bearer, text};
use crate::measure::{Outcome, report};
use crate::wire::{Served, latency, request, send};

/// The numbers of licenses. There are twice as many log entries and about a third as many mentions.
const SIZES: [u32; 2] = [1_000, 100_000];
const CONSOLE: &str = "/v1.0.1";
const AGENCY: &str = "Sample Agency";

const OF_STAFF: [&str; 9] = [
    "/admin/licenses",
    "/admin/licenses?search=asked",
    "/admin/licenses?status=public",
    "/admin/licenses?page=500",
    "/logs/all?scheme=console",
    "/logs/all?scheme=console&page=500",
    "/logs/search?scheme=console&search=entry",
    "/logs/search?scheme=console&search=777",
    "/logs/search?scheme=console&action=license.update",
];
const OF_CONSOLE: [&str; 10] = [
    "/org/licenses",
    "/org/licenses?search=asked&status=public",
    "/org/licenses?sort=title&page=50",
    "/console/logs",
    "/console/logs?page=500",
    "/console/logs?search=entry",
    "/console/logs?action=license.update",
    "/org/talent/roster",
    "/org/talent/name/search?search=talent",
    "/talent?page=50",
];
const OF_API: [&str; 5] = ["", "?page=100", "?status=new", "?verdict=unlicensed", "?order=asc"];
const PAGES: [&str; 16] = [
    "/app",
    "/app?days=90",
    "/app/search/results?search=tal",
    "/app/grants/calendar",
    "/app/mentions",
    "/app/mentions?status=all&verdict=unlicensed",
    "/app/logs",
    "/app/licenses",
    "/app/licenses?search=tal",
    "/app/licenses?search=talent+777&sort=title",
    "/app/catalog",
    "/app/catalog?search=lic&country=DE&price_to=300",
    "/app/talents?search=tal&sort=name",
    "/app/talents?sort=name.desc",
    "/app/mentions?status=all&search=sight",
    "/app/mentions?status=all&sort=first_seen.asc",
];

/// Runs the suite on `SQLite`, and on PostgreSQL if available.
pub(crate) async fn run(postgres: bool) -> Outcome {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        if engine == Engine::Sqlite || postgres {
            let mut smallest = BTreeMap::new();
            for size in SIZES {
                measure(engine, size, &mut smallest).await?;
            }
        }
    }
    Ok(())
}

async fn measure(engine: Engine, size: u32, smallest: &mut BTreeMap<String, f64>) -> Outcome {
    let installation = Installation::on(engine).await.with("GRANTOR_LIMITS", "off");
    let sample: Value = serde_json::from_str(&installation.run("demo --json").await.ok())?;
    let options = installation.options();
    seed::public_licenses(&options, size).await;
    seed::recent_log_entries(&options, AGENCY, &["license.update", "license.create"], size).await;
    let own = text(&sample["licenses"][0]["licenseId"]);
    seed::mentions(&options, own, 6, size / 10).await;
    seed::mentions(&options, "30000000-0000-0000-0000-000000000001", 7, size / 5).await;
    let account = &sample["accounts"][0];
    seed::join(&options, text(&account["email"]), AGENCY, "Organization_Admin").await;
    seed::run(&options, "UPDATE tenants SET plan = 'Enterprise'".to_owned()).await;
    seed::index_records(&options).await;
    seed::tidy(&options).await;
    let staff = "admin create --email s@example.com --fullname Staff --role Super_Admin --json";
    let staff: Value = serde_json::from_str(&installation.run(staff).await.ok())?;
    let mut server = installation.serve().await;
    let served = Served { process: server.id(), address: server.address() };
    served.settle().await?;
    // Indexing leaves dead rows, which autovacuum would remove.
    seed::tidy(&options).await;
    report("list", &format!("{engine:?}: {size} licenses"));

    let login = json!({ "username": account["email"], "password": account["password"] });
    let console = token(served, "/auth/login", &login).await?;
    let staff =
        token(served, "/auth/authenticateAdmin", &json!({ "token": staff["token"] })).await?;
    let cookie = cookie(served, account).await?;
    let api = bearer(&sample, served).await?;
    let api = [("authorization", api.as_str())];
    let console = [("authorization", console.as_str()), ("x-source", "console")];
    let staff = [("authorization", staff.as_str())];
    let mentions = format!("/licenses/{own}/mentions");
    let requests = OF_STAFF.map(|it| (format!("{CONSOLE}{it}"), &staff[..])).into_iter();
    let requests = requests.chain(OF_CONSOLE.map(|it| (format!("{CONSOLE}{it}"), &console[..])));
    let requests = requests.chain(OF_API.map(|it| (format!("{mentions}{it}"), &api[..])));
    let page = [("cookie", cookie.as_str())];
    for (path, headers) in requests.chain(PAGES.map(|it| (it.to_owned(), &page[..]))) {
        let taken = latency(served, &request(&format!("GET {path}"), headers, "")).await?;
        let first = *smallest.entry(path.clone()).or_insert(taken);
        let times = taken / first;
        report("list", &format!("GET {path}: {taken:.0} µs, {times:.1} times the smallest store"));
    }
    server.stop().await;
    Ok(())
}

pub(crate) async fn token(served: Served, path: &str, body: &Value) -> Outcome<String> {
    let sign_in =
        request(&format!("POST {CONSOLE}{path}"), &[("x-source", "console")], &body.to_string());
    let answer: Value = serde_json::from_slice(&send(served, &sign_in).await?.body)?;
    Ok(format!("Bearer {}", text(&answer["data"]["accessToken"])))
}

/// Signs in and returns the session cookies.
pub(crate) async fn cookie(served: Served, account: &Value) -> Outcome<String> {
    let fields = [("username", &account["email"]), ("password", &account["password"])];
    let mut body = url::form_urlencoded::Serializer::new(String::new());
    let body = body.extend_pairs(fields.map(|(name, it)| (name, text(it)))).finish();
    let length = body.len().to_string();
    let headers = [
        ("content-type", "application/x-www-form-urlencoded"),
        ("content-length", length.as_str()),
        ("sec-fetch-site", "same-origin"),
    ];
    let answer = send(served, &(request("POST /app/sign-in", &headers, "") + &body)).await?;
    let cookies = answer.head.lines().filter_map(|line| line.strip_prefix("set-cookie: "));
    let pairs: Vec<_> = cookies.filter_map(|it| it.split(';').next()).collect();
    if pairs.is_empty() {
        return Err(format!("the sign-in failed: {}", answer.head).into());
    }
    Ok(pairs.join("; "))
}
