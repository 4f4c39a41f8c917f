//! Forms of other sites, and pages of nobody.

use grantor_testkit::db_test;

use super::kit::WebFixture;

#[db_test]
async fn forms_of_other_sites_are_refused(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let form = [("fullname", "Grace Hopper")];
    ada.post_from_afar("/app/talents/new", &form).await.says(403, &["not sent from this site"]);
    ada.get("/app/talents").await.says(200, &["No talents yet"]);
    ada.follow("/app/talents/new", &form).await.says(200, &["Grace Hopper", "Talent added"]);
}

#[db_test]
async fn who_is_not_signed_in_is_sent_to_the_door(fixture: WebFixture) {
    let seen = fixture.browser().get("/app/talents?search=a").await;
    assert_eq!(seen.location.as_deref(), Some("/app/sign-in?next=%2Fapp%2Ftalents%3Fsearch%3Da"));
}
