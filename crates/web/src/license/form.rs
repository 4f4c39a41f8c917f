//! The forms to create and edit a license.

use axum::response::Response;
use grantor_domain::error::Fields;
use grantor_domain::id::{LicenseId, TalentId};
use grantor_domain::license::{
    self as rules, FeePer, FieldNames, License, LicenseChange, LicenseStatus, NewLicense, Terms,
    Territories, Uses, members_of_form,
};
use grantor_domain::page::Page;
use grantor_domain::role::Right;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_service::licensing::license::{self, LicenseView};
use grantor_service::licensing::talent;
use grantor_service::organizations::team;
use maud::{Markup, html};
use serde_json::{Map, Value, json};

use super::detail::{Detail, details};
use super::show::{apply, expected, version};
use super::term::{editable_lines, has_others, parse_lines};
use super::{editable, get_visible, status_label, type_label, types};
use crate::frame::{Failure, FormData, Outcome, Params, Person, Segment};
use crate::view::field::upload_form;
use crate::view::money::currency_choices;
use crate::view::territory::territory_choices;
use crate::view::time::{from_input, to_input};
use crate::view::{
    NavItem, area, card, checkbox, choices, empty, field, files, form, head, hidden, notice,
    select, sentence_case,
};

/// The field of the free-form terms.
const TERMS: &str = "terms";

/// Optional members, which an empty form field clears.
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

/// Shows the form for a new license.
pub(crate) async fn new_form(person: Person, params: Params) -> Outcome {
    let entered = FormData::default()
        .with("talent", params.get("talent").unwrap_or_default())
        .with("status", LicenseStatus::Draft.name())
        .with("type", "advertising")
        .with("canCrawl", "true");
    let talents = talents(&person, &entered).await?;
    Ok(draw_new(&person, &talents, &entered))
}

/// Creates a license.
pub(crate) async fn create(person: Person, mut entered: FormData) -> Outcome {
    let files = entered.take_files();
    let made = async {
        let (talent, new, files) = read(&person, &entered, files)?;
        license::create(person.app(), person.context(), person.caller(), talent, new, files).await
    };
    match made.await {
        Ok(made) => {
            Ok(person
                .redirect(format!("/app/licenses/{}", made.shown.license.id), "License created"))
        }
        Err(error) => {
            let talents = talents(&person, &entered).await?;
            Ok(person.redisplay(error, entered, |entered| draw_new(&person, &talents, entered)))
        }
    }
}

fn read(
    person: &Person,
    entered: &FormData,
    files: Result<Vec<Vec<u8>>>,
) -> Result<(TalentId, NewLicense, Vec<Vec<u8>>)> {
    let mut fields = entered.fields();
    let talent = entered.required(&mut fields, "talent");
    let talent = fields.take("talent", talent.parse::<TalentId>());
    let members = members(entered, &Terms::default(), &mut fields);
    let new = fields.take_all(NewLicense::parse(&members, FieldNames::CONSOLE, person.now()));
    let files = fields.take_all(files);
    fields.finish()?;
    let unread = || Error::validation("Some fields are not valid");
    let ((talent, new), files) = talent.zip(new).zip(files).ok_or_else(unread)?;
    Ok((talent, new, files))
}

