//! The forms of a new license and of one that is there.

use axum::response::Response;
use grantor_domain::id::{LicenseId, TalentId};
use grantor_domain::license::{
    self as rules, FeePer, LicenseChange, LicenseStatus, Names, NewLicense, Uses, members_of_form,
};
use grantor_domain::page::Page;
use grantor_domain::role::Right;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_service::license::{self, Seen};
use grantor_service::{talent, team};
use maud::{Markup, html};
use serde_json::{Map, Value, json};

use super::show::{apply, expected, version};
use super::{editable, see, status_words, type_words, types};
use crate::frame::{Asked, Entered, Failure, Outcome, Person, Segment};
use crate::view::field::picture_form;
use crate::view::time::{entry, exit};
use crate::view::{
    Place, area, card, check, choices, empty, field, files, form, head, hidden, notice, select,
};

/// Members that a form shows empty when there is none.
const CLEARED: [&str; 8] = [
    "externalId",
    "description",
    "appearanceFee",
    "currency",
    "feePer",
    "terms",
    "validFrom",
    "expiresAt",
];

/// The form of a new license.
pub(crate) async fn blank(person: Person, asked: Asked) -> Outcome {
    let entered = Entered::default()
        .with("talent", asked.get("talent").unwrap_or_default())
        .with("status", LicenseStatus::Draft.name())
        .with("type", "advertising");
    let talents = talents(&person, &entered).await?;
    Ok(draw_new(&person, &talents, &entered))
}

/// Makes one.
pub(crate) async fn create(person: Person, mut entered: Entered) -> Outcome {
    let files = entered.files();
    let made = async {
        let (talent, new, files) = read(&person, &entered, files)?;
        license::create(person.app(), person.context(), person.caller(), talent, new, files).await
    };
    match made.await {
        Ok(made) => {
            Ok(person
                .went(format!("/app/licenses/{}", made.shown.license.id), "The license was made"))
        }
        Err(error) => {
            let talents = talents(&person, &entered).await?;
            Ok(person.again(error, entered, |entered| draw_new(&person, &talents, entered)))
        }
    }
}

fn read(
    person: &Person,
    entered: &Entered,
    files: Result<Vec<Vec<u8>>>,
) -> Result<(TalentId, NewLicense, Vec<Vec<u8>>)> {
    let mut fields = entered.fields();
    let talent = entered.required(&mut fields, "talent");
    let talent = fields.take("talent", talent.parse::<TalentId>());
    let new = fields.take_all(NewLicense::parse(&members(entered), Names::CONSOLE, person.now()));
    let files = fields.take_all(files);
    fields.finish()?;
    let unread = || Error::validation("Some fields are not valid");
    let ((talent, new), files) = talent.zip(new).zip(files).ok_or_else(unread)?;
    Ok((talent, new, files))
}

/// Whom a license can be about: the first of the roster by name, and who was asked for.
async fn talents(person: &Person, entered: &Entered) -> Result<Vec<(String, String)>, Failure> {
    let page = Page::parse(None, Some("100"), Asked::rules())?;
    let found = talent::list(person.app(), &person.caller, None, page).await?;
    let reached = team::reached(person.app(), &person.caller, Right::ManageLicenses).await?;
    let pair =
        |it: &talent::Listed| (it.talent.id.to_string(), it.talent.fullname.as_str().to_owned());
    let within = found.items.iter().filter(|it| reached.holds(it.talent.team));
    let mut talents: Vec<_> = within.map(pair).collect();
    let chosen = entered.get("talent");
    if talents.iter().all(|(id, _)| id != chosen)
        && let Ok(id) = chosen.parse()
        && let Ok(other) = talent::get(person.app(), &person.caller, id).await
    {
        talents.push(pair(&other));
    }
    Ok(talents)
}

fn draw_new(person: &Person, talents: &[(String, String)], entered: &Entered) -> Response {
    let hint = "JPEG, PNG or WebP, at most 10 MiB each and 10 at once.";
    let first = LicenseStatus::FIRST.map(|it| (it.name(), status_words(it)));
    let inside = html! {
        (select("talent", "Talent", Some("Whose likeness it is about."), talents, entered))
        (fields(entered))
        (select("status", "Status", Some("A draft is seen by your organization and by those you share it with."), &first, entered))
        (files("images", "Reference images", hint, entered))
    };
    let body = html! {
        (head("New license", "What may be done with whose likeness, where and for how long.", html! {}))
        @if talents.is_empty() && entered.message().is_none() {
            (empty("A license is about somebody", "Add the talent first.", html! { a.button href="/app/talents/new" { "Add a talent" } }))
        } @else { (card("License", picture_form("/app/licenses/new", entered, inside, "Make the license"))) }
    };
    person.page("New license", Place::Licenses, body)
}

