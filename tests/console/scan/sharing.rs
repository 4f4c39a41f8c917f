//! Several workers on one store, and workers that die.

use std::time::Duration;

use grantor_domain::Timestamp;
use grantor_domain::id::RunId;
use grantor_domain::scan::RunOutcome;
use grantor_service::watching::pod;
use grantor_storage::{StoreUrl, scan};
use grantor_testkit::listener::{Listener, Script};
use grantor_testkit::server::{GrantorProcess, Installation, eventually};
use grantor_testkit::{Engine, Fixture as _, db_test, seed};
use serde_json::json;

use super::{AT_ONCE, Site, rss};

/// Items of which the one at `hanging` has a picture.
fn pictured(count: usize, hanging: usize) -> String {
    let paths: Vec<String> = (0..count).map(|it| format!("/{it}")).collect();
    let link = format!("<link>/{hanging}</link>");
    let picture = format!("{link}<enclosure url='/picture' type='image/png'/>");
    rss(&paths).replace(&link, &picture)
}

#[db_test]
async fn a_pod_is_scanned_by_one_of_the_nodes(site: Site) {
    site.put_text("/rss", &rss(&["/1"]));
    let pod = site.pod(&["/rss"]).await;
    let other = site.grounds.home.app.another_node(8).await;
    for _ in 0..5 {
        let both =
            tokio::join!(pod::scan_due(site.app(), AT_ONCE), pod::scan_due(&other, AT_ONCE),);
        assert_eq!(both.0.unwrap() + both.1.unwrap(), 1);
        site.pass(60);
    }
    assert_eq!((site.runs(&pod).await.len(), site.asked("/rss")), (5, 5));
}

/// The process dies between two batches: the feed does not count as read, and all comes again.
#[db_test]
async fn what_a_killed_worker_left_is_handed_over_again(site: Site) {
    site.put_text("/rss", &pictured(60, 55));
    site.put("/picture", Script::Hang);
    let pod = site.pod(&["/rss"]).await;
    let scanning = site.scanning();
    site.until_asked("/picture").await;
    scanning.abort();
    let _ = scanning.await;
    assert_eq!(site.looked_at().await.len(), 50, "the first batch");
    assert_eq!(site.grounds.rows("SELECT url FROM feed_cursors").await.len(), 0);
    assert_eq!(site.scan().await, 0, "it is leased");
    site.pass(2);
    site.put_text("/picture", "a picture");
    assert_eq!(site.scan().await, 1);
    let runs = site.runs(&pod).await;
    assert_eq!((runs[0].outcome, runs[0].counts.items), (Some(RunOutcome::Ok), 60));
    let reason = Some("the worker stopped unexpectedly".to_owned());
    assert_eq!((runs[1].outcome, &runs[1].reason), (Some(RunOutcome::Interrupted), &reason));
    let scanned = "SELECT CAST(content_scanned AS text) FROM platforms";
    assert_eq!(site.grounds.rows(scanned).await, [["60"]], "each once");
    assert_eq!(site.grounds.rows("SELECT url FROM feed_cursors").await.len(), 1);
}

#[db_test]
async fn a_worker_whose_lease_ended_stops(site: Site) {
    site.put("/rss", Script::Hang);
    let pod = site.pod(&["/rss"]).await;
    let late = site.scanning();
    site.until_asked("/rss").await;
    site.put_text("/rss", &rss(&["/1"]));
    site.pass(2);
    let other = site.grounds.home.app.another_node(8).await;
    assert_eq!(pod::scan_due(&other, AT_ONCE).await.unwrap(), 1);
    assert_eq!(late.await.unwrap(), 1);
    let outcomes: Vec<_> = site.runs(&pod).await.into_iter().map(|it| it.outcome).collect();
    assert_eq!(outcomes, [Some(RunOutcome::Ok), Some(RunOutcome::Interrupted)]);
    let due = site.grounds.rows("SELECT CAST(due_at AS text) FROM pods").await;
    let expected = site.app().clock.now().plus(Duration::from_hours(1));
    assert_eq!(due, [[expected.as_micros().to_string()]], "as the later one said");
}

