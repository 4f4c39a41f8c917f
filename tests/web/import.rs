//! Imports: files are checked, imported with progress, and taken back.

use grantor_service::operations::chore;
use grantor_testkit::db_test;

use super::kit::{Browser, Seen, WebFixture};
use super::license::talent;

/// Uploads a file.
async fn upload(browser: &mut Browser<'_>, kind: &str, file: &str) -> Seen {
    let path = format!("/app/{kind}/import");
    browser.upload(&path, &[], &[file.as_bytes()]).await
}

/// Uploads a file that is checked, and returns the path of its page.
async fn checked(browser: &mut Browser<'_>, kind: &str, file: &str) -> String {
    let seen = upload(browser, kind, file).await;
    assert_eq!(seen.status, 303, "{}", seen.text);
    seen.location.unwrap()
}

/// Imports talents named Talent 1, Talent 2 and so on.
pub(super) async fn talents_of(fixture: &WebFixture, browser: &mut Browser<'_>, count: u32) {
    let rows = (1..=count).map(|it| format!("Talent {it},T-{it}\n")).collect::<Vec<_>>().concat();
    let path = checked(browser, "talents", &format!("Name,External ID\n{rows}")).await;
    browser.follow(&format!("{path}/start"), &[]).await;
    while chore::work(&fixture.app.app).await.unwrap() > 0 {}
}

#[db_test]
async fn talents_are_checked_and_then_imported(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let seen = ada.get("/app/talents/import").await;
    seen.says(200, &["Import talents", "Download sample file", "Also known as"]);
    let file = "Name;E-Mail;Tags;Shoe size\nZoë Lindqvist;zoe@example.com;Music, VIP;37\nMax;;;\n";
    let path = checked(&mut ada, "talents", file).await;
    let seen = ada.get(&path).await;
    let texts = ["Checked, not imported yet", "2 talents", "Import 2 rows"];
    seen.says(200, &["Import talents", "All 2 rows of the file can be imported."]);
    seen.says(200, &texts).says(200, &["These columns are not imported: Shoe size."]);
    ada.get("/app/talents").await.says(200, &["No talents yet"]);
    let seen = ada.follow(&format!("{path}/start"), &[]).await;
    seen.says(200, &["2 of 2", "Everything is done.", "Undo import"]).hides("Import started");
    let seen = ada.get("/app/talents?tag=music").await;
    seen.says(200, &["Zoë Lindqvist", "Music", "VIP"]).hides("Max");
    ada.post(&format!("{path}/start"), &[]).await.says(409, &["already started"]);
}

#[db_test]
async fn every_wrong_cell_is_named_and_the_rest_is_imported(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    talent(&mut ada, "Zoë").await;
    let file = "Name,Talent,Type,Fee,Currency,Fee per,Status\n\
        Winter,Zoë,Advertising,\"1,500\",EUR,Campaign,Draft\n\
        ,Nobody,Radio,much,EUR,Month,Draft\n\
        Summer,Zoë,Voice,5,EUR,,Public\n\
        Autumn,Nobody,Voice,,,,Draft\n";
    let path = checked(&mut ada, "licenses", file).await;
    let seen = ada.get(&path).await;
    seen.says(200, &["Wrong cells", "Row 3, Fee: must be an amount such as 1,500 or 1.500,00"]);
    seen.says(200, &["Row 3, Type: must be one of Social media, Advertising"]);
    seen.says(200, &["Row 4, Fee per: is required for a fee", "Import 1 row"]);
    seen.says(200, &["Import licenses", "1 of 4 rows can be imported. 3 wrong rows are skipped."]);
    seen.hides("Import 4 licenses");
    let unknown = "Row 5, Talent: no talent is named “Nobody”; import the talents first";
    seen.says(200, &[unknown]);
    assert!(seen.page.contains("<button class=\"small plain\">Discard<"), "{}", seen.page);
    let seen = ada.follow(&format!("{path}/start"), &[]).await;
    seen.says(200, &["4 of 4", "Could not be changed 3", "Row 4, Fee per: is required for a fee"]);
    let seen = ada.get("/app/licenses").await;
    seen.says(200, &["Winter", "Zoë"]).hides("Summer");
    ada.get(&seen.link("/app/licenses/0")).await.says(200, &["€1,500 per campaign"]);
}

#[db_test]
async fn known_external_ids_are_skipped_or_updated(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let start = |path: &str| format!("{path}/start");
    let path = checked(&mut ada, "talents", "Name,External ID,Bio\nZoë Berg,T-1,Singer\n").await;
    ada.follow(&start(&path), &[]).await.says(200, &["Created 1"]);
    let file = "Name,External ID,Bio\nZoë Lind,T-1,\nMax Ode,T-2,Actor\n";
    let path = checked(&mut ada, "talents", file).await;
    ada.get(&path).await.says(200, &["With a known external ID 1 talent", "Import 2 rows"]);
    let seen = ada.follow(&start(&path), &[("duplicates", "skip")]).await;
    seen.says(200, &["Created 1", "Left as they were 1"]);
    ada.get("/app/talents?search=zoe").await.says(200, &["Zoë Berg"]);
    let path = checked(&mut ada, "talents", file).await;
    let seen = ada.follow(&start(&path), &[("duplicates", "update")]).await;
    seen.says(200, &["Created 0", "Updated 2"]);
    let seen = ada.get("/app/talents?search=lind").await;
    ada.get(&seen.link("/app/talents/0")).await.says(200, &["Zoë Lind", "Singer", "T-1"]);
}

