//! Opens every page in light and dark mode, on a desktop and a phone screen. Each page must be
//! accessible, fit the screen, load nothing from other hosts and stay small. The test fails if a
//! page in the route table is not opened.

mod licensing;
mod organization;
mod staff;
mod watching;

use grantor_domain::catalog_address::candidates;
use grantor_testkit::browser::Browser;
use grantor_testkit::site::Site;
use serde_json::json;

use self::licensing::{of_a_licensee, of_a_licensor, of_rights, public, shared_link};
use self::organization::{of_an_organization, of_bulk, of_views};
use self::staff::{of_help, of_the_staff};
use self::watching::{of_a_platform, of_cases, of_sources};

/// The maximum size of a page in bytes, without license images.
const MOST: u64 = 60_000;

/// Paths that pages load or that users download, which are not pages themselves.
const PARTS: [&str; 23] = [
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
    "/evidence/{code}/{picture}",
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
        note(format!("{width}, dark"), browser.axe_colors().await);
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
