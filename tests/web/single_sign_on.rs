//! Single sign-on with a provider that signs, and with one that is wrong in every way.

use std::sync::Arc;

use grantor_domain::admin::AdminRole;
use grantor_outbound::{Dns, SystemDns};
use grantor_testkit::app::TestConfig;
use grantor_testkit::clock::MockClock;
use grantor_testkit::dns::NameServer;
use grantor_testkit::identity_provider::{
    CLIENT_ID, CLIENT_SECRET, Flaw, IdentityProvider, ProviderPerson,
};
use grantor_testkit::{Engine, Fixture, db_test, seed};

use super::kit::{ADA, Browser, Seen, WebFixture};
use super::viewed::{compare, viewing};
use crate::console::PASSWORD;

const PAGE: &str = "/app/organization/single-sign-on";
const RECORD: &str = "_grantor-challenge.example.com";

/// Ada's agency, a name server and an identity provider.
struct House {
    fixture: WebFixture,
    names: NameServer,
    provider: IdentityProvider,
}

impl Fixture for House {
    async fn on(engine: Engine) -> Self {
        let names = NameServer::start().await.unwrap();
        let dns: Arc<dyn Dns> = Arc::new(SystemDns::with_server(names.address()));
        let allowed = "127.0.0.0/8".parse().unwrap();
        let config = TestConfig { allowed, dns: Some(dns), ..TestConfig::default() };
        let fixture = WebFixture::with_config(engine, config).await;
        let provider = IdentityProvider::start(MockClock::START.as_secs()).await;
        Self { fixture, names, provider }
    }
}

impl House {
    /// Connects the organization of this browser to the provider.
    async fn connect(&self, browser: &mut Browser<'_>, role: &str) -> Seen {
        let issuer = self.provider.issuer();
        let form = [
            ("issuer", &*issuer),
            ("clientId", CLIENT_ID),
            ("clientSecret", CLIENT_SECRET),
            ("newMemberRole", role),
        ];
        browser.follow(PAGE, &form).await
    }

    /// Adds a domain and its DNS record, and verifies it.
    async fn prove(&self, browser: &mut Browser<'_>) -> Seen {
        let seen = browser.follow(&format!("{PAGE}/domains"), &[("domain", "example.com")]).await;
        let token = seen.between("aria-label=\"TXT record value\"><code>", "<").unwrap();
        self.names.add(RECORD, &[&token]);
        browser.post(&format!("{PAGE}/domains/example.com/verify"), &[]).await
    }

    /// Ada's organization with a provider and a proved domain.
    async fn ready(&self, role: &str) -> Browser<'_> {
        let mut ada = self.fixture.ada().await;
        self.connect(&mut ada, role).await.says(200, &["Single sign-on saved"]);
        assert_eq!(self.prove(&mut ada).await.status, 303);
        ada
    }

    /// Signs in at the provider as this person, and comes back.
    async fn sign_in(&self, browser: &mut Browser<'_>, person: ProviderPerson) -> Seen {
        let back = self.go(browser, ADA, person).await;
        browser.get(&back).await
    }

    /// Signs in at the provider, and returns the address to come back to.
    async fn go(&self, browser: &mut Browser<'_>, hint: &str, person: ProviderPerson) -> String {
        let form = [("email", hint), ("next", "/app/talents")];
        let seen = browser.post("/app/sign-in/sso", &form).await;
        let url = seen.says(200, &["Continue to the sign-in page of"]).link("http://127.0.0.1");
        let query = self.provider.sign_in(&url.replace("&amp;", "&"), person);
        format!("/app/sign-in/sso/callback?{query}")
    }
}

fn ada_there() -> ProviderPerson {
    ProviderPerson::new("ada-1", ADA)
}

#[db_test]
async fn a_member_signs_in_at_the_provider(house: House) {
    house.ready("").await;
    let mut browser = house.fixture.browser();
    let seen = house.sign_in(&mut browser, ada_there()).await;
    assert_eq!(
        (seen.status, seen.location.as_deref()),
        (303, Some("/app/talents")),
        "{}",
        seen.text
    );
    browser.get("/app/profile").await.says(200, &["Babbage Talent", "Single sign-on"]);
    let paths = house.provider.paths();
    assert_eq!(paths[..2], ["/.well-known/openid-configuration", "/keys"], "when it was saved");
    assert_eq!(paths[2..], ["/keys", "/token"], "when Ada came back");
}

