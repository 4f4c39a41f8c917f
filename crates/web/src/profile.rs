//! `/app/profile`: the user's profile, password and sessions.

use axum::response::Response;
use grantor_domain::id::SessionId;
use grantor_domain::page::Listing;
use grantor_domain::patch::Patch;
use grantor_domain::person::{Bio, Location, NameChange, NamePart, Phone};
use grantor_domain::second_factor::Factors;
use grantor_domain::{Error, device};
use grantor_messages::text;
use grantor_service::identity::profile::{self, Changes, Session, Tenant, User};
use grantor_service::identity::second_factor;
use maud::{Markup, html};

use crate::frame::{FormData, Outcome, Params, Person, Segment};
use crate::locale;
use crate::second_factor::in_words;
use crate::view::{
    NavItem, Table, ago, area, badge, card, confirm, facts, field, form, head, label, new_password,
    pager,
};

/// The data of the page.
struct ProfilePage {
    user: User,
    /// First and last name.
    name: (String, String),
    tenant: Tenant,
    factors: Factors,
    sessions: Listing<Session>,
    /// The URL of this page of sessions.
    here: String,
}

/// Shows the profile.
pub(crate) async fn show(person: Person, params: Params) -> Outcome {
    let page = load(&person, &params, person.here.clone()).await?;
    Ok(draw(&person, &page, &filled(&page), &FormData::default()))
}

async fn load(person: &Person, params: &Params, here: String) -> Result<ProfilePage, Error> {
    let (app, caller) = (person.app(), &person.caller);
    let sessions = params.in_range(profile::sessions(app, caller, params.page()?).await?)?;
    let (user, tenant) = profile::show(app, caller).await?;
    let name = profile::name_parts(app, caller).await?;
    let factors = second_factor::show(app, caller).await?.factors;
    Ok(ProfilePage { user, name, tenant, factors, sessions, here })
}

async fn reload(person: &Person) -> Result<ProfilePage, Error> {
    load(person, &Params::default(), "/app/profile".to_owned()).await
}

fn filled(page: &ProfilePage) -> FormData {
    let ProfilePage { user, name: (first, last), .. } = page;
    let text = |it: &Option<String>| it.clone().unwrap_or_default();
    FormData::default()
        .with("firstname", first.as_str())
        .with("lastname", last.as_str())
        .with("bio", text(&user.bio))
        .with("location", text(&user.location))
        .with("phone", text(&user.phone))
}

/// Saves changes.
pub(crate) async fn change(person: Person, entered: FormData) -> Outcome {
    let changed = async {
        let changes = read(&entered)?;
        profile::change(person.app(), person.context(), person.caller(), changes).await
    };
    match changed.await {
        Ok(_) => Ok(person.redirect("/app/profile", text!("profile-updated"))),
        Err(error) => {
            let page = reload(&person).await?;
            let none = FormData::default();
            Ok(person.redisplay(error, entered, |entered| draw(&person, &page, entered, &none)))
        }
    }
}

/// The form shows every field, so an empty one clears its value.
fn read(entered: &FormData) -> Result<Changes, Error> {
    let mut fields = entered.fields();
    let given = |name| entered.optional(name).map_or(Patch::Clear, Patch::Set);
    let first = entered.required(&mut fields, "firstname");
    let last = entered.get("lastname");
    let changes = Changes {
        name: NameChange {
            fullname: None,
            first: fields.take("firstname", NamePart::parse_first(first)),
            last: fields.take("lastname", NamePart::parse(last)),
        },
        bio: given("bio").parse(|it| fields.take("bio", Bio::parse(it))),
        location: given("location").parse(|it| fields.take("location", Location::parse(it))),
        phone: given("phone").parse(|it| fields.take("phone", Phone::parse(it))),
    };
    fields.finish()?;
    Ok(changes)
}

/// Changes the password.
pub(crate) async fn change_password(person: Person, entered: FormData) -> Outcome {
    let changed = async {
        let mut fields = entered.fields();
        for name in ["password", "newPassword"] {
            if entered.get(name).is_empty() {
                fields.add(name, "is required");
            }
        }
        fields.finish()?;
        let (old, new) = (entered.get("password"), entered.get("newPassword"));
        profile::change_password(person.app(), person.context(), person.caller(), old, new).await
    };
    match changed.await {
        Ok(()) => Ok(person.redirect("/app/profile", text!("profile-password-changed"))),
        Err(error) => {
            let page = reload(&person).await?;
            let filled = filled(&page);
            Ok(person.redisplay(error, entered, |entered| draw(&person, &page, &filled, entered)))
        }
    }
}

