//! `/app/organization/single-sign-on`: the connection to an identity provider, and its domains.

use axum::response::Response;
use grantor_domain::role::Role;
use grantor_domain::single_sign_on::{
    Connection, DomainClaim, Issuer, MailDomain, NEW_MEMBER_ROLES, ProviderClientId,
    ProviderSecret, parse_new_member_role,
};
use grantor_domain::{Error, Result};
use grantor_messages::text;
use grantor_service::identity::single_sign_on::connection::{self, NewConnection};
use grantor_service::identity::single_sign_on::{self, Settings, callback_url, domain};
use maud::{Markup, html};

use crate::frame::{FormData, Outcome, Person, Segment};
use crate::view::{
    NavItem, Table, ago, badge, card, code, confirm, facts, field, form, head, label, notice,
    post_button, select,
};

const PAGE: &str = "/app/organization/single-sign-on";

/// What the page says at the top after a domain was looked up.
#[derive(Default)]
struct Told {
    missing: Option<String>,
}

/// Shows the settings.
pub(crate) async fn show(person: Person) -> Outcome {
    let settings = single_sign_on::show(person.app(), &person.caller).await?;
    let none = FormData::default();
    Ok(draw(&person, &settings, &filled(&settings), &none, &Told::default()))
}

fn filled(settings: &Settings) -> FormData {
    let Some(connection) = &settings.connection else { return FormData::default() };
    FormData::default()
        .with("issuer", connection.issuer.as_str())
        .with("clientId", connection.client_id.as_str())
        .with("newMemberRole", connection.new_member_role.map_or("", Role::name))
}

/// Saves the connection.
pub(crate) async fn save(person: Person, entered: FormData) -> Outcome {
    let saved = async {
        let new = read(&entered)?;
        connection::save(person.app(), person.context(), person.caller(), new).await
    };
    match saved.await {
        Ok(()) => Ok(person.redirect(PAGE, text!("security-sso-saved"))),
        Err(error) => {
            let settings = single_sign_on::show(person.app(), &person.caller).await?;
            let (none, told) = (FormData::default(), Told::default());
            let draw = |entered: &FormData| draw(&person, &settings, entered, &none, &told);
            Ok(person.redisplay(error, entered, draw))
        }
    }
}

fn read(entered: &FormData) -> Result<NewConnection> {
    let mut fields = entered.fields();
    let issuer = entered.required(&mut fields, "issuer");
    let issuer = fields.take("issuer", Issuer::parse(issuer));
    let client_id = entered.required(&mut fields, "clientId");
    let client_id = fields.take("clientId", ProviderClientId::parse(client_id));
    let secret = entered.optional("clientSecret");
    let secret = secret.and_then(|it| fields.take("clientSecret", ProviderSecret::parse(it)));
    let role = parse_new_member_role(entered.get("newMemberRole"));
    let new_member_role = fields.take("newMemberRole", role).flatten();
    fields.finish()?;
    let (Some(issuer), Some(client_id)) = (issuer, client_id) else {
        return Err(Error::validation("Some fields are not valid"));
    };
    Ok(NewConnection { issuer, client_id, secret, new_member_role })
}

/// Enables or disables the connection.
pub(crate) async fn switch(person: Person, entered: FormData) -> Outcome {
    entered.check_text()?;
    let enabled = entered.has("enabled", "true");
    let (app, context, caller) = (person.app(), person.context(), person.caller());
    connection::set_enabled(app, context, caller, enabled).await?;
    let message =
        if enabled { text!("security-sso-enabled") } else { text!("security-sso-disabled") };
    Ok(person.redirect(PAGE, message))
}

/// Forgets who of the provider's people has which account.
pub(crate) async fn forget_people(person: Person) -> Outcome {
    connection::forget_people(person.app(), person.context(), person.caller()).await?;
    Ok(person.redirect(PAGE, text!("security-sso-forgotten")))
}

/// Deletes the connection.
pub(crate) async fn delete(person: Person) -> Outcome {
    connection::delete(person.app(), person.context(), person.caller()).await?;
    Ok(person.redirect(PAGE, text!("security-sso-deleted")))
}