#[db_test]
async fn the_email_may_be_told_apart(house: House) {
    house.ready("").await;
    house.provider.set_flaw(Some(Flaw::Terse));
    let seen = house.sign_in(&mut house.fixture.browser(), ada_there()).await;
    assert_eq!(seen.status, 303, "{}", seen.text);
    assert_eq!(house.provider.paths().last().map(String::as_str), Some("/userinfo"));
}

#[db_test]
async fn a_wrong_token_signs_nobody_in(house: House) {
    house.ready("").await;
    for (flaw, reason) in [
        (Flaw::Nonce, "the ID token belongs to another sign-in"),
        (Flaw::Issuer, "the ID token is from another issuer"),
        (Flaw::Audience, "the ID token is for another client"),
        (Flaw::Signature, "the signature of the ID token is not valid"),
        (Flaw::Unsigned, "the signature of the ID token is not valid"),
        (Flaw::Expired, "the ID token has expired"),
    ] {
        house.provider.set_flaw(Some(flaw));
        let mut browser = house.fixture.browser();
        let seen = house.sign_in(&mut browser, ada_there()).await;
        let failed = format!("{} could not sign you in to Babbage Talent", house.provider.issuer());
        let advice = "ask an administrator of Babbage Talent to check the single sign-on settings";
        seen.says(403, &["Single sign-on failed", &failed, reason, advice, "Sign in another way"]);
        assert_eq!(browser.get("/app").await.status, 303, "{flaw:?}");
    }
    let logged = format!(
        "SELECT CAST(count(*) AS text) FROM log_entries
         WHERE action = 'single_sign_on.fail' AND tenant_id IS NOT NULL
           AND message LIKE 'A single sign-on at {} failed: %'",
        house.provider.issuer()
    );
    let options = &house.fixture.app.database.options;
    assert_eq!(seed::rows(options, &logged).await, [["6"]], "administrators see why");
    house.provider.set_flaw(None);
    let seen = house.sign_in(&mut house.fixture.browser(), ada_there()).await;
    assert_eq!(seen.status, 303, "the control");
}

#[db_test]
async fn the_way_back_works_once_and_in_its_browser(house: House) {
    house.ready("").await;
    let mut browser = house.fixture.browser();
    let back = house.go(&mut browser, ADA, ada_there()).await;
    let over = "was started in another browser";
    house.fixture.browser().get(&back).await.says(422, &[over]);
    let mut other = house.fixture.browser();
    house.go(&mut other, ADA, ada_there()).await;
    other.get(&back).await.says(422, &[over]);
    let mut third = house.fixture.browser();
    let its = house.go(&mut third, ADA, ada_there()).await;
    let elsewhere = format!("{its}&iss=https%3A%2F%2Fother.example");
    third.get(&elsewhere).await.says(403, &["the response is from another issuer"]);
    assert_eq!(browser.get(&back).await.status, 303);
    browser.get(&back).await.says(422, &[over]);
}

#[db_test]
async fn a_refusal_of_the_provider_is_told(house: House) {
    house.ready("").await;
    let mut browser = house.fixture.browser();
    let back = house.go(&mut browser, ADA, ada_there()).await;
    let refused = back.replace("code=", "error=access_denied&other=");
    browser.get(&refused).await.says(403, &["the provider did not sign the person in"]);
    let mut browser = house.fixture.browser();
    let back = house.go(&mut browser, ADA, ada_there()).await;
    let guessed = back.replace("code=code-", "code=guess-");
    browser.get(&guessed).await.says(403, &["the provider refused the code"]);
}

