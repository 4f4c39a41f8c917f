//! The history of a license: every version with old and new values, and who made it.

use grantor_testkit::db_test;

use super::kit::WebFixture;
use super::license::license;

#[db_test]
async fn each_version_says_what_changed_and_who_did_it(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let more = [
        ("name", "Winter"),
        ("appearanceFee", "250"),
        ("currency", "EUR"),
        ("feePer", "month"),
        ("territories", "DE"),
        ("territories", "FR"),
        ("terms", "Copies: 500"),
    ];
    let id = license(&mut ada, &more).await;
    let form = [
        ("version", "1-draft"),
        ("name", "Spring"),
        ("type", "advertising"),
        ("status", "private"),
        ("uses", "voice"),
        ("territories", "FR"),
        ("territories", "DE"),
        ("expiresAt", "2035-01-02T10:20"),
        ("terms", "Copies: 600"),
    ];
    ada.follow(&format!("/app/licenses/{id}/edit"), &form).await.says(200, &["License updated"]);
    let page = ada.get(&format!("/app/licenses/{id}")).await;
    let seen = ada.get(&page.link(&format!("/app/licenses/{id}/history"))).await;
    let texts = [
        "History of Spring",
        "Name: Winter → Spring",
        "Status: Draft → Private",
        "Fee: €250 per month → Not specified",
        "Permitted uses: Not specified → Voice",
        "Ends: No end date → Jan 2, 2035, 10:20:00 UTC",
        "Terms: Copies: 500 → Copies: 600",
        "License created",
        "Ada Lovelace",
    ];
    // The same territories in another order are no change.
    seen.says(200, &texts).hides("Territories:").hides("Type:");
    let newest = seen.text.find("Winter → Spring");
    assert!(newest < seen.text.find("License created"), "{}", seen.text);
    let seen = ada.get(&format!("/app/licenses/{id}/history?limit=1&page=2")).await;
    seen.says(200, &["License created", "Page 2 of 2"]).hides("Winter → Spring");
    let seen = ada.get(&format!("/app/licenses/{id}/history?limit=1")).await;
    seen.says(200, &["Winter → Spring", "Page 1 of 2"]).hides("License created");
}

#[db_test]
async fn a_trustee_sees_versions_and_a_viewer_does_not(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let mut mary = fixture.stranger().await;
    for (role, status) in [("trustee", 200), ("viewer", 403)] {
        let id = license(&mut ada, &[("name", "Winter"), ("status", "private")]).await;
        let page = format!("/app/licenses/{id}");
        let form = [("grantee", "mary@example.com"), ("role", role)];
        ada.post(&format!("{page}/permissions"), &form).await.made();
        let shown = mary.get(&page).await;
        shown.says(200, &["Winter"]);
        assert_eq!(shown.page.contains("/history\""), status == 200, "{role}");
        let seen = mary.get(&format!("{page}/history")).await;
        seen.says(status, &[]).hides("All activity");
        assert_eq!(seen.text.contains("License created"), status == 200, "{role}: {}", seen.text);
    }
}
