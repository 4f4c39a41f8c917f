//! Workers that are killed while they scan sources and mail about what they find, and sites that
//! have new posts at every look: each post is found once, and its rights holder is told once.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use grantor_service::mail::{Files, Transport as _};
use grantor_storage::StoreUrl;
use grantor_testkit::clock::MockClock;
use grantor_testkit::listener::{Call, Listener, Script};
use grantor_testkit::server::{GrantorProcess, Installation, eventually};
use grantor_testkit::{db_test, print_figure, repeats, seed};
use serde_json::json;

use crate::license::text;
use crate::sighting::journey::{JourneyFixture, NAMED, ask};

/// Each is a host of its own.
const SITES: u8 = 4;
/// Posts that appear on a site whenever its feed is read.
const NEW: u32 = 3;
/// Named besides in every third post.
const OTHER: &str = "Олена Ясновець";
/// The mentions of what the sites show.
const FOUND: &str = "mentions WHERE url LIKE 'http://127.0.0.%/press/%'";
/// The scans that have begun and not ended.
const OPEN: &str = "feed_runs WHERE ended_at IS NULL";
/// The notices to mail at once that were not mailed yet.
const UNMAILED: &str = "notices WHERE due_at IS NOT NULL AND channel = 'now'";
/// Nobody waits here for the minute in which emails are folded.
const MAIL_NOW: &str =
    "UPDATE notices SET due_at = 0 WHERE due_at IS NOT NULL AND channel = 'now';";

/// The sites, and the number of posts of each.
struct Press {
    sites: Vec<(Listener, Arc<AtomicU32>)>,
    /// Whether new posts appear.
    publishes: Arc<AtomicBool>,
}

impl Press {
    async fn open() -> Self {
        let (mut sites, publishes) = (vec![], Arc::new(AtomicBool::new(true)));
        for site in 1..=SITES {
            let posts = Arc::new(AtomicU32::new(0));
            let (count, more) = (Arc::clone(&posts), Arc::clone(&publishes));
            let answer = move |call: &Call| match call.path.as_str() {
                "/feed" => {
                    let new = if more.load(Ordering::SeqCst) { NEW } else { 0 };
                    let shown = count.fetch_add(new, Ordering::SeqCst) + new;
                    Script::ok(feed(shown).as_bytes())
                }
                _ => Script::answer(404, b""),
            };
            let address = (Ipv4Addr::new(127, 0, 0, site), 0).into();
            sites.push((Listener::bind(address, answer).await.unwrap().forgetting(), posts));
        }
        Self { sites, publishes }
    }

    /// Watches the feed of each site as the sample's agency.
    async fn watch(&self, fixture: &JourneyFixture) {
        let mut server = GrantorProcess::start(fixture.place.command("serve --no-workers")).await;
        let token = fixture.agency(&server).await;
        for (site, _) in &self.sites {
            let body = json!({ "url": site.url("/feed"), "frequency": "hourly" });
            ask(&server, "POST /sources", &token, body).await;
        }
        server.stop().await;
    }

    /// The address of every post, with each person in it.
    fn published(&self) -> Vec<String> {
        let mut all = vec![];
        for (site, posts) in &self.sites {
            for post in 0..posts.load(Ordering::SeqCst) {
                let url = site.url(&format!("/press/{post}"));
                all.extend(people(post).iter().map(|person| format!("{url} {person}")));
            }
        }
        all.sort();
        all
    }
}

/// Who is in a post.
fn people(post: u32) -> &'static [&'static str] {
    if post.is_multiple_of(3) { &[NAMED, OTHER] } else { &[NAMED] }
}

fn feed(posts: u32) -> String {
    let mut feed = "<rss version=\"2.0\"><channel><title>Press</title>".to_owned();
    for post in 0..posts {
        let said = people(post).join(" and ");
        let _ = write!(feed, "<item><title>Post {post}</title><link>/press/{post}</link>");
        let _ = write!(feed, "<description>Seen: {said}</description></item>");
    }
    feed + "</channel></rss>"
}

/// Starts the workers, with every feed due. What killed workers had is free once its lease is over,
/// which nobody waits for here.
async fn start(place: &Installation) -> Vec<GrantorProcess> {
    let free = "UPDATE watched_feeds SET due_at = 0 WHERE due_at IS NOT NULL;
        UPDATE scan_hosts SET held_until = 0, next_at = 0;
        UPDATE mails SET next_attempt_at = 0 WHERE state = 'queued';";
    seed::run(&place.options(), format!("{free}{MAIL_NOW}")).await;
    // Several share PostgreSQL; SQLite is one program's own.
    let several = if matches!(place.options().url, StoreUrl::Postgres(_)) { 2 } else { 1 };
    let mut workers = vec![];
    for _ in 0..several {
        workers.push(GrantorProcess::start_worker(place.command("worker")).await);
    }
    workers
}

/// Lets workers begin and kills them: when the first post is found, when all of them are, or when
/// the emails about earlier ones are composed. Returns how many scans were in the middle.
async fn kill(fixture: &JourneyFixture, moment: u32) -> usize {
    let before = fixture.count(FOUND).await;
    let mut workers = start(&fixture.place).await;
    if moment == 2 {
        let due = "notices WHERE due_at = 0";
        let composed = async || (fixture.count(due).await == 0).then_some(());
        eventually("emails", composed).await;
    } else {
        let more = if moment == 0 { 1 } else { usize::from(SITES) * NEW as usize };
        let found = async || (fixture.count(FOUND).await >= before + more).then_some(());
        eventually("mentions", found).await;
    }
    for worker in &workers {
        worker.signal("KILL");
    }
    for worker in &mut workers {
        worker.ended().await;
    }
    fixture.count(OPEN).await
}

