//! Single sign-on in a real browser, from the settings to the dashboard.

use std::sync::Arc;

use grantor_domain::limit::Limits;
use grantor_outbound::{Dns, SystemDns};
use grantor_testkit::app::TestConfig;
use grantor_testkit::clock::MockClock;
use grantor_testkit::dns::NameServer;
use grantor_testkit::identity_provider::{
    CLIENT_ID, CLIENT_SECRET, IdentityProvider, ProviderPerson,
};
use grantor_testkit::site::Site;

#[tokio::test(flavor = "multi_thread")]
async fn an_administrator_sets_it_up_and_signs_in_with_it() {
    let names = NameServer::start().await.unwrap();
    let provider = IdentityProvider::start(MockClock::START.as_secs()).await;
    let dns: Arc<dyn Dns> = Arc::new(SystemDns::with_server(names.address()));
    let (allowed, dns) = ("127.0.0.0/8".parse().unwrap(), Some(dns));
    let limits = Limits::off();
    let site =
        Site::with_config(TestConfig { limits, allowed, dns, ..TestConfig::default() }).await;
    let email = site.sample.accounts[0].email.clone();
    let domain = email.split('@').nth(1).unwrap().to_owned();
    let browser = site.browser_of(0).await;
    browser.open("/app/organization/single-sign-on").await;
    browser.fill("Domain", &domain).await;
    browser.press("Add domain").await;
    browser.see("Domain added").await;
    let text = browser.text().await;
    let is_token = |it: &&str| it.len() == 32 && it.bytes().all(|it| it.is_ascii_hexdigit());
    let token = text.split_whitespace().find(is_token).expect("a token");
    names.add(&format!("_grantor-challenge.{domain}"), &[token]);
    browser.press("Verify").await;
    browser.see("Domain verified").await;
    browser.fill("Issuer", &provider.issuer()).await;
    browser.fill("Client ID", CLIENT_ID).await;
    browser.fill("Client secret", CLIENT_SECRET).await;
    browser.press("Set up").await;
    browser.see("Members can sign in with your provider.").await;
    assert_eq!((browser.axe().await, browser.console_errors().await), (vec![], vec![]));
    provider.set_visitor(ProviderPerson::new("one", &email));
    let other = site.browser().await;
    other.open("/app/sign-in").await;
    other.press("Use single sign-on").await;
    other.fill("Email", &email).await;
    other.press("Continue").await;
    other.arrive("/app").await;
    other.open("/app/profile").await;
    other.see("Single sign-on").await;
}
