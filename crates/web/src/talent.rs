//! `/app/talents`: the roster of an agency, or the one record of who manages themself.

use axum::response::Response;
use grantor_domain::Error;
use grantor_domain::email::Email;
use grantor_domain::id::{TalentId, TeamId};
use grantor_domain::page::Listing;
use grantor_domain::patch::Patch;
use grantor_domain::person::{Bio, FullName, Phone};
use grantor_domain::role::Right;
use grantor_domain::talent::{Aliases, SocialMedia, TalentStatus};
use grantor_service::license::{self, Seen};
use grantor_service::talent::{self, Changes, Invitee, Listed, NewTalent};
use grantor_service::team;
use maud::{Markup, html};

use crate::frame::{Asked, Entered, Outcome, Person, Segment};
use crate::license::brief;
use crate::view::filter::{filters, find};
use crate::view::{
    Place, Table, ago, area, badge, card, empty, facts, field, form, head, pager, select,
};

/// The roster.
pub(crate) async fn list(person: Person, asked: Asked) -> Outcome {
    let search = asked.get("search").map(str::to_owned);
    let found = asked
        .within(talent::list(person.app(), &person.caller, search.clone(), asked.page()?).await?)?;
    let table = Table::new("Talents", &["Name", "Also known as", "Licenses", "Status", "Changed"])
        .rows(&found.items, |it| row(&person, it));
    let body = html! {
        (head("Talents", "The people whose likeness you license.", actions(&person)))
        (filters("/app/talents", &asked, find("search", "Find a name", &asked)))
        @if found.items.is_empty() {
            (nobody(&person, search.is_some()))
        } @else { (table.show()) (pager(&found, &person.here)) }
    };
    Ok(person.page("Talents", Place::Talents, body))
}

fn row(person: &Person, Listed { talent, license_count }: &Listed) -> Vec<Markup> {
    vec![
        html! {
            a href={ "/app/talents/" (talent.id) } { (talent.fullname.as_str()) }
            @if talent.verified { " " (badge("verified")) }
        },
        html! { (talent.aliases.as_slice().join(", ")) },
        html! { (license_count) },
        badge(talent.status.name()),
        ago(person.now(), talent.updated_at),
    ]
}

fn actions(person: &Person) -> Markup {
    html! {
        @if person.may(Right::ManageTalents) && person.caller.tenant_type.is_organization() {
            a.button href="/app/talents/new" { "Add a talent" }
            a.button.plain href="/app/talents/invite" { "Invite" }
        }
    }
}

fn nobody(person: &Person, searched: bool) -> Markup {
    if searched {
        return empty(
            "Nobody of this name",
            "Try the beginning of another word of the name.",
            html! {
                a.button.plain href="/app/talents" { "Show everybody" }
            },
        );
    }
    empty(
        "No talents yet",
        "Add the people you represent; then record licenses over their likeness.",
        actions(person),
    )
}

/// One talent.
pub(crate) async fn show(person: Person, Segment(id): Segment<TalentId>, asked: Asked) -> Outcome {
    let found = talent::get(person.app(), &person.caller, id).await?;
    let licenses =
        if person.may(Right::ReadLicenses) {
            Some(asked.within(
                license::of_talent(person.app(), &person.caller, id, asked.page()?).await?,
            )?)
        } else {
            None
        };
    let talent = &found.talent;
    let reached = |right| team::reached(person.app(), &person.caller, right);
    let licenses_reached = reached(Right::ManageLicenses).await?;
    let talents_reached = reached(Right::ManageTalents).await?;
    let none = || html! { span.quiet { "–" } };
    let body = html! {
        (head(talent.fullname.as_str(), "", html! {
            @if licenses_reached.holds(talent.team) {
                a.button href={ "/app/licenses/new?talent=" (talent.id) } { "New license" }
            }
            @if talents_reached.holds(talent.team) {
                a.button.plain href={ "/app/talents/" (talent.id) "/edit" } { "Edit" }
            }
        }))
        (card("Record", facts(&[
            ("Status", html! { (badge(talent.status.name())) @if talent.verified { " " (badge("verified")) } }),
            ("Also known as", html! { (talent.aliases.as_slice().join(", ")) }),
            ("Email", talent.email.as_ref().map_or_else(none, |it| html! { (it.as_str()) })),
            ("Phone", talent.phone.as_ref().map_or_else(none, |it| html! { (it.as_str()) })),
            ("About", talent.bio.as_ref().map_or_else(none, |it| html! { (it.as_str()) })),
            ("Elsewhere", html! {
                @for (name, handle) in talent.social_media.as_map() { p { (name) ": " (handle) } }
            }),
            ("Added", ago(person.now(), talent.created_at)),
        ])))
        @if let Some(licenses) = &licenses { (of_talent(&person, licenses)) }
    };
    Ok(person.page(talent.fullname.as_str(), Place::Talents, body))
}

