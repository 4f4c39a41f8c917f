//! The talent of a new license: found among any number of talents, with and without scripts, and never
//! somebody else's.

use grantor_service::operations::record_index;
use grantor_testkit::{db_test, seed};

use super::kit::{ADA, Browser, Seen, WebFixture};
use super::license::talent;

const FORM: &str = "/app/licenses/new";
const NOT_YOURS: &str = "Must be a talent of yours; search for the name and choose one.";
const NOT_FOUND: &str = "Must be the name of a talent that you can find.";
const UNCLEAR: &str = "Must be chosen from the talents that the search finds.";
const NOBODY: &str = "<div data-found=\"Nothing found\"></div>";

/// Adds Zoë, with everything that she can be found by; gives her id.
async fn zoe(ada: &mut Browser<'_>) -> String {
    let zoe = [
        ("fullname", "Zoë Lindqvist"),
        ("aliases", "Sparrow"),
        ("email", "zoe@lindqvist.example"),
        ("externalId", "T-7"),
    ];
    ada.post("/app/talents/new", &zoe).await.made()
}

/// Sends the form with a talent: what is typed, and who is chosen.
async fn send(ada: &mut Browser<'_>, typed: &str, choice: &str, name: &str) -> Seen {
    let form = [("talent", typed), ("talent.choice", choice), ("name", name), ("type", "voice")];
    ada.post(FORM, &form).await
}

/// The form after the button was pressed that finds talents.
fn searched(typed: &str) -> [(&str, &str); 4] {
    [("talent", typed), ("name", "Winter"), ("type", "voice"), ("act", "find")]
}

/// Creates a license and says whose it is.
async fn licensed(ada: &mut Browser<'_>, typed: &str, choice: &str) -> String {
    let id = send(ada, typed, choice, "Winter").await.made();
    let seen = ada.get(&format!("/app/licenses/{id}")).await;
    seen.between("<a href=\"/app/talents/", "</a>").unwrap().split_once('>').unwrap().1.to_owned()
}

/// The talents that the button found, with whether each is chosen.
fn found(seen: &Seen) -> Vec<(String, bool)> {
    let tags = seen.page.split("<input type=\"radio\" name=\"talent.choice\"").skip(1);
    let tags = tags.map(|it| it.split('>').next().unwrap());
    let name = |tag: &str| {
        let rest = tag.split_once("data-name=\"").unwrap().1;
        rest.split_once('"').unwrap().0.to_owned()
    };
    tags.map(|tag| (name(tag), tag.contains(" checked"))).collect()
}

#[db_test]
async fn talents_are_suggested_by_name_alias_email_and_external_id(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let id = zoe(&mut ada).await;
    talent(&mut ada, "Grace Hopper").await;
    let option = format!(
        "<div data-found=\"1 result\"><div class=\"option\" role=\"option\" \
         aria-selected=\"false\" data-value=\"{id}\" data-name=\"Zoë Lindqvist\">\
         <span class=\"thumb\" aria-hidden=\"true\"></span><span>Zoë Lindqvist \
         <span class=\"quiet\">T-7 · Sparrow</span></span></div></div>"
    );
    for settled in [false, true] {
        for text in ["zoe", "Lindq+Zo%C3%AB", "SPARR", "zoe@lind", "T-7", "T-"] {
            let seen = ada.get(&format!("/app/licenses/talents?search={text}")).await;
            assert_eq!((seen.status, &seen.page), (200, &option), "{text}, settled: {settled}");
        }
        for text in ["qvist", "7", "t-7x"] {
            let seen = ada.get(&format!("/app/licenses/talents?search={text}")).await;
            assert_eq!((seen.status, seen.page.as_str()), (200, NOBODY), "{text}");
        }
        record_index::index_changed(&fixture.app.app).await.unwrap();
    }
    let all = ada.get("/app/licenses/talents").await;
    assert!(all.page.starts_with("<div data-found=\"2 results\">"), "{}", all.page);
    let long = format!("/app/licenses/talents?search={}", "x".repeat(201));
    ada.get(&long).await.says(400, &[]);
}

#[db_test]
async fn only_those_who_may_license_them_are_told_names(fixture: WebFixture) {
    zoe(&mut fixture.ada().await).await;
    let path = "/app/licenses/talents?search=zo";
    assert_eq!(fixture.stranger().await.get(path).await.says(200, &[]).page, NOBODY);
    assert_eq!(fixture.browser().get(path).await.status, 303);
    let mut lead = fixture.colleague("Team_Lead").await;
    assert_eq!(lead.get(path).await.says(200, &[]).page, NOBODY, "she is of no team");
    let mut ada = fixture.ada().await;
    ada.post("/app/teams/new", &[("name", "Field")]).await.made();
    fixture.leads("Field").await;
    fixture.run("UPDATE talents SET team_id = (SELECT team_id FROM teams)".to_owned()).await;
    lead.get(path).await.says(200, &["Zoë Lindqvist"]);
}