/// Adds a domain.
pub(crate) async fn add_domain(person: Person, entered: FormData) -> Outcome {
    let added = async {
        let mut fields = entered.fields();
        let domain = entered.required(&mut fields, "domain");
        let domain = fields.take("domain", MailDomain::parse(domain));
        fields.finish()?;
        let domain = domain.ok_or_else(|| Error::field("domain", "is required"))?;
        domain::add(person.app(), person.context(), person.caller(), domain).await
    };
    match added.await {
        Ok(()) => Ok(person.redirect(PAGE, text!("security-sso-domain-added"))),
        Err(error) => refuse_domain(&person, error, entered).await,
    }
}

async fn refuse_domain(person: &Person, error: Error, entered: FormData) -> Outcome {
    let settings = single_sign_on::show(person.app(), &person.caller).await?;
    let (connection, told) = (filled(&settings), Told::default());
    let draw = |entered: &FormData| draw(person, &settings, &connection, entered, &told);
    Ok(person.redisplay(error, entered, draw))
}

/// Looks for the DNS record of a domain.
pub(crate) async fn verify_domain(person: Person, Segment(name): Segment<String>) -> Outcome {
    let domain = read_domain(&name)?;
    let (app, context, caller) = (person.app(), person.context(), person.caller());
    match domain::verify(app, context, caller, domain).await {
        Ok(Ok(())) => Ok(person.redirect(PAGE, text!("security-sso-domain-verified"))),
        Ok(Err(missing)) => {
            let settings = single_sign_on::show(person.app(), &person.caller).await?;
            let told = Told { missing: Some(missing) };
            Ok(draw(&person, &settings, &filled(&settings), &FormData::default(), &told))
        }
        Err(error) => refuse_domain(&person, error, FormData::default()).await,
    }
}

/// Removes a domain.
pub(crate) async fn remove_domain(person: Person, Segment(name): Segment<String>) -> Outcome {
    let domain = read_domain(&name)?;
    domain::remove(person.app(), person.context(), person.caller(), domain).await?;
    Ok(person.redirect(PAGE, text!("security-sso-domain-removed")))
}

fn read_domain(name: &str) -> Result<MailDomain> {
    MailDomain::parse(name).map_err(|_| Error::not_found("Domain"))
}

fn draw(
    person: &Person,
    settings: &Settings,
    connection: &FormData,
    domain: &FormData,
    told: &Told,
) -> Response {
    let body = html! {
        (head(text!("security-sso"), text!("security-sso-lead"), html! {
            a.button.plain href="/app/organization" { (text!("security-back-to-organization")) }
        }))
        @if let Some(missing) = &told.missing {
            (notice("bad", html! { p role="alert" { strong { (text!("security-sso-domain-missing")) " " } (missing) "." } }))
        }
        (card(text!("security-sso-domains"), domains(person, &settings.domains, domain)))
        (card(text!("security-sso-provider"), provider(person, settings, connection)))
        @if let Some(it) = &settings.connection { (card(text!("word-status"), status(person, it, &settings.domains))) }
    };
    person.page(text!("security-sso"), NavItem::Organization, body)
}

fn domains(person: &Person, all: &[DomainClaim], entered: &FormData) -> Markup {
    let heads =
        [text!("security-sso-domain"), text!("word-status"), text!("security-sso-record"), ""];
    let caption = text!("security-sso-domains");
    let table = Table::new(caption, &heads).rows(all, |it| domain_row(person, it));
    let inside = field("domain", text!("security-sso-domain"))
        .required()
        .max_length(253)
        .placeholder("example.com")
        .hint(text!("security-sso-domain-hint"))
        .of(entered);
    html! {
        p { (text!("security-sso-domains-lead")) }
        @if !all.is_empty() { (table.show()) }
        @if !person.is_viewed() { (form(&format!("{PAGE}/domains"), entered, inside, text!("security-sso-domain-add"))) }
    }
}

