//! Opens every page in light and dark mode, on a desktop and a phone screen. Each page must be
//! accessible, fit the screen, load nothing from other hosts and stay small. The test fails if a
//! page in the route table is not opened.

use std::time::Duration;

use grantor_demo::SampleRequest;
use grantor_domain::access::Actor;
use grantor_domain::case::NewLetter;
use grantor_domain::catalog_address::candidates;
use grantor_domain::id::{DeliveryId, GrantId, RequestId};
use grantor_domain::page::{Page, PageRules};
use grantor_domain::patch::Patch;
use grantor_domain::role::Role;
use grantor_domain::scope::Scopes;
use grantor_service::Context;
use grantor_service::identity::access::TenantCaller;
use grantor_service::licensing::receipt::{Disclosable, share};
use grantor_service::watching::case;
use grantor_service::webhooks::delivery as deliveries;
use grantor_testkit::browser::Browser;
use grantor_testkit::seed;
use grantor_testkit::site::Site;
use http::Method;
use serde_json::{Value, json};

/// The maximum size of a page in bytes, without license images.
const MOST: u64 = 60_000;

/// Paths that pages load or that users download, which are not pages themselves.
const PARTS: [&str; 22] = [
    "/app/batches/{batch}/problems",
    "/app/talents/import/sample",
    "/app/licenses/import/sample",
    "/app/tags",
    "/app/licenses/talents",
    "/app/export/{list}",
    "/app/admin/export/{list}",
    "/app/notices/{notice}",
    "/app/admin/notices/{notice}",
    "/app/logs/export/{export}",
    "/app/admin/mail/{mail}/preview",
    "/app/dev/mail/{mail}/html",
    "/app/parties",
    "/app/search/results",
    "/app/admin/search/results",
    "/app/names",
    "/app/catalog/names",
    "/app/grants/{grant}/receipt",
    "/app/grants/{grant}/certificate.pdf",
    "/app/mentions/{mention}/evidence.zip",
    "/verify/{code}/receipt",
    "/app/webhooks/{webhook}/deliveries/{delivery}/payload.json",
];

/// What is wrong with a page.
async fn problems(browser: &Browser, address: &str) -> Vec<String> {
    let mut found = vec![];
    let mut note = |at: String, problems: Vec<String>| {
        found.extend(problems.into_iter().map(|it| format!("{address}, {at}: {it}")));
    };
    browser.open(address).await;
    for (width, height) in [(1280, 900), (390, 844)] {
        browser.resize(width, height).await;
        browser.dark().await;
        note(format!("{width}, dark"), browser.axe().await);
        browser.light().await;
        note(format!("{width}, light"), browser.axe().await);
        note(format!("too wide at {width}"), browser.too_wide().await);
    }
    note("doubled id".to_owned(), browser.doubled_ids().await);
    note("console".to_owned(), browser.console_errors().await);
    note("foreign".to_owned(), browser.foreign().await);
    let bytes = browser.transferred().await;
    if bytes >= MOST {
        found.push(format!("{address}: {bytes} bytes"));
    }
    found
}

/// Checks pages and names the problems of all of them.
async fn look_at(browser: &Browser, addresses: &[String]) {
    let mut found = vec![];
    for address in addresses {
        found.extend(problems(browser, address).await);
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

fn below(prefix: &str, ends: &[&str]) -> Vec<String> {
    ends.iter().map(|end| format!("{prefix}{end}")).collect()
}

/// A public license of the sample.
fn public(site: &Site) -> String {
    let found = site.sample.licenses.iter().find(|it| it.status.name() == "public");
    found.expect("a public license").id.to_string()
}

/// A request of the sample with this status.
fn request<'a>(site: &'a Site, status: &str) -> &'a SampleRequest {
    let found = site.sample.requests.iter().find(|it| it.status.name() == status);
    found.unwrap_or_else(|| panic!("no request is {status}"))
}

/// The brand's grant with this status, and the request that led to it.
fn grant(site: &Site, status: &str) -> (GrantId, RequestId) {
    let brand = site.sample.accounts[1].tenant;
    let mut requests = site.sample.requests.iter().filter(|it| it.asker == brand);
    let found = requests.find_map(|it| {
        let grant = it.grant.as_ref().filter(|it| it.status.name() == status)?;
        Some((grant.id, it.id))
    });
    found.unwrap_or_else(|| panic!("no grant is {status}"))
}