#[db_test]
async fn a_host_is_in_one_hand(site: Site) {
    let runs: [RunId; 2] = [site.app().ids.next(), site.app().ids.next()];
    let at = |secs: i64| Timestamp::from_secs(secs);
    let hold = async |run: usize, now: i64| {
        let run = runs[run];
        let hold = move |tx: &mut grantor_storage::Tx<'_>| {
            scan::claim_host(tx, "a.example", run, at(now), at(now + 60))
        };
        site.app().store.write(hold).await.unwrap()
    };
    assert_eq!(hold(0, 100).await, Some(at(100)));
    assert_eq!(hold(0, 101).await, Some(at(100)), "it is its own");
    assert_eq!(hold(1, 102).await, None, "another has it");
    let first = runs[0];
    let release =
        move |tx: &mut grantor_storage::Tx<'_>| scan::release_host(tx, "a.example", first, at(110));
    site.app().store.write(release).await.unwrap();
    assert_eq!(hold(1, 103).await, Some(at(110)), "and the pause is kept");
    assert_eq!(hold(0, 163).await, Some(at(110)), "who is silent has lost it");
}

/// Two platforms on one host: the second waits until the first has done, on whichever node.
#[db_test]
async fn two_pods_of_one_host_do_not_ask_it_at_once(site: Site) {
    site.put("/rss", Script::Hang);
    let first = site.pod(&["/rss"]).await;
    let hanging = site.scanning();
    site.until_asked("/rss").await;
    let beside = Listener::start(|_| Script::ok(rss(&["/1"]).as_bytes())).await.unwrap();
    let domain = format!("127.0.0.1:{}", beside.port());
    let second = site.pod_at(&domain, &["/rss"], json!({})).await;
    site.make("start", &second).await;
    let other = site.grounds.home.app.another_node(8).await;
    let waiting = tokio::spawn(async move { pod::scan_due(&other, AT_ONCE).await.unwrap() });
    let claimed = "SELECT status FROM pods WHERE run_id IS NOT NULL";
    let both = async || (site.grounds.rows(claimed).await.len() == 2).then_some(());
    eventually("both runs", both).await;
    assert_eq!(beside.connections(), 0, "it waits");
    site.make("stop", &first).await;
    assert_eq!((hanging.await.unwrap(), waiting.await.unwrap()), (1, 1));
    assert_eq!((beside.connections(), site.last(&second).await.0), (2, RunOutcome::Ok));
}

/// The program itself: a worker beside a server without any scans what is due and, told to stop,
/// gives back what it has.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_process_scans_and_gives_back() {
    let site = Site::on(Engine::Postgres).await;
    site.put_text("/rss", &rss(&["/1"]));
    let pod = site.pod(&["/rss"]).await;
    let app = &site.grounds.home.app;
    let StoreUrl::Postgres(url) = &app.database.options.url else { panic!("PostgreSQL") };
    let place = Installation::default()
        .with("GRANTOR_DATABASE_URL", url)
        .with("GRANTOR_OUTBOUND_ALLOW", "127.0.0.0/8");
    std::fs::create_dir(place.data("")).unwrap();
    let keys = app.mail_folder().with_file_name("keys.json");
    std::fs::copy(keys, place.data("keys.json")).unwrap();
    let mut worker = GrantorProcess::start_worker(place.command("worker")).await;
    eventually("a scan", async || site.runs(&pod).await.first()?.ended_at).await;
    assert_eq!(site.last(&pod).await, (RunOutcome::Ok, String::new()));
    site.put("/rss", Script::Hang);
    site.make("pause", &pod).await;
    site.make("start", &pod).await;
    eventually("a request", async || (site.asked("/rss") == 2).then_some(())).await;
    assert_eq!(worker.stop().await, Some(0));
    let reason = "the worker was stopped".to_owned();
    assert_eq!(site.last(&pod).await, (RunOutcome::Interrupted, reason));
}

/// What is asked every second, and for every feed, walks through no table.
#[db_test]
async fn looks_are_served_by_indexes(site: Site) {
    for text in [
        "SELECT due_at FROM pods WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1",
        "SELECT max(updated_at) FROM licenses",
        "SELECT max(updated_at) FROM talents",
        "SELECT max(created_at) FROM permissions",
        "SELECT run_id FROM pod_runs WHERE pod_id = $1 ORDER BY started_at DESC, run_id DESC LIMIT $2",
        "SELECT count(*) FROM mentions m WHERE m.platform_id = $1",
    ] {
        let plan = seed::plan(&site.grounds.home.app.database.options, text).await;
        let walks = plan.contains("Seq Scan") || (plan.contains("SCAN") && !plan.contains("INDEX"));
        assert!(
            !walks && !plan.contains("Sort") && !plan.contains("TEMP B-TREE"),
            "{text}\n{plan}"
        );
    }
}