#[db_test]
async fn an_import_is_taken_back_except_for_what_changed_since(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let path = checked(&mut ada, "talents", "Name\nZoë\nMax\nIda\n").await;
    ada.follow(&format!("{path}/start"), &[]).await.says(200, &["Created 3"]);
    let found = ada.get("/app/talents?search=max").await.link("/app/talents/0");
    fixture.app.clock.advance(std::time::Duration::from_secs(1));
    let form = [("fullname", "Max Ode"), ("status", "active")];
    ada.follow(&format!("{found}/edit"), &form).await;
    let found = ada.get("/app/talents?search=ida").await.link("/app/talents/0");
    let id = found.rsplit('/').next().unwrap();
    let form = [("talent", id), ("type", "voice"), ("name", "Winter")];
    ada.post("/app/licenses/new", &form).await.made();
    let seen = ada.follow(&format!("{path}/undo"), &[]).await;
    let texts = ["Undo the import of 3 talents", "Deleted 1", "Left as they are", "Max Ode", "Ida"];
    seen.says(200, &texts).says(200, &["The talent was changed since the import"]);
    seen.says(200, &["The talent has licenses or an account"]).hides("Undo started");
    ada.get("/app/talents").await.says(200, &["Max Ode", "Ida"]).hides("Zoë");
    ada.post(&format!("{path}/undo"), &[]).await.says(409, &["already undone"]);
}

#[db_test]
async fn imported_licenses_are_taken_back(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    talent(&mut ada, "Zoë").await;
    let file = "Name,Talent,Type,Tags\nWinter,Zoë,Voice,Coats\nSummer,Zoë,Voice,\n";
    let path = checked(&mut ada, "licenses", file).await;
    ada.follow(&format!("{path}/start"), &[]).await.says(200, &["Created 2"]);
    let summer = ada.get("/app/licenses?search=summer").await.link("/app/licenses/0");
    ada.follow(&format!("{summer}/status"), &[("status", "public"), ("version", "1-draft")]).await;
    let seen = ada.follow(&format!("{path}/undo"), &[]).await;
    seen.says(200, &["Deleted 1", "The license was changed since the import"]);
    ada.get("/app/licenses").await.says(200, &["Summer"]).hides("Winter");
}

#[db_test]
async fn a_long_import_has_progress_and_can_be_stopped(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let rows = (1..=120).map(|it| format!("Talent {it}\n")).collect::<Vec<_>>().concat();
    let path = checked(&mut ada, "talents", &format!("Name\n{rows}")).await;
    ada.follow(&format!("{path}/start"), &[]).await.says(200, &["0 of 120", "Refresh"]);
    assert_eq!(chore::work(&fixture.app.app).await, Ok(3), "fifty rows at a time");
    ada.get(&path).await.says(200, &["120 of 120", "Created 120"]);
    ada.get("/app/talents").await.says(200, &["120 total"]);
}

#[db_test]
async fn what_is_no_spreadsheet_is_refused(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let seen = upload(&mut ada, "talents", "Email\na@b.example\n").await;
    seen.says(422, &[]).refuses("file", "Must have a column Name in its first row.");
    let seen = upload(&mut ada, "talents", "PK\u{3}\u{4}").await;
    seen.says(422, &[]).refuses("file", "Must be a CSV or XLSX file that is not damaged.");
    let seen = ada.post("/app/talents/import", &[]).await;
    seen.says(422, &[]).refuses("file", "Is required.");
    let large = "x".repeat(5_000_001);
    let seen = upload(&mut ada, "licenses", &large).await;
    seen.says(422, &[]).refuses("file", "Must be at most 5 MB.");
    ada.get("/app/batches").await.says(200, &["Nothing yet"]);
}

#[db_test]
async fn the_samples_can_be_imported(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    for kind in ["talents", "licenses"] {
        let sample = ada.get(&format!("/app/{kind}/import/sample")).await;
        assert!(sample.page.starts_with("\u{FEFF}Name,"), "{}", sample.page);
        let path = checked(&mut ada, kind, &sample.page).await;
        let seen = ada.follow(&format!("{path}/start"), &[]).await;
        seen.says(200, &["2 of 2", "Created 2"]);
    }
}

#[db_test]
async fn only_those_who_manage_talents_import_them(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let path = checked(&mut ada, "talents", "Name\nZoë\n").await;
    let mut member = fixture.colleague("Team_Member").await;
    member.get("/app/talents/import").await.says(403, &[]);
    upload(&mut member, "talents", "Name\nMax\n").await.says(403, &[]);
    for mut other in [member, fixture.stranger().await] {
        other.get(&path).await.says(404, &[]).hides("Zoë");
        for act in ["start", "stop", "undo"] {
            other.post(&format!("{path}/{act}"), &[]).await.says(404, &[]);
        }
        other.get(&format!("{path}/problems")).await.says(404, &[]);
    }
    ada.follow(&format!("{path}/stop"), &[]).await.says(200, &["Stopped"]);
    ada.post(&format!("{path}/start"), &[]).await.says(409, &["already started or discarded"]);
}