#[db_test]
async fn only_addresses_in_proved_domains_count(house: House) {
    let mut ada = house.fixture.ada().await;
    house.connect(&mut ada, "Team_Member").await;
    let start = [("email", ADA)];
    let seen = house.fixture.browser().post("/app/sign-in/sso", &start).await;
    let not_set_up = "Single sign-on is not set up for example.com; sign in another way, or ask an \
                      administrator of your organization to set it up.";
    seen.says(404, &[]).refuses("email", not_set_up);
    ada.follow(&format!("{PAGE}/domains"), &[("domain", "example.com")]).await;
    let seen = ada.post(&format!("{PAGE}/domains/example.com/verify"), &[]).await;
    seen.says(200, &["Domain not verified", &format!("{RECORD} has no TXT record")]);
    let seen = house.fixture.browser().post("/app/sign-in/sso", &start).await;
    seen.says(404, &[]);
    let token = ada.get(PAGE).await.between("aria-label=\"TXT record value\"><code>", "<");
    house.names.add(RECORD, &[&token.unwrap()]);
    ada.follow(&format!("{PAGE}/domains/example.com/verify"), &[]).await.says(200, &["verified"]);
    for other in ["eve@other.example", "eve@mail.example.com", "eve@notexample.com"] {
        let person = ProviderPerson::new("eve", other);
        let seen = house.sign_in(&mut house.fixture.browser(), person).await;
        seen.says(403, &["Babbage Talent has not verified the domain"]);
    }
    let unverified = ProviderPerson { email_verified: Some(false), ..ada_there() };
    let seen = house.sign_in(&mut house.fixture.browser(), unverified).await;
    seen.says(403, &["sent no verified email address"]);
    ada.follow(&format!("{PAGE}/domains/example.com/remove"), &[]).await;
    house.fixture.browser().post("/app/sign-in/sso", &start).await.says(404, &[]);
}

#[db_test]
async fn newcomers_become_members_if_the_organization_wants_that(house: House) {
    let mut ada = house.ready("").await;
    let person = || ProviderPerson::new("grace-1", "grace@example.com");
    let seen = house.sign_in(&mut house.fixture.browser(), person()).await;
    seen.says(403, &["grace@example.com is not a member of Babbage Talent"]);
    house.connect(&mut ada, "Team_Member").await;
    let mut browser = house.fixture.browser();
    let seen = house.sign_in(&mut browser, person()).await;
    assert_eq!(seen.status, 303, "{}", seen.text);
    browser.get("/app/profile").await.says(200, &["Team member", "grace@example.com"]);
    let query = "SELECT u.fullname, m.role FROM users u JOIN memberships m ON m.user_id = u.user_id
                 WHERE u.email = 'grace@example.com'";
    let rows = seed::rows(&house.fixture.app.database.options, query).await;
    assert_eq!(rows, [["Grace Hopper", "Team_Member"]]);
}

#[db_test]
async fn a_provider_opens_its_own_organization_alone(house: House) {
    house.ready("").await;
    let mut mary = house.fixture.stranger().await;
    house.connect(&mut mary, "Organization_User").await;
    mary.follow(&format!("{PAGE}/domains"), &[("domain", "example.com")]).await;
    let token = mary.get(PAGE).await.between("aria-label=\"TXT record value\"><code>", "<");
    house.names.add(RECORD, &[&token.unwrap()]);
    let seen = mary.post(&format!("{PAGE}/domains/example.com/verify"), &[]).await;
    seen.says(409, &["Another organization has verified this domain"]);
    // Ada is a member of both, but her provider only opens the first.
    let options = &house.fixture.app.database.options;
    seed::join(options, ADA, "Somerville & Co", "Organization_User").await;
    let mut browser = house.fixture.browser();
    house.sign_in(&mut browser, ada_there()).await;
    browser.get("/app/profile").await.says(200, &["Babbage Talent"]).hides("Switch organization");
    // The control: with her password she may choose.
    let form = [("username", ADA), ("password", PASSWORD)];
    let mut by_password = house.fixture.browser();
    let seen = by_password.follow("/app/sign-in", &form).await;
    let mut options = seen.page.split("<option value=\"").skip(1);
    let other = options.find(|it| it.split("</option>").next().unwrap().contains("Somerville"));
    let id = other.and_then(|it| it.split('"').next()).unwrap().to_owned();
    let seen = browser.post("/app/switch", &[("organization", &id)]).await;
    seen.says(403, &["which opens one organization"]);
    assert_eq!(by_password.post("/app/switch", &[("organization", &id)]).await.status, 303);
}

#[db_test]
async fn a_provider_does_not_change_how_people_sign_in(house: House) {
    house.ready("").await;
    let mut browser = house.fixture.browser();
    house.sign_in(&mut browser, ada_there()).await;
    let page = "/app/profile/security";
    browser.get(page).await.says(200, &["You signed in with single sign-on"]);
    browser.post(&format!("{page}/set-up"), &[]).await.says(403, &["single sign-on"]);
    assert_eq!(browser.post(&format!("{page}/passkeys/start"), &[]).await.status, 403);
}

