//! Sites that mean harm: each costs bounded time and memory, shows as an error on its pod, and takes
//! nothing from the pod beside it.

use std::io::Write as _;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use grantor_domain::scan::RunOutcome;
use grantor_testkit::db_test;
use grantor_testkit::listener::Script;
use serde_json::json;

use super::{Site, rss, tagged};

const MIB: usize = 1024 * 1024;
const FILE: &str = "<!DOCTYPE rss [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><rss version='2.0'>\
    <channel><item><link>/1</link><title>&x;</title></item></channel></rss>";

fn bomb() -> Vec<u8> {
    let mut encoder = GzEncoder::new(vec![], Compression::best());
    encoder.write_all(&vec![b' '; 64 * MIB]).unwrap();
    encoder.finish().unwrap()
}

fn head(lines: &str) -> Script {
    Script::Raw(format!("HTTP/1.1 200 OK\r\n{lines}\r\n\r\n").into_bytes())
}

fn unpacked(body: &[u8]) -> Script {
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    Script::Raw([head.as_bytes(), body].concat())
}

fn laughs() -> String {
    let tenfold = |it| format!("<!ENTITY a{it} \"{}\">", format!("&a{};", it - 1).repeat(10));
    let doctype = "<!ENTITY a0 \"lol\">".to_owned() + &(1..12).map(tenfold).collect::<String>();
    format!("<?xml version='1.0'?><!DOCTYPE lolz [{doctype}]><lolz>&a11;</lolz>")
}

/// What a site answers at `/rss` to do harm, and the reason with which its scan fails.
pub(crate) fn attacks(port: u16) -> Vec<(Script, &'static str)> {
    let text = |body: &str| Script::ok(body.as_bytes());
    let long =
        "<rss version='2.0'><channel><title>x</title>".to_owned() + &"<item/>".repeat(100_000);
    vec![
        (Script::ok(&bomb()), "it is larger than 20 MiB when unpacked"),
        (unpacked(&bomb()), "it is larger than 20 MiB when unpacked"),
        (Script::Endless, "the response is too large"),
        (Script::Drip(Duration::from_millis(50)), "the request timed out"),
        (Script::Hang, "the request timed out"),
        (Script::Close, "not valid HTTP"),
        (Script::Headers { count: 1_000, size: 1_000 }, ""),
        (head("content-length: 1073741824"), "not valid HTTP"),
        (Script::redirect(302, "http://169.254.169.254/latest/meta-data"), "the URL"),
        (Script::redirect(302, &format!("http://127.0.0.9:{port}/rss")), "the URL"),
        (Script::redirect(302, "file:///etc/passwd"), "the URL"),
        (Script::redirect(302, "/rss"), "too many redirects"),
        (text("<rss version='2.0'><channel></item></rss>"), "not well-formed XML"),
        (text("<rss version='2.0'><channel><item>"), "ends unexpectedly"),
        (text(&laughs()), "it declares XML entities, which are not supported"),
        (text(FILE), "it declares XML entities, which are not supported"),
        (text(&long), "more than 10000 items"),
        (text(&"<a>".repeat(500_000)), "nested more than 100 deep"),
        (text("<!-- x -->\n<!DOCTYPE HTML><p>Hello"), "it is an HTML page, not a feed"),
        (text("<hello></hello>"), "neither RSS, Atom, JSON Feed nor a sitemap"),
        (text("{\"items\": [1]}"), "JSON"),
        (Script::ok(b"<?xml version='1.0' encoding='utf-16'?><rss>\xff\xfe\x00</rss>"), ""),
        (Script::ok(b"<rss version='2.0'><channel><title>\xff\xfe</title></channel></rss>"), ""),
        (Script::answer(404, b""), "the server returned status 404"),
    ]
}

#[db_test]
async fn hostile_feeds_fail_with_a_reason_and_a_good_one_goes_on(site: Site) {
    let bad = site.pod(&["/rss"]).await;
    let hourly = json!({ "detectionFrequency": "hourly" });
    let good = site.pod_at(&site.at("127.0.0.2"), &["/good"], hourly).await;
    site.make("start", &good).await;
    site.put_text("/good", &rss(&["/1"]));
    for (place, (script, reason)) in attacks(site.listener.port()).into_iter().enumerate() {
        site.put("/rss", script);
        assert_eq!(site.scan().await, 2, "attack {place}");
        let (outcome, found) = site.last(&bad).await;
        assert_eq!(outcome, RunOutcome::Failed, "attack {place}: {found}");
        assert!(found.contains(reason) && found.contains("/rss: "), "attack {place}: {found}");
        assert_eq!(site.last(&good).await.0, RunOutcome::Ok, "attack {place}");
        site.pass(60);
    }
    assert!(site.listener.sent() < 100 * MIB, "{} bytes were taken", site.listener.sent());
    assert_eq!(site.looked_at().await, ["/1"]);
}

/// The control of the test above: the same pod reads what is sound, and then shows no error.
#[db_test]
async fn the_same_pod_reads_what_is_sound(site: Site) {
    let pod = site.pod(&["/rss"]).await;
    site.put("/rss", Script::redirect(302, "/feed"));
    site.put_text("/feed", &rss(&["/1"]));
    site.scan().await;
    assert_eq!(site.last(&pod).await, (RunOutcome::Ok, String::new()));
    assert_eq!(site.looked_at().await, ["/1"]);
}

/// What must not be asked for is not asked for again, and keeps nothing open.
#[db_test]
async fn pictures_at_refused_addresses_are_let_go(site: Site) {
    let pictures =
        (1..=8).flat_map(|it| [format!("http://10.0.0.1/{it}.png"), format!("/{it}.png")]);
    let item = |it: String| {
        format!("<item><link>{it}</link><enclosure type='image/png' url='{it}'/></item>")
    };
    let items: String = pictures.map(item).collect();
    site.put("/rss", tagged(&format!("<rss version='2.0'><channel>{items}</channel></rss>")));
    for it in 1..=8 {
        site.put(&format!("/{it}.png"), Script::redirect(302, "http://10.0.0.1/"));
    }
    let pod = site.pod(&["/rss"]).await;
    for requests in [11, 2] {
        site.scan().await;
        assert_eq!(site.last(&pod).await, (RunOutcome::Ok, String::new()));
        assert_eq!(site.runs(&pod).await[0].counts.requests, requests);
        site.pass(60);
    }
}

#[db_test]
async fn errors_show_on_the_pod(site: Site) {
    let pod = site.pod(&["/rss?key=secret"]).await;
    site.put_text("/rss?key=secret", "broken");
    site.scan().await;
    let shown = site.shown(&pod).await;
    let metrics = json!({ "uptime": 0, "requestCount": 2, "errorRate": 0.5 });
    assert_eq!(shown["metrics"], metrics);
    let reason = shown["lastRuns"][0]["reason"].as_str().unwrap();
    let expected = "/rss: it is neither RSS, Atom, JSON Feed nor a sitemap";
    assert!(reason.ends_with(expected) && !reason.contains("secret"), "{reason}");
}
