//! How pods behave: rules of sites, conditions, pace, moves of staff, frequency.

use std::time::Duration;

use grantor_domain::scan::RunOutcome;
use grantor_service::watching::pod;
use grantor_testkit::db_test;
use grantor_testkit::listener::Script;
use grantor_testkit::server::eventually;
use serde_json::json;
use tokio::sync::oneshot;

use super::{AT_ONCE, ETAG, Site, rss, tagged};

#[db_test]
async fn what_robots_do_not_allow_is_not_asked_for(site: Site) {
    let rules = "User-agent: *\nDisallow: /rss\nDisallow: /1.png\n";
    site.put_text("/robots.txt", rules);
    site.put_text("/rss", &rss(&["/2"]));
    let item = "<item><link>/1</link><enclosure url='/1.png' type='image/png'/></item>";
    site.put_text("/open", &rss::<&str>(&[]).replace("</channel>", &format!("{item}</channel>")));
    let pod = site.pod(&["/rss", "/open"]).await;
    site.scan().await;
    let (outcome, reason) = site.last(&pod).await;
    let expected = format!("127.0.0.1:{}/rss: robots.txt does not allow it", site.listener.port());
    assert_eq!((outcome, reason), (RunOutcome::Partial, expected));
    assert_eq!(site.looked_at().await, ["/1"]);
    let asked = ["/robots.txt", "/rss", "/open", "/1.png"].map(|it| site.asked(it));
    assert_eq!(asked, [1, 0, 1, 0]);
    let agent = site.listener.calls()[0].header("user-agent").unwrap().to_owned();
    assert!(agent.starts_with("Grantor/"), "{agent}");
}

#[db_test]
async fn a_site_that_cannot_tell_its_rules_is_left_alone(site: Site) {
    site.put_text("/rss", &rss(&["/1"]));
    let pod = site.pod(&["/rss"]).await;
    for (rules, expected) in [
        (Script::answer(500, b""), "robots.txt returned status 500"),
        (Script::answer(429, b""), "robots.txt returned status 429"),
        (Script::Endless, "robots.txt could not be read: the response is too large"),
    ] {
        site.put("/robots.txt", rules);
        site.scan().await;
        let (outcome, reason) = site.last(&pod).await;
        assert_eq!((outcome, site.asked("/rss")), (RunOutcome::Failed, 0));
        assert!(reason.ends_with(expected), "{reason}");
        site.pass(60);
    }
}

#[db_test]
async fn a_feed_that_has_not_changed_is_not_looked_at(site: Site) {
    site.put("/tagged", tagged(&rss(&["/1"])));
    site.put_text("/plain", &rss(&["/2"]));
    let pod = site.pod(&["/tagged", "/plain"]).await;
    site.scan().await;
    site.pass(60);
    site.scan().await;
    let runs = site.runs(&pod).await;
    assert_eq!((runs[0].counts.items, runs[0].counts.errors, runs[1].counts.items), (0, 0, 2));
    assert_eq!(site.last(&pod).await, (RunOutcome::Ok, String::new()));
    let calls = site.listener.calls();
    let conditions = calls.iter().filter(|it| it.header("if-none-match") == Some(ETAG));
    assert_eq!(conditions.count(), 1);
}

/// Who could be seen may be another since: then all is looked at again.
#[db_test]
async fn a_feed_is_read_whole_after_a_license_changed(site: Site) {
    site.put("/rss", tagged(&rss(&["/1"])));
    let pod = site.pod(&["/rss"]).await;
    site.scan().await;
    site.pass(60);
    let talent = "INSERT INTO talents (talent_id, tenant_id, fullname, aliases, names_key,
        social_media, status, license_count, created_at, updated_at)
        SELECT tenant_id, tenant_id, 'Ada', '[]', 'ada', '{}', 'active', 0, UPDATED, UPDATED
        FROM tenants WHERE name = 'Babbage Talent'";
    let now = site.app().clock.now().as_micros().to_string();
    site.grounds.run(talent.replace("UPDATED", &now)).await;
    site.pass(2);
    site.scan().await;
    let whole = |it: usize| site.listener.calls()[it].header("if-none-match").is_none();
    assert!(whole(1) && whole(3), "no condition was sent");
    assert_eq!(site.runs(&pod).await[0].counts.items, 1);
    site.pass(60);
    site.scan().await;
    assert_eq!(site.runs(&pod).await[0].counts.items, 0, "and not again");
}

#[db_test]
async fn a_pod_is_due_by_the_frequency_of_its_platform(site: Site) {
    site.put_text("/rss", &rss(&["/1"]));
    for (host, frequency, hours) in
        [("127.0.0.1", "hourly", 1), ("127.0.0.2", "daily", 24), ("127.0.0.3", "weekly", 168)]
    {
        let settings = json!({ "detectionFrequency": frequency });
        let pod = site.pod_at(&site.at(host), &["/rss"], settings).await;
        site.make("start", &pod).await;
        site.scan().await;
        assert_eq!(site.last(&pod).await.0, RunOutcome::Ok);
        let due = site
            .grounds
            .rows("SELECT CAST(due_at AS text) FROM pods ORDER BY created_at DESC, due_at DESC")
            .await;
        let expected = site.app().clock.now().plus(Duration::from_hours(hours));
        assert_eq!(due[0][0], expected.as_micros().to_string(), "{frequency}");
    }
    assert_eq!(site.scan().await, 0, "nothing is due");
    site.pass(60);
    assert_eq!(site.scan().await, 1, "the hourly one");
}

