//! `/app/organization`: the organization's details.

use axum::response::Response;
use grantor_domain::Error;
use grantor_domain::information::{Information, InformationChange};
use grantor_domain::role::Right;
use grantor_messages::text;
use grantor_service::identity::profile::Tenant;
use grantor_service::organizations::organization;
use grantor_service::organizations::party::{self, Findability};
use maud::{Markup, html};
use serde_json::{Map, Value};

use crate::frame::{FormData, Outcome, Person};
use crate::log::history_link;
use crate::view::rich::rich;
use crate::view::territory::country_options;
use crate::view::{
    NavItem, ago, area, badge, card, facts, field, for_developers, form, head, label, post_button,
    select,
};

/// A section: its member name, the key of its title, and its fields with the keys of their labels.
type Section = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

const YEAR: &str = "foundedYear";
const COUNTRY: &str = "country";
/// The value of the button that turns being found by name on or off.
const FINDABLE: &str = "findable";
const SECTIONS: [Section; 4] = [
    (
        "basicInfo",
        "organization-about",
        &[
            ("description", "organization-description"),
            ("website", "organization-website"),
            ("industry", "organization-industry"),
            (YEAR, "organization-founded"),
        ],
    ),
    (
        "address",
        "organization-address",
        &[
            ("street", "organization-street"),
            ("postalCode", "organization-postal-code"),
            ("city", "organization-city"),
            ("region", "organization-region"),
            (COUNTRY, "organization-country"),
        ],
    ),
    (
        "contact",
        "organization-contact",
        &[
            ("person", "organization-contact-person"),
            ("email", "organization-contact-email"),
            ("phone", "organization-contact-phone"),
        ],
    ),
    (
        "taxInfo",
        "organization-tax",
        &[
            ("legalName", "organization-legal-name"),
            ("taxId", "organization-tax-id"),
            ("vatNumber", "organization-vat-number"),
        ],
    ),
];

/// Shows the organization.
pub(crate) async fn show(person: Person) -> Outcome {
    let (tenant, information) = organization::show(person.app(), &person.caller).await?;
    let findability = party::findability(person.app(), &person.caller).await?;
    let body = html! {
        (head(&tenant.name, "", html! {
            @if person.may(Right::ManageOrganization) {
                a.button.plain href="/app/organization/letters" { (text!("organization-letters")) }
                a.button.plain href="/app/organization/chat" { (text!("organization-chats")) }
                @if tenant.kind.is_organization() {
                    a.button.plain href="/app/organization/security" { (text!("organization-security")) }
                    a.button.plain href="/app/organization/single-sign-on" { (text!("organization-sso")) }
                }
            }
            @if person.acts(Right::ManageOrganization) {
                a.button href="/app/organization/edit" { (text!("action-edit")) }
            }
        }))
        (card(text!("organization-account"), html! {
            (facts(&[
                (text!("word-type"), html! { (label::tenant_type(tenant.kind)) }),
                (text!("word-status"), badge(tenant.status.name())),
                (text!("organization-plan"), html! { (tenant.plan.name()) }),
                (text!("word-created"), ago(person.now(), tenant.created_at)),
            ]))
            (for_developers(text!("organization-id"), &tenant.id.to_string()))
        }))
        @if tenant.kind.is_organization() {
            (card(text!("organization-findable"), finding(&person, &findability)))
        }
        @for (section, title, members) in SECTIONS {
            (card(text(title), section_facts(&tenant, &information, section, members)))
        }
        (history_link(&person, &tenant.id.to_string()))
    };
    Ok(person.page(&tenant.name, NavItem::Organization, body))
}

/// Whether other users can find the organization by its name, and the button to change it.
fn finding(person: &Person, Findability { wanted, domain }: &Findability) -> Markup {
    let (label, value) = if *wanted {
        (text!("organization-findable-turn-off"), "false")
    } else {
        (text!("organization-findable-turn-on"), "true")
    };
    html! {
        @match (wanted, domain) {
            (true, Some(domain)) => p { (badge("active")) " " (text!("organization-findable-on", domain = domain)) },
            (true, None) => p {
                (rich!("organization-findable-no-domain", link = html! {
                    a href="/app/platforms" { (text!("organization-findable-no-domain-link")) }
                }))
            },
            (false, _) => p { (text!("organization-findable-off")) },
        }
        @if person.acts(Right::ManageOrganization) {
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
        text!("organization-findable-turned-on")
    } else {
        text!("organization-findable-turned-off")
    };
    Ok(person.redirect("/app/organization", message))
}

fn section_facts(
    tenant: &Tenant,
    information: &Information,
    section: &str,
    members: &[(&'static str, &'static str)],
) -> Markup {
    let all: Vec<_> = members
        .iter()
        .map(|(member, label)| {
            (text(label), html! { (shown_value(tenant, information, section, member)) })
        })
        .collect();
    facts(&all)
}

fn shown_value(tenant: &Tenant, information: &Information, section: &str, member: &str) -> String {
    let value = value(tenant, information, section, member).unwrap_or_default();
    let mut countries = country_options().into_iter();
    let country = countries.find(|(code, _)| member == COUNTRY && *code == value);
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
        Ok(_) => Ok(person.redirect("/app/organization", text!("organization-updated"))),
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
        (field("name", text!("word-name")).required().max_length(100).of(entered))
        @for (section, title, members) in SECTIONS {
            h2 { (text(title)) }
            div.two { @for (member, label) in members { (input(section, member, text(label), entered)) } }
        }
    };
    let body = html! {
        (head(text!("organization-edit"), text!("organization-edit-lead"), html! {}))
        section.card { (form("/app/organization/edit", entered, inside, text!("organization-save"))) }
    };
    person.page(text!("organization-edit"), NavItem::Organization, body)
}

fn input(section: &str, member: &str, label: &str, entered: &FormData) -> Markup {
    let name = format!("{section}.{member}");
    match member {
        "description" => {
            area(&name, label, Some(text!("organization-description-hint")), 3, entered)
        }
        "website" => field(&name, label).kind("url").placeholder("https://example.com").of(entered),
        COUNTRY => {
            let countries: Vec<_> = [("", "–")].into_iter().chain(country_options()).collect();
            select(&name, label, None, &countries, entered)
        }
        "email" => field(&name, label).kind("email").of(entered),
        "phone" => field(&name, label).kind("tel").of(entered),
        YEAR => field(&name, label).inputmode("numeric").of(entered),
        _ => field(&name, label).of(entered),
    }
}
