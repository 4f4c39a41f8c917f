//! The form to request a license.

use axum::response::{IntoResponse as _, Redirect, Response};
use grantor_domain::grant::CoverageInput;
use grantor_domain::id::LicenseId;
use grantor_domain::license::{License, Territory, Uses};
use grantor_domain::request::{NewRequest, RequestInput};
use grantor_domain::{Error, Result};
use grantor_service::licensing::request::{self, LiveRequest};
use maud::{Markup, html};

use super::terms::ceiling;
use super::{LIST, VisibleLicense, caller, find_license, find_open, path, without_details};
use crate::frame::{Failure, FormData, Outcome, Params, Person};
use crate::license::type_label;
use crate::view::field::group;
use crate::view::money::currency_choices;
use crate::view::territory::required_territories;
use crate::view::time::{exact, from_input, to_exact_input, to_input};
use crate::view::{
    NavItem, area, card, field, form, head, hidden, notice, required_area, required_choices, select,
};

/// Shows the form. Only license pages link to it, so that nobody types an ID.
pub(crate) async fn new_form(person: Person, params: Params) -> Outcome {
    let Some(id) = params.get("license") else {
        return Ok(Redirect::to("/app/catalog").into_response());
    };
    let license = requested(&person, id).await?;
    let open = find_open(person.app(), &person.caller, license.record.license.id).await?;
    let existing = open.map(|it| match it {
        LiveRequest::Own(id) => (id, "You already have an open request for this license"),
        LiveRequest::ToAddress(id) => (id, "You already have an offer for this license"),
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
            let message = format!("Request sent to {}", view.record.owner.name);
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
        .with_all("territories", only_territory.iter().map(ToString::to_string))
        .with("starts_at", later.map_or(now, to_exact_input))
        .with("ends_at", license.expires_at.map(to_exact_input).unwrap_or_default())
        .with("budget.currency", license.fee.map(|it| it.currency.to_string()).unwrap_or_default())
}

fn read(license: &License, entered: &FormData) -> Result<NewRequest> {
    let mut fields = entered.fields();
    let list = |name: &'static str| entered.all(name).map(str::to_owned).collect::<Vec<_>>();
    let (uses, territories) = (list("uses"), list("territories"));
    let channels: Vec<_> = entered.lines("channels").map(str::to_owned).collect();
    let starts_at = entered.optional("starts_at").map(from_input);
    let ends_at = entered.optional("ends_at").map(from_input);
    let purpose = entered.required(&mut fields, "purpose");
    let (amount, currency) = (entered.optional("budget.amount"), entered.get("budget.currency"));
    if amount.is_some() && currency.is_empty() {
        fields.add("budget.currency", "is required");
    }
    let new = NewRequest::parse(&RequestInput {
        license_id: &license.id.to_string(),
        coverage: CoverageInput {
            uses: &uses,
            territories: &territories,
            starts_at: starts_at.as_deref(),
            ends_at: ends_at.as_deref(),
        },
        purpose,
        channels: &channels,
        budget: amount.map(|it| (it, currency)),
    });
    let new = fields.take_all(new);
    fields.finish()?;
    new.ok_or_else(|| Error::validation("Some fields are not valid"))
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
        (head("Request license", record.license.title.as_str(), html! {
            a.button.plain href=(license.path) { "Back to license" }
        }))
        @if let Some(id) = existing {
            (notice("warn", html! {
                p { "There can be one open request per license. " a href={ (LIST) "/" (id) } { "View the open request" } "." }
            }))
        }
        div.split {
            (card("Your request", form("/app/requests/new", entered, inside, "Send request")))
            (ceiling(license))
        }
    };
    person.page("Request license", NavItem::Requests, body)
}

fn fields(license: &License, entered: &FormData) -> Markup {
    let within = "Only what the license allows can be chosen.";
    let channels = "Such as Instagram or TV. One per line, up to 10.";
    let ends = match license.expires_at {
        Some(end) => {
            format!("In UTC. The license ends {}; an offer can't last longer.", exact(end))
        }
        None => "In UTC. Leave blank for no end date.".to_owned(),
    };
    html! {
        (hidden("license", &license.id.to_string()))
        (required_choices("uses", "Uses", Some(within), &use_choices(license), entered))
        (required_territories("territories", "Territories", Some(within), &license.territories, entered))
        div.two {
            (field("starts_at", "Starts").kind("datetime-local").required().hint("In UTC.").of(entered))
            (field("ends_at", "Ends").kind("datetime-local").hint(&ends).of(entered))
        }
        (required_area("purpose", "Purpose", Some("What you need the likeness for. Up to 2,000 characters."), 4, entered))
        (area("channels", "Channels", Some(channels), 3, entered))
        (group("budget", "Budget (optional)", entered, html! {
            div.two {
                (field("budget.amount", "Amount").inputmode("decimal").placeholder("1500.00").of(entered))
                (select("budget.currency", "Currency", None, &currency_choices(), entered))
            }
        }))
    }
}
