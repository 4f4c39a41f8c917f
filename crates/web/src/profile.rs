//! `/app/profile`: the user's profile, password and sessions.

use axum::response::Response;
use grantor_domain::Error;
use grantor_domain::id::SessionId;
use grantor_domain::page::Listing;
use grantor_domain::patch::Patch;
use grantor_domain::person::{Bio, Location, NameChange, NamePart, Phone};
use grantor_service::identity::profile::{self, Changes, Session, Tenant, User};
use maud::{Markup, html};

use crate::frame::{FormData, Outcome, Params, Person, Segment};
use crate::view::{
    NavItem, Table, ago, area, badge, card, confirm, facts, field, form, head, new_password, pager,
    sentence_case,
};

/// The data of the page.
struct ProfilePage {
    user: User,
    /// First and last name.
    name: (String, String),
    tenant: Tenant,
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
    Ok(ProfilePage { user, name, tenant, sessions, here })
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
        Ok(_) => Ok(person.redirect("/app/profile", "Profile updated")),
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
        Ok(()) => Ok(person.redirect(
            "/app/profile",
            "Password changed. Your other sessions have been signed out.",
        )),
        Err(error) => {
            let page = reload(&person).await?;
            let filled = filled(&page);
            Ok(person.redisplay(error, entered, |entered| draw(&person, &page, &filled, entered)))
        }
    }
}

fn draw(person: &Person, page: &ProfilePage, entered: &FormData, password: &FormData) -> Response {
    let passwords = html! {
        (field("password", "Current password").kind("password").autocomplete("current-password").required().of(password))
        (new_password("newPassword", "New password", password))
    };
    let body = html! {
        (head("Profile", &page.user.email, html! {
            a.button.plain href="/app/profile/notifications" { "Notification settings" }
        }))
        (card("Account", facts(&[
            ("Organization", html! { a href="/app/organization" { (page.tenant.name) } }),
            ("Role", html! { (sentence_case(person.caller.role.name())) }),
            ("Member since", ago(person.now(), page.user.created_at)),
        ])))
        (card("About you", form("/app/profile", entered, inputs(entered), "Save changes")))
        (card("Password", form("/app/profile/password", password, passwords, "Change password")))
        section id="sessions" {
            h2 { "Sessions" }
            (sessions(person, &page.sessions)) (pager(&page.sessions, &page.here))
        }
    };
    person.page("Profile", NavItem::Profile, body)
}

fn inputs(entered: &FormData) -> Markup {
    html! {
        div.two {
            (field("firstname", "First name").required().max_length(98).autocomplete("given-name").of(entered))
            (field("lastname", "Last name").max_length(98).autocomplete("family-name").of(entered))
        }
        (area("bio", "Bio", Some("Up to 500 characters."), 3, entered))
        div.two {
            (field("location", "Location").of(entered))
            (field("phone", "Phone").kind("tel").autocomplete("tel").of(entered))
        }
    }
}

fn sessions(person: &Person, found: &Listing<Session>) -> Markup {
    let (now, current) = (person.now(), person.caller.session);
    let heads = ["Device", "IP address", "Signed in", "Last seen", ""];
    let table = Table::new("Sessions", &heads).rows(&found.items, |it: &Session| {
        let own = it.id == current;
        let question =
            if own { "You'll be signed out." } else { "The device will be signed out." };
        vec![
            html! {
                (it.device.as_deref().unwrap_or("unknown")) @if own { " " (badge("this device")) }
                @if let Some(at) = person.memberships.iter().find(|at| Some(at.tenant) == it.tenant) {
                    p.quiet { "Signed in to " (at.name) }
                }
            },
            html! { code { (it.address.as_deref().unwrap_or("–")) } },
            ago(now, it.created_at),
            ago(now, it.last_seen_at),
            confirm(&format!("/app/profile/sessions/{}/end", it.id), "Sign out", question, &[]),
        ]
    });
    table.show()
}

/// Ends a session.
pub(crate) async fn end_session(person: Person, Segment(id): Segment<SessionId>) -> Outcome {
    profile::end_session(person.app(), person.context(), person.caller(), id).await?;
    Ok(person.redirect("/app/profile", "Session signed out"))
}