fn of_talent(person: &Person, licenses: &Listing<Seen>) -> Markup {
    let table = Table::new("Licenses", &["License", "Status", "Changed"])
        .rows(&licenses.items, |it| brief(person, it).into());
    card(
        "Licenses",
        html! {
            @if licenses.items.is_empty() { p.quiet { "None yet." } }
            @else { (table.show()) (pager(licenses, &person.here)) }
        },
    )
}

/// The form of a new talent.
pub(crate) async fn blank(person: Person) -> Response {
    draw_new(&person, &Entered::default())
}

/// Adds one.
pub(crate) async fn create(person: Person, entered: Entered) -> Outcome {
    let made = async {
        let new = read(&entered)?;
        talent::create(person.app(), person.context(), person.caller(), new).await
    };
    match made.await {
        Ok(made) => {
            Ok(person
                .went(format!("/app/talents/{}", made.talent.id), "The talent is on your roster"))
        }
        Err(error) => Ok(person.again(error, entered, |entered| draw_new(&person, entered))),
    }
}

fn draw_new(person: &Person, entered: &Entered) -> Response {
    let body = html! {
        (head("Add a talent", "Who joins your roster?", html! {}))
        (card("Record", form("/app/talents/new", entered, fields(entered), "Add")))
    };
    person.page("Add a talent", Place::Talents, body)
}

/// What both forms ask for.
fn fields(entered: &Entered) -> Markup {
    html! {
        (field("fullname", "Full name").required().longest(100).hint("The name that is licensed and watched for.").of(entered))
        (area("aliases", "Also known as", Some("One name a line, at most 20."), 3, entered))
        (field("email", "Email").kind("email").of(entered))
        (field("phone", "Phone").kind("tel").of(entered))
        (area("bio", "About", Some("A few lines, at most 500 characters."), 4, entered))
        (area("socialMedia", "Elsewhere", Some("One a line, such as Instagram: @name"), 3, entered))
    }
}

fn read(entered: &Entered) -> Result<NewTalent, Error> {
    let mut fields = entered.fields();
    let fullname = entered.required(&mut fields, "fullname");
    let fullname = fields.take("fullname", FullName::parse(fullname));
    let aliases =
        fields.take("aliases", Aliases::parse(&entered.lines("aliases").collect::<Vec<_>>()));
    let email = entered.optional("email").and_then(|it| fields.take("email", Email::parse(it)));
    let phone = entered.optional("phone").and_then(|it| fields.take("phone", Phone::parse(it)));
    let bio = entered.optional("bio").and_then(|it| fields.take("bio", Bio::parse(it)));
    let social_media = fields.take("socialMedia", places(entered));
    let team =
        entered.optional("teamId").and_then(|it| fields.take("teamId", it.parse::<TeamId>()));
    fields.finish()?;
    let (Some(fullname), Some(aliases), Some(social_media)) = (fullname, aliases, social_media)
    else {
        return Err(Error::validation("Some fields are not valid"));
    };
    Ok(NewTalent { fullname, aliases, email, phone, bio, social_media, team })
}

/// Lines such as `Instagram: @name`.
fn places(entered: &Entered) -> Result<SocialMedia, String> {
    let mut pairs = vec![];
    for line in entered.lines("socialMedia") {
        let pair = line.split_once(':').ok_or("must have a colon in each line")?;
        pairs.push((pair.0.trim(), pair.1.trim()));
    }
    SocialMedia::parse(pairs)
}

