//! Mentions over all licenses that somebody sees.

use std::time::Duration;

use grantor_domain::id::LicenseId;
use grantor_domain::mention::{InboxQuery, MentionStatus, Verdict};
use grantor_domain::page::{Listing, Order};
use grantor_domain::permission::PermissionRole;
use grantor_domain::search::{FindQuery, NameFilter};
use grantor_domain::{Error, Result};
use grantor_service::operations::record_index::{self, RecordOrder, RecordSort};
use grantor_service::watching::mention::{self, MentionSearch, MentionView};
use grantor_testkit::db_test;
use http::Method;
use serde_json::json;

use super::{UNKNOWN, caller, page};
use crate::grant::terms;
use crate::license::{Member, text};
use crate::sighting::Watch;

const ALL: fn() -> InboxQuery =
    || InboxQuery { status: None, verdict: None, license: None, page: page(1, 20) };

impl Watch {
    async fn inbox(&self, who: &Member, query: InboxQuery) -> Result<Listing<MentionView>> {
        let app = &self.world.app;
        mention::inbox(&app.app, caller(app, who).await.reader(), query).await
    }

    /// Title of the license and address of each, and how many there are on all pages.
    async fn listed(&self, who: &Member, query: InboxQuery) -> (Vec<String>, u64) {
        shown(&self.inbox(who, query).await.unwrap())
    }

    /// Like `listed`, of those that a search finds.
    async fn found(&self, who: &Member, search: MentionSearch) -> (Vec<String>, u64) {
        let app = &self.world.app;
        let reader = caller(app, who).await.reader();
        shown(&mention::search(&app.app, reader, search, page(1, 20)).await.unwrap())
    }

    async fn waiting(&self, who: &Member) -> u64 {
        let app = &self.world.app;
        mention::count_pending(&app.app, caller(app, who).await.reader()).await.unwrap()
    }

    /// Two licenses, of which Winter lists what was seen first, and both what was seen then.
    async fn season(&self) -> [String; 2] {
        let winter = self.license(json!({ "name": "Winter" })).await;
        self.say("https://wire.example/1", "Grâce Hopper spoke.").await;
        let spring = self.license(json!({ "name": "Spring", "canCrawl": true })).await;
        self.say("https://wire.example/2", "Grâce Hopper spoke again.").await;
        [winter, spring]
    }
}

fn shown(listing: &Listing<MentionView>) -> (Vec<String>, u64) {
    let line = |it: &MentionView| {
        let url = it.shown.mention.url.rsplit('/').next().unwrap();
        format!("{} {url}", it.shown.license_title)
    };
    (listing.items.iter().map(line).collect(), listing.total)
}

fn lines(lines: &[&str], total: u64) -> (Vec<String>, u64) {
    (lines.iter().map(|it| (*it).to_owned()).collect(), total)
}

#[db_test]
async fn what_was_seen_of_all_licenses_is_one_list_newest_first(watch: Watch) {
    watch.season().await;
    let agency = &watch.world.agency;
    assert_eq!(watch.listed(agency, ALL()).await, lines(&["Winter 2", "Winter 1"], 2));
    let second = InboxQuery { page: page(2, 1), ..ALL() };
    assert_eq!(watch.listed(agency, second).await, lines(&["Winter 1"], 2));
    let seen = watch.inbox(agency, ALL()).await.unwrap().items.pop().unwrap();
    assert_eq!(
        (seen.shown.talent_name.as_str(), seen.role),
        ("Grâce Hopper", PermissionRole::Licensor)
    );
    assert_eq!(seen.place, "The Wire");
}