/// The path of a link that the brand shares.
async fn shared_link(site: &Site) -> String {
    let (app, brand) = (&site.app.app, &site.sample.accounts[1]);
    let (user, tenant, tenant_type) = (brand.user, brand.tenant, brand.kind);
    let (role, scopes) = (Role::OrganizationAdmin, Scopes::all());
    let caller = TenantCaller { user, tenant, tenant_type, role, scopes };
    let actor = Actor::User { id: user, tenant, name: brand.name.clone() };
    let context = Context { actor, ..Context::operator(Duration::ZERO) };
    let disclosed = Disclosable::ALL.to_vec();
    let (grant, _) = grant(site, "active");
    let link = share::create(app, &context, caller, grant, disclosed).await.expect("a link");
    link.url.strip_prefix(&app.public_url).expect("our own address").to_owned()
}

/// For everybody. A mail is written first, so that there is one to read.
async fn for_everybody(site: &Site) -> Vec<String> {
    let asked = site.app.post("/magic-link", &json!({ "email": "ada@example.com" })).await;
    assert_eq!(asked.status, 202);
    site.app.newest_mail("ada@example.com").await;
    let letters = site.app.app.mailer.mailbox().expect("a mailbox").list(1).await.unwrap();
    let mut all = below(
        "/app",
        &["/sign-in", "/sign-in/link", "/magic?token=x", "/sign-up", "/sign-up/link"],
    );
    all.extend(below("/app/sign-in", &["/second-factor", "/set-up", "/set-up/app"]));
    all.extend(below("/app/sign-in/sso", &["", "/callback?state=x&code=x"]));
    all.extend(below("/app", &["/forgot", "/invitation?token=x", "/catalog", "/nothing"]));
    all.extend(below("/app", &["/sign-in/code", "/sign-up/code", "/reset", "/admin/sign-in"]));
    all.extend(["/app/catalog/check".to_owned(), format!("/app/catalog/{}", public(site))]);
    let (talent, name) = site.sample.talents[0];
    let slug = candidates(name, talent.as_uuid()).remove(0);
    let talent = format!("/talents/{slug}");
    all.extend(below("/app/catalog", &["/owners/quillfeather-talent", &talent]));
    all.extend(below("/app/dev/mail", &["", &format!("/{}", letters[0].name)]));
    all.extend(["/verify".to_owned(), "/verify/nothing".to_owned(), shared_link(site).await]);
    all.push("/unsubscribe/nothing".to_owned());
    all
}

/// Of an agency: what it licenses.
fn of_rights(site: &Site) -> Vec<String> {
    let (talent, mention) = (site.sample.talents[0].0, site.sample.mentions[0].id);
    let own = &site.sample.accounts[0].email;
    let (bookmark, _) = site.sample.bookmarks.iter().find(|(_, it)| it == own).expect("a bookmark");
    let mut all = below("/app", &["", "/licenses", "/licenses/new", "/talents", "/talents/new"]);
    all.extend(below("/app", &["/talents/invite", "/bookmarks", "/mentions", "/check"]));
    all.extend(below("/app/licenses", &["/templates", "/new?template=advertising"]));
    // One that cannot be asked so.
    all.push("/app/licenses?status=x&sort=x&page=0".to_owned());
    all.extend(below("/app/mentions", &["?status=all", &format!("/{mention}")]));
    all.extend(below(&format!("/app/talents/{talent}"), &["", "/edit"]));
    all.push(format!("/app/bookmarks/{bookmark}/edit"));
    all.extend(below("/app/grants", &["", "/calendar", "/map"]));
    let license = format!("/app/licenses/{}", public(site));
    all.extend(below("/app", &["?days=7", "?days=90", "/shortcuts"]));
    all.extend(below("/app/search", &["", "?search=zo"]));
    all.extend(below(&license, &["", "/edit", "/history", "/preview", "/offer"]));
    all
}

/// Of an agency: what others ask it for, and what it granted.
fn of_a_licensor(site: &Site) -> Vec<String> {
    let (open, offered) = (request(site, "open").id, request(site, "offered").id);
    let mut all = below("/app/requests", &["", "?role=owner", "?status=x"]);
    all.extend(below(&format!("/app/requests/{open}"), &["", "/offer"]));
    all.extend(below(&format!("/app/requests/{offered}"), &["", "/offer"]));
    all.push("/app/grants?status=ended".to_owned());
    all.extend(["active", "revoked"].map(|it| format!("/app/grants/{}", grant(site, it).0)));
    all
}