#[db_test]
async fn an_account_stays_with_whoever_had_it_first(house: House) {
    let mut ada = house.ready("").await;
    let seen = house.sign_in(&mut house.fixture.browser(), ada_there()).await;
    assert_eq!(seen.status, 303);
    let successor = || ProviderPerson::new("ada-2", ADA);
    let seen = house.sign_in(&mut house.fixture.browser(), successor()).await;
    seen.says(403, &["belongs to another person at Babbage Talent"]);
    let renamed = ProviderPerson::new("ada-1", "mary@example.com");
    let seen = house.sign_in(&mut house.fixture.browser(), renamed).await;
    seen.says(403, &["belongs to another person"]);
    ada.follow(&format!("{PAGE}/forget"), &[]).await.says(200, &["Links to accounts deleted"]);
    let seen = house.sign_in(&mut house.fixture.browser(), successor()).await;
    assert_eq!(seen.status, 303);
}

#[db_test]
async fn a_connection_is_checked_kept_secret_and_switched_off(house: House) {
    let mut ada = house.fixture.ada().await;
    let seen = ada.post(PAGE, &[("issuer", "nowhere"), ("clientId", "")]).await;
    seen.says(422, &[]).refuses("issuer", "Must be a URL such as https://login.example.com.");
    seen.refuses("clientId", "Is required.");
    let other = format!("{}/other", house.provider.issuer());
    let form = [("issuer", &*other), ("clientId", CLIENT_ID), ("clientSecret", CLIENT_SECRET)];
    let seen = ada.post(PAGE, &form).await;
    let wrong = format!(
        "Did not return what was expected (status 404); check that \
         {other}/.well-known/openid-configuration opens in a browser."
    );
    seen.says(422, &[]).refuses("issuer", &wrong);
    let issuer = house.provider.issuer();
    let form = [("issuer", &*issuer), ("clientId", CLIENT_ID)];
    ada.post(PAGE, &form).await.says(422, &[]).refuses("clientSecret", "Is required.");
    house.connect(&mut ada, "").await.hides(CLIENT_SECRET);
    house.prove(&mut ada).await;
    ada.follow(PAGE, &form).await.says(200, &["Single sign-on saved"]);
    let seen = house.sign_in(&mut house.fixture.browser(), ada_there()).await;
    assert_eq!(seen.status, 303, "the secret was kept");
    let mut waiting = house.fixture.browser();
    let back = house.go(&mut waiting, ADA, ada_there()).await;
    ada.follow(&format!("{PAGE}/status"), &[("enabled", "false")]).await.says(200, &["disabled"]);
    waiting.get(&back).await.says(422, &["turned off meanwhile"]);
    let start = [("email", ADA)];
    house.fixture.browser().post("/app/sign-in/sso", &start).await.says(404, &[]);
    ada.follow(&format!("{PAGE}/delete"), &[]).await.says(200, &["deleted"]);
    let mut colleague = house.fixture.colleague("Organization_User").await;
    colleague.get(PAGE).await.says(403, &[]);
}

#[db_test]
async fn staff_who_view_the_settings_see_no_form(house: House) {
    let mut ada = house.ready("Team_Member").await;
    let mut grace = viewing(&house.fixture, AdminRole::Admin, "babbage").await;
    let parts =
        ["/domains\"", "/remove\"", "name=\"issuer\"", "/status\"", "/forget\"", "/delete\""];
    compare(&mut ada, &mut grace, PAGE, &parts).await;
    let issuer = house.provider.issuer();
    grace.get(PAGE).await.says(200, &["example.com", &issuer, CLIENT_ID, "Team member"]);
}

/// A second factor that the organization requires is left to its provider.
#[db_test]
async fn a_provider_counts_as_second_factor(house: House) {
    house.ready("").await;
    let script = "UPDATE tenants SET requires_second_factor = 1 = 1".to_owned();
    house.fixture.run(script).await;
    let mut browser = house.fixture.browser();
    let seen = house.sign_in(&mut browser, ada_there()).await;
    assert_eq!(seen.location.as_deref(), Some("/app/talents"));
    let form = [("username", ADA), ("password", PASSWORD)];
    let seen = house.fixture.browser().post("/app/sign-in", &form).await;
    assert_eq!(seen.location.as_deref(), Some("/app/sign-in/set-up"), "the control");
}