#[db_test]
async fn it_is_filtered(watch: Watch) {
    let [winter, spring] = watch.season().await;
    let agency = &watch.world.agency;
    let verdict = watch.inbox(agency, ALL()).await.unwrap().items[0].shown.mention.verdict;
    let other = Verdict::ALL.into_iter().find(|it| *it != verdict);
    for (query, total) in [
        (InboxQuery { status: Some(MentionStatus::New), ..ALL() }, 2),
        (InboxQuery { status: Some(MentionStatus::Confirmed), ..ALL() }, 0),
        (InboxQuery { verdict: Some(verdict), ..ALL() }, 2),
        (InboxQuery { verdict: other, ..ALL() }, 0),
        (InboxQuery { status: Some(MentionStatus::New), verdict: other, ..ALL() }, 0),
        (InboxQuery { license: Some(winter.parse().unwrap()), ..ALL() }, 2),
        (InboxQuery { license: Some(spring.parse().unwrap()), ..ALL() }, 1),
        (InboxQuery { license: Some(spring.parse().unwrap()), verdict: other, ..ALL() }, 0),
    ] {
        let (found, counted) = watch.listed(agency, query).await;
        assert_eq!((found.len() as u64, counted), (total, total), "{query:?}");
    }
}

#[db_test]
async fn others_see_what_they_were_granted_and_nothing_else(watch: Watch) {
    let [winter, spring] = watch.season().await;
    let brand = &watch.world.brand;
    assert_eq!(watch.listed(brand, ALL()).await, lines(&[], 0));
    for license in [spring.parse().unwrap(), UNKNOWN.parse::<LicenseId>().unwrap()] {
        let asked = watch.inbox(brand, InboxQuery { license: Some(license), ..ALL() }).await;
        assert_eq!(asked, Err(Error::not_found("License")));
    }
    assert_eq!(watch.world.grant(&spring, "viewer").await.status, 201);
    assert_eq!(watch.listed(brand, ALL()).await, lines(&["Spring 2"], 1));
    assert_eq!(watch.world.grant(&winter, "viewer").await.status, 201);
    // Twice the same right, as an organization and as a person: still one line each.
    let person = json!({ "userEmail": brand.email });
    assert_eq!(watch.world.grant_to(&winter, person, "trustee").await.status, 201);
    assert_eq!(watch.listed(brand, ALL()).await, lines(&["Winter 2", "Winter 1"], 2));
    let roles: Vec<_> =
        watch.inbox(brand, ALL()).await.unwrap().items.iter().map(|it| it.role).collect();
    assert_eq!((roles, watch.waiting(brand).await), (vec![PermissionRole::Trustee; 2], 2));
}

/// Newest first.
const NEWEST: RecordOrder = RecordOrder { sort: RecordSort::Changed, order: Order::Desc };

#[db_test]
async fn it_is_searched_by_everyone_who_sees_it(watch: Watch) {
    let [_, spring] = watch.season().await;
    let (agency, brand) = (&watch.world.agency, &watch.world.brand);
    assert_eq!(watch.world.grant(&spring, "viewer").await.status, 201);
    let find = |text: &str| FindQuery::parse(text).unwrap();
    let base = MentionSearch { order: NEWEST, ..MentionSearch::default() };
    for settled in [false, true] {
        for (search, own, shared) in [
            (MentionSearch { find: find("grac"), ..base.clone() }, 2, 1),
            (MentionSearch { find: find("hopper wire"), ..base.clone() }, 2, 1),
            (MentionSearch { find: find("nobody"), ..base.clone() }, 0, 0),
            (MentionSearch { find: find("!"), ..base.clone() }, 0, 0),
            (MentionSearch { status: Some(MentionStatus::New), ..base.clone() }, 2, 1),
            (MentionSearch { status: Some(MentionStatus::Confirmed), ..base.clone() }, 0, 0),
            (MentionSearch { talent: find("gr").map(NameFilter::Name), ..base.clone() }, 2, 1),
        ] {
            let (found, total) = watch.found(agency, search.clone()).await;
            assert_eq!((found.len(), total), (own, own as u64), "{search:?}, {settled}");
            let (found, total) = watch.found(brand, search.clone()).await;
            assert_eq!((found.len(), total), (shared, shared as u64), "{search:?}, {settled}");
        }
        let oldest = RecordOrder { order: Order::Asc, ..NEWEST };
        let search = MentionSearch { find: find("grace"), order: oldest, ..base.clone() };
        let expected = lines(&["Winter 1", "Winter 2"], 2);
        assert_eq!(watch.found(agency, search).await, expected);
        assert_eq!(watch.found(brand, base.clone()).await, lines(&["Spring 2"], 1));
        record_index::index_changed(&watch.world.app.app).await.unwrap();
    }
}