/// What both forms ask for. Names are those of the console's API, and so are the refusals.
fn fields(entered: &Entered) -> Markup {
    let kinds: Vec<_> = types().collect();
    let uses: Vec<_> = Uses::known().map(|it| (it.key(), type_words(it))).collect();
    let per = [("", "–")].into_iter().chain(FeePer::ALL.map(|it| (it.name(), it.name())));
    let per: Vec<_> = per.collect();
    html! {
        (field("name", "Name").required().longest(200).of(entered))
        (select("type", "Type", None, &kinds, entered))
        (area("description", "Description", Some("For those who may see it; at most 5000 characters."), 4, entered))
        div.three {
            (field("appearanceFee", "Fee").inputmode("decimal").placeholder("250.00").of(entered))
            (field("currency", "Currency").placeholder("EUR").longest(3).of(entered))
            (select("feePer", "Paid for each", None, &per, entered))
        }
        (choices("uses", "Allows", Some("None ticked: the license does not say."), &uses, entered))
        (field("territories", "Where").placeholder("US, DE or WORLD").hint("Two-letter codes of countries, or WORLD.").of(entered))
        div.two {
            (field("validFrom", "Holds from").kind("datetime-local").hint("In UTC.").of(entered))
            (field("expiresAt", "Holds until").kind("datetime-local").hint("In UTC. Empty: without an end.").of(entered))
        }
        (check("canCrawl", "Watch for it", Some("Search connected platforms for uses of this likeness."), entered))
        (field("externalId", "External id").longest(128).hint("Your own name for it: letters, digits and ._:-").of(entered))
        (area("terms", "Terms", Some("More for machines to read, as a JSON object."), 5, entered))
    }
}

/// What the form calls a field.
pub(super) fn label(name: &str) -> String {
    let blank = Entered::default();
    drop(fields(&blank));
    blank.label(name)
}

/// What was entered, as the API would be told.
fn members(entered: &Entered) -> Map<String, Value> {
    let mut pairs: Vec<(&str, String)> = vec![];
    for (name, text) in entered.pairs() {
        let text = text.trim();
        match name {
            "territories" => {
                let codes = text.split([',', ';', ' ', '\n', '\t']).filter(|it| !it.is_empty());
                pairs.extend(codes.map(|it| (name, it.to_ascii_uppercase())));
            }
            "currency" => pairs.push((name, text.to_ascii_uppercase())),
            "validFrom" | "expiresAt" => pairs.push((name, exit(text))),
            _ => pairs.push((name, text.to_owned())),
        }
    }
    members_of_form(pairs.iter().map(|(name, text)| (*name, text.as_str())), Names::CONSOLE)
}

/// The form of a license that is there.
pub(crate) async fn edit(person: Person, Segment(id): Segment<LicenseId>) -> Outcome {
    let seen = editing(&person, id).await?;
    let entered = shown(&seen);
    Ok(draw_edit(&person, &seen, &entered, &html! {}))
}

/// The license, for who may change it.
async fn editing(person: &Person, id: LicenseId) -> Result<Seen> {
    let seen = see(person, id).await?;
    if !editable(person, &seen) {
        let message = "You may see this license, and not change it";
        return Err(Error::new(ErrorKind::AccessDenied, message));
    }
    Ok(seen)
}

/// Changes it. Whoever wrote on an older version is told what is different now.
pub(crate) async fn change(
    person: Person,
    Segment(id): Segment<LicenseId>,
    entered: Entered,
) -> Outcome {
    let seen = editing(&person, id).await?;
    let changed = async {
        let mut fields = entered.fields();
        let members = changed_members(&seen, &entered);
        let asked = fields.take_all(LicenseChange::parse(&members, Names::CONSOLE));
        fields.finish()?;
        let asked = asked.ok_or_else(|| Error::validation("Some fields are not valid"))?;
        apply(&person, &seen, expected(&entered), asked).await
    };
    match changed.await {
        Ok(_) => Ok(person.went(format!("/app/licenses/{id}"), "The license was changed")),
        Err(error) if *error.kind() == ErrorKind::PreconditionFailed => {
            let remark = differences(&seen, &entered);
            Ok(person.again(error, entered, |it| draw_edit(&person, &seen, it, &remark)))
        }
        Err(error) => {
            Ok(person.again(error, entered, |it| draw_edit(&person, &seen, it, &html! {})))
        }
    }
}

