//! The switcher: acting in one organization or another, from any page.

use grantor_testkit::{db_test, seed};

use super::kit::{ADA, House};

/// Ada is a member of this one too.
const HOUSE: &str = "10000000-0000-0000-0000-000000000001";

#[db_test]
async fn whoever_has_no_choice_is_offered_none(house: House) {
    house.ada().await.get("/app").await.says(200, &[]).hides("/app/switch");
}

#[db_test]
async fn the_switcher_leads_to_the_other_organization_and_back(house: House) {
    seed::memberships(&house.app.database.options, ADA, 1).await;
    let mut ada = house.ada().await;
    let page = ada.get("/app/licenses").await;
    page.says(200, &["Acting for", "Babbage Talent", "House 1", "Switch"]);
    assert!(!page.text.contains(HOUSE), "names are shown, not ids: {}", page.text);
    let mut options = page.page.split("<option value=\"").skip(1);
    let own = options.find(|it| it.contains("Babbage Talent")).expect("where she acts");
    let own = own.split('"').next().unwrap().to_owned();
    let seen = ada.follow("/app/switch", &[("organization", HOUSE)]).await;
    seen.says(200, &["You act for House 1 now", "Team Lead"]).hides("/app/billing");
    ada.get("/app/profile").await.says(200, &["House 1", "acts for Babbage Talent"]);
    let seen = ada.follow("/app/switch", &[("organization", &own)]).await;
    seen.says(200, &["You act for Babbage Talent now", "Organization Admin"]);
}

#[db_test]
async fn a_sign_in_lands_where_one_last_acted(house: House) {
    seed::memberships(&house.app.database.options, ADA, 1).await;
    let mut ada = house.ada().await;
    ada.get("/app/profile").await.says(200, &["Organization Admin"]);
    ada.follow("/app/switch", &[("organization", HOUSE)]).await;
    ada.follow("/app/sign-out", &[]).await.says(200, &["You are signed out"]);
    house.ada().await.get("/app/profile").await.says(200, &["Team Lead"]);
}

#[db_test]
async fn nobody_switches_to_where_they_do_not_belong(house: House) {
    seed::memberships(&house.app.database.options, "nobody@example.com", 1).await;
    let mut ada = house.ada().await;
    for foreign in [HOUSE, "house", ""] {
        ada.post("/app/switch", &[("organization", foreign)]).await.says(404, &[]);
    }
    let afar = ada.post_from_afar("/app/switch", &[("organization", HOUSE)]).await;
    afar.says(403, &[]);
    ada.get("/app/profile").await.says(200, &["Organization Admin"]);
}