/// Returns the talents to choose from: the first 100 by name, and the selected one.
async fn talents(person: &Person, entered: &FormData) -> Result<Vec<(String, String)>, Failure> {
    let page = Page::parse(None, Some("100"), Params::rules())?;
    let found = talent::list(person.app(), &person.caller, None, page).await?;
    let reached = team::right_scope(person.app(), &person.caller, Right::ManageLicenses).await?;
    let pair = |it: &talent::ListedTalent| {
        (it.talent.id.to_string(), it.talent.fullname.as_str().to_owned())
    };
    let within = found.items.iter().filter(|it| reached.includes(it.talent.team));
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

fn draw_new(person: &Person, talents: &[(String, String)], entered: &FormData) -> Response {
    let hint = "JPEG, PNG or WebP. Up to 10 images of 10 MiB each.";
    let first = LicenseStatus::FIRST.map(|it| (it.name(), status_label(it)));
    let inside = html! {
        (select("talent", "Talent", Some("The person whose likeness is licensed."), talents, entered))
        (fields(&Terms::default(), entered))
        (select("status", "Status", Some("Drafts are visible only to your organization and to those you share them with."), &first, entered))
        (files("images", "Reference images", hint, entered))
    };
    let body = html! {
        (head("New license", "Define how a talent's likeness may be used, where and for how long.", html! {}))
        @if talents.is_empty() && entered.message().is_none() {
            (empty("Add a talent first", "Every license covers the likeness of a talent.", html! { a.button href="/app/talents/new" { "Add talent" } }))
        } @else { (card("License", upload_form("/app/licenses/new", entered, inside, "Create license"))) }
    };
    person.page("New license", NavItem::Licenses, body)
}

/// The fields of both forms, named as in the console API and its errors.
fn fields(terms: &Terms, entered: &FormData) -> Markup {
    let kinds: Vec<_> = types().collect();
    let uses: Vec<_> = Uses::known().map(|it| (it.key(), type_label(it))).collect();
    let per = FeePer::ALL.map(|it| (it.name(), sentence_case(it.name())));
    let per: Vec<_> = [("", "–".to_owned())].into_iter().chain(per).collect();
    let everywhere = "Leave all unchecked if the license doesn't specify territories.";
    html! {
        (field("name", "Name").required().max_length(200).of(entered))
        (select("type", "Type", None, &kinds, entered))
        (area("description", "Description", Some("Visible to everyone who can see the license. Up to 5,000 characters."), 4, entered))
        div.three {
            (field("appearanceFee", "Fee").inputmode("decimal").placeholder("250.00").of(entered))
            (select("currency", "Currency", None, &currency_choices(), entered))
            (select("feePer", "Fee per", None, &per, entered))
        }
        (choices("uses", "Permitted uses", Some("Leave all unchecked if the license doesn't specify permitted uses."), &uses, entered))
        (territory_choices("territories", "Territories", Some(everywhere), &Territories::default(), entered))
        div.two {
            (field("validFrom", "Starts").kind("datetime-local").hint("In UTC. Leave blank to start now.").of(entered))
            (field("expiresAt", "Ends").kind("datetime-local").hint("In UTC. Leave blank for no end date.").of(entered))
        }
        (checkbox("canCrawl", "Monitor for uses", Some("Look for uses of this likeness at your sources and on connected platforms."), entered))
        (field("externalId", "External ID").max_length(128).hint("Your own ID for this license: letters, digits and ._:-").of(entered))
        (area("terms", "Terms", Some("Further terms, one per line, such as Copies: 500."), 5, entered))
        @if has_others(terms) {
            p.quiet { "Programs added terms to this license that can't be edited here. They stay as they are." }
        }
    }
}

/// Returns the form's label of a field.
pub(super) fn label(name: &str) -> String {
    let new_form = FormData::default();
    drop(fields(&Terms::default(), &new_form));
    new_form.label(name)
}

/// Returns the form data as the members of an API request.
fn members(entered: &FormData, before: &Terms, errors: &mut Fields) -> Map<String, Value> {
    let pairs = entered.pairs().filter(|(name, _)| *name != TERMS);
    let pairs = pairs.map(|(name, text)| match name {
        "validFrom" | "expiresAt" => (name, from_input(text.trim())),
        _ => (name, text.trim().to_owned()),
    });
    let pairs: Vec<_> = pairs.collect();
    let pairs = pairs.iter().map(|(name, text)| (*name, text.as_str()));
    let mut members = members_of_form(pairs, FieldNames::CONSOLE);
    let terms = errors.take(TERMS, parse_lines(entered.get(TERMS), before)).unwrap_or_default();
    if !terms.is_empty() {
        members.insert(TERMS.to_owned(), terms.into());
    }
    members
}

/// Shows the form to edit a license.
pub(crate) async fn edit(person: Person, Segment(id): Segment<LicenseId>) -> Outcome {
    let seen = editing(&person, id).await?;
    let entered = shown(&seen);
    Ok(draw_edit(&person, &seen, &entered, &html! {}))
}

/// Returns the license if the user may edit it.
async fn editing(person: &Person, id: LicenseId) -> Result<LicenseView> {
    let seen = get_visible(person, id).await?;
    if !editable(person, &seen) {
        let message = "You can view this license but not edit it";
        return Err(Error::new(ErrorKind::AccessDenied, message));
    }
    Ok(seen)
}

/// Saves changes. If the license changed in the meantime, the form lists the differences.
pub(crate) async fn change(
    person: Person,
    Segment(id): Segment<LicenseId>,
    entered: FormData,
) -> Outcome {
    let seen = editing(&person, id).await?;
    let changed = async {
        let mut fields = entered.fields();
        let members = changed_members(&seen, &entered, &mut fields);
        let change = fields.take_all(LicenseChange::parse(&members, FieldNames::CONSOLE));
        fields.finish()?;
        let change = change.ok_or_else(|| Error::validation("Some fields are not valid"))?;
        apply(&person, &seen, expected(&entered), change).await
    };
    match changed.await {
        Ok(_) => Ok(person.redirect(format!("/app/licenses/{id}"), "License updated")),
        Err(error) if *error.kind() == ErrorKind::PreconditionFailed => {
            let diff = differences(&seen, &entered);
            Ok(person.redisplay(error, entered, |it| draw_edit(&person, &seen, it, &diff)))
        }
        Err(error) => {
            Ok(person.redisplay(error, entered, |it| draw_edit(&person, &seen, it, &html! {})))
        }
    }
}

/// The form shows every field, so an empty one clears its value.
fn changed_members(
    seen: &LicenseView,
    entered: &FormData,
    errors: &mut Fields,
) -> Map<String, Value> {
    let mut members = members(entered, &seen.shown.license.terms, errors);
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
    let before = shown(seen);
    // The form has its own order: an unchanged list keeps the stored one.
    for name in ["uses", "territories"] {
        if joined(entered, name) == joined(&before, name) {
            members.remove(name);
        }
    }
    // The inputs have minute precision: an unchanged time keeps its seconds.
    for name in ["validFrom", "expiresAt"] {
        if entered.get(name) == before.get(name) {
            members.remove(name);
        }
    }
    members
}

/// Returns the form data of a license.
fn shown(seen: &LicenseView) -> FormData {
    let license = &seen.shown.license;
    let instant = |it: Option<_>| it.map(to_input).unwrap_or_default();
    let territories = license.territories.as_slice().iter();
    FormData::default()
        .with("version", version(seen))
        .with("name", license.title.as_str())
        .with("type", license.license_type.key())
        .with("description", license.description.as_str())
        .with("appearanceFee", license.fee.map(|it| it.amount.to_string()).unwrap_or_default())
        .with("currency", license.fee.map(|it| it.currency.to_string()).unwrap_or_default())
        .with("feePer", license.fee.map(|it| it.per.name()).unwrap_or_default())
        .with_all("uses", license.uses.as_slice().iter().map(|it| it.key()))
        .with_all("territories", territories.map(ToString::to_string))
        .with("validFrom", instant(license.valid_from))
        .with("expiresAt", instant(license.expires_at))
        .with("canCrawl", if license.can_crawl { "true" } else { "" })
        .with("externalId", license.external_id.as_ref().map_or("", |it| it.as_str()))
        .with(TERMS, editable_lines(&license.terms))
        .with("status", seen.status.name())
}

/// Lists the fields whose current value differs from the submitted one.
fn differences(seen: &LicenseView, entered: &FormData) -> Markup {
    let present = shown(seen);
    let current = License { status: seen.status, ..seen.shown.license.clone() };
    let differs =
        |it: &Detail| it.fields.iter().any(|name| joined(&present, name) != joined(entered, name));
    notice(
        "warn",
        html! {
            p { "Someone else changed this license while you were editing. Your changes are below; save again to keep them. Current values:" }
            ul {
                @for it in details(&current).into_iter().filter(differs) {
                    li { (it.label) ": " (it.text) }
                }
            }
        },
    )
}

/// All values of a field, to compare them regardless of their order.
fn joined(entered: &FormData, name: &str) -> String {
    let mut values: Vec<_> = entered.all(name).collect();
    values.sort_unstable();
    values.join(", ")
}

/// The form returns the version the user has seen: the current one once the differences are shown.
fn draw_edit(person: &Person, seen: &LicenseView, entered: &FormData, diff: &Markup) -> Response {
    let id = seen.shown.license.id;
    let known = if diff.0.is_empty() { entered.get("version").to_owned() } else { version(seen) };
    let may = |it: &LicenseStatus| rules::change(seen.status, *it, None, person.now()).is_ok();
    let states = LicenseStatus::ALL.into_iter().filter(may).map(|it| (it.name(), status_label(it)));
    let states: Vec<_> = states.collect();
    let inside = html! {
        (hidden("version", &known)) (diff)
        (fields(&seen.shown.license.terms, entered))
        (select("status", "Status", None, &states, entered))
    };
    let body = html! {
        (head("Edit license", seen.shown.license.title.as_str(), html! {
            a.button.plain href={ "/app/licenses/" (id) } { "Back to license" }
        }))
        (card("License", form(&format!("/app/licenses/{id}/edit"), entered, inside, "Save changes")))
    };
    person.page("Edit license", NavItem::Licenses, body)
}
