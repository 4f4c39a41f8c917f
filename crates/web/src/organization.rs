//! `/app/organization`: the organization's details.

use axum::response::Response;
use grantor_domain::Error;
use grantor_domain::information::{Information, InformationChange};
use grantor_domain::license::country_names;
use grantor_domain::role::Right;
use grantor_service::identity::profile::Tenant;
use grantor_service::organizations::organization;
use grantor_service::organizations::party::{self, Findability};
use maud::{Markup, html};
use serde_json::{Map, Value};

use crate::frame::{FormData, Outcome, Person};
use crate::view::{
    NavItem, ago, area, badge, card, facts, field, for_developers, form, head, post_button, select,
};

/// A section: its member name, its title, and its fields.
type Section = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

const YEAR: &str = "foundedYear";
const COUNTRY: &str = "country";
/// The value of the button that turns being found by name on or off.
const FINDABLE: &str = "findable";
const SECTIONS: [Section; 4] = [
    (
        "basicInfo",
        "About",
        &[
            ("description", "Description"),
            ("website", "Website"),
            ("industry", "Industry"),
            (YEAR, "Founded"),
        ],
    ),
    (
        "address",
        "Address",
        &[
            ("street", "Street"),
            ("postalCode", "Postal code"),
            ("city", "City"),
            ("region", "Region"),
            (COUNTRY, "Country"),
        ],
    ),
    ("contact", "Contact", &[("person", "Contact person"), ("email", "Email"), ("phone", "Phone")]),
    (
        "taxInfo",
        "Tax",
        &[("legalName", "Legal name"), ("taxId", "Tax ID"), ("vatNumber", "VAT number")],
    ),
];

/// Shows the organization.
pub(crate) async fn show(person: Person) -> Outcome {
    let (tenant, information) = organization::show(person.app(), &person.caller).await?;
    let findability = party::findability(person.app(), &person.caller).await?;
    let body = html! {
        (head(&tenant.name, "", html! {
            @if person.may(Right::ManageOrganization) {
                a.button.plain href="/app/organization/letters" { "Letter templates" }
                a.button.plain href="/app/organization/chat" { "Chat addresses" }
                a.button href="/app/organization/edit" { "Edit" }
            }
        }))
        (card("Account", html! {
            (facts(&[
                ("Type", html! { (tenant.kind.name()) }),
                ("Status", badge(tenant.status.name())),
                ("Plan", html! { (tenant.plan.name()) }),
                ("Created", ago(person.now(), tenant.created_at)),
            ]))
            (for_developers("Organization ID", &tenant.id.to_string()))
        }))
        @if tenant.kind.is_organization() {
            (card("Can be found by name", finding(&person, &findability)))
        }
        @for (section, title, members) in SECTIONS {
            (card(title, section_facts(&tenant, &information, section, members)))
        }
    };
    Ok(person.page(&tenant.name, NavItem::Organization, body))
}

/// Whether other users can find the organization by its name, and the button to change it.
fn finding(person: &Person, Findability { wanted, domain }: &Findability) -> Markup {
    let (label, value) = if *wanted { ("Turn off", "false") } else { ("Turn on", "true") };
    html! {
        @match (wanted, domain) {
            (true, Some(domain)) => p { (badge("active")) " Others see your organization's name, type and domain (" (domain) ") when they search for it." },
            (true, None) => p { "This is turned on, but others can't find your organization until you " a href="/app/platforms" { "verify a domain" } "." },
            (false, _) => p { "Only parties that share a license, a request or a grant with you can find your organization by name." },
        }
        @if person.may(Right::ManageOrganization) {
            (post_button("/app/organization/findable", label, &[(FINDABLE, value)]))
        }
    }
}

/// Turns being found by name on or off.
pub(crate) async fn set_findable(person: Person, entered: FormData) -> Outcome {
    entered.check_text()?;
    let findable = entered.has(FINDABLE, "true");
    party::set_findable(person.app(), person.context(), person.caller(), findable).await?;
    let message = if findable {
        "Your organization can be found by name"
    } else {
        "Your organization can no longer be found by name"
    };
    Ok(person.redirect("/app/organization", message))
}

