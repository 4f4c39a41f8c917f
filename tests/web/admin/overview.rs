//! `/app/admin`: what staff see first.

use std::time::Duration;

use grantor_domain::admin::AdminRole::{Admin, SupportAdmin};
use grantor_service::operations::{growth, overview};
use grantor_testkit::{db_test, seed};

use super::staff;
use crate::web::kit::WebFixture;
use crate::web::license::license;

#[db_test]
async fn totals_and_growth_are_counted(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    license(&mut ada, &[("name", "Winter"), ("status", "private")]).await;
    let mut support = staff(&fixture, SupportAdmin).await;
    let seen = support.get("/app/admin").await;
    seen.says(200, &["Organizations 1 +1 in 30 days", "People 1 +1 in 30 days"]);
    seen.says(200, &["Licenses 1 +1 in 30 days", "Grants 0 +0 in 30 days"]);
    seen.says(200, &["Mentions 0 +0 in 30 days", "Nothing fails.", "Nothing waits for you."]);
}

/// The job counts each record once, and what it counted is not counted again when it is read.
#[db_test]
async fn the_job_and_the_page_agree(fixture: WebFixture) {
    let app = &fixture.app.app;
    let read = async || overview::show(app).await.unwrap().growth;
    let before = read().await;
    assert_eq!(growth::count(app).await, Ok(0), "too young to be counted");
    assert_eq!(read().await, before);
    fixture.app.clock.advance(Duration::from_mins(3));
    assert_eq!(growth::count(app).await, Ok(2), "an organization and its person");
    assert_eq!(read().await, before);
    assert_eq!(growth::count(app).await, Ok(0));
    fixture.stranger().await;
    let after = read().await;
    let totals: Vec<u64> = after.values().map(|it| it.total).collect();
    assert_eq!(totals, [2, 2, 0, 0, 0]);
    fixture.app.clock.advance(Duration::from_mins(3));
    assert_eq!(growth::count(app).await, Ok(2));
    assert_eq!(read().await, after);
    fixture.app.clock.advance(Duration::from_hours(40 * 24));
    let later = read().await;
    let recent: Vec<(u64, u64)> = later.values().map(|it| (it.total, it.recent())).collect();
    assert_eq!(recent, [(2, 0), (2, 0), (0, 0), (0, 0), (0, 0)], "growth is about the last days");
}

#[db_test]
async fn nodes_that_count_at_once_count_once(fixture: WebFixture) {
    let other = fixture.app.another_node(9).await;
    fixture.app.clock.advance(Duration::from_mins(3));
    let (one, two) = tokio::join!(growth::count(&fixture.app.app), growth::count(&other));
    assert_eq!(one.unwrap() + two.unwrap(), 2);
    let growth = overview::show(&other).await.unwrap().growth;
    assert_eq!(growth.values().map(|it| it.total).collect::<Vec<_>>(), [1, 1, 0, 0, 0]);
}

