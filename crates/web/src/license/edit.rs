//! The form to edit a license.

use axum::response::Response;
use grantor_domain::error::Fields;
use grantor_domain::id::LicenseId;
use grantor_domain::license::{self as rules, FieldNames, License, LicenseChange, LicenseStatus};
use grantor_domain::{Error, ErrorKind, Result};
use grantor_messages::text;
use grantor_service::licensing::license::{LicenseRecord, LicenseView};
use maud::{Markup, html};
use serde_json::{Map, Value, json};

use super::detail::{Detail, details};
use super::form::{ACT, FEE, PREVIEW, TERRITORIES, members, preview, preview_button};
use super::section::{Parts, sections};
use super::show::{apply, expected, version};
use super::term::with_terms;
use super::{editable, get_visible, status_label};
use crate::frame::{FormData, Outcome, Person, Segment};
use crate::view::field::error_summary;
use crate::view::marked::required_note;
use crate::view::money::{amount_input, with_reading};
use crate::view::rich::rich;
use crate::view::territory::{chosen_territories, territory_values};
use crate::view::time::to_input;
use crate::view::{NavItem, head, hidden, notice};

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

/// Shows the form to edit a license.
pub(crate) async fn edit(person: Person, Segment(id): Segment<LicenseId>) -> Outcome {
    let seen = editing(&person, id).await?;
    let entered = shown(&seen);
    Ok(draw_edit(&person, &seen, &entered, &Notes::default()))
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

/// Saves changes, or shows the form again with a preview. If the license changed in the meantime, the
/// form lists the differences.
pub(crate) async fn change(
    person: Person,
    Segment(id): Segment<LicenseId>,
    entered: FormData,
) -> Outcome {
    let seen = editing(&person, id).await?;
    let changed = async {
        let change = read_change(&seen, &entered)?;
        if entered.get(ACT) == PREVIEW {
            let license = rules::apply(&seen.shown.license, change, person.now())?.license;
            return Ok(Some(preview(&LicenseRecord { license, ..seen.shown.clone() })));
        }
        apply(&person, &seen, expected(&entered), change).await?;
        Ok::<_, Error>(None)
    };
    match changed.await {
        Ok(None) => {
            let message = with_reading(text!("license-updated"), &entered, FEE[0], FEE[1]);
            Ok(person.redirect(format!("/app/licenses/{id}"), &message))
        }
        Ok(Some(preview)) => {
            let notes = Notes { preview, ..Notes::default() };
            Ok(draw_edit(&person, &seen, &entered, &notes))
        }
        Err(error) => {
            let outdated = *error.kind() == ErrorKind::PreconditionFailed;
            let diff = if outdated {
                differences(&seen, &entered)
            } else {
                html! {}
            };
            let notes = Notes { diff, ..Notes::default() };
            Ok(person.redisplay(error, entered, |it| draw_edit(&person, &seen, it, &notes)))
        }
    }
}

fn read_change(seen: &LicenseView, entered: &FormData) -> Result<LicenseChange> {
    let mut fields = entered.fields();
    let members = changed_members(seen, entered, &mut fields);
    let change = fields.take_all(LicenseChange::parse(&members, FieldNames::CONSOLE));
    fields.finish()?;
    change.ok_or_else(|| Error::validation("Some fields are not valid"))
}

/// The form shows every field, so an empty one clears its value.
fn changed_members(
    seen: &LicenseView,
    entered: &FormData,
    errors: &mut Fields,
) -> Map<String, Value> {
    let before = shown(seen);
    let same = |names: &[&str]| names.iter().all(|it| joined(entered, it) == joined(&before, it));
    // A fee that is unchanged is not read: programs may store one that people cannot type.
    let same_fee = same(&FEE);
    let mut members = members(entered, &seen.shown.license.terms, !same_fee, errors);
    for name in CLEARED {
        members.entry(name).or_insert(Value::Null);
    }
    for (name, nothing) in [
        ("name", json!("")),
        ("uses", json!([])),
        (TERRITORIES, json!([])),
        ("canCrawl", json!(false)),
    ] {
        members.entry(name).or_insert(nothing);
    }
    for name in FEE.into_iter().filter(|_| same_fee) {
        members.remove(name);
    }
    // The form has its own order: an unchanged list keeps the stored one. The inputs have minute
    // precision: an unchanged time keeps its seconds.
    for name in ["uses", TERRITORIES, "validFrom", "expiresAt"] {
        if same(&[name]) {
            members.remove(name);
        }
    }
    members
}

/// Returns the form data of a license.
fn shown(seen: &LicenseView) -> FormData {
    let license = &seen.shown.license;
    let instant = |it: Option<_>| it.map(to_input).unwrap_or_default();
    let fee = license.fee;
    let amount = fee.map(|it| amount_input(it.amount, it.currency)).unwrap_or_default();
    let entered = FormData::default()
        .with("version", version(seen))
        .with("name", license.title.as_str())
        .with("type", license.license_type.key())
        .with("description", license.description.as_str())
        .with("appearanceFee", amount)
        .with("currency", fee.map(|it| it.currency.to_string()).unwrap_or_default())
        .with("feePer", fee.map(|it| it.per.name()).unwrap_or_default())
        .with_all("uses", license.uses.as_slice().iter().map(|it| it.key()))
        .with_all(TERRITORIES, territory_values(license.territories.as_slice()))
        .with("validFrom", instant(license.valid_from))
        .with("expiresAt", instant(license.expires_at))
        .with("canCrawl", if license.can_crawl { "true" } else { "" })
        .with("externalId", license.external_id.as_ref().map_or("", |it| it.as_str()))
        .with("status", seen.status.name());
    with_terms(entered, &license.terms)
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
            p { (text!("license-edit-conflict")) }
            ul {
                @for it in details(&current).into_iter().filter(differs) {
                    li { (it.label) ": " (it.text) }
                }
            }
        },
    )
}