/// Of a brand: what it asks for, and what it was granted.
fn of_a_licensee(site: &Site) -> Vec<String> {
    let (offered, (_, accepted)) = (request(site, "offered").id, grant(site, "active"));
    let mut all = vec![format!("/app/requests/new?license={}", public(site))];
    all.extend(below("/app/requests", &["", "?role=asker&status=withdrawn"]));
    all.extend(below(&format!("/app/requests/{offered}"), &["", "/accept"]));
    all.push(format!("/app/requests/{accepted}"));
    all.extend(below("/app/grants", &["", "/calendar", "/map"]));
    let statuses = ["active", "scheduled", "revoked"];
    all.extend(statuses.map(|it| format!("/app/grants/{}", grant(site, it).0)));
    all
}

/// Of a person: a bulk action in progress, a checked file, and what both report.
async fn of_bulk(site: &Site) -> Vec<String> {
    let (options, agency) = (&site.app.database.options, &site.sample.accounts[0]);
    let [running, checked] =
        ["0190a5e4-7b3c-7def-8123-0000000000e1", "0190a5e4-7b3c-7def-8123-0000000000e2"];
    let ids = [running, checked, &agency.user.to_string(), &agency.tenant.to_string()];
    let [one, other, user, tenant] = ids.map(|it| seed::id(options, it));
    let plan = r#"{"act":"import","kind":"talents","columns":{"places":["Name",null],"ignored":["Size"]},"duplicates":"skip","creates":9,"known":1,"wrong":1,"wrong_cells":2,"room":5}"#;
    let script = format!(
        "INSERT INTO batches VALUES ({one}, {tenant}, {user}, '{{\"act\":\"publish\"}}', 'running', 120,
           40, 15, 0, 3, 2, 0, NULL, NULL, NULL, 0, NULL);
         INSERT INTO batch_problems VALUES ({one}, 1, 'Winter', 'A license cannot change');
         INSERT INTO batches VALUES ({other}, {tenant}, {user}, '{plan}', 'checked', 11, 0, 0, 0, 0, 0,
           0, NULL, NULL, NULL, 0, NULL);
         INSERT INTO batch_problems VALUES ({other}, 3, 'Row 5', 'Name: is required')"
    );
    seed::run(options, script).await;
    let mut all = below("/app/batches", &["", &format!("/{running}"), &format!("/{checked}")]);
    all.extend(below("/app", &["/talents/import", "/licenses/import", "/licenses?tag=x"]));
    all
}

/// Of a person: the views that they saved, and lists with many filters.
async fn of_views(site: &Site) -> Vec<String> {
    let (options, agency) = (&site.app.database.options, &site.sample.accounts[0]);
    let view = "0190a5e4-7b3c-7def-8123-0000000000d1";
    let [it, user, tenant] = [view, &agency.user.to_string(), &agency.tenant.to_string()]
        .map(|it| seed::id(options, it));
    let script = format!(
        "INSERT INTO saved_views VALUES ({it}, {user}, {tenant}, 'licenses', 'On sale', 'on sale',
           'status=public', 0, 0, 0)"
    );
    seed::run(options, script).await;
    let mut all = below("/app/views", &["", &format!("/{view}/edit")]);
    all.push("/app/licenses?search=a&use=voice&country=DE&price_from=1&sort=title".to_owned());
    all.push("/app/licenses?country=x&price_to=x&expires_to=x".to_owned());
    all.push("/app/catalog?search=nobody&owner=quill&currency=EUR".to_owned());
    all.push("/app/talents?search=a&status=active&sort=name".to_owned());
    all.push("/app/mentions?status=all&search=a&sort=first_seen.asc".to_owned());
    all.push("/app/grants?search=a&use=voice&sort=end".to_owned());
    all.push("/app/requests?search=a&country=DE".to_owned());
    all
}

