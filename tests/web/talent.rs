//! `/app/talents`.

use grantor_testkit::db_test;

use super::kit::WebFixture;

const GRACE: [(&str, &str); 4] = [
    ("fullname", "Grace Hopper"),
    ("aliases", "Amazing Grace\nAdmiral Hopper"),
    ("email", "grace@example.com"),
    ("socialMedia", "Instagram: @grace"),
];

#[db_test]
async fn a_talent_joins_and_is_changed(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let made = ada.post("/app/talents/new", &GRACE).await.made();
    let address = format!("/app/talents/{made}");
    let seen = ada.get(&address).await;
    seen.says(200, &["Grace Hopper", "Amazing Grace, Admiral Hopper", "Instagram: @grace"]);
    let edit = format!("{address}/edit");
    ada.get(&edit).await.says(200, &["Save"]).holds("email", "grace@example.com");
    let form = [("fullname", "Grace Murray Hopper"), ("status", "inactive")];
    let seen = ada.follow(&edit, &form).await;
    seen.says(200, &["Grace Murray Hopper", "inactive"]).hides("Amazing Grace");
    ada.get("/app/talents?search=murr").await.says(200, &["Grace Murray Hopper"]);
    ada.get("/app/talents?search=nobody").await.says(200, &["No talents found"]);
}

#[db_test]
async fn a_refused_talent_keeps_what_was_typed(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let form = [("fullname", ""), ("email", "<grace>"), ("socialMedia", "no colon")];
    let seen = ada.post("/app/talents/new", &form).await;
    seen.says(422, &["no colon"]).holds("email", "&lt;grace&gt;");
    seen.refuses("fullname", "Is required.");
    seen.refuses("socialMedia", "Must have a colon on each line.");
}

#[db_test]
async fn talents_of_others_are_not_there(fixture: WebFixture) {
    let made = fixture.ada().await.post("/app/talents/new", &GRACE).await.made();
    let mut stranger = fixture.stranger().await;
    for page in [format!("/app/talents/{made}"), format!("/app/talents/{made}/edit")] {
        stranger.get(&page).await.says(404, &["Page not found"]).hides("Grace");
    }
    stranger.get("/app/talents").await.says(200, &["No talents yet"]);
    stranger.get("/app/talents?page=0").await.says(400, &["must be a whole number"]);
}

#[db_test]
async fn a_lead_is_offered_what_their_teams_look_after(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let made = ada.post("/app/talents/new", &GRACE).await.made();
    ada.post("/app/teams/new", &[("name", "Field")]).await.made();
    let mut lead = fixture.colleague("Team_Lead").await;
    let address = format!("/app/talents/{made}");
    lead.get(&address).await.says(200, &["Grace Hopper"]).hides(">Edit<").hides(">New license<");
    lead.get("/app/licenses/new").await.says(200, &[]).hides("Grace Hopper");
    fixture.leads("Field").await;
    fixture.run("UPDATE talents SET team_id = (SELECT team_id FROM teams)".to_owned()).await;
    lead.get(&address).await.says(200, &["Edit", "New license"]);
    lead.get("/app/licenses/new").await.says(200, &[]).holds("talent.choice", &made);
}

#[db_test]
async fn who_only_reads_is_offered_nothing_else(fixture: WebFixture) {
    let mut reader = fixture.colleague("Team_Member").await;
    reader.get("/app/talents").await.says(200, &["No talents yet"]).hides("Add talent");
    reader.get("/app/talents/new").await.says(403, &["does not allow you to manage talents"]);
    reader
        .post("/app/talents/new", &GRACE)
        .await
        .says(403, &["does not allow you to manage talents"]);
}