#[db_test]
async fn whoever_asks_for_patience_gets_it(site: Site) {
    let busy =
        b"HTTP/1.1 503 Busy\r\nretry-after: 7200\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    site.put("/a", Script::Raw(busy.to_vec()));
    site.put_text("/b", &rss(&["/1"]));
    let pod = site.pod(&["/a", "/b"]).await;
    site.scan().await;
    let (outcome, reason) = site.last(&pod).await;
    assert_eq!((outcome, site.asked("/b")), (RunOutcome::Failed, 0));
    assert!(reason.contains("status 503") && reason.contains("retry later"), "{reason}");
    site.pass(119);
    assert_eq!(site.scan().await, 0);
    site.pass(1);
    assert_eq!(site.scan().await, 1);
}

/// A move of staff ends a run in the middle of a request that would never end by itself.
#[db_test]
async fn a_move_ends_the_run_at_once(site: Site) {
    let pod = site.pod(&["/rss"]).await;
    for (verb, reason) in [("pause", "the pod was paused"), ("stop", "the pod was stopped")] {
        site.put("/robots.txt", Script::Hang);
        site.make("start", &pod).await;
        let asked = site.listener.connections();
        let scanning = site.scanning();
        eventually("a request", async || (site.listener.connections() > asked).then_some(())).await;
        assert_eq!(site.make(verb, &pod).await.status, 201);
        let ended = tokio::time::timeout(Duration::from_millis(1_500), scanning).await;
        assert_eq!(ended.expect("it ends at once").unwrap(), 1);
        assert_eq!(site.last(&pod).await, (RunOutcome::Interrupted, reason.to_owned()));
        assert_eq!(site.scan().await, 0, "it is not due");
    }
    site.put_text("/robots.txt", "");
    site.put_text("/rss", &rss(&["/1"]));
    site.make("start", &pod).await;
    assert_eq!((site.scan().await, site.looked_at().await.len()), (1, 1), "due at once");
}

/// So does whatever else keeps a pod from scanning.
#[db_test]
async fn a_platform_that_does_not_want_it_any_more_is_left_at_once(site: Site) {
    let pod = site.pod(&["/rss"]).await;
    for (change, reason) in [
        ("crawling_enabled = NOT crawling_enabled", "crawling_disabled"),
        ("status = 'pending_verification'", "platform_not_verified"),
    ] {
        site.put("/robots.txt", Script::Hang);
        let asked = site.listener.connections();
        let scanning = site.scanning();
        eventually("a request", async || (site.listener.connections() > asked).then_some(())).await;
        site.grounds.run(format!("UPDATE platforms SET {change}")).await;
        assert_eq!(scanning.await.unwrap(), 1);
        assert_eq!(site.last(&pod).await, (RunOutcome::Interrupted, reason.to_owned()));
        site.grounds.run("UPDATE platforms SET crawling_enabled = 1 = 1".to_owned()).await;
        site.pass(60);
    }
}

#[db_test]
async fn a_worker_that_is_stopped_gives_its_pod_back(site: Site) {
    let pod = site.pod(&["/rss"]).await;
    site.put("/rss", Script::Hang);
    let (app, (stop, stopped)) = (site.app().clone(), oneshot::channel::<()>());
    let claimed = pod::claim(&app).await.unwrap().unwrap();
    let scanning = tokio::spawn(async move {
        let stopped = async { stopped.await.unwrap_or_default() };
        pod::scan(&app, AT_ONCE, claimed, stopped).await.unwrap()
    });
    site.until_asked("/rss").await;
    stop.send(()).unwrap();
    assert_eq!(scanning.await.unwrap(), RunOutcome::Interrupted);
    assert_eq!(site.last(&pod).await.1, "the worker was stopped");
    site.put_text("/rss", &rss(&["/1"]));
    assert_eq!((site.scan().await, site.looked_at().await.len()), (1, 1), "due at once");
}

#[db_test]
async fn what_keeps_a_pod_from_scanning_is_told_once_for_each_time(site: Site) {
    let settings = json!({ "crawlingEnabled": false, "detectionFrequency": "daily" });
    let pod = site.pod_at(&site.at("127.0.0.1"), &[], settings).await;
    site.make("start", &pod).await;
    let broken = "UPDATE pods SET scopes = 'read'; UPDATE platforms SET status =
        'pending_verification'; UPDATE tenants SET status = 'suspended'";
    site.grounds.run(broken.to_owned()).await;
    site.scan().await;
    let all = "scope_crawl_missing, platform_not_verified, crawling_disabled, \
               organization_suspended, no_feeds";
    assert_eq!(site.last(&pod).await, (RunOutcome::Blocked, all.to_owned()));
    assert_eq!((site.scan().await, site.listener.connections()), (0, 0));
    site.pass(60);
    assert_eq!((site.scan().await, site.runs(&pod).await.len()), (1, 2), "it looks again");
}

#[db_test]
async fn the_last_runs_are_kept(site: Site) {
    site.put_text("/rss", &rss(&["/1"]));
    let pod = site.pod(&["/rss"]).await;
    for _ in 0..55 {
        site.scan().await;
        site.pass(60);
    }
    assert_eq!(site.runs(&pod).await.len(), 10);
    let kept = site.grounds.rows("SELECT CAST(count(*) AS text) FROM pod_runs").await;
    assert_eq!(kept, [["50"]]);
}