/// Of an agency: what it runs.
async fn of_an_organization(site: &Site) -> Vec<String> {
    let entries = ask(site, Method::GET, "/console/logs", Value::Null).await;
    let entry = entries["data"]["logs"][0]["logId"].as_str().expect("an entry").to_owned();
    let made = ask(site, Method::POST, "/console/logs/export", json!({ "format": "csv" })).await;
    let export = made["data"]["exportId"].as_str().expect("an export").to_owned();
    let client = site.sample.accounts[0].client.client.id;
    let (team, member) = (site.sample.team.id, site.sample.team.members[0].user);
    let mut all = below("/app", &["/webhooks", "/webhooks/new", "/clients", "/clients/new"]);
    all.extend(below("/app", &["/teams", "/teams/new", "/logs", "/logs/export", "/billing"]));
    all.extend(below("/app", &["/organization", "/organization/edit", "/profile"]));
    all.extend(below("/app/organization", &["/security", "/single-sign-on"]));
    all.extend(below("/app/profile/security", &["", "/app"]));
    let chat = json!({ "name": "Team", "url": "https://chat.example/a", "kinds": ["request"] });
    let chat = ask(site, Method::POST, "/org/chat-addresses", chat).await;
    let chat = chat["data"]["chatAddressId"].as_str().expect("a chat address").to_owned();
    all.extend(below("/app", &["/notices", "/profile/notifications", "/profile/language"]));
    all.extend(below("/app/organization/chat", &["", "/new", &format!("/{chat}")]));
    let delivery = format!("/deliveries/{}", delivery(site).await);
    let webhook = format!("/app/webhooks/{}", site.sample.webhooks[0]);
    all.extend(below(&webhook, &["", "/edit", &delivery]));
    all.push(format!("/app/logs/records/{}", site.sample.team.id));
    all.extend(below("/app/clients", &[&format!("/{client}")]));
    let member = format!("/members/{member}");
    all.extend(below(&format!("/app/teams/{team}"), &["", "/invite", &member]));
    all.extend(below("/app/logs", &[&format!("/{entry}"), &format!("/export/{export}/ready")]));
    all
}

/// The newest delivery to the agency's webhook.
async fn delivery(site: &Site) -> DeliveryId {
    const RULES: PageRules = PageRules { size_name: "size", default_size: 1, max_size: 1 };
    let agency = &site.sample.accounts[0];
    let (user, tenant, tenant_type) = (agency.user, agency.tenant, agency.kind);
    let (role, scopes) = (Role::OrganizationAdmin, Scopes::all());
    let caller = TenantCaller { user, tenant, tenant_type, role, scopes };
    let page = Page::parse(None, None, RULES).expect("a page");
    let webhook = site.sample.webhooks[0];
    let found = deliveries::list(&site.app.app, caller, webhook, None, page).await;
    found.expect("deliveries").items.first().expect("a delivery").id
}

/// What the agency is answered by the console API.
async fn ask(site: &Site, method: Method, path: &str, body: Value) -> Value {
    let account = &site.sample.accounts[0];
    let signed_in = site.app.sign_in(&account.email, account.password.expose()).await;
    let token = signed_in["accessToken"].as_str().expect("a token");
    let request = site.app.request(method, &format!("/v1.0.1{path}")).console(token);
    let answer = if body.is_null() { request.send() } else { request.json(&body).send() };
    answer.await.json()
}

/// Of an agency: what it watches. One source fails, and the agency claims a profile.
async fn of_sources(site: &Site) -> Vec<String> {
    let options = &site.app.database.options;
    let source = "0190a5e4-7b3c-7def-8123-0000000000c1";
    let feed = seed::id(options, "0190a5e4-7b3c-7def-8123-0000000000c2");
    let it = seed::id(options, source);
    let tenant = seed::id(options, &site.sample.accounts[0].tenant.to_string());
    let script = format!(
        "INSERT INTO watched_feeds (feed_id, url, kind, title, push_only, due_at, fetch_wanted,
           failing_since, failures, changed_at, created_at)
         VALUES ({feed}, 'https://news.example/feed', 'feed', 'News', 0, 9000000000000000, 0, 1, 1, 0, 0);
         INSERT INTO sources (source_id, tenant_id, feed_id, url, name, frequency, status, all_talents,
           mention_count, created_by, created_at, updated_at, version)
         VALUES ({it}, {tenant}, {feed}, 'https://news.example/', 'Evening News', 'daily', 'running', 1,
           0, {it}, 0, 0, 1);
         INSERT INTO feed_runs VALUES ({it}, {feed}, 1, 2, 'failed', 'the server returned status 500', 3,
           1, 12, 2, 0, '[{{\"what\":\"https://news.example/a\",\"why\":\"robots.txt forbids it\"}}]');
         INSERT INTO profiles VALUES ({it}, {tenant}, 'mastodon', 'https://social.example/@news',
           '0123456789abcdef0123456789abcdef', NULL, 0)"
    );
    seed::run(options, script).await;
    let mut all = below("/app/sources", &["", "/new", "?status=paused", "?status=x"]);
    all.extend(below(&format!("/app/sources/{source}"), &["", "/edit"]));
    all.push("/app/profiles".to_owned());
    all
}

