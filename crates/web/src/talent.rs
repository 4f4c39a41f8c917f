//! `/app/talents`: an agency's talents, or the single record of an individual.

use axum::response::Response;
use grantor_domain::Error;
use grantor_domain::email::Email;
use grantor_domain::id::{TalentId, TeamId};
use grantor_domain::page::Listing;
use grantor_domain::patch::Patch;
use grantor_domain::person::{Bio, FullName, Phone};
use grantor_domain::role::Right;
use grantor_domain::talent::{Aliases, SocialMedia, TalentStatus};
use grantor_service::licensing::license::{self, LicenseView};
use grantor_service::licensing::talent::{self, Changes, Invitee, ListedTalent, NewTalent};
use grantor_service::organizations::team;
use maud::{Markup, html};

use crate::frame::{FormData, Outcome, Params, Person, Segment};
use crate::license::brief;
use crate::view::filter::{filters, search_box};
use crate::view::{
    NavItem, Table, ago, area, badge, card, empty, facts, field, form, head, pager, select,
};

/// Lists talents.
pub(crate) async fn list(person: Person, params: Params) -> Outcome {
    let search = params.get("search").map(str::to_owned);
    let found = params.in_range(
        talent::list(person.app(), &person.caller, search.clone(), params.page()?).await?,
    )?;
    let table = Table::new("Talents", &["Name", "Also known as", "Licenses", "Status", "Updated"])
        .rows(&found.items, |it| row(&person, it));
    let body = html! {
        (head("Talents", "The people whose likenesses you license.", actions(&person)))
        (filters("/app/talents", &params, search_box("search", "Search by name", &params)))
        @if found.items.is_empty() {
            (no_talents(&person, search.is_some()))
        } @else { (table.show()) (pager(&found, &person.here)) }
    };
    Ok(person.page("Talents", NavItem::Talents, body))
}

fn row(person: &Person, ListedTalent { talent, license_count }: &ListedTalent) -> Vec<Markup> {
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
            a.button href="/app/talents/new" { "Add talent" }
            a.button.plain href="/app/talents/invite" { "Invite" }
        }
    }
}

fn no_talents(person: &Person, searched: bool) -> Markup {
    if searched {
        return empty(
            "No talents found",
            "Search matches the start of each word in a name.",
            html! {
                a.button.plain href="/app/talents" { "Clear search" }
            },
        );
    }
    empty(
        "No talents yet",
        "Add the people you represent, then create licenses for their likenesses.",
        actions(person),
    )
}

/// Shows a talent.
pub(crate) async fn show(
    person: Person,
    Segment(id): Segment<TalentId>,
    params: Params,
) -> Outcome {
    let found = talent::get(person.app(), &person.caller, id).await?;
    let licenses = if person.may(Right::ReadLicenses) {
        Some(params.in_range(
            license::of_talent(person.app(), &person.caller, id, params.page()?).await?,
        )?)
    } else {
        None
    };
    let talent = &found.talent;
    let reached = |right| team::right_scope(person.app(), &person.caller, right);
    let licenses_reached = reached(Right::ManageLicenses).await?;
    let talents_reached = reached(Right::ManageTalents).await?;
    let none = || html! { span.quiet { "–" } };
    let body = html! {
        (head(talent.fullname.as_str(), "", html! {
            @if licenses_reached.includes(talent.team) {
                a.button href={ "/app/licenses/new?talent=" (talent.id) } { "New license" }
            }
            @if talents_reached.includes(talent.team) {
                a.button.plain href={ "/app/talents/" (talent.id) "/edit" } { "Edit" }
            }
        }))
        (card("Details", facts(&[
            ("Status", html! { (badge(talent.status.name())) @if talent.verified { " " (badge("verified")) } }),
            ("Also known as", html! { (talent.aliases.as_slice().join(", ")) }),
            ("Email", talent.email.as_ref().map_or_else(none, |it| html! { (it.as_str()) })),
            ("Phone", talent.phone.as_ref().map_or_else(none, |it| html! { (it.as_str()) })),
            ("Bio", talent.bio.as_ref().map_or_else(none, |it| html! { (it.as_str()) })),
            ("Social media", html! {
                @for (name, handle) in talent.social_media.as_map() { p { (name) ": " (handle) } }
            }),
            ("Added", ago(person.now(), talent.created_at)),
        ])))
        @if let Some(licenses) = &licenses { (of_talent(&person, licenses)) }
    };
    Ok(person.page(talent.fullname.as_str(), NavItem::Talents, body))
}

fn of_talent(person: &Person, licenses: &Listing<LicenseView>) -> Markup {
    let table = Table::new("Licenses", &["License", "Status", "Updated"])
        .rows(&licenses.items, |it| brief(person, it).into());
    card(
        "Licenses",
        html! {
            @if licenses.items.is_empty() { p.quiet { "No licenses yet." } }
            @else { (table.show()) (pager(licenses, &person.here)) }
        },
    )
}

/// Shows the form for a new talent.
pub(crate) async fn new_form(person: Person) -> Response {
    draw_new(&person, &FormData::default())
}

/// Adds a talent.
pub(crate) async fn create(person: Person, entered: FormData) -> Outcome {
    let made = async {
        let new = read(&entered)?;
        talent::create(person.app(), person.context(), person.caller(), new).await
    };
    match made.await {
        Ok(made) => Ok(person.redirect(format!("/app/talents/{}", made.talent.id), "Talent added")),
        Err(error) => Ok(person.redisplay(error, entered, |entered| draw_new(&person, entered))),
    }
}

fn draw_new(person: &Person, entered: &FormData) -> Response {
    let body = html! {
        (head("Add talent", "Add a person you represent.", html! {}))
        (card("Details", form("/app/talents/new", entered, fields(entered), "Add talent")))
    };
    person.page("Add talent", NavItem::Talents, body)
}

