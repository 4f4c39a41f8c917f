//! The switcher: acting in one organization or another, from any page.

use grantor_testkit::{db_test, seed};

use super::kit::{ADA, WebFixture};

/// Ada is a member of this one too.
const STUDIO: &str = "10000000-0000-0000-0000-000000000001";

#[db_test]
async fn whoever_has_no_choice_is_offered_none(fixture: WebFixture) {
    fixture.ada().await.get("/app").await.says(200, &[]).hides("/app/switch");
}

#[db_test]
async fn the_switcher_leads_to_the_other_organization_and_back(fixture: WebFixture) {
    seed::memberships(&fixture.app.database.options, ADA, 1).await;
    let mut ada = fixture.ada().await;
    let page = ada.get("/app/licenses").await;
    page.says(200, &["Switch organization", "Babbage Talent", "Studio 1", "Switch"]);
    assert!(!page.text.contains(STUDIO), "names are shown, not ids: {}", page.text);
    let mut options = page.page.split("<option value=\"").skip(1);
    let own = options.find(|it| it.contains("Babbage Talent")).expect("where she acts");
    let own = own.split('"').next().unwrap().to_owned();
    let seen = ada.follow("/app/switch", &[("organization", STUDIO)]).await;
    seen.says(200, &["Switched to Studio 1", "Team lead"]).hides("/app/billing");
    ada.get("/app/profile").await.says(200, &["Studio 1", "Signed in to Babbage Talent"]);
    let seen = ada.follow("/app/switch", &[("organization", &own)]).await;
    seen.says(200, &["Switched to Babbage Talent", "Organization admin"]);
}

#[db_test]
async fn a_sign_in_lands_where_one_last_acted(fixture: WebFixture) {
    seed::memberships(&fixture.app.database.options, ADA, 1).await;
    let mut ada = fixture.ada().await;
    ada.get("/app/profile").await.says(200, &["Organization admin"]);
    ada.follow("/app/switch", &[("organization", STUDIO)]).await;
    ada.follow("/app/sign-out", &[]).await.says(200, &["You're signed out"]);
    fixture.ada().await.get("/app/profile").await.says(200, &["Team lead"]);
}

#[db_test]
async fn nobody_switches_to_where_they_do_not_belong(fixture: WebFixture) {
    seed::memberships(&fixture.app.database.options, "nobody@example.com", 1).await;
    let mut ada = fixture.ada().await;
    for foreign in [STUDIO, "studio", ""] {
        ada.post("/app/switch", &[("organization", foreign)]).await.says(404, &[]);
    }
    let afar = ada.post_from_afar("/app/switch", &[("organization", STUDIO)]).await;
    afar.says(403, &[]);
    ada.get("/app/profile").await.says(200, &["Organization admin"]);
}
