//! Requests: asked for from the catalog, answered by offers, discussed and accepted.

use grantor_testkit::db_test;

use super::kit::{ADA, Browser, Seen, WebFixture};
use super::license::license;
use crate::console::{PASSWORD, account};

/// What the brand asks for.
pub(super) const WISH: [(&str, &str); 8] = [
    ("uses", "advertising"),
    ("territories", "DE"),
    ("starts_at", "2026-02-01T00:00"),
    ("ends_at", "2026-08-01T00:00"),
    ("purpose", "A winter campaign"),
    ("channels", "TV\nInstagram"),
    ("budget.amount", "2000"),
    ("budget.currency", "EUR"),
];

/// What the agency offers, besides the fee.
pub(super) const TERMS: [(&str, &str); 5] = [
    ("terms.uses", "advertising"),
    ("terms.territories", "DE"),
    ("terms.starts_at", "2026-02-01T00:00"),
    ("terms.ends_at", "2026-08-01T00:00"),
    ("terms.conditions", "No alcohol."),
];

/// Mary's agency with a public license, and Ada's brand that wants it.
pub(super) struct Parties<'a> {
    pub(super) mary: Browser<'a>,
    pub(super) ada: Browser<'a>,
    pub(super) license: String,
}

impl<'a> Parties<'a> {
    pub(super) async fn of(fixture: &'a WebFixture) -> Self {
        let mut mary = fixture.stranger().await;
        let more = [
            ("name", "Winter"),
            ("status", "public"),
            ("uses", "advertising"),
            ("uses", "voice"),
            ("territories", "DE"),
            ("territories", "US"),
            ("expiresAt", "2027-01-01T00:00"),
        ];
        let license = license(&mut mary, &more).await;
        fixture.becomes("Brand").await;
        Self { mary, ada: fixture.ada().await, license }
    }

    /// The brand asks, with these values besides or instead of the usual ones; gives the request.
    pub(super) async fn ask(&mut self, wish: &[(&str, &str)]) -> String {
        let mut form = vec![("license", self.license.as_str())];
        form.extend(wish);
        self.ada.post("/app/requests/new", &form).await.made()
    }

    /// The agency makes an offer for this fee.
    pub(super) async fn offer(&mut self, request: &str, fee: &str) {
        let mut form = TERMS.to_vec();
        form.extend([("terms.fee.amount", fee), ("terms.fee.currency", "EUR")]);
        form.push(("terms.fee.per", "campaign"));
        let seen = self.mary.follow(&format!("/app/requests/{request}/offer"), &form).await;
        seen.says(200, &["Offer sent"]);
    }

    /// The hash of the terms on the acceptance page.
    pub(super) async fn terms_hash(&mut self, request: &str) -> String {
        let seen = self.ada.get(&format!("/app/requests/{request}/accept")).await;
        seen.says(200, &["I accept these terms for Babbage Talent"]);
        seen.between("name=\"terms_hash\" value=\"", "\"").expect("a hash")
    }

    /// Everything from asking to accepting; gives the grant.
    pub(super) async fn grant(&mut self) -> String {
        let request = self.ask(&WISH).await;
        self.offer(&request, "1500").await;
        let hash = self.terms_hash(&request).await;
        let form = [("terms_hash", hash.as_str()), ("accept", "true")];
        self.ada.post(&format!("/app/requests/{request}/accept"), &form).await.made()
    }
}

#[db_test]
async fn a_brand_asks_from_the_catalog(fixture: WebFixture) {
    let mut parties = Parties::of(&fixture).await;
    let seen = parties.ada.get("/app/requests").await;
    seen.says(200, &["No requests yet", "Browse catalog"]);
    let seen = parties.ada.get(&format!("/app/catalog/{}", parties.license)).await;
    seen.says(200, &["Request this license"]);
    let seen = parties.ada.get(&seen.link("/app/requests/new")).await;
    let terms = ["License terms", "Winter", "Somerville & Co", "Germany, United States"];
    seen.says(200, &terms).hides("France").hides("Worldwide").hides("Merchandise");
    let request = parties.ask(&WISH).await;
    let seen = parties.ada.get(&format!("/app/requests/{request}")).await;
    let texts = ["Request sent to Somerville & Co", "A winter campaign", "Germany", "€2,000"];
    seen.says(200, &texts).says(200, &["Feb 1, 2026, 00:00:00 UTC", "Instagram, TV"]);
    seen.says(200, &["Withdraw request"]).hides("Make an offer").hides("Decline");
    parties.ada.get("/app/requests?role=owner").await.says(200, &["No requests received yet"]);
    let seen = parties.mary.get("/app/requests?role=owner&status=open").await;
    seen.says(200, &["Winter", "Grace Hopper", "Babbage Talent", "open"]);
    let seen = parties.mary.get(&format!("/app/requests/{request}")).await;
    seen.says(200, &["Make an offer", "Decline request"]).hides("goes beyond");
    seen.says(200, &["Request sent by Babbage Talent"]);
}

