//! `/app/profile`: who one is, one's password, and where one is signed in.

use axum::response::Response;
use grantor_domain::Error;
use grantor_domain::id::SessionId;
use grantor_domain::page::Listing;
use grantor_domain::patch::Patch;
use grantor_domain::person::{Bio, Location, NameChange, NamePart, Phone};
use grantor_service::profile::{self, Changes, Session, Tenant, User};
use maud::{Markup, html};

use crate::frame::{Asked, Entered, Outcome, Person, Segment};
use crate::view::{
    Place, Table, ago, area, badge, card, confirm, facts, field, form, head, new_password, pager,
};

/// What the page shows beside its forms.
struct Seen {
    user: User,
    /// First and last name.
    name: (String, String),
    tenant: Tenant,
    sessions: Listing<Session>,
    /// The address of this page of the list.
    here: String,
}

/// The page.
pub(crate) async fn show(person: Person, asked: Asked) -> Outcome {
    let seen = look(&person, &asked, person.here.clone()).await?;
    Ok(draw(&person, &seen, &filled(&seen), &Entered::default()))
}

async fn look(person: &Person, asked: &Asked, here: String) -> Result<Seen, Error> {
    let (app, caller) = (person.app(), &person.caller);
    let sessions = asked.within(profile::sessions(app, caller, asked.page()?).await?)?;
    let (user, tenant) = profile::show(app, caller).await?;
    let name = profile::name_parts(app, caller).await?;
    Ok(Seen { user, name, tenant, sessions, here })
}

async fn look_again(person: &Person) -> Result<Seen, Error> {
    look(person, &Asked::default(), "/app/profile".to_owned()).await
}

fn filled(seen: &Seen) -> Entered {
    let Seen { user, name: (first, last), .. } = seen;
    let text = |it: &Option<String>| it.clone().unwrap_or_default();
    Entered::default()
        .with("firstname", first.as_str())
        .with("lastname", last.as_str())
        .with("bio", text(&user.bio))
        .with("location", text(&user.location))
        .with("phone", text(&user.phone))
}

/// Changes who one is.
pub(crate) async fn change(person: Person, entered: Entered) -> Outcome {
    let changed = async {
        let changes = read(&entered)?;
        profile::change(person.app(), person.context(), person.caller(), changes).await
    };
    match changed.await {
        Ok(_) => Ok(person.went("/app/profile", "Your profile was changed")),
        Err(error) => {
            let seen = look_again(&person).await?;
            let none = Entered::default();
            Ok(person.again(error, entered, |entered| draw(&person, &seen, entered, &none)))
        }
    }
}

/// A form shows all there is, so what it leaves empty is taken away.
fn read(entered: &Entered) -> Result<Changes, Error> {
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
pub(crate) async fn change_password(person: Person, entered: Entered) -> Outcome {
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
        Ok(()) => Ok(person
            .went("/app/profile", "Your password was changed; your other sessions have ended")),
        Err(error) => {
            let seen = look_again(&person).await?;
            let filled = filled(&seen);
            Ok(person.again(error, entered, |entered| draw(&person, &seen, &filled, entered)))
        }
    }
}

fn draw(person: &Person, seen: &Seen, entered: &Entered, password: &Entered) -> Response {
    let passwords = html! {
        (field("password", "Present password").kind("password").autocomplete("current-password").required().of(password))
        (new_password("newPassword", "New password", password))
    };
    let body = html! {
        (head("Your profile", &seen.user.email, html! {}))
        (card("Account", facts(&[
            ("Organization", html! { a href="/app/organization" { (seen.tenant.name) } }),
            ("Role", html! { (person.caller.role.name().replace('_', " ")) }),
            ("Member since", ago(person.now(), seen.user.created_at)),
        ])))
        (card("About you", form("/app/profile", entered, inputs(entered), "Save")))
        (card("Password", form("/app/profile/password", password, passwords, "Change the password")))
        section id="sessions" {
            h2 { "Where you are signed in" }
            (sessions(person, &seen.sessions)) (pager(&seen.sessions, &seen.here))
        }
    };
    person.page("Your profile", Place::Profile, body)
}

fn inputs(entered: &Entered) -> Markup {
    html! {
        div.two {
            (field("firstname", "First name").required().longest(98).autocomplete("given-name").of(entered))
            (field("lastname", "Last name").longest(98).autocomplete("family-name").of(entered))
        }
        (area("bio", "About", Some("At most 500 characters."), 3, entered))
        div.two {
            (field("location", "Where you are").of(entered))
            (field("phone", "Phone").kind("tel").autocomplete("tel").of(entered))
        }
    }
}

fn sessions(person: &Person, found: &Listing<Session>) -> Markup {
    let (now, current) = (person.now(), person.caller.session);
    let heads = ["Device", "Address", "Signed in", "Last seen", ""];
    let table = Table::new("Sign-ins", &heads).rows(&found.items, |it: &Session| {
        let own = it.id == current;
        let why =
            if own { "You are signed out here." } else { "Whoever uses it must sign in again." };
        vec![
            html! {
                (it.device.as_deref().unwrap_or("unknown")) @if own { " " (badge("this one")) }
                @if let Some(place) = person.places.iter().find(|at| Some(at.tenant) == it.tenant) {
                    p.quiet { "acts for " (place.name) }
                }
            },
            html! { code { (it.address.as_deref().unwrap_or("–")) } },
            ago(now, it.created_at),
            ago(now, it.last_seen_at),
            confirm(&format!("/app/profile/sessions/{}/end", it.id), "End", why, &[]),
        ]
    });
    table.show()
}

/// Ends a sign-in.
pub(crate) async fn end_session(person: Person, Segment(id): Segment<SessionId>) -> Outcome {
    profile::end_session(person.app(), person.context(), person.caller(), id).await?;
    Ok(person.went("/app/profile", "The sign-in was ended"))
}