/// The fields of both forms.
fn fields(entered: &FormData) -> Markup {
    html! {
        (field("fullname", "Full name").required().max_length(100).hint("The name to license and monitor.").of(entered))
        (area("aliases", "Also known as", Some("One name per line, up to 20."), 3, entered))
        (field("email", "Email").kind("email").of(entered))
        (field("phone", "Phone").kind("tel").of(entered))
        (area("bio", "Bio", Some("Up to 500 characters."), 4, entered))
        (area("socialMedia", "Social media", Some("One account per line, such as Instagram: @name"), 3, entered))
    }
}

fn read(entered: &FormData) -> Result<NewTalent, Error> {
    let mut fields = entered.fields();
    let fullname = entered.required(&mut fields, "fullname");
    let fullname = fields.take("fullname", FullName::parse(fullname));
    let aliases =
        fields.take("aliases", Aliases::parse(&entered.lines("aliases").collect::<Vec<_>>()));
    let email = entered.optional("email").and_then(|it| fields.take("email", Email::parse(it)));
    let phone = entered.optional("phone").and_then(|it| fields.take("phone", Phone::parse(it)));
    let bio = entered.optional("bio").and_then(|it| fields.take("bio", Bio::parse(it)));
    let social_media = fields.take("socialMedia", social_media(entered));
    let team =
        entered.optional("teamId").and_then(|it| fields.take("teamId", it.parse::<TeamId>()));
    fields.finish()?;
    let (Some(fullname), Some(aliases), Some(social_media)) = (fullname, aliases, social_media)
    else {
        return Err(Error::validation("Some fields are not valid"));
    };
    Ok(NewTalent { fullname, aliases, email, phone, bio, social_media, team })
}

/// Parses lines such as `Instagram: @name`.
fn social_media(entered: &FormData) -> Result<SocialMedia, String> {
    let mut pairs = vec![];
    for line in entered.lines("socialMedia") {
        let pair = line.split_once(':').ok_or("must have a colon on each line")?;
        pairs.push((pair.0.trim(), pair.1.trim()));
    }
    SocialMedia::parse(pairs)
}

/// Shows the form to edit a talent.
pub(crate) async fn edit(person: Person, Segment(id): Segment<TalentId>) -> Outcome {
    let ListedTalent { talent, .. } = talent::get(person.app(), &person.caller, id).await?;
    let accounts = talent.social_media.as_map().iter().map(|(name, it)| format!("{name}: {it}"));
    let entered = FormData::default()
        .with("fullname", talent.fullname.as_str())
        .with("aliases", talent.aliases.as_slice().join("\n"))
        .with("email", talent.email.as_ref().map_or("", |it| it.as_str()))
        .with("phone", talent.phone.as_ref().map_or("", |it| it.as_str()))
        .with("bio", talent.bio.as_ref().map_or("", |it| it.as_str()))
        .with("socialMedia", accounts.collect::<Vec<_>>().join("\n"))
        .with("teamId", talent.team.map(|it| it.to_string()).unwrap_or_default())
        .with("status", talent.status.name());
    Ok(draw_edit(&person, id, &entered))
}

/// Saves changes.
pub(crate) async fn change(
    person: Person,
    Segment(id): Segment<TalentId>,
    entered: FormData,
) -> Outcome {
    let changed = async {
        let changes = read_changes(&entered)?;
        talent::change(person.app(), person.context(), person.caller(), id, changes).await
    };
    match changed.await {
        Ok(_) => Ok(person.redirect(format!("/app/talents/{id}"), "Talent updated")),
        Err(error) => {
            Ok(person.redisplay(error, entered, |entered| draw_edit(&person, id, entered)))
        }
    }
}

/// The form shows every field, so an empty one clears its value.
fn read_changes(entered: &FormData) -> Result<Changes, Error> {
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

fn draw_edit(person: &Person, id: TalentId, entered: &FormData) -> Response {
    let statuses = [("active", "Active"), ("inactive", "Inactive")];
    let inside = html! {
        (fields(entered))
        (select("status", "Status", None, &statuses, entered))
        (crate::view::hidden("teamId", entered.get("teamId")))
    };
    let body = html! {
        (head("Edit talent", "", html! {}))
        (card("Details", form(&format!("/app/talents/{id}/edit"), entered, inside, "Save changes")))
    };
    person.page("Edit talent", NavItem::Talents, body)
}

/// Shows the invitation form.
pub(crate) async fn invitation(person: Person) -> Response {
    draw_invitation(&person, &FormData::default())
}

/// Invites a talent.
pub(crate) async fn invite(person: Person, entered: FormData) -> Outcome {
    let invited = async {
        let invitee = read_invitee(&entered)?;
        talent::invite(person.app(), person.context(), person.caller(), invitee).await
    };
    match invited.await {
        Ok(_) => Ok(person.redirect("/app/talents", "Invitation sent")),
        Err(error) => {
            Ok(person.redisplay(error, entered, |entered| draw_invitation(&person, entered)))
        }
    }
}

fn read_invitee(entered: &FormData) -> Result<Invitee, Error> {
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

fn draw_invitation(person: &Person, entered: &FormData) -> Response {
    let inside = html! {
        (field("fullname", "Full name").required().of(entered))
        (field("email", "Email").kind("email").required().of(entered))
    };
    let body = html! {
        (head("Invite talent", "We'll email the talent an invitation to manage their own record.", html! {}))
        (card("Invitation", form("/app/talents/invite", entered, inside, "Send invitation")))
    };
    person.page("Invite talent", NavItem::Talents, body)
}