#[db_test]
async fn a_guest_signs_in_first_and_comes_back(fixture: WebFixture) {
    let parties = Parties::of(&fixture).await;
    let mut guest = fixture.browser();
    let seen = guest.get(&format!("/app/catalog/{}", parties.license)).await;
    let form = seen.says(200, &["Request this license"]).link("/app/requests/new");
    let seen = guest.get(&form).await;
    let to = seen.location.expect("the sign-in page");
    assert!(to.starts_with("/app/sign-in?next=%2Fapp%2Frequests%2Fnew%3Flicense%3D"), "{to}");
    let seen = guest.get(&to).await;
    seen.says(200, &["Sign in to request Winter."]);
    let sign_up = seen.link("/app/sign-up?next=");
    let in_card_and_header = |seen: &Seen| {
        assert_eq!(seen.page.matches(&format!("href=\"{sign_up}\"")).count(), 2, "{}", seen.page);
        seen.hides("href=\"/app/sign-in\"").hides("href=\"/app/sign-up\"");
        assert_eq!(seen.link("/app/sign-in?next="), to);
    };
    in_card_and_header(&seen);
    let wrong = [("username", ADA), ("password", "x"), ("next", form.as_str())];
    let seen = guest.post(&to, &wrong).await;
    seen.says(401, &["Sign in to request Winter."]);
    assert!(seen.page.contains(&format!("action=\"{to}\"")), "{}", seen.page);
    in_card_and_header(&seen);
    let seen = guest.get(&sign_up).await;
    seen.says(200, &["Sign up to request Winter."]).holds("next", &form);
    assert!(seen.page.contains("value=\"Brand\" selected"), "whoever requests is a licensee");
    let wish = "/app/sign-in?next=%2Fapp%2Frequests%2Fnew%3Flicense%3D";
    let seen = guest.get(&format!("{wish}Win-a-prize")).await;
    assert!(
        !seen.text.contains("prize") && !seen.text.contains("Sign in to request"),
        "{}",
        seen.text
    );
    let seen = guest.get(&format!("{wish}0190a5e4-7b3c-7def-8123-0000000000aa")).await;
    seen.says(200, &["Sign in to request this license."]).hides("Winter");
    let entered = [
        ("organization.type", "Brand"),
        ("organization.name", "Hopper Brands"),
        ("fullname", "Grace Hopper"),
        ("email", "grace@example.com"),
        ("password", PASSWORD),
        ("next", form.as_str()),
    ];
    let seen = fixture.browser().post("/app/sign-up", &entered).await;
    let to = seen.location.expect("the code page");
    assert!(to.starts_with("/app/sign-up/code?next=%2Fapp%2Frequests%2Fnew"), "{to}");
    let entered = [("username", ADA), ("password", PASSWORD), ("next", form.as_str())];
    guest.follow("/app/sign-in", &entered).await.says(200, &["Request license", "Winter"]);
}

#[db_test]
async fn who_cannot_ask_is_not_invited_to(fixture: WebFixture) {
    let mut parties = Parties::of(&fixture).await;
    let new = format!("/app/requests/new?license={}", parties.license);
    for page in ["/app/catalog", "/app/licenses"] {
        let seen = parties.mary.get(&format!("{page}/{}", parties.license)).await;
        seen.says(200, &["Winter"]).hides("Request this license");
    }
    parties.mary.get(&new).await.says(409, &["Your organization owns this license"]);
    let mut reader = fixture.colleague("Team_Member").await;
    let seen = reader.get(&format!("/app/catalog/{}", parties.license)).await;
    seen.says(200, &["Winter"]).hides("Request this license");
    reader.get(&new).await.says(403, &["You don't have access"]);
    let seen = parties.ada.get("/app/requests/new").await;
    assert_eq!(seen.location.as_deref(), Some("/app/catalog"));
    parties.ada.get("/app/requests/new?license=odd").await.says(404, &["Page not found"]);
}

