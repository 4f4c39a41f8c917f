//! Staff who view an organization as one of its people: they look, and change nothing.

use std::collections::BTreeSet;
use std::time::Duration;

use grantor_api::frame::route::{Access, Route};
use grantor_domain::admin::AdminRole::{self, Admin, SuperAdmin, SupportAdmin};
use grantor_service::log::read_access;
use grantor_storage::backup;
use grantor_testkit::app::TestApp;
use grantor_testkit::{db_test, seed};
use http::Method;

use super::{UNKNOWN, staff};
use crate::web::case::mention;
use crate::web::kit::{ADA, Browser, WebFixture};

const REASON: &str = "They asked why a license is missing";
const COOKIE: &str = "__Host-grantor-view";
const BANNER: &str = "You're viewing Babbage Talent as Ada Lovelace. You can't change anything.";
const REFUSED: &str = "You can only look";

/// The page of Ada's organization, for staff.
async fn organization(browser: &mut Browser<'_>) -> String {
    let list = browser.get("/app/admin/organizations?search=babbage").await;
    list.link("/app/admin/organizations/")
}

/// The form that starts to view as Ada.
async fn form(browser: &mut Browser<'_>) -> String {
    let page = organization(browser).await;
    let seen = browser.get(&page).await;
    seen.says(200, &["People", "Ada Lovelace", ADA, "Organization admin", "View as"]);
    seen.link(&format!("{page}/people/"))
}

/// The browser of a member of staff who views as Ada.
async fn viewing(fixture: &WebFixture, role: AdminRole) -> Browser<'_> {
    let mut browser = staff(fixture, role).await;
    let form = form(&mut browser).await;
    let seen = browser.follow(&form, &[("reason", REASON)]).await;
    seen.says(200, &[BANNER, "This ends in 30 min", "Stop viewing", "Hello, Ada"]);
    browser
}

/// A path with an unknown record for each parameter.
fn filled(pattern: &str) -> String {
    let part = |it: &str| if it.starts_with('{') { UNKNOWN.to_owned() } else { it.to_owned() };
    pattern.split('/').map(part).collect::<Vec<_>>().join("/")
}

/// All stored rows but those of the log, each behind the name of its table.
async fn stored(app: &TestApp) -> BTreeSet<String> {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("dump");
    let (store, objects, now) = (&app.database.store, &app.app.objects, app.app.clock.now());
    backup::export(store, objects, target.clone(), Vec::new(), now).await.unwrap();
    let mut rows = BTreeSet::new();
    for table in std::fs::read_dir(target.join("tables")).unwrap() {
        let path = table.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        rows.extend(text.lines().map(|line| format!("{name} {line}")));
    }
    rows.retain(|it| !it.starts_with("log_entries "));
    rows
}

/// What each form gets: enough to create something where nothing forbids it.
const ENTERED: [(&str, &str); 3] =
    [("fullname", "Mary Shelley"), ("name", "Field"), ("message", "How do I share a license?")];

/// The forms of people. Those of staff are their own.
fn forms() -> Vec<String> {
    let all = grantor_web::forms();
    assert!(all.len() > 100, "{}", all.len());
    all.into_iter().filter(|it| !it.starts_with("/app/admin")).map(filled).collect()
}

#[db_test]
async fn every_form_is_refused_and_nothing_changes(fixture: WebFixture) {
    let mut grace = viewing(&fixture, Admin).await;
    let before = stored(&fixture.app).await;
    for path in forms() {
        let seen = grace.post(&path, &ENTERED).await;
        assert_eq!(seen.status, 403, "{path}: {}", seen.text);
        seen.says(403, &[REFUSED, "nothing can be changed", "Stop viewing"]);
    }
    let after = stored(&fixture.app).await;
    assert_eq!(before.symmetric_difference(&after).collect::<Vec<_>>(), Vec::<&String>::new());
}

/// The control: without the view the same forms get to their handlers, and some of them change
/// something.
#[db_test]
async fn the_same_forms_work_for_the_person(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let before = stored(&fixture.app).await;
    for path in forms().iter().filter(|it| !it.ends_with("/sign-out")) {
        fixture.app.clock.advance(Duration::from_secs(61));
        let seen = ada.post(path, &ENTERED).await;
        assert!(!seen.text.contains(REFUSED), "{path}: {}", seen.text);
    }
    let after = stored(&fixture.app).await;
    let new: Vec<_> = after.difference(&before).collect();
    for table in ["talents ", "teams ", "help_requests "] {
        assert!(new.iter().any(|it| it.starts_with(table)), "{table}: {new:?}");
    }
}