fn domain_row(person: &Person, it: &DomainClaim) -> Vec<Markup> {
    let here = format!("{PAGE}/domains/{}", it.domain.as_str());
    let question = text!("security-sso-domain-remove-question");
    vec![
        html! { strong { (it.domain.as_str()) } },
        match it.proved_at {
            Some(at) => html! { (badge("verified")) p.quiet { (ago(person.now(), at)) } },
            None => badge("pending"),
        },
        html! {
            @if it.proved_at.is_none() {
                p { (text!("security-sso-record-add")) }
                (code(text!("security-sso-record-name"), &it.domain.record_name(&person.app().service_name)))
                (code(text!("security-sso-record-value"), it.token.as_str()))
            }
        },
        html! {
            @if !person.is_viewed() {
                div.row {
                    @if it.proved_at.is_none() { (post_button(&format!("{here}/verify"), text!("security-sso-domain-verify"), &[])) }
                    (confirm(&format!("{here}/remove"), text!("action-remove"), question, &[]))
                }
            }
        },
    ]
}

fn provider(person: &Person, settings: &Settings, entered: &FormData) -> Markup {
    html! {
        p { (text!("security-sso-register")) }
        (code(text!("security-sso-redirect"), &callback_url(person.app())))
        @if person.is_viewed() { @if let Some(it) = &settings.connection { (connected(it)) } }
        @else { (connection_form(settings.connection.is_some(), entered)) }
    }
}

/// What staff who view the page see instead of the form.
fn connected(it: &Connection) -> Markup {
    let role = it.new_member_role.map(|it| label::role(it.name()));
    facts(&[
        (text!("security-sso-issuer"), html! { (it.issuer.as_str()) }),
        (text!("security-sso-client"), html! { (it.client_id.as_str()) }),
        (
            text!("security-sso-role"),
            html! { (role.as_deref().unwrap_or(text!("security-sso-nobody"))) },
        ),
    ])
}

/// The form of a connection that is known or not yet.
fn connection_form(known: bool, entered: &FormData) -> Markup {
    let none = [("", text!("security-sso-nobody"))];
    let names = NEW_MEMBER_ROLES.map(|it| (it.name(), label::role(it.name())));
    let roles: Vec<(&str, &str)> =
        none.into_iter().chain(names.iter().map(|(name, label)| (*name, label.as_str()))).collect();
    let hint =
        if known { text!("security-sso-secret-keep") } else { text!("security-sso-secret-hint") };
    let secret = field("clientSecret", text!("security-sso-secret"));
    let secret = secret.kind("password").autocomplete("off").hint(hint);
    let secret = if known { secret } else { secret.required() };
    let inside = html! {
        (field("issuer", text!("security-sso-issuer")).kind("url").required().placeholder("https://login.example.com")
            .hint(text!("security-sso-issuer-hint")).of(entered))
        (field("clientId", text!("security-sso-client")).required().max_length(255).autocomplete("off").of(entered))
        (secret.of(entered))
        (select("newMemberRole", text!("security-sso-role"), Some(text!("security-sso-role-hint")), &roles, entered))
    };
    let button = if known { text!("security-save") } else { text!("security-sso-set-up") };
    form(PAGE, entered, inside, button)
}

fn status(person: &Person, it: &Connection, domains: &[DomainClaim]) -> Markup {
    let proved = domains.iter().any(|it| it.proved_at.is_some());
    let (label, value) = if it.enabled {
        (text!("security-sso-disable"), "false")
    } else {
        (text!("security-sso-enable"), "true")
    };
    let (forget, delete) =
        (text!("security-sso-forget-question"), text!("security-sso-delete-question"));
    html! {
        @match (it.enabled, proved) {
            (true, true) => p { (badge("active")) " " (text!("security-sso-is-active")) },
            (true, false) => p { (badge("pending")) " " (text!("security-sso-is-pending")) },
            (false, _) => p { (badge("disabled")) " " (text!("security-sso-is-disabled")) },
        }
        @if !person.is_viewed() {
            div.row {
                (post_button(&format!("{PAGE}/status"), label, &[("enabled", value)]))
                (confirm(&format!("{PAGE}/forget"), text!("security-sso-forget"), forget, &[]))
                (confirm(&format!("{PAGE}/delete"), text!("action-delete"), delete, &[]))
            }
        }
    }
}