/// Something that fails of each kind, and a platform that waits.
async fn trouble(fixture: &WebFixture) {
    let options = &fixture.app.database.options;
    let it = seed::id(options, "0190a5e4-7b3c-7def-8123-0000000000e1");
    let run = seed::id(options, "0190a5e4-7b3c-7def-8123-0000000000e2");
    let (bytes, yes) = match options.url {
        grantor_storage::StoreUrl::Sqlite(_) => ("x'00'", "1"),
        grantor_storage::StoreUrl::Postgres(_) => ("decode('00', 'hex')", "TRUE"),
    };
    let script = format!(
        "INSERT INTO mails (mail_id, kind, state, attempts, next_attempt_at, last_error, created_at,
           finished_at)
         VALUES ({it}, 'magic_link', 'failed', 3, 0, 'the server refused the mail with 550',
           1767225500000000, 1767225600000000);
         INSERT INTO webhooks (webhook_id, tenant_id, user_id, url, description, events, status,
           secret, created_at, updated_at, failing_since)
         SELECT {it}, m.tenant_id, m.user_id, 'https://hooks.example/secret-path', '', 1, 'active',
           {bytes}, 0, 0, 1767225000000000 FROM memberships m;
         INSERT INTO subscriptions SELECT {it}, tenant_id, 'Pro', NULL, {it}, 'past_due', 0, 1, 0, 2,
           1767312000000000, NULL, 0, 1, 0, NULL FROM tenants;
         INSERT INTO watched_feeds (feed_id, url, kind, title, push_only, due_at, fetch_wanted,
           failing_since, failures, changed_at, created_at)
         VALUES ({it}, 'https://news.example/feed', 'feed', 'News', NOT {yes}, 9000000000000000,
           NOT {yes}, 1, 1, 0, 0);
         INSERT INTO sources (source_id, tenant_id, feed_id, url, name, frequency, status,
           all_talents, mention_count, created_by, created_at, updated_at, version)
         SELECT {it}, tenant_id, {it}, 'https://news.example/', 'Evening News', 'daily', 'running',
           {yes}, 0, {it}, 0, 0, 1 FROM tenants;
         INSERT INTO platforms (platform_id, tenant_id, name, domain, created_at)
         SELECT {it}, tenant_id, 'The Wire', 'wire.example', 0 FROM tenants;
         INSERT INTO scanner_requests VALUES ({it}, 1);
         INSERT INTO pods (pod_id, platform_id, scopes, status, uptime, request_count, error_count,
           created_at, updated_at)
         VALUES ({it}, {it}, 'crawl', 'running', 0, 1, 1, 0, 0);
         INSERT INTO pod_runs VALUES ({run}, {it}, 1, 2, 'failed', 'no answer', 1, 1, 0, 0, 0);"
    );
    fixture.run(script).await;
}

/// The lists of what fails, and what they say then.
const LISTS: [(&str, &[&str]); 5] = [
    ("/app/admin/pods?failing=true", &["The Wire", "Last scan failed"]),
    ("/app/admin/sources?failing=true", &["Evening News", "Babbage Talent"]),
    ("/app/admin/failures/emails", &["Magic link", "refused the mail with 550", "3 times"]),
    ("/app/admin/failures/webhooks", &["Babbage Talent", "hooks.example"]),
    ("/app/admin/failures/payments", &["Babbage Talent", "Pro", "2 times"]),
];

#[db_test]
async fn what_fails_and_waits_leads_to_its_list(fixture: WebFixture) {
    trouble(&fixture).await;
    let mut admin = staff(&fixture, Admin).await;
    let seen = admin.get("/app/admin").await;
    seen.says(200, &["Scanners whose last scan failed 1", "Sources that can't be read 1"]);
    seen.says(200, &["Emails not sent, last 7 days 1", "Webhooks that fail 1", "Declined cards 1"]);
    seen.says(200, &["Platforms that asked for a scanner 1", "Requests for help 0"]);
    for (path, texts) in LISTS {
        assert!(seen.page.contains(&format!("href=\"{path}\"")), "{path}: {}", seen.page);
        admin.get(path).await.says(200, texts).hides("secret-path");
    }
    assert!(seen.page.contains("href=\"/app/admin/pods#waiting\""), "{}", seen.page);
    assert!(admin.get("/app/admin/pods").await.page.contains("id=\"waiting\""));
}

/// The control: what is well is not counted.
#[db_test]
async fn what_is_well_is_not_listed(fixture: WebFixture) {
    trouble(&fixture).await;
    let well = "UPDATE mails SET finished_at = 0; UPDATE webhooks SET status = 'disabled';
        UPDATE subscriptions SET status = 'active'; UPDATE sources SET status = 'paused';
        UPDATE pod_runs SET outcome = 'ok'; DELETE FROM scanner_requests";
    fixture.run(well.to_owned()).await;
    let mut admin = staff(&fixture, Admin).await;
    admin.get("/app/admin").await.says(200, &["Nothing fails.", "Nothing waits for you."]);
    for (path, text) in [
        ("/app/admin/pods?failing=true", "No scanners fail"),
        ("/app/admin/sources?failing=true", "No sources found"),
        ("/app/admin/failures/emails", "No failed emails"),
        ("/app/admin/failures/webhooks", "No failing webhooks"),
        ("/app/admin/failures/payments", "No declined payments"),
    ] {
        admin.get(path).await.says(200, &[text]);
    }
}