#[db_test]
async fn what_does_not_fit_is_said_at_its_field(fixture: WebFixture) {
    let mut parties = Parties::of(&fixture).await;
    let form = [
        ("license", parties.license.as_str()),
        ("starts_at", "2026-08-01T00:00"),
        ("ends_at", "2026-02-01T00:00"),
        ("budget.amount", "2000"),
    ];
    let seen = parties.ada.post("/app/requests/new", &form).await;
    seen.says(422, &["License terms"]).holds("starts_at", "2026-08-01T00:00");
    seen.refuses("uses", "Choose at least one use.").begins_at("uses");
    seen.refuses("territories", "Choose at least one territory.");
    seen.says(422, &["Uses: Choose at least one use.", "Purpose is required."]);
    seen.refuses("ends_at", "Must be after Starts.").refuses("purpose", "Is required.");
    seen.refuses("budget.currency", "Is required.");
    parties.ada.get("/app/requests").await.says(200, &["No requests yet"]);
}

#[db_test]
async fn a_second_request_leads_to_the_first(fixture: WebFixture) {
    let mut parties = Parties::of(&fixture).await;
    let request = parties.ask(&WISH).await;
    let mut form = vec![("license", parties.license.as_str())];
    form.extend(WISH);
    let seen = parties.ada.post("/app/requests/new", &form).await;
    seen.says(409, &["You already have an open request for this license"]);
    assert!(seen.page.contains(&format!("href=\"/app/requests/{request}\"")), "{}", seen.text);
    seen.holds("starts_at", "2026-02-01T00:00").hides("Request id");
    let seen = parties.ada.get(&format!("/app/catalog/{}", parties.license)).await;
    seen.says(200, &["View your open request"]).hides("Request this license");
    assert_eq!(seen.link("/app/requests/"), format!("/app/requests/{request}"));
    let new = format!("/app/requests/new?license={}", parties.license);
    let seen = parties.ada.get(&new).await;
    assert_eq!(seen.location, Some(format!("/app/requests/{request}")));
    parties.ada.follow(&format!("/app/requests/{request}/withdraw"), &[]).await.says(200, &[]);
    let seen = parties.ada.get(&format!("/app/catalog/{}", parties.license)).await;
    seen.says(200, &["Request this license"]).hides("View your open request");
}

#[db_test]
async fn messages_are_unread_until_they_are_seen(fixture: WebFixture) {
    let mut parties = Parties::of(&fixture).await;
    let request = parties.ask(&WISH).await;
    let (page, path) =
        (format!("/app/requests/{request}"), format!("/app/requests/{request}/messages"));
    let seen = parties.ada.post(&path, &[("message", " ")]).await;
    seen.says(422, &["A winter campaign"]).refuses("message", "Is required.");
    let seen = parties.ada.follow(&path, &[("message", "Is June free?")]).await;
    seen.says(200, &["Message sent", "Is June free?"]);
    parties.ada.get("/app/requests").await.says(200, &["Winter"]).hides("unread");
    let seen = parties.mary.get("/app/requests").await;
    seen.says(200, &["You have 2 unread updates.", "2 unread"]);
    parties.mary.get(&page).await.says(200, &["Is June free?", "Babbage Talent"]);
    parties.mary.get("/app/requests").await.says(200, &["Winter"]).hides("unread");
}