/// The form of a talent that is there.
pub(crate) async fn edit(person: Person, Segment(id): Segment<TalentId>) -> Outcome {
    let Listed { talent, .. } = talent::get(person.app(), &person.caller, id).await?;
    let places = talent.social_media.as_map().iter().map(|(name, it)| format!("{name}: {it}"));
    let entered = Entered::default()
        .with("fullname", talent.fullname.as_str())
        .with("aliases", talent.aliases.as_slice().join("\n"))
        .with("email", talent.email.as_ref().map_or("", |it| it.as_str()))
        .with("phone", talent.phone.as_ref().map_or("", |it| it.as_str()))
        .with("bio", talent.bio.as_ref().map_or("", |it| it.as_str()))
        .with("socialMedia", places.collect::<Vec<_>>().join("\n"))
        .with("teamId", talent.team.map(|it| it.to_string()).unwrap_or_default())
        .with("status", talent.status.name());
    Ok(draw_edit(&person, id, &entered))
}

/// Changes one.
pub(crate) async fn change(
    person: Person,
    Segment(id): Segment<TalentId>,
    entered: Entered,
) -> Outcome {
    let changed = async {
        let changes = read_changes(&entered)?;
        talent::change(person.app(), person.context(), person.caller(), id, changes).await
    };
    match changed.await {
        Ok(_) => Ok(person.went(format!("/app/talents/{id}"), "The talent was changed")),
        Err(error) => Ok(person.again(error, entered, |entered| draw_edit(&person, id, entered))),
    }
}

/// A form shows all there is, so what it leaves empty is taken away.
fn read_changes(entered: &Entered) -> Result<Changes, Error> {
    let mut fields = entered.fields();
    let status = fields.take("status", entered.get("status").parse::<TalentStatus>());
    let new = fields.take_all(read(entered));
    fields.finish()?;
    let Some(new) = new else { return Err(Error::validation("Some fields are not valid")) };
    let set = |it: Option<_>| it.map_or(Patch::Clear, Patch::Set);
    Ok(Changes {
        fullname: Some(new.fullname),
        aliases: Some(new.aliases),
        email: new.email.map_or(Patch::Clear, Patch::Set),
        phone: new.phone.map_or(Patch::Clear, Patch::Set),
        bio: new.bio.map_or(Patch::Clear, Patch::Set),
        social_media: Some(new.social_media),
        status,
        team: set(new.team),
    })
}

fn draw_edit(person: &Person, id: TalentId, entered: &Entered) -> Response {
    let words = [("active", "On the roster"), ("inactive", "Not for now")];
    let inside = html! {
        (fields(entered))
        (select("status", "Status", None, &words, entered))
        (crate::view::hidden("teamId", entered.get("teamId")))
    };
    let body = html! {
        (head("Edit a talent", "", html! {}))
        (card("Record", form(&format!("/app/talents/{id}/edit"), entered, inside, "Save")))
    };
    person.page("Edit a talent", Place::Talents, body)
}

/// The form of an invitation.
pub(crate) async fn invitation(person: Person) -> Response {
    draw_invitation(&person, &Entered::default())
}

/// Invites somebody.
pub(crate) async fn invite(person: Person, entered: Entered) -> Outcome {
    let invited = async {
        let invitee = read_invitee(&entered)?;
        talent::invite(person.app(), person.context(), person.caller(), invitee).await
    };
    match invited.await {
        Ok(_) => Ok(person.went("/app/talents", "The invitation is on its way")),
        Err(error) => Ok(person.again(error, entered, |entered| draw_invitation(&person, entered))),
    }
}

fn read_invitee(entered: &Entered) -> Result<Invitee, Error> {
    let mut fields = entered.fields();
    let fullname = entered.required(&mut fields, "fullname");
    let email = entered.required(&mut fields, "email");
    let fullname = fields.take("fullname", FullName::parse(fullname));
    let email = fields.take("email", Email::parse(email));
    fields.finish()?;
    let unread = || Error::validation("Some fields are not valid");
    let (fullname, email) = fullname.zip(email).ok_or_else(unread)?;
    Ok(Invitee::New { fullname, email, team: None })
}

fn draw_invitation(person: &Person, entered: &Entered) -> Response {
    let inside = html! {
        (field("fullname", "Full name").required().of(entered))
        (field("email", "Email").kind("email").required().of(entered))
    };
    let body = html! {
        (head("Invite a talent", "They get a mail, and take up their own record with it.", html! {}))
        (card("Invitation", form("/app/talents/invite", entered, inside, "Send")))
    };
    person.page("Invite a talent", Place::Talents, body)
}