/// Lets workers finish: every post is found, every scan has ended, and every email is sent.
async fn finish(fixture: &JourneyFixture, posts: usize) {
    let mut workers = start(&fixture.place).await;
    let found = async || (fixture.count(FOUND).await >= posts).then_some(());
    eventually("all mentions", found).await;
    let ended = async || (fixture.count(OPEN).await == 0).then_some(());
    eventually("the end of the scans", ended).await;
    seed::run(&fixture.place.options(), MAIL_NOW.to_owned()).await;
    for waiting in [UNMAILED, "mails WHERE state = 'queued'"] {
        let done = async || (fixture.count(waiting).await == 0).then_some(());
        eventually(waiting, done).await;
    }
    for worker in &mut workers {
        worker.stop().await;
    }
}

/// What a person's emails say.
#[derive(Debug, Default)]
struct Mailed {
    /// The mentions that an email links to.
    links: Vec<String>,
    /// How many more the emails only count.
    more: usize,
    /// How many emails were sent again, under the same ID.
    again: usize,
}

impl Mailed {
    async fn read(place: &Installation, email: &str) -> Self {
        let files = Files::new(place.data("mail"), Arc::new(MockClock::default()));
        let mailbox = files.mailbox().unwrap();
        let (mut mailed, mut ids) = (Self::default(), BTreeSet::new());
        let all = mailbox.list(usize::MAX).await.unwrap();
        for listed in all.iter().filter(|it| it.to == email) {
            // The name of a file is the time and the email's ID.
            if !ids.insert(listed.name.split_once('-').unwrap().1) {
                mailed.again += 1;
                continue;
            }
            let mail = mailbox.read(&listed.name).await.unwrap().unwrap();
            mail.text.lines().for_each(|line| mailed.add(line));
        }
        mailed.links.sort();
        mailed
    }

    fn add(&mut self, line: &str) {
        if let Some((_, id)) = line.split_once("/app/mentions/") {
            self.links.push(format!("/app/mentions/{id}"));
        } else if let Some(more) = line.strip_prefix("and ").and_then(|it| it.strip_suffix(" more"))
        {
            self.more += more.parse::<usize>().unwrap();
        }
    }
}

#[db_test]
async fn killed_workers_find_and_tell_everything_once(place: Installation) {
    let kills = repeats(6, 50);
    let (fixture, press) = (JourneyFixture::of(place).await, Press::open().await);
    press.watch(&fixture).await;
    let mut interrupted = 0;
    for number in 0..kills {
        interrupted += kill(&fixture, number % 3).await;
    }
    assert!(interrupted > 0, "not one was killed in the middle");
    press.publishes.store(false, Ordering::SeqCst);
    let published = press.published();
    finish(&fixture, published.len()).await;

    let options = fixture.place.options();
    let found = "SELECT m.url || ' ' || t.fullname FROM mentions m
        JOIN talents t ON t.talent_id = m.talent_id
        WHERE m.url LIKE 'http://127.0.0.%/press/%'";
    let mut found = seed::rows(&options, found).await.concat();
    found.sort();
    assert_eq!(found, published, "one mention of each person at each address");
    let twice = "SELECT link FROM notices WHERE link LIKE '/app/mentions/%'
        GROUP BY person_id, link HAVING count(*) > 1";
    assert_eq!(seed::rows(&options, twice).await.concat(), [""; 0], "nobody is told twice");
    let email = text(&fixture.sample["accounts"][0]["email"]);
    let told = format!(
        "SELECT n.link FROM notices n JOIN users u ON u.user_id = n.person_id
         WHERE u.email = '{email}' AND n.summary LIKE '%127.0.0.%'"
    );
    let told: BTreeSet<String> = seed::rows(&options, &told).await.concat().into_iter().collect();
    assert_eq!(told.len(), published.len(), "the agency is told of each");

    let Mailed { links, more, again } = Mailed::read(&fixture.place, &email).await;
    assert_eq!(links.len() + more, published.len(), "each is in an email");
    let different: BTreeSet<String> = links.iter().cloned().collect();
    assert_eq!(different.len(), links.len(), "in one alone");
    assert!(different.is_subset(&told), "{different:?}");
    assert!(again <= kills as usize, "{again} emails were sent again");
    print_figure(&format!(
        "{} mentions, {kills} kills, {interrupted} scans in the middle: each found and told once, \
         {again} emails sent again",
        published.len()
    ));
}

/// The negative control: a mention in two emails, and one that is only counted, are noticed.
#[test]
fn what_is_mailed_twice_or_only_counted_is_noticed() {
    let mut mailed = Mailed::default();
    for line in ["https://a.test/app/mentions/1", "Somebody", "and 2 more", "/app/mentions/1"] {
        mailed.add(line);
    }
    assert_eq!((mailed.links.len(), mailed.more), (2, 2));
    assert_eq!(mailed.links[0], mailed.links[1]);
}