#[db_test]
async fn a_second_offer_shows_what_changed(fixture: WebFixture) {
    let mut parties = Parties::of(&fixture).await;
    let request = parties.ask(&WISH).await;
    let (page, path) =
        (format!("/app/requests/{request}"), format!("/app/requests/{request}/offer"));
    let seen = parties.mary.get(&path).await;
    seen.says(200, &["Make an offer", "License terms", "Requested"]);
    seen.holds("terms.starts_at", "2026-02-01T00:00").hides("France");
    parties.offer(&request, "1500").await;
    let seen = parties.ada.get(&page).await;
    seen.says(200, &["Review and accept", "€1,500 per campaign", "No alcohol.", "Decline offer"]);
    parties.mary.get(&path).await.says(200, &["Replace the offer"]);
    fixture.app.clock.advance(std::time::Duration::from_millis(1));
    parties.offer(&request, "2000").await;
    for browser in [&mut parties.ada, &mut parties.mary] {
        let seen = browser.get(&page).await;
        seen.says(200, &["Fee: €1,500 per campaign → €2,000 per campaign", "replaced"]);
    }
    let seen = parties.mary.follow(&format!("{page}/withdraw"), &[]).await;
    seen.says(200, &["Offer withdrawn", "You withdrew your offer", "Make an offer", "open"]);
    let seen = parties.ada.get(&page).await;
    seen.says(200, &["Somerville & Co withdrew the offer, so you can't accept it."]);
    seen.says(200, &["Withdrawn by Somerville & Co."]);
}

#[db_test]
async fn who_only_reads_is_told_who_withdrew_an_offer(fixture: WebFixture) {
    let mut parties = Parties::of(&fixture).await;
    let request = parties.ask(&WISH).await;
    let page = format!("/app/requests/{request}");
    parties.offer(&request, "1500").await;
    parties.mary.follow(&format!("{page}/withdraw"), &[]).await.says(200, &["Offer withdrawn"]);
    // Somebody else who can edit the license, and a reader on the side that asks.
    let guest = "grace@example.com";
    account(&fixture.app, guest, "Hopper Agency").await;
    let path = format!("/app/licenses/{}/permissions", parties.license);
    let form = [("grantee", guest), ("role", "licensor")];
    parties.mary.follow(&path, &form).await.says(200, &["can edit"]);
    let seen = fixture.signed_in(guest).await.get(&page).await;
    seen.says(200, &["Somerville & Co withdrew the offer, so Babbage Talent can't accept it."]);
    seen.hides("You withdrew").hides("You can make another");
    let seen = fixture.colleague("Team_Member").await.get(&page).await;
    seen.says(200, &["Somerville & Co withdrew the offer, so it can't be accepted."]);
    seen.hides("you can write a message");
}

#[db_test]
async fn an_offer_beyond_the_license_is_refused_at_its_field(fixture: WebFixture) {
    let mut parties = Parties::of(&fixture).await;
    let mut wish = WISH;
    wish[1] = ("territories", "FR");
    let request = parties.ask(&wish).await;
    let page = format!("/app/requests/{request}");
    let seen = parties.mary.get(&page).await;
    seen.says(200, &["The request goes beyond your license:", "Territories: France"]);
    let edit = format!("/app/licenses/{}/edit\">edit the license first</a>", parties.license);
    assert!(seen.page.contains(&edit), "{}", seen.page);
    let seen = parties.ada.get(&page).await;
    seen.says(200, &["Your request goes beyond the license:", "Territories: France"]);
    seen.hides("edit the license first");
    let mut terms = TERMS;
    terms[1] = ("terms.territories", "FR");
    let path = format!("{page}/offer");
    let seen = parties.mary.post(&path, &terms).await;
    seen.says(409, &["The terms are wider than the license"]);
    seen.refuses("terms.territories", "Is wider than the license.");
    let mut form = TERMS.to_vec();
    form.extend([("terms.fee.amount", "x"), ("expires_at", "2026-12-31T00:00")]);
    let seen = parties.mary.post(&path, &form).await;
    seen.says(422, &[]).refuses("terms.fee.per", "Is required.");
    seen.refuses("terms.fee.currency", "Is required.").holds("terms.fee.amount", "x");
    let mut form = TERMS.to_vec();
    form.push(("expires_at", "2026-12-31T00:00"));
    let seen = parties.mary.post(&path, &form).await;
    seen.says(422, &[]).refuses("expires_at", "Must be at most 90 days from now.");
    parties.offer(&request, "1500").await;
    parties.mary.get(&page).await.says(200, &["France"]).hides("goes beyond");
}