#[db_test]
async fn nothing_is_offered_that_changes_rows(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let mention = mention(&fixture, &mut ada).await;
    let list = "/app/mentions?status=all";
    ada.get(list).await.says(200, &["The news", "Selected rows", "it is them ·"]);
    let mut grace = viewing(&fixture, Admin).await;
    let seen = grace.get(list).await;
    seen.says(200, &["The news"]).hides("Selected rows").hides("it is them ·");
    let new = ["/app/licenses", "/app/talents", "/app/teams", "/app/clients", "/app/webhooks"];
    for (list, form) in new.map(|it| (it, format!("href=\"{it}/new\""))) {
        assert!(ada.get(list).await.page.contains(&form), "the control: {list}");
        assert!(!grace.get(list).await.page.contains(&form), "{list}");
    }
    let decide = "/decide\"";
    for page in [list, &*mention] {
        assert!(ada.get(page).await.page.contains(decide), "the control: {page}");
        assert!(!grace.get(page).await.page.contains(decide), "{page}");
    }
}

/// The paths and methods of an API that need a token.
fn guarded(routes: Vec<Route>, prefix: &str) -> Vec<(Method, String)> {
    let guarded = routes.into_iter().map(|it| it.info).filter(|it| it.access != Access::Public);
    guarded.map(|it| (it.method, format!("{prefix}{}", filled(&it.path)))).collect()
}

#[db_test]
async fn its_token_opens_no_api(fixture: WebFixture) {
    let grace = viewing(&fixture, SuperAdmin).await;
    let token = grace.cookie(COOKIE).unwrap().to_owned();
    let app = &fixture.app;
    let mut routes = guarded(grantor_api::console::routes(), "/v1.0.1");
    routes.extend(guarded(grantor_api::external::routes("grantor"), ""));
    assert!(routes.len() > 100, "{}", routes.len());
    for (index, (method, path)) in routes.into_iter().enumerate() {
        let from = format!("198.51.{}.{}", index / 200, index % 200 + 1);
        let request = app.request(method.clone(), &path).console(&token).from(&from);
        let answer = request.send().await;
        assert_eq!(answer.status, 401, "{method} {path}: {}", answer.json());
    }
    let body = serde_json::json!({ "refreshToken": token });
    assert_eq!(app.post("/v1.0.1/auth/refresh/token", &body).await.status, 401);
    // The control: the person's own token opens the same API.
    let own = app.sign_in(ADA, crate::console::PASSWORD).await;
    let own = own["accessToken"].as_str().unwrap();
    let answer = app.request(Method::GET, "/v1.0.1/user/profile").console(own).send().await;
    assert_eq!(answer.status, 200);
}

#[db_test]
async fn the_organization_is_told_and_both_logs_have_it(fixture: WebFixture) {
    let mut grace = viewing(&fixture, Admin).await;
    grace.get("/app/talents").await.says(200, &[BANNER, "No talents yet"]);
    grace.follow("/app/admin/view/stop", &[]).await.says(200, &["You're no longer viewing"]);
    read_access::write(&fixture.app.app).await.unwrap();
    let query = "SELECT l.action || ' ' || l.scheme || ' ' || l.actor_kind FROM log_entries l
         JOIN tenants t ON t.tenant_id = l.tenant_id
         WHERE t.name = 'Babbage Talent' AND l.actor_kind = 'admin'";
    let mut logged = seed::rows(&fixture.app.database.options, query).await.concat();
    logged.sort();
    let expected = [
        "dashboard.show admin admin",
        "staff_view.begin admin admin",
        "staff_view.end admin admin",
        "talent.list admin admin",
    ];
    assert_eq!(logged, expected);
    grace.get("/app/admin/logs?scheme=admin").await.says(200, &["staff_view.begin", REASON]);
    let mut ada = fixture.ada().await;
    let started = "Staff started to view the organization as one of its people";
    ada.get("/app/logs").await.says(200, &[started, "Staff"]).hides("Grace Hopper");
    let notice = "Our staff viewed Babbage Talent as Ada Lovelace";
    ada.get("/app/notices").await.says(200, &[notice]);
    let reads = ada.get("/app/logs?class=access&search=staff").await;
    reads.says(200, &["View the dashboard", "List talents"]);
    let mail = fixture.app.newest_mail(ADA).await;
    for part in [
        REASON,
        "as Ada Lovelace (organization admin) sees it",
        "from Jan 1, 2026, 00:00 UTC until Jan 1, 2026, 00:30 UTC",
        "except the profile, sign-in security, language and notification settings",
        "/app/logs?class=all&search=staff",
    ] {
        assert!(mail.contains(part), "{part}: {mail}");
    }
}

/// Who may not open the log is told, too, and is not sent there.
#[db_test]
async fn a_member_who_is_viewed_is_told_with_the_administrators(fixture: WebFixture) {
    fixture.colleague("Team_Member").await;
    let mut grace = staff(&fixture, Admin).await;
    let page = organization(&mut grace).await;
    let people = format!("{page}/people/");
    let seen = grace.get(&page).await;
    let link = format!("href=\"{people}");
    let users = seen.page.split(&link).skip(1);
    let users: Vec<_> = users.filter_map(|it| Some(it.split_once("/view\"")?.0)).collect();
    assert_eq!(users.len(), 2, "{}", seen.text);
    for user in users {
        grace.follow(&format!("{people}{user}/view"), &[("reason", REASON)]).await;
    }
    let mail = fixture.app.newest_mail("colleague@example.com").await;
    let log = "in the log, which the administrators of Babbage Talent can read";
    for part in [REASON, "(team member) sees it", log, "/app/notices"] {
        assert!(mail.contains(part), "{part}: {mail}");
    }
    assert!(!mail.contains("/app/logs"), "{mail}");
}

