//! The cost of reading and changing licenses in the real program: pages, a single license, a
//! conditional request and searches, with growing numbers of licenses.

use std::collections::BTreeSet;

use grantor_testkit::server::Installation;
use grantor_testkit::{Engine, Fixture as _, seed};
use serde_json::{Value, json};

use crate::measure::{Outcome, report};
use crate::wire::{Served, compare, request, send};

/// The numbers of licenses.
const TOTALS: [u32; 3] = [1_000, 100_000, 1_000_000];
/// The numbers of licenses that the caller sees, capped at the total.
const VISIBLE: [u32; 3] = [20, 10_000, u32::MAX];
/// The maximum number of licenses on PostgreSQL.
const POSTGRES: u32 = 100_000;

const LIMITS: &str = "external=4000000000/60s,metadata=4000000000/60s";
const ONE: &str = "/licenses/30000000-0000-0000-0000-000000000001";

/// Runs the suite on `SQLite`.
pub(crate) async fn run() -> Outcome {
    for total in TOTALS {
        measure(Engine::Sqlite, total).await?;
    }
    Ok(())
}

/// Runs the suite on PostgreSQL. The CPU time of the database server is not included.
pub(crate) async fn run_on_postgres() -> Outcome {
    for total in TOTALS.into_iter().filter(|total| *total <= POSTGRES) {
        measure(Engine::Postgres, total).await?;
    }
    Ok(())
}

async fn measure(engine: Engine, total: u32) -> Outcome {
    let installation = Installation::on(engine).await.with("GRANTOR_LIMITS", LIMITS);
    let sample: Value = serde_json::from_str(&installation.run("demo --json").await.ok())?;
    let options = installation.options();
    seed::public_licenses(&options, total).await;
    // Counts requests without a limit: the benchmark would use up the quota of a smaller plan.
    seed::run(&options, "UPDATE tenants SET plan = 'Enterprise'".to_owned()).await;
    let mut server = installation.serve().await;
    let served = Served { process: server.id(), address: server.address() };
    let caller = Caller { served, bearer: bearer(&sample, served).await? };
    let own = text(&sample["licenses"][0]["licenseId"]);
    for visible in BTreeSet::from(VISIBLE.map(|it| it.min(total))) {
        seed::show_licenses(&options, text(&sample["accounts"][0]["tenantId"]), visible).await;
        seed::tidy(&options).await;
        served.settle().await?;
        // Indexing leaves dead rows, which autovacuum would remove.
        seed::tidy(&options).await;
        report("license", &format!("{engine:?}: {total} licenses, {visible} visible"));
        caller.read(visible).await?;
    }
    caller.change(own).await?;
    server.stop().await;
    Ok(())
}

/// Exchanges the API key of the sample's agency for a token.
pub(crate) async fn bearer(sample: &Value, served: Served) -> Outcome<String> {
    let pair = json!({ "api_key": sample["api"]["key"], "api_secret": sample["api"]["secret"] });
    let answer = send(served, &request("POST /auth/token", &[], &pair.to_string())).await?;
    let token: Value = serde_json::from_slice(&answer.body)?;
    Ok(format!("Bearer {}", text(&token["data"]["access_token"])))
}

struct Caller {
    served: Served,
    bearer: String,
}

impl Caller {
    async fn read(&self, visible: u32) -> Outcome {
        let last = visible.div_ceil(20).min(500);
        let [first, _] = self.get("/licenses?per_page=20", &[]).await?;
        if last > 1 {
            let [late, _] = self.get(&format!("/licenses?per_page=20&page={last}"), &[]).await?;
            report("license", &format!("page {last} / page 1: {:.1} times", late / first));
        }
        self.get("/licenses?per_page=20&status=public&sort=title", &[]).await?;
        // A rare word, a word in every license, a phrase, and other filters.
        for search in [
            "search=7",
            "search=asked",
            "search=%22of+number%22",
            "q=sample",
            "license_type=advertising",
        ] {
            self.get(&format!("/licenses?{search}"), &[]).await?;
        }
        self.get(ONE, &[]).await?;
        let answer = send(self.served, &self.text("GET", ONE, &[], "")).await?;
        let tag = answer.header("etag").ok_or("a license without an ETag")?.to_owned();
        self.get(ONE, &[("if-none-match", &tag)]).await?;
        for query in [
            "",
            "?search=asked",
            "?license_type=advertising",
            "?page=5000",
            "?sort=title&search=asked",
        ] {
            self.get(&format!("/metadata{query}"), &[]).await?;
        }
        Ok(())
    }

    /// Alternates between two titles. Each change writes the license, its readers' rows, its search
    /// terms, a log entry and an event.
    async fn change(&self, id: &str) -> Outcome {
        let path = format!("/licenses/{id}");
        let change =
            |title: &str| self.text("PATCH", &path, &[], &json!({ "title": title }).to_string());
        let texts = [change("One title"), change("Another title")];
        compare("PATCH of a title", self.served, &texts).await.map(drop)
    }

    async fn get(&self, path: &str, headers: &[(&str, &str)]) -> Outcome<[f64; 2]> {
        compare(&format!("GET {path}"), self.served, &[self.text("GET", path, headers, "")]).await
    }

    fn text(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> String {
        let headers = [headers, &[("authorization", &self.bearer)]].concat();
        request(&format!("{method} {path}"), &headers, body)
    }
}

/// The text of a value.
pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