/// Of an agency: a case, and the link to its evidence.
async fn of_cases(site: &Site) -> Vec<String> {
    let (app, agency) = (&site.app.app, &site.sample.accounts[0]);
    let mention = site.sample.mentions[0].id;
    let options = &site.app.database.options;
    let id = seed::id(options, &mention.to_string());
    let script = format!(
        "UPDATE mentions SET status = 'confirmed', allowed = (1 = 0) WHERE mention_id = {id}"
    );
    seed::run(options, script).await;
    let (user, tenant, tenant_type) = (agency.user, agency.tenant, agency.kind);
    let (role, scopes) = (Role::OrganizationAdmin, Scopes::all());
    let caller = TenantCaller { user, tenant, tenant_type, role, scopes };
    let actor = Actor::User { id: user, tenant, name: agency.name.clone() };
    let context = Context { actor, ..Context::operator(Duration::ZERO) };
    let opened = case::open(app, &context, caller, mention, Patch::Keep).await.expect("a case");
    let text = "Called the publisher.\n\nNobody answered.";
    case::comment(app, &context, caller, mention, text).await.expect("a comment");
    let letter = NewLetter::parse(Some("legal@wire.example"), Some("Please remove it"), Some(text));
    let letter = letter.expect("a letter");
    case::send_letter(app, &context, caller, mention, letter).await.expect("sent");
    let link = opened.evidence_url.expect("a link");
    let mut all = below("/app/cases", &["", "?status=closed", "?status=x"]);
    all.extend(below(&format!("/app/mentions/{mention}"), &["", "/case", "/case/letter"]));
    all.extend(below("/app/organization/letters", &["", "/takedown"]));
    all.push(link.strip_prefix(&app.public_url).expect("our own address").to_owned());
    all
}

/// Of a platform.
fn of_a_platform(site: &Site) -> Vec<String> {
    let place = &site.sample.sites[0];
    let mut all = below("/app", &["/platforms", "/platforms/new", "/pax", "/pax/new"]);
    all.extend(below(&format!("/app/platforms/{}", place.id), &["", "/edit"]));
    all.push(format!("/app/pax/{}", place.pax));
    all
}

/// Of the operator's staff.
fn of_the_staff(site: &Site) -> Vec<String> {
    let mut all = below("/app/admin", &["", "/pods", "/pods/new", "/platforms", "/licenses"]);
    all.extend(below("/app/admin", &["/organizations", "/help", "/help?all=true"]));
    all.extend(below("/app/admin/failures", &["/emails", "/webhooks", "/payments"]));
    all.extend(below("/app/admin", &["/pods?failing=true", "/sources?failing=true"]));
    all.extend(below("/app/admin/sources", &["", "?stopped=true"]));
    all.extend(below("/app/admin", &["/members", "/members/new", "/logs", "/nothing"]));
    let own = &site.sample.accounts[0].email;
    all.extend(below("/app/admin/second-factor", &["", &format!("?email={own}")]));
    all.extend(below("/app/admin/mail", &["", "/registration"]));
    all.extend(below("/app/admin", &["/search", "/search?search=quill", "/style-guide"]));
    let sections = ["fields", "filters", "lists", "charts"];
    all.extend(sections.map(|it| format!("/app/admin/style-guide?section={it}")));
    all.extend(below("/app/admin", &["/notices", "/notifications", "/language"]));
    all.push(format!("/app/admin/pods/{}", site.sample.sites[0].pod));
    let organization = format!("/app/admin/organizations/{}", site.sample.accounts[0].tenant);
    let person = site.sample.accounts[0].user;
    all.extend(below(&organization, &["", &format!("/people/{person}/view")]));
    all
}