#[db_test]
async fn who_only_reads_is_told_nothing(fixture: WebFixture) {
    zoe(&mut fixture.ada().await).await;
    let mut reader = fixture.colleague("Team_Member").await;
    let seen = reader.get("/app/licenses/talents?search=zo").await;
    seen.says(403, &["You don't have access"]).hides("Zoë");
}

#[db_test]
async fn without_scripts_a_button_finds_the_talent_and_keeps_the_form(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let id = zoe(&mut ada).await;
    talent(&mut ada, "Grace Hopper").await;
    assert!(found(ada.get(FORM).await.says(200, &["Talent *", "Find"])).is_empty());
    let seen = ada.post(FORM, &searched("lindq")).await;
    seen.says(200, &["Choose one 1 result Zoë Lindqvist T-7 · Sparrow"]);
    seen.holds("talent", "lindq").holds("name", "Winter").hides("-wrong\"");
    assert_eq!(found(&seen), [("Zoë Lindqvist".to_owned(), false)]);
    let seen = ada.post(FORM, &searched("")).await;
    let names: Vec<_> = found(&seen).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["Grace Hopper", "Zoë Lindqvist"]);
    ada.post(FORM, &searched("nobody")).await.says(200, &["Nothing found"]);
    let seen = ada.post(FORM, &searched(&"x".repeat(201))).await;
    seen.says(422, &[]).refuses("talent", "Must be at most 200 characters.");
    ada.get("/app/licenses").await.says(200, &["No licenses yet"]);
    assert_eq!(licensed(&mut ada, "lindq", &id).await, "Zoë Lindqvist");
}

#[db_test]
async fn the_last_of_600_talents_is_found(fixture: WebFixture) {
    let options = &fixture.app.database.options;
    let row = |number: u32| {
        let id = seed::id(options, &format!("00000000-0000-0000-0000-{number:012x}"));
        format!(
            "INSERT INTO talents (talent_id, tenant_id, fullname, aliases, names_key, social_media,
               status, license_count, created_at, updated_at)
             SELECT {id}, tenant_id, 'Talent {number:03}', '[]', 'talent {number:03}', '{{}}',
               'active', 0, 1, 1 FROM tenants WHERE name = 'Babbage Talent';"
        )
    };
    fixture.run((1..=600).map(row).collect()).await;
    seed::index_records(options).await;
    let mut ada = fixture.ada().await;
    let seen = ada.get("/app/licenses/talents?search=talent").await;
    seen.says(200, &["The first 20 results. Type more to find others."]).hides("Talent 600");
    let seen = ada.post(FORM, &[("talent", "600"), ("act", "find")]).await;
    assert_eq!(found(&seen), [("Talent 600".to_owned(), false)]);
    // Too many begin like this to know who is meant.
    let seen = send(&mut ada, "talent", "", "Winter").await;
    seen.says(422, &[]).refuses("talent", UNCLEAR);
    let last = "00000000-0000-0000-0000-000000000258";
    assert_eq!(licensed(&mut ada, "600", last).await, "Talent 600");
}

#[db_test]
async fn a_full_name_needs_no_choice_unless_two_have_it(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    zoe(&mut ada).await;
    let grace = talent(&mut ada, "Grace Hopper").await;
    assert_eq!(licensed(&mut ada, " zoe  LINDQVIST ", "").await, "Zoë Lindqvist");
    send(&mut ada, "Grace H", "", "Winter").await.says(422, &[]).refuses("talent", UNCLEAR);
    send(&mut ada, "Nobody", "", "Winter").await.says(422, &[]).refuses("talent", NOT_FOUND);
    send(&mut ada, " ", "", "Winter").await.says(422, &[]).refuses("talent", "Is required.");
    assert_eq!(licensed(&mut ada, "Grace Hopper", "").await, "Grace Hopper");
    talent(&mut ada, "Grace Hopper").await;
    let seen = send(&mut ada, "Grace Hopper", "", "Winter").await;
    seen.says(422, &["2 results"]).refuses("talent", UNCLEAR).begins_at("talent");
    assert_eq!(found(&seen), vec![("Grace Hopper".to_owned(), false); 2]);
    assert_eq!(licensed(&mut ada, "Grace Hopper", &grace).await, "Grace Hopper");
}

