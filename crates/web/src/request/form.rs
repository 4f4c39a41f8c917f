//! The form to request a license.

use axum::response::{IntoResponse as _, Redirect, Response};
use grantor_domain::error::Fields;
use grantor_domain::grant::CoverageInput;
use grantor_domain::id::LicenseId;
use grantor_domain::license::{License, Territory, Uses};
use grantor_domain::request::{NewRequest, RequestInput};
use grantor_domain::{Error, Result};
use grantor_messages::text;
use grantor_service::licensing::request::{self, LiveRequest};
use maud::{Markup, html};

use super::terms::ceiling;
use super::{LIST, VisibleLicense, caller, find_license, find_open, path, without_details};
use crate::frame::{Failure, FormData, Outcome, Params, Person};
use crate::license::type_label;
use crate::view::field::group;
use crate::view::marked::{Mark, marked_area, marked_choices, marked_select, required_note};
use crate::view::money::{currency_choices, read_amount, with_reading};
use crate::view::rich::rich;
use crate::view::territory::{chosen_territories, territory_choices, territory_values};
use crate::view::time::{exact, from_changed_input, to_exact_input, to_input, zone_name};
use crate::view::{NavItem, area, card, field, form, head, hidden, notice};

const AMOUNT: &str = "budget.amount";
const CURRENCY: &str = "budget.currency";

/// Shows the form. Only license pages link to it, so that nobody types an ID.
pub(crate) async fn new_form(person: Person, params: Params) -> Outcome {
    let Some(id) = params.get("license") else {
        return Ok(Redirect::to("/app/catalog").into_response());
    };
    let license = requested(&person, id).await?;
    let open = find_open(person.app(), &person.caller, license.record.license.id).await?;
    let existing = open.map(|it| match it {
        LiveRequest::Own(id) => (id, text!("request-already-open")),
        LiveRequest::ToAddress(id) => (id, text!("request-already-offered")),
    });
    if let Some((id, message)) = existing {
        return Ok(person.redirect(path(id), message));
    }
    let entered = initial(&person, &license.record.license);
    Ok(draw(&person, &license, None, &entered))
}

/// Sends the request.
pub(crate) async fn create(person: Person, entered: FormData) -> Outcome {
    let license = requested(&person, entered.get("license")).await?;
    let made = async {
        let new = read(&license.record.license, &entered)?;
        request::create(person.app(), person.context(), caller(&person), new).await
    };
    match made.await {
        Ok(view) => {
            let message = text!("request-sent-to", name = &view.record.owner.name);
            let message = with_reading(&message, &entered, AMOUNT, CURRENCY);
            Ok(person.redirect(path(view.record.request.id), &message))
        }
        Err(error) => {
            let existing = error.fields().get("request_id").cloned();
            let error = if existing.is_some() { without_details(&error) } else { error };
            let draw = |it: &FormData| draw(&person, &license, existing.as_deref(), it);
            Ok(person.redisplay(error, entered, draw))
        }
    }
}

/// Returns a license that the user can request.
async fn requested(person: &Person, id: &str) -> Result<VisibleLicense, Failure> {
    let id = id.parse::<LicenseId>().map_err(|_| Failure::not_found())?;
    let found = find_license(person, id).await?.ok_or_else(Failure::not_found)?;
    let license = &found.record.license;
    if license.tenant == person.caller.tenant {
        let message = "Your organization owns this license, so you can't request it";
        return Err(Error::conflict(message).into());
    }
    let status = license.effective_status(person.now());
    if !status.is_live() {
        let message = format!("This license can't be requested: its status is {status}");
        return Err(Error::conflict(message).into());
    }
    Ok(found)
}

/// The first values: what the license leaves no choice about, and its dates.
fn initial(person: &Person, license: &License) -> FormData {
    let (uses, territories) = (license.uses.as_slice(), license.territories.as_slice());
    let only_use = if uses.len() == 1 { uses } else { &[] };
    // Whoever needs one country must not ask for the world by default.
    let only_territory = match territories {
        [only] if *only != Territory::WORLD => territories,
        _ => &[],
    };
    let now = to_input(person.now());
    let later = license.valid_from.filter(|it| *it > person.now());
    FormData::default()
        .with("license", license.id.to_string())
        .with_all("uses", only_use.iter().map(|it| it.key()))
        .with_all("territories", territory_values(only_territory))
        .with("starts_at", later.map_or(now, to_exact_input))
        .with("ends_at", license.expires_at.map(to_exact_input).unwrap_or_default())
        .with("budget.currency", license.fee.map(|it| it.currency.to_string()).unwrap_or_default())
}