/// All values of a field, to compare them regardless of their order. Regions are their countries.
fn joined(entered: &FormData, name: &str) -> String {
    let mut values: Vec<String> = match name {
        TERRITORIES => chosen_territories(entered, name),
        _ => entered.all(name).map(str::to_owned).collect(),
    };
    values.sort_unstable();
    values.join(", ")
}

/// What the form to edit a license shows above its fields.
#[derive(Default)]
struct Notes {
    preview: Markup,
    /// What somebody else changed.
    diff: Markup,
}

/// The form returns the version the user has seen: the current one once the differences are shown.
fn draw_edit(person: &Person, seen: &LicenseView, entered: &FormData, notes: &Notes) -> Response {
    let id = seen.shown.license.id;
    let outdated = !notes.diff.0.is_empty();
    let known = if outdated { version(seen) } else { entered.get("version").to_owned() };
    let may = |it: &LicenseStatus| rules::change(seen.status, *it, None, person.now()).is_ok();
    let states = LicenseStatus::ALL.into_iter().filter(may).map(|it| (it.name(), status_label(it)));
    let states: Vec<_> = states.collect();
    let pictures = || {
        html! {
            p.quiet {
                (rich!("license-edit-pictures", page = html! {
                    a href={ "/app/licenses/" (id) } { (text!("license-edit-pictures-link")) }
                }))
            }
        }
    };
    let parts = Parts { talent: None, states: &states, pictures: &pictures };
    let body = html! {
        (head(text!("license-edit"), seen.shown.license.title.as_str(), html! {
            a.button.plain href={ "/app/licenses/" (id) } { (text!("license-back")) }
        }))
        (notes.preview)
        section.card {
            form.form method="post" action={ "/app/licenses/" (id) "/edit" } novalidate {
                (error_summary(entered)) (hidden("version", &known)) (notes.diff) (required_note())
                (sections(&parts, entered))
                div.actions { button { (text!("license-save")) } (preview_button()) }
            }
        }
    };
    person.page(text!("license-edit"), NavItem::Licenses, body)
}