#[db_test]
async fn a_choice_counts_only_if_it_fits_what_is_typed(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let id = zoe(&mut ada).await;
    talent(&mut ada, "Grace Hopper").await;
    for typed in ["", "zo", "sparrow", "lindqvist.example", "T-"] {
        assert_eq!(licensed(&mut ada, typed, &id).await, "Zoë Lindqvist", "{typed}");
    }
    assert_eq!(licensed(&mut ada, "Grace Hopper", &id).await, "Grace Hopper");
    let seen = send(&mut ada, "grace", &id, "Winter").await;
    seen.says(422, &[]).refuses("talent", UNCLEAR).holds("talent", "grace");
    assert_eq!(found(&seen), [("Grace Hopper".to_owned(), false)]);
}

#[db_test]
async fn the_chosen_talent_survives_a_refused_form(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let id = zoe(&mut ada).await;
    talent(&mut ada, "Grace Hopper").await;
    for (typed, choice) in [("zo", id.as_str()), (id.as_str(), ""), ("Zoë Lindqvist", "")] {
        let seen = send(&mut ada, typed, choice, "").await;
        seen.says(422, &[]).refuses("name", "Is required.").holds("talent.choice", &id);
        assert!(
            seen.page.contains(
                "id=\"talent\" name=\"talent\" type=\"text\" \
             value=\"Zoë Lindqvist\""
            ),
            "{typed}: {}",
            seen.page
        );
    }
    let form = [("talent", "zo"), ("talent.choice", &*id), ("act", "find")];
    let seen = ada.post(FORM, &form).await;
    assert_eq!(found(&seen), [("Zoë Lindqvist".to_owned(), true)]);
}

#[db_test]
async fn the_page_of_a_talent_and_an_only_talent_choose(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let id = zoe(&mut ada).await;
    ada.get(FORM).await.says(200, &[]).holds("talent.choice", &id);
    talent(&mut ada, "Grace Hopper").await;
    ada.get(FORM).await.says(200, &[]).holds("talent.choice", "").hides("Zoë");
    let link = ada.get(&format!("/app/talents/{id}")).await.link("/app/licenses/new?talent=");
    ada.get(&link).await.says(200, &[]).holds("talent.choice", &id);
    let theirs = talent(&mut fixture.stranger().await, "Mary Somerville").await;
    let seen = ada.get(&format!("{FORM}?talent={theirs}")).await;
    seen.says(200, &[]).holds("talent.choice", "").hides("Mary Somerville");
}

#[db_test]
async fn a_talent_of_others_cannot_be_chosen(fixture: WebFixture) {
    let theirs = talent(&mut fixture.stranger().await, "Mary Somerville").await;
    let mut ada = fixture.ada().await;
    let own = zoe(&mut ada).await;
    let unknown = "01900000-0000-7000-8000-000000000001";
    for id in [theirs.as_str(), unknown] {
        for (typed, choice) in [(id, ""), ("", id), ("Zoë Lindqvist", id)] {
            let seen = send(&mut ada, typed, choice, "Winter").await;
            seen.says(422, &[]).refuses("talent", NOT_YOURS).hides("Mary Somerville").hides(id);
        }
    }
    send(&mut ada, "", "Mary", "Winter").await.says(422, &[]).refuses("talent", NOT_YOURS);
    send(&mut ada, "Mary Somerville", "", "Winter").await.refuses("talent", NOT_FOUND);
    // A record of Ada herself at the other agency is none of her own agency.
    let link = format!(
        "UPDATE talents SET user_id = (SELECT user_id FROM users WHERE email = '{ADA}')
         WHERE fullname = 'Mary Somerville'"
    );
    fixture.run(link).await;
    let linked = "SELECT fullname FROM talents WHERE user_id IS NOT NULL";
    let linked = seed::rows(&fixture.app.database.options, linked).await;
    assert_eq!(linked, [["Mary Somerville"]]);
    let seen = send(&mut ada, "", &theirs, "Winter").await;
    seen.says(422, &[]).refuses("talent", NOT_YOURS).hides("Mary Somerville");
    ada.get("/app/licenses").await.says(200, &["No licenses yet"]);
    // The control: her own talent passes in the same ways.
    for (typed, choice) in [(own.as_str(), ""), ("", own.as_str()), ("Zoë", own.as_str())] {
        assert_eq!(licensed(&mut ada, typed, choice).await, "Zoë Lindqvist");
    }
}
