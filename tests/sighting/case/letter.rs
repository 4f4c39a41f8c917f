//! Letters of a case: how many may be sent, and an organization's own templates.

use grantor_domain::limit::Limits;
use grantor_testkit::{Engine, Fixture, db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::{DAY, Room, refusal};

const TAKEDOWN: &str = "/org/letter-templates/takedown";

/// A room where mail is bounded and nothing else.
struct Bounded(Room);

impl Fixture for Bounded {
    async fn on(engine: Engine) -> Self {
        let off = ["external", "console", "login", "register", "open", "external_token", "quota"];
        let off = off.map(|it| format!("{it}=off")).join(",");
        Self(Room::with_limits(engine, Limits::parse(&off).unwrap()).await)
    }
}

#[db_test]
async fn letters_are_bounded_by_address_and_by_plan(room: Bounded) {
    let Bounded(room) = room;
    room.open().await;
    for _ in 0..3 {
        assert_eq!(room.letter("legal@wire.example").await.status, 201);
    }
    let message = "This address gets at most 3 emails in 1 hour from one sender. Try again in \
                   1 hour";
    assert_eq!(refusal(&room.letter("legal@wire.example").await), (429, message.to_owned()));
    for number in 0..7 {
        let sent = room.letter(&format!("legal{number}@wire.example")).await;
        assert_eq!(sent.status, 201, "{}", sent.json());
    }
    let message = "Your plan allows 10 letters per day. Try again in 24 hours";
    assert_eq!(refusal(&room.letter("other@wire.example").await), (429, message.to_owned()));
    let letters = room.rows("SELECT recipient FROM case_letters").await;
    let mails = room.rows("SELECT kind FROM mails WHERE kind = 'case_letter'").await;
    assert_eq!((letters.len(), mails.len()), (10, 10));
    room.world().app.clock.advance(DAY);
    assert_eq!(room.letter("other@wire.example").await.status, 201);
}

/// The templates say that there is no license.
#[db_test]
async fn a_draft_warns_if_the_use_is_licensed_by_now(room: Room) {
    assert_eq!(room.open().await["drafts"][0]["warning"], Value::Null);
    let script = "UPDATE mentions SET verdict = 'licensed', verdict_reason = 'They got a license'";
    seed::run(&room.world().app.database.options, script.to_owned()).await;
    let warning = "The use is licensed by now: They got a license. Check this before you send a \
                   letter.";
    for draft in room.case().await["drafts"].as_array().unwrap() {
        assert_eq!(draft["warning"], warning);
    }
}

#[db_test]
async fn an_organization_writes_its_own_templates(room: Room) {
    let (app, agency) = (&room.world().app, &room.world().agency);
    let change = async |body: Value| agency.console(app, Method::PATCH, TAKEDOWN, Some(body)).await;
    let answer = change(json!({ "subject": "{name}", "text": "Hello" })).await;
    let all = "{talent}, {url}, {title}, {organization}, {evidence_link}, {person}";
    let details = json!({
        "subject": format!("has an unknown placeholder {{name}}; use {all}"),
        "text": "must contain {evidence_link}",
    });
    assert_eq!((answer.status.as_u16(), &answer.json()["error"]["details"]), (400, &details));
    let text = "To {url}: {evidence_link}, {person} of {organization}";
    let answer = change(json!({ "subject": "{talent}", "text": text })).await.json();
    assert_eq!(answer["data"]["customized"], true);
    let opened = room.open().await;
    let draft = &opened["drafts"][0];
    let link = opened["evidence_url"].as_str().unwrap();
    let written =
        format!("To {}: {link}, Ada Lovelace of Agency of ada@example.com", room.site.url("/news"));
    let expected = json!({
        "kind": "takedown", "subject": "Grâce Hopper", "text": written, "warning": null,
    });
    assert_eq!(draft, &expected);
    let answer = change(json!({ "restore": true })).await.json();
    let shown = json!([answer["data"]["subject"], answer["data"]["customized"]]);
    assert_eq!(shown, json!(["Please remove {talent} from your page", false]));
    let path = "/org/letter-templates";
    let listed = agency.console(app, Method::GET, path, None).await.json();
    let kinds = listed["data"]["templates"].as_array().unwrap().iter().map(|it| &it["kind"]);
    assert_eq!(kinds.collect::<Vec<_>>(), ["takedown", "license_offer"]);
}