fn draw(person: &Person, page: &ProfilePage, entered: &FormData, password: &FormData) -> Response {
    let passwords = html! {
        (field("password", text!("profile-password-current")).kind("password").autocomplete("current-password").required().of(password))
        (new_password("newPassword", text!("profile-password-new"), password))
    };
    let body = html! {
        (head(text!("profile-title"), &page.user.email, html! {
            a.button.plain href="/app/profile/notifications" { (text!("profile-notifications")) }
        }))
        (card(text!("profile-account"), facts(&[
            (text!("profile-organization"), html! { a href="/app/organization" { (page.tenant.name) } }),
            (text!("profile-role"), html! { (label::role(person.caller.role.name())) }),
            (text!("profile-member-since"), ago(person.now(), page.user.created_at)),
        ])))
        (card(text!("profile-about"), form("/app/profile", entered, inputs(entered), text!("profile-save"))))
        (card(text!("profile-password"), form("/app/profile/password", password, passwords, text!("profile-password-change"))))
        (locale::profile_card(person))
        (card(text!("profile-security"), html! {
            (facts(&[(text!("profile-second-factor"), in_words(page.factors))]))
            p { a.button.plain href="/app/profile/security" { (text!("profile-security-manage")) } }
        }))
        section id="sessions" {
            h2 { (text!("profile-sessions")) }
            @if page.sessions.total > 1 {
                (confirm("/app/profile/sign-out-others", text!("profile-sign-out-others"), text!("profile-sign-out-others-question"), &[]))
            }
            (sessions(person, &page.sessions)) (pager(&page.sessions, &page.here))
        }
    };
    person.page(text!("profile-title"), NavItem::Profile, body)
}

fn inputs(entered: &FormData) -> Markup {
    html! {
        div.two {
            (field("firstname", text!("profile-first-name")).required().max_length(98).autocomplete("given-name").of(entered))
            (field("lastname", text!("profile-last-name")).max_length(98).autocomplete("family-name").of(entered))
        }
        (area("bio", text!("profile-bio"), Some(text!("profile-bio-hint")), 3, entered))
        div.two {
            (field("location", text!("profile-location")).of(entered))
            (field("phone", text!("profile-phone")).kind("tel").autocomplete("tel").of(entered))
        }
    }
}

fn sessions(person: &Person, found: &Listing<Session>) -> Markup {
    let (now, current) = (person.now(), person.caller.session);
    let heads = [
        text!("profile-session-device"),
        text!("profile-session-address"),
        text!("profile-session-started"),
        text!("profile-session-seen"),
        "",
    ];
    let caption = text!("profile-sessions-caption");
    let table = Table::new(caption, &heads).rows(&found.items, |it: &Session| {
        let own = it.id == current;
        let question = if own {
            text!("profile-sign-out-own-question")
        } else {
            text!("profile-sign-out-question")
        };
        vec![
            html! {
                span title=[it.device.as_deref()] { (device_name(it.device.as_deref())) }
                @if own { " " (badge("this device")) }
                @if let Some(method) = it.method { p.quiet { (label::sign_in_method(method)) } }
                @if let Some(at) = person.memberships.iter().find(|at| Some(at.tenant) == it.tenant) {
                    p.quiet { (text!("profile-session-organization", organization = &at.name)) }
                }
            },
            html! { @if let Some(address) = &it.address { code { (address) } } },
            ago(now, it.created_at),
            // The time of the own session is written only now and then.
            html! {
                @if own { (text!("profile-session-active")) } @else { (ago(now, it.last_seen_at)) }
            },
            confirm(
                &format!("/app/profile/sessions/{}/end", it.id),
                text!("profile-sign-out"),
                question,
                &[],
            ),
        ]
    });
    table.show()
}

/// The name of a device in the language of the page. Only the words between the names of products
/// differ.
fn device_name(agent: Option<&str>) -> String {
    let name = device::describe(agent);
    match name.split_once(" on ") {
        Some(("Browser", system)) => text!("profile-device-browser", system = system),
        Some((browser, system)) => {
            text!("profile-device-name", browser = browser, system = system)
        }
        None if name == device::describe(None) => text!("profile-device-unknown").to_owned(),
        None => name,
    }
}

/// Ends a session.
pub(crate) async fn end_session(person: Person, Segment(id): Segment<SessionId>) -> Outcome {
    profile::end_session(person.app(), person.context(), person.caller(), id).await?;
    Ok(person.redirect("/app/profile", text!("profile-session-ended")))
}

/// Ends all other sessions.
pub(crate) async fn end_other_sessions(person: Person) -> Outcome {
    let (app, context) = (person.app(), person.context());
    let ended = profile::end_other_sessions(app, context, person.caller()).await?;
    let message = text!("profile-sessions-ended", count = ended);
    Ok(person.redirect("/app/profile", &message))
}