#[db_test]
async fn a_licensee_sees_what_its_active_grant_shows(watch: Watch) {
    let license = watch.license(json!({ "status": "public" })).await;
    watch.say("https://wire.example/1", "Grâce Hopper spoke.").await;
    let brand = &watch.world.brand;
    assert_eq!(watch.listed(brand, ALL()).await, lines(&[], 0));
    let mut active = terms();
    active["starts_at"] = json!("2026-01-01T00:00:00Z");
    let grant = watch.world.granted(&license, active).await;
    for (status, total) in
        [(None, 1), (Some(MentionStatus::New), 1), (Some(MentionStatus::Confirmed), 0)]
    {
        let (found, counted) = watch.listed(brand, InboxQuery { status, ..ALL() }).await;
        assert_eq!((found.len() as u64, counted), (total, total), "{status:?}");
    }
    assert_eq!(watch.listed(brand, ALL()).await, lines(&["Winter 1"], 1));
    assert_eq!(watch.waiting(brand).await, 1);
    // What was seen before the license was no longer watched stays visible.
    watch.world.app.clock.advance(Duration::from_mins(1));
    watch.world.patch(&license, json!({ "can_crawl": false })).await;
    assert_eq!(watch.listed(brand, ALL()).await, lines(&["Winter 1"], 1));
    let path = format!("/grants/{}/revoke", text(&grant["id"]));
    let body = json!({ "reason": "Not paid" });
    assert_eq!(watch.world.as_agency(Method::POST, &path, Some(body)).await.status, 200);
    assert_eq!(watch.listed(brand, ALL()).await, lines(&[], 0));
    assert_eq!(watch.waiting(brand).await, 0);
}

#[db_test]
async fn what_is_new_waits_until_somebody_decides_or_the_license_goes(watch: Watch) {
    let [winter, spring] = watch.season().await;
    let (agency, app) = (&watch.world.agency, &watch.world.app);
    watch.say("https://wire.example/3", "Grâce Hopper, at last.").await;
    assert_eq!((watch.waiting(agency).await, watch.waiting(&watch.world.brand).await), (3, 0));
    let path = format!("/mentions/{}", text(&watch.mentions(&spring).await[0]["id"]));
    let decision = Some(json!({ "status": "dismissed" }));
    assert_eq!(agency.external(app, Method::PATCH, &path, decision).await.status, 200);
    assert_eq!(watch.waiting(agency).await, 2);
    let path = format!("/org/license/{winter}");
    assert_eq!(agency.console(app, Method::DELETE, &path, None).await.status, 204);
    assert_eq!(watch.waiting(agency).await, 1);
    let (mut found, total) = watch.listed(agency, ALL()).await;
    found.sort();
    assert_eq!((found, total), lines(&["Spring 2", "Spring 3"], 2));
}

#[db_test]
async fn what_is_seen_again_keeps_its_place(watch: Watch) {
    let [_, spring] = watch.season().await;
    watch.world.app.clock.advance(Duration::from_mins(1));
    watch.say("https://wire.example/1", "Grâce Hopper, once more.").await;
    let (agency, spring) = (&watch.world.agency, Some(spring.parse().unwrap()));
    assert_eq!(watch.listed(agency, ALL()).await, lines(&["Winter 2", "Winter 1"], 2));
    // Spring is watched by now, so it lists what was seen before.
    let spring = watch.listed(agency, InboxQuery { license: spring, ..ALL() }).await;
    assert_eq!(spring, lines(&["Spring 2", "Spring 1"], 2));
}
