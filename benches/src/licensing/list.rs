//! Lists of grants and requests compared with the list of licenses, all of the same length.

use std::time::Duration;

use grantor_domain::Timestamp;

use super::{Parties, SHARED, license};
use crate::measure::{Outcome, report};
use crate::wire::{latency, request};

/// The talent of the first licenses.
const TALENT: &str = "20000000-0000-0000-0000-000000000002";
const DAY: Duration = Duration::from_hours(24);

/// Reports the latency of each list and its ratio to the first page of licenses.
pub(super) async fn run(parties: &Parties, now: Timestamp) -> Outcome {
    let get = async |token: &str, path: &str| {
        let text = request(&format!("GET {path}"), &[("authorization", token)], "");
        latency(parties.served, &text).await
    };
    let first = get(parties.licensee.as_str(), "/licenses").await?;
    report("licensing", &format!("GET /licenses: {first:.0} µs"));
    for (party, token) in [("licensee", &parties.licensee), ("licensor", &parties.licensor)] {
        for path in paths(now) {
            let taken = get(token.as_str(), path.as_str()).await?;
            let times = taken / first;
            report(
                "licensing",
                &format!(
                    "GET {path} of the {party}: {taken:.0} µs, {times:.1} times GET /licenses"
                ),
            );
        }
    }
    others(parties, first).await
}

/// Reports suggestions of parties, the permissions of a license, the calendar and the map.
async fn others(parties: &Parties, first: f64) -> Outcome {
    let licensee = [("authorization", parties.licensee.as_str())];
    let console = [("authorization", parties.console.as_str()), ("x-source", "console")];
    let page = [("cookie", parties.cookie.as_str())];
    let permissions = format!("/v1.0.1/org/license/{}/permissions", license(SHARED));
    let mut asked: Vec<(String, &[(&str, &str)])> = Vec::new();
    for search in ["studio", "studio%2099999", "99999", "nobody"] {
        asked.push((format!("/parties?search={search}"), &licensee));
    }
    for query in ["", "?page=500", "?page=5000", "?page=10000"] {
        asked.push((format!("{permissions}{query}"), &console));
    }
    for path in [
        "/app/grants",
        "/app/grants/calendar",
        "/app/grants/calendar?status=active",
        "/app/grants/map",
        "/app/requests",
    ] {
        asked.push((path.to_owned(), &page));
    }
    asked.push((format!("/app/grants/calendar?talent={TALENT}"), &page));
    for (path, headers) in asked {
        let taken = latency(parties.served, &request(&format!("GET {path}"), headers, "")).await?;
        let times = taken / first;
        let line = format!("GET {path}: {taken:.0} µs, {times:.1} times GET /licenses");
        report("licensing", &line);
    }
    Ok(())
}

/// First, middle and last pages, every filter, and filters that match few and many.
fn paths(now: Timestamp) -> Vec<String> {
    let (soon, late, one) = (now.plus(DAY), now.plus(900 * DAY), license(7));
    let licenses =
        ["?page=2500", "?page=5000", "?status=public"].map(|it| format!("/licenses{it}"));
    let grants = [
        String::new(),
        "?page=2500".to_owned(),
        "?page=5000".to_owned(),
        "?role=asker".to_owned(),
        "?role=owner".to_owned(),
        "?status=active".to_owned(),
        "?status=active&page=3000".to_owned(),
        "?status=revoked".to_owned(),
        "?status=scheduled&page=500".to_owned(),
        format!("?license_id={one}"),
        format!("?talent_id={TALENT}"),
        "?territory=US".to_owned(),
        "?territory=DE".to_owned(),
        format!("?talent_id={TALENT}&status=active&territory=US"),
        format!("?ends_before={soon}"),
        format!("?ends_before={late}"),
        format!("?status=active&ends_before={soon}"),
        format!("?status=active&ends_before={late}"),
    ];
    let requests = [
        String::new(),
        "?page=2500".to_owned(),
        "?page=5250".to_owned(),
        "?role=asker".to_owned(),
        "?role=owner".to_owned(),
        "?status=accepted&page=5000".to_owned(),
        "?status=open".to_owned(),
        "?status=open&page=250".to_owned(),
        format!("?license_id={one}"),
        format!("?license_id={one}&status=accepted"),
    ];
    let grants = grants.map(|it| format!("/grants{it}"));
    let requests = requests.map(|it| format!("/requests{it}"));
    licenses.into_iter().chain(grants).chain(requests).collect()
}