#[db_test]
async fn nobody_accepts_terms_they_have_not_read(fixture: WebFixture) {
    let mut parties = Parties::of(&fixture).await;
    let request = parties.ask(&WISH).await;
    let path = format!("/app/requests/{request}/accept");
    let seen = parties.ada.get(&path).await;
    assert_eq!(seen.location, Some(format!("/app/requests/{request}")));
    parties.offer(&request, "1500").await;
    let old = parties.terms_hash(&request).await;
    let seen = parties.ada.post(&path, &[("terms_hash", &old)]).await;
    seen.says(422, &["€1,500 per campaign"]).refuses("accept", "Must be checked.");
    parties.offer(&request, "2000").await;
    let form = [("terms_hash", old.as_str()), ("accept", "true")];
    let seen = parties.ada.post(&path, &form).await;
    seen.says(409, &["The offer changed after you opened this page", "€2,000 per campaign"]);
    seen.says(409, &["What changed", "Fee: €1,500 per campaign → €2,000 per campaign"]);
    let place = |text: &str| seen.text.find(text).unwrap_or_else(|| panic!("no {text}"));
    assert!(place("The offer changed") < place("What changed"), "{}", seen.text);
    assert!(place("What changed") < place("Parties"), "{}", seen.text);
    seen.hides(" checked").hides("Terms hash");
    let hash = seen.between("name=\"terms_hash\" value=\"", "\"").unwrap();
    assert_ne!(hash, old);
    let seen = parties.ada.follow(&path, &[("terms_hash", &hash), ("accept", "true")]).await;
    seen.says(200, &["Offer accepted. Your grant is GR-2026-000001.", "€2,000 per campaign"]);
    let seen = parties.mary.get(&format!("/app/requests/{request}")).await;
    seen.says(200, &["The offer was accepted. View the grant", "so nobody can send messages"]);
    parties.mary.get(&path).await.says(403, &[]);
}

#[db_test]
async fn who_accepts_a_withdrawn_offer_is_told_who_withdrew_it(fixture: WebFixture) {
    let mut parties = Parties::of(&fixture).await;
    let request = parties.ask(&WISH).await;
    parties.offer(&request, "1500").await;
    let hash = parties.terms_hash(&request).await;
    let page = format!("/app/requests/{request}");
    parties.mary.follow(&format!("{page}/withdraw"), &[]).await.says(200, &["Offer withdrawn"]);
    let form = [("terms_hash", hash.as_str()), ("accept", "true")];
    let seen = parties.ada.post(&format!("{page}/accept"), &form).await;
    seen.says(409, &["Somerville & Co withdrew the offer.", "The request stays open"]);
    seen.hides("Review and accept");
}

#[db_test]
async fn a_request_ends_with_a_reason(fixture: WebFixture) {
    let mut parties = Parties::of(&fixture).await;
    let request = parties.ask(&WISH).await;
    let page = format!("/app/requests/{request}");
    let decline = format!("{page}/decline");
    let seen = parties.mary.post(&decline, &[("reason", "")]).await;
    seen.says(422, &["Decline request"]).refuses("reason", "Is required.");
    let seen = parties.mary.follow(&decline, &[("reason", "Booked in June")]).await;
    let texts = ["Request declined", "The request was declined by Somerville & Co."];
    seen.says(200, &texts).says(200, &["Reason: Booked in June"]);
    parties.ada.get(&page).await.says(200, &["Reason: Booked in June"]).hides("Withdraw");
    let form = [("message", "Please")];
    let seen = parties.ada.post(&format!("{page}/messages"), &form).await;
    seen.says(409, &["The request is already declined"]);
    let request = parties.ask(&WISH).await;
    parties.offer(&request, "1500").await;
    let page = format!("/app/requests/{request}");
    let form = [("reason", "Too much")];
    let seen = parties.ada.follow(&format!("{page}/decline"), &form).await;
    let texts = ["Offer declined", "The offer was declined by Babbage Talent.", "Reason: Too much"];
    seen.says(200, &texts);
    let request = parties.ask(&WISH).await;
    let seen = parties.ada.follow(&format!("/app/requests/{request}/withdraw"), &[]).await;
    seen.says(200, &["Request withdrawn", "The request was withdrawn by Babbage Talent."]);
}