/// A form shows all there is, so what it leaves empty is taken away.
fn changed_members(seen: &Seen, entered: &Entered) -> Map<String, Value> {
    let mut members = members(entered);
    for name in CLEARED {
        members.entry(name).or_insert(Value::Null);
    }
    for (name, nothing) in [
        ("name", json!("")),
        ("uses", json!([])),
        ("territories", json!([])),
        ("canCrawl", json!(false)),
    ] {
        members.entry(name).or_insert(nothing);
    }
    // A field holds minutes: an instant that nobody touched keeps its seconds.
    let before = shown(seen);
    for name in ["validFrom", "expiresAt"] {
        if entered.get(name) == before.get(name) {
            members.remove(name);
        }
    }
    members
}

/// What a form shows of a license.
fn shown(seen: &Seen) -> Entered {
    let license = &seen.shown.license;
    let instant = |it: Option<_>| it.map(entry).unwrap_or_default();
    let terms = license.terms.as_map();
    let terms = if terms.is_empty() { None } else { serde_json::to_string_pretty(terms).ok() };
    let places: Vec<_> = license.territories.as_slice().iter().map(ToString::to_string).collect();
    Entered::default()
        .with("version", version(seen))
        .with("name", license.title.as_str())
        .with("type", license.license_type.key())
        .with("description", license.description.as_str())
        .with("appearanceFee", license.fee.map(|it| it.amount.to_string()).unwrap_or_default())
        .with("currency", license.fee.map(|it| it.currency.to_string()).unwrap_or_default())
        .with("feePer", license.fee.map(|it| it.per.name()).unwrap_or_default())
        .with_all("uses", license.uses.as_slice().iter().map(|it| it.key()))
        .with("territories", places.join(", "))
        .with("validFrom", instant(license.valid_from))
        .with("expiresAt", instant(license.expires_at))
        .with("canCrawl", if license.can_crawl { "true" } else { "" })
        .with("externalId", license.external_id.as_ref().map_or("", |it| it.as_str()))
        .with("terms", terms.unwrap_or_default())
        .with("status", seen.status.name())
}

/// What is different from what was typed, since somebody else changed the license meanwhile.
fn differences(seen: &Seen, entered: &Entered) -> Markup {
    let present = shown(seen);
    let mut names: Vec<_> = present.pairs().map(|(name, _)| name).collect();
    names.dedup();
    let differs = |name: &&str| *name != "version" && held(&present, name) != held(entered, name);
    notice(
        "warn",
        html! {
            p { "Somebody changed this license while you wrote. Below is what you typed; to keep it, save again. As it is now:" }
            ul {
                @for name in names.into_iter().filter(differs) {
                    @let now = held(&present, name);
                    li { (label(name)) ": " @if now.is_empty() { "nothing" } @else { (now) } }
                }
            }
        },
    )
}

fn held(entered: &Entered, name: &str) -> String {
    entered.all(name).collect::<Vec<_>>().join(", ")
}

/// The form sends back the version its person has seen: after a remark on what is different, the
/// present one.
fn draw_edit(person: &Person, seen: &Seen, entered: &Entered, remark: &Markup) -> Response {
    let id = seen.shown.license.id;
    let known = if remark.0.is_empty() { entered.get("version").to_owned() } else { version(seen) };
    let may = |it: &LicenseStatus| rules::change(seen.status, *it, None, person.now()).is_ok();
    let states = LicenseStatus::ALL.into_iter().filter(may).map(|it| (it.name(), status_words(it)));
    let states: Vec<_> = states.collect();
    let inside = html! {
        (hidden("version", &known)) (remark)
        (fields(entered))
        (select("status", "Status", None, &states, entered))
    };
    let body = html! {
        (head("Edit a license", seen.shown.license.title.as_str(), html! {
            a.button.plain href={ "/app/licenses/" (id) } { "Back to the license" }
        }))
        (card("License", form(&format!("/app/licenses/{id}/edit"), entered, inside, "Save")))
    };
    person.page("Edit a license", Place::Licenses, body)
}