/// A request for help, as the agency and staff see it.
async fn of_help(site: &Site) -> Vec<String> {
    let agency = &site.sample.accounts[0];
    let options = &site.app.database.options;
    let help = "0190a5e4-7b3c-7def-8123-0000000000d1";
    let id = seed::id(options, help);
    let tenant = seed::id(options, &agency.tenant.to_string());
    let user = seed::id(options, &agency.user.to_string());
    let script = format!(
        "INSERT INTO help_requests (help_request_id, tenant_id, user_id, message, created_at)
         VALUES ({id}, {tenant}, {user}, 'How do I share a license with two brands?', 0)"
    );
    seed::run(options, script).await;
    vec![format!("/app/admin/help/{help}")]
}

#[tokio::test(flavor = "multi_thread")]
async fn none_is_left_out() {
    let site = Site::start().await;
    let mut all = for_everybody(&site).await;
    all.extend(of_rights(&site));
    all.extend(of_a_licensor(&site));
    all.extend(of_a_licensee(&site));
    all.extend(of_views(&site).await);
    all.extend(of_bulk(&site).await);
    all.extend(of_an_organization(&site).await);
    all.extend(of_sources(&site).await);
    all.extend(of_cases(&site).await);
    all.extend(of_a_platform(&site));
    all.extend(of_the_staff(&site));
    all.extend(of_help(&site).await);
    all.extend(["/".to_owned(), "/app/help".to_owned()]);
    let pages = grantor_web::pages();
    let left: Vec<_> = pages.iter().filter(|it| !PARTS.contains(it)).collect();
    let left = left.into_iter().filter(|page| !all.iter().any(|it| fits(&pages, page, it)));
    assert_eq!(left.collect::<Vec<_>>(), [&""; 0]);
}

/// Whether an address leads to a page of the table.
fn fits(pages: &[&str], page: &str, address: &str) -> bool {
    let path = address.split('?').next().unwrap_or_default();
    if pages.contains(&path) {
        return page == path;
    }
    let (asked, parts): (Vec<_>, Vec<_>) = (page.split('/').collect(), path.split('/').collect());
    let same = |(asked, part): (&&str, &&str)| asked.starts_with('{') || asked == part;
    asked.len() == parts.len() && asked.iter().zip(&parts).all(same)
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_for_everybody() {
    let site = Site::start().await;
    let addresses = for_everybody(&site).await;
    look_at(&site.browser().await, &addresses).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_rights() {
    let site = Site::start().await;
    look_at(&site.browser_of(0).await, &of_rights(&site)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_views() {
    let site = Site::start().await;
    let addresses = of_views(&site).await;
    look_at(&site.browser_of(0).await, &addresses).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_bulk() {
    let site = Site::start().await;
    let addresses = of_bulk(&site).await;
    look_at(&site.browser_of(0).await, &addresses).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_a_licensor() {
    let site = Site::start().await;
    look_at(&site.browser_of(0).await, &of_a_licensor(&site)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_a_licensee() {
    let site = Site::start().await;
    shared_link(&site).await;
    look_at(&site.browser_of(1).await, &of_a_licensee(&site)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_an_organization() {
    let site = Site::start().await;
    let addresses = of_an_organization(&site).await;
    look_at(&site.browser_of(0).await, &addresses).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_sources() {
    let site = Site::start().await;
    let addresses = of_sources(&site).await;
    look_at(&site.browser_of(0).await, &addresses).await;
    look_at(&site.browser_of_staff().await, &["/app/admin/sources".to_owned()]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_cases() {
    let site = Site::start().await;
    let addresses = of_cases(&site).await;
    look_at(&site.browser_of(0).await, &addresses).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_a_platform() {
    let site = Site::start().await;
    look_at(&site.browser_of(2).await, &of_a_platform(&site)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_the_staff() {
    let site = Site::start().await;
    let mut addresses = of_the_staff(&site);
    addresses.extend(of_help(&site).await);
    look_at(&site.browser_of_staff().await, &addresses).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_beginners() {
    let site = Site::with_entrances().await;
    look_at(&site.browser().await, &["/".to_owned()]).await;
    let agency = site.browser_of(0).await;
    look_at(&agency, &["/".to_owned(), "/app/help".to_owned()]).await;
}
