//! `/app/organization`: what an organization tells of itself.

use axum::response::Response;
use grantor_domain::Error;
use grantor_domain::information::{Information, InformationChange};
use grantor_domain::role::Right;
use grantor_service::organization;
use grantor_service::profile::Tenant;
use maud::{Markup, html};
use serde_json::{Map, Value};

use crate::frame::{Entered, Outcome, Person};
use crate::view::{Place, ago, area, badge, card, facts, field, form, head};

/// A section: its name, its words, and its members.
type Section = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

const YEAR: &str = "foundedYear";
const SECTIONS: [Section; 4] = [
    (
        "basicInfo",
        "About",
        &[
            ("description", "Description"),
            ("website", "Website"),
            ("industry", "Industry"),
            (YEAR, "Founded in"),
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
            ("country", "Country"),
        ],
    ),
    ("contact", "Contact", &[("person", "Person"), ("email", "Email"), ("phone", "Phone")]),
    (
        "taxInfo",
        "Tax",
        &[("legalName", "Legal name"), ("taxId", "Tax number"), ("vatNumber", "VAT number")],
    ),
];

/// What is told.
pub(crate) async fn show(person: Person) -> Outcome {
    let (tenant, told) = organization::show(person.app(), &person.caller).await?;
    let body = html! {
        (head(&tenant.name, "", html! {
            @if person.may(Right::ManageOrganization) { a.button href="/app/organization/edit" { "Edit" } }
        }))
        (card("Account", facts(&[
            ("Type", html! { (tenant.kind.name()) }),
            ("Status", badge(tenant.status.name())),
            ("Plan", html! { (tenant.plan.name()) }),
            ("Since", ago(person.now(), tenant.created_at)),
            ("Id", html! { code { (tenant.id) } }),
        ])))
        @for (section, words, members) in SECTIONS {
            (card(words, section_facts(&tenant, &told, section, members)))
        }
    };
    Ok(person.page(&tenant.name, Place::Organization, body))
}

fn section_facts(
    tenant: &Tenant,
    told: &Information,
    section: &str,
    members: &[(&str, &str)],
) -> Markup {
    let all: Vec<_> = members
        .iter()
        .map(|(member, words)| {
            (
                *words,
                html! { (value(tenant, told, section, member).unwrap_or_else(|| "–".to_owned())) },
            )
        })
        .collect();
    facts(&all)
}

fn value(tenant: &Tenant, told: &Information, section: &str, member: &str) -> Option<String> {
    match member {
        "description" => tenant.description.clone(),
        YEAR => told.number(section, member).map(|it| it.to_string()),
        _ => told.text(section, member),
    }
}

/// The form.
pub(crate) async fn edit(person: Person) -> Outcome {
    let (tenant, told) = organization::show(person.app(), &person.caller).await?;
    let mut entered = Entered::default().with("name", tenant.name.as_str());
    for (section, _, members) in SECTIONS {
        for (member, _) in members {
            let value = value(&tenant, &told, section, member);
            entered = entered.with(&format!("{section}.{member}"), value.unwrap_or_default());
        }
    }
    Ok(draw(&person, &entered))
}

/// Changes it.
pub(crate) async fn change(person: Person, entered: Entered) -> Outcome {
    let changed = async {
        let mut fields = entered.fields();
        let asked = fields.take_all(InformationChange::parse(&members(&entered)));
        fields.finish()?;
        let asked = asked.ok_or_else(|| Error::validation("Some fields are not valid"))?;
        organization::change(person.app(), person.context(), person.caller(), asked).await
    };
    match changed.await {
        Ok(_) => Ok(person.went("/app/organization", "Your organization was changed")),
        Err(error) => Ok(person.again(error, entered, |entered| draw(&person, entered))),
    }
}

/// What was entered, as the domain reads it. What was left empty is cleared.
fn members(entered: &Entered) -> Map<String, Value> {
    let mut all = Map::new();
    all.insert("name".to_owned(), entered.get("name").trim().into());
    for (section, _, members) in SECTIONS {
        let read = members.iter().map(|(member, _)| {
            let text = entered.optional(&format!("{section}.{member}"));
            let value = match text {
                None => Value::Null,
                // A year is a number; what is none stays a text, for the domain to refuse.
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

fn draw(person: &Person, entered: &Entered) -> Response {
    let inside = html! {
        (field("name", "Name").required().longest(100).of(entered))
        @for (section, words, members) in SECTIONS {
            h2 { (words) }
            div.two { @for (member, label) in members { (input(section, member, label, entered)) } }
        }
    };
    let body = html! {
        (head("Edit the organization", "What others may know, and what bills need.", html! {}))
        section.card { (form("/app/organization/edit", entered, inside, "Save")) }
    };
    person.page("Edit the organization", Place::Organization, body)
}

fn input(section: &str, member: &str, label: &str, entered: &Entered) -> Markup {
    let name = format!("{section}.{member}");
    match member {
        "description" => area(&name, label, Some("At most 500 characters."), 3, entered),
        "website" => field(&name, label).kind("url").placeholder("https://example.com").of(entered),
        "country" => field(&name, label).longest(2).hint("Two letters, such as US.").of(entered),
        "email" => field(&name, label).kind("email").of(entered),
        "phone" => field(&name, label).kind("tel").of(entered),
        YEAR => field(&name, label).inputmode("numeric").of(entered),
        _ => field(&name, label).of(entered),
    }
}