#[db_test]
async fn a_reason_and_a_right_are_needed(fixture: WebFixture) {
    let mut admin = staff(&fixture, Admin).await;
    let path = form(&mut admin).await;
    let seen = admin.post(&path, &[("reason", "because")]).await;
    seen.says(422, &[]).refuses("reason", "Must be 10 to 500 characters.");
    seen.holds("reason", "because");
    assert_eq!(admin.cookie(COOKIE), None);
    let mut support = staff(&fixture, SupportAdmin).await;
    let page = organization(&mut support).await;
    support.get(&page).await.says(200, &[ADA]).hides("View as").hides("Send password reset");
    support.get(&path).await.says(403, &["The role Support admin does not allow you to view"]);
    assert_eq!(support.post(&path, &[("reason", REASON)]).await.status, 403);
    let rows = seed::rows(&fixture.app.database.options, "SELECT reason FROM staff_views").await;
    assert!(rows.is_empty(), "{rows:?}");
}

/// Opens a page and expects that the view is over.
async fn is_over(browser: &mut Browser<'_>, why: &str) {
    let seen = browser.get("/app").await;
    let to = seen.location.as_deref();
    assert_eq!((seen.status, to), (303, Some("/app/admin")), "{why}: {}", seen.text);
    assert_eq!(browser.cookie(COOKIE), None, "{why}");
}

#[db_test]
async fn it_ends_after_half_an_hour(fixture: WebFixture) {
    let mut grace = viewing(&fixture, Admin).await;
    fixture.app.clock.advance(Duration::from_mins(29));
    grace.get("/app").await.says(200, &[BANNER, "This ends in 1 min"]);
    fixture.app.clock.advance(Duration::from_mins(1));
    is_over(&mut grace, "its time").await;
    grace.get("/app/admin").await.says(200, &["Viewing has ended"]);
}

/// Removes staff and undoes what ended a view.
const ANEW: &str = "DELETE FROM staff_views; DELETE FROM refresh_tokens; DELETE FROM sessions;
    DELETE FROM admin_tokens; DELETE FROM admins; UPDATE tenants SET status = 'active';
    UPDATE memberships SET status = 'active'";

#[db_test]
async fn it_ends_with_what_it_depends_on(fixture: WebFixture) {
    let mut grace = viewing(&fixture, Admin).await;
    let token = grace.cookie(COOKIE).unwrap().to_owned();
    grace.post("/app/admin/sign-out", &[]).await;
    assert_eq!(grace.cookie(COOKIE), None);
    let cookie = format!("{COOKIE}={token}");
    let kept = fixture.app.request(Method::GET, "/app").header("cookie", &cookie).send().await;
    assert_eq!(kept.header("location"), Some("/app/admin"), "the session of staff");
    for (why, script) in [
        ("a demoted member of staff", "UPDATE admins SET role = 'Support_Admin'"),
        ("a suspended organization", "UPDATE tenants SET status = 'suspended'"),
        ("an inactive person", "UPDATE memberships SET status = 'inactive'"),
    ] {
        fixture.run(ANEW.to_owned()).await;
        fixture.app.clock.advance(Duration::from_secs(1));
        let mut browser = viewing(&fixture, Admin).await;
        fixture.run(script.to_owned()).await;
        fixture.app.clock.advance(Duration::from_secs(1));
        is_over(&mut browser, why).await;
    }
}

/// Reading marks nothing as read, and what is the person's own is not shown.
#[db_test]
async fn looking_leaves_no_trace_but_in_the_log(fixture: WebFixture) {
    let notice = "00000000-0000-7000-8000-000000000009";
    let id = seed::id(&fixture.app.database.options, notice);
    let script = format!(
        "INSERT INTO notices SELECT {id}, m.user_id, m.tenant_id, 'request', 'request_received',
           '{{}}', 'Asked', '/app/requests', 'now', NULL, NULL, 1
         FROM memberships m JOIN users u ON u.user_id = m.user_id WHERE u.email = '{ADA}'"
    );
    fixture.run(script).await;
    let mut grace = viewing(&fixture, Admin).await;
    let before = stored(&fixture.app).await;
    let opened = grace.get(&format!("/app/notices/{notice}")).await;
    assert_eq!(opened.location.as_deref(), Some("/app/requests"));
    grace.get("/app/requests").await.says(200, &[BANNER]);
    for path in ["/app", "/app/organization", "/app/clients", "/app/webhooks", "/app/billing"] {
        grace.get(path).await.says(200, &[BANNER]).hides("Sign out").hides("Theme:");
    }
    for path in ["/app/profile", "/app/profile/security", "/app/profile/notifications"] {
        grace.get(path).await.says(403, &["This page is about the person", "Stop viewing"]);
    }
    let after = stored(&fixture.app).await;
    assert_eq!(before.symmetric_difference(&after).collect::<Vec<_>>(), Vec::<&String>::new());
}