fn read(license: &License, entered: &FormData) -> Result<NewRequest> {
    let mut fields = entered.fields();
    let uses: Vec<_> = entered.all("uses").map(str::to_owned).collect();
    let territories = chosen_territories(entered, "territories");
    let channels: Vec<_> = entered.lines("channels").map(str::to_owned).collect();
    let starts_at = entered.optional("starts_at");
    let starts_at = starts_at.map(|it| from_changed_input(it, license.valid_from));
    let ends_at = entered.optional("ends_at");
    let ends_at = ends_at.map(|it| from_changed_input(it, license.expires_at));
    let purpose = entered.required(&mut fields, "purpose");
    require_choices(&mut fields, ("uses", &uses), ("territories", &territories));
    let typed = read_amount(entered, AMOUNT, CURRENCY, &mut fields);
    let (amount, named) = (typed.map(|it| it.amount.to_string()), typed.and_then(|it| it.currency));
    let named = named.map(|it| it.to_string());
    let currency = named.as_deref().unwrap_or(entered.get(CURRENCY));
    if entered.optional(AMOUNT).is_some() && currency.is_empty() {
        fields.add(CURRENCY, "is required");
    }
    let new = NewRequest::parse(&RequestInput {
        license_id: Some(&license.id.to_string()),
        coverage: CoverageInput {
            uses: &uses,
            territories: &territories,
            starts_at: starts_at.as_deref(),
            ends_at: ends_at.as_deref(),
        },
        purpose: Some(purpose),
        channels: &channels,
        budget: amount.as_deref().map(|it| (Some(it), Some(currency))),
    });
    let new = fields.take_all(new);
    fields.finish()?;
    new.ok_or_else(|| Error::validation("Some fields are not valid"))
}

/// Asks for at least one use and one territory, in the words of a page with choices.
pub(super) fn require_choices(
    fields: &mut Fields,
    (uses_field, uses): (&str, &[String]),
    (territories_field, territories): (&str, &[String]),
) {
    if uses.is_empty() {
        fields.add(uses_field, "Choose at least one use");
    }
    if territories.is_empty() {
        fields.add(territories_field, "Choose at least one territory");
    }
}

/// The choices of uses: those of the license, or all if it does not limit them.
pub(super) fn use_choices(license: &License) -> Vec<(&'static str, &'static str)> {
    let allowed = Uses::known().filter(|it| license.uses.allow(*it));
    allowed.map(|it| (it.key(), type_label(it))).collect()
}

fn draw(
    person: &Person,
    license: &VisibleLicense,
    existing: Option<&str>,
    entered: &FormData,
) -> Response {
    let record = &license.record;
    let inside = fields(&record.license, entered);
    let body = html! {
        (head(text!("request-new-title"), record.license.title.as_str(), html! {
            a.button.plain href=(license.path) { (text!("request-back-to-license")) }
        }))
        @if let Some(id) = existing {
            (notice("warn", html! {
                p {
                    (rich!("request-one-per-license", link = html! {
                        a href={ (LIST) "/" (id) } { (text!("request-view-open-one")) }
                    }))
                }
            }))
        }
        div.split {
            (card(text!("request-yours"), form("/app/requests/new", entered, inside, text!("request-send"))))
            (ceiling(license))
        }
    };
    person.page(text!("request-new-title"), NavItem::Requests, body)
}

fn fields(license: &License, entered: &FormData) -> Markup {
    let within = text!("request-within-license");
    let channels = text!("request-channels-hint");
    let purpose = text!("request-purpose-hint");
    let (must, zone) = (Mark::Required, zone_name());
    let in_zone = text!("request-in-zone", zone = &zone);
    let ends = match license.expires_at {
        Some(end) => text!("request-ends-with-license-hint", zone = &zone, time = exact(end)),
        None => text!("request-ends-hint", zone = &zone),
    };
    html! {
        (required_note())
        (hidden("license", &license.id.to_string()))
        (marked_choices(must, "uses", text!("request-term-uses"), Some(within), &use_choices(license), entered))
        (territory_choices(must, "territories", text!("request-term-territories"), Some(within), &license.territories, entered))
        div.two {
            (field("starts_at", text!("request-term-starts")).kind("datetime-local").required().hint(&in_zone).of(entered))
            (field("ends_at", text!("request-term-ends")).kind("datetime-local").hint(&ends).of(entered))
        }
        (marked_area(must, "purpose", text!("request-purpose"), Some(purpose), 4, entered))
        (area("channels", text!("request-term-channels"), Some(channels), 3, entered))
        (group("budget", text!("request-budget-optional"), entered, html! {
            div.two {
                (field(AMOUNT, text!("request-amount")).inputmode("decimal").placeholder(text!("request-amount-example")).hint(text!("request-amount-hint")).of(entered))
                (marked_select(Mark::RequiredIf(text!("request-with-amount")), CURRENCY, text!("request-currency"), None, &currency_choices(), entered))
            }
        }))
    }
}