fn section_facts(
    tenant: &Tenant,
    information: &Information,
    section: &str,
    members: &[(&str, &str)],
) -> Markup {
    let all: Vec<_> = members
        .iter()
        .map(|(member, label)| {
            (*label, html! { (shown_value(tenant, information, section, member)) })
        })
        .collect();
    facts(&all)
}

fn shown_value(tenant: &Tenant, information: &Information, section: &str, member: &str) -> String {
    let value = value(tenant, information, section, member);
    let value = value.unwrap_or_else(|| "–".to_owned());
    let country = country_names().find(|(code, _)| member == COUNTRY && *code == value);
    country.map_or(value, |(_, name)| name.to_owned())
}

fn value(
    tenant: &Tenant,
    information: &Information,
    section: &str,
    member: &str,
) -> Option<String> {
    match member {
        "description" => tenant.description.clone(),
        YEAR => information.number(section, member).map(|it| it.to_string()),
        _ => information.text(section, member),
    }
}

/// Shows the form to edit the organization.
pub(crate) async fn edit(person: Person) -> Outcome {
    let (tenant, information) = organization::show(person.app(), &person.caller).await?;
    let mut entered = FormData::default().with("name", tenant.name.as_str());
    for (section, _, members) in SECTIONS {
        for (member, _) in members {
            let value = value(&tenant, &information, section, member);
            entered = entered.with(&format!("{section}.{member}"), value.unwrap_or_default());
        }
    }
    Ok(draw(&person, &entered))
}

/// Saves changes.
pub(crate) async fn change(person: Person, entered: FormData) -> Outcome {
    let changed = async {
        let mut fields = entered.fields();
        let change = fields.take_all(InformationChange::parse(&members(&entered)));
        fields.finish()?;
        let change = change.ok_or_else(|| Error::validation("Some fields are not valid"))?;
        organization::change(person.app(), person.context(), person.caller(), change).await
    };
    match changed.await {
        Ok(_) => Ok(person.redirect("/app/organization", "Organization updated")),
        Err(error) => Ok(person.redisplay(error, entered, |entered| draw(&person, entered))),
    }
}

/// Returns the form data as the domain parses it. An empty field clears its value.
fn members(entered: &FormData) -> Map<String, Value> {
    let mut all = Map::new();
    all.insert("name".to_owned(), entered.get("name").trim().into());
    for (section, _, members) in SECTIONS {
        let read = members.iter().map(|(member, _)| {
            let text = entered.optional(&format!("{section}.{member}"));
            let value = match text {
                None => Value::Null,
                // A value that isn't a number stays text, for the domain to reject.
                Some(text) if *member == YEAR => {
                    text.parse::<u32>().map_or_else(|_| text.into(), Value::from)
                }
                Some(text) => text.into(),
            };
            ((*member).to_owned(), value)
        });
        all.insert(section.to_owned(), Value::Object(read.collect()));
    }
    all
}

fn draw(person: &Person, entered: &FormData) -> Response {
    let inside = html! {
        (field("name", "Name").required().max_length(100).of(entered))
        @for (section, title, members) in SECTIONS {
            h2 { (title) }
            div.two { @for (member, label) in members { (input(section, member, label, entered)) } }
        }
    };
    let body = html! {
        (head("Edit organization", "Your public details and billing information.", html! {}))
        section.card { (form("/app/organization/edit", entered, inside, "Save changes")) }
    };
    person.page("Edit organization", NavItem::Organization, body)
}

fn input(section: &str, member: &str, label: &str, entered: &FormData) -> Markup {
    let name = format!("{section}.{member}");
    match member {
        "description" => area(&name, label, Some("Up to 500 characters."), 3, entered),
        "website" => field(&name, label).kind("url").placeholder("https://example.com").of(entered),
        COUNTRY => {
            let countries: Vec<_> = [("", "–")].into_iter().chain(country_names()).collect();
            select(&name, label, None, &countries, entered)
        }
        "email" => field(&name, label).kind("email").of(entered),
        "phone" => field(&name, label).kind("tel").of(entered),
        YEAR => field(&name, label).inputmode("numeric").of(entered),
        _ => field(&name, label).of(entered),
    }
}
