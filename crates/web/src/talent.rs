//! `/app/talents`: an agency's talents, or the single record of an individual.

mod list;

use axum::response::Response;
use grantor_domain::Error;
use grantor_domain::email::Email;
use grantor_domain::id::{LicenseId, TalentId, TeamId};
use grantor_domain::license::ExternalId;
use grantor_domain::page::Listing;
use grantor_domain::patch::Patch;
use grantor_domain::person::{Bio, FullName, Phone};
use grantor_domain::role::Right;
use grantor_domain::tag::TaggedKind;
use grantor_domain::talent::{Aliases, SocialMedia, Talent, TalentStatus};
use grantor_messages::text;
use grantor_service::licensing::license::{self, LicenseView};
use grantor_service::licensing::talent::{self, Changes, Invitee, ListedTalent, NewTalent};
use grantor_service::organizations::team;
use maud::{Markup, html};

pub(crate) use self::list::{list, matching, query};
use crate::frame::{FormData, Outcome, Params, Person, Segment};
use crate::license::brief;
use crate::log::history_link;
use crate::tag;
use crate::thumbnail::{self, Thumbnails};
use crate::view::tag::tags_card;
use crate::view::{
    NavItem, Table, ago, area, badge, card, facts, field, form, head, pager, select,
};

/// The statuses with their labels.
fn statuses() -> [(&'static str, &'static str); 2] {
    [("active", text!("talent-status-active")), ("inactive", text!("talent-status-inactive"))]
}

fn actions(person: &Person) -> Markup {
    html! {
        @if person.acts(Right::ManageTalents) && person.caller.tenant_type.is_organization() {
            a.button href="/app/talents/new" { (text!("talent-add")) }
            a.button.plain href="/app/talents/invite" { (text!("talent-invite-button")) }
            a.button.plain href="/app/talents/import" { (text!("action-import")) }
        }
    }
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
    let listed = licenses.iter().flat_map(|it| &it.items).map(|it| it.shown.license.id);
    let thumbnails = thumbnail::of_licenses(&person, listed).await?;
    let talent = &found.talent;
    let (tags, external_id) = own_details(&person, talent).await?;
    let reached = |right| team::right_scope(person.app(), &person.caller, right);
    let licenses_reached = reached(Right::ManageLicenses).await?;
    let changes = !person.is_viewed() && reached(Right::ManageTalents).await?.includes(talent.team);
    let none = || html! {};
    let body = html! {
        (head(talent.fullname.as_str(), "", html! {
            @if !person.is_viewed() && licenses_reached.includes(talent.team) {
                a.button href={ "/app/licenses/new?talent=" (talent.id) } { (text!("talent-new-license")) }
            }
            @if changes {
                a.button.plain href={ "/app/talents/" (talent.id) "/edit" } { (text!("action-edit")) }
            }
        }))
        (card(text!("talent-details"), facts(&[
            (text!("word-status"), html! { (badge(talent.status.name())) @if talent.verified { " " (badge("verified")) } }),
            (text!("talent-aliases"), html! { (talent.aliases.as_slice().join(", ")) }),
            (text!("word-email"), talent.email.as_ref().map_or_else(none, |it| html! { (it.as_str()) })),
            (text!("talent-phone"), talent.phone.as_ref().map_or_else(none, |it| html! { (it.as_str()) })),
            (text!("talent-bio"), talent.bio.as_ref().map_or_else(none, |it| html! { (it.as_str()) })),
            (text!("talent-social-media"), html! {
                @for (name, handle) in talent.social_media.as_map() { p { (name) ": " (handle) } }
            }),
            (text!("talent-external-id"), external_id.map_or_else(none, |it| html! { code { (it) } })),
            (text!("talent-added"), ago(person.now(), talent.created_at)),
        ])))
        @if let Some(tags) = &tags {
            (tags_card(&format!("/app/talents/{id}/tags"), "/app/talents", tags, changes, &FormData::default()))
        }
        (history_link(&person, &talent.id.to_string()))
        @if let Some(licenses) = &licenses { (of_talent(&person, licenses, &thumbnails)) }
    };
    Ok(person.page(talent.fullname.as_str(), NavItem::Talents, body))
}

/// The tags of the agency and its own ID for the talent. They are not for the talent, who may see the
/// record, too.
async fn own_details(
    person: &Person,
    talent: &Talent,
) -> Result<(Option<Vec<String>>, Option<String>), Error> {
    if talent.tenant != person.caller.tenant || !person.may(Right::ReadTalents) {
        return Ok((None, None));
    }
    let tags = tag::tags_of(person, TaggedKind::Talent, talent.id.as_uuid()).await?;
    let external_id = talent::external_ids(person.app(), vec![talent.id]).await?.remove(&talent.id);
    Ok((Some(tags), external_id))
}

fn of_talent(
    person: &Person,
    licenses: &Listing<LicenseView>,
    thumbnails: &Thumbnails<LicenseId>,
) -> Markup {
    let row = |it: &LicenseView| {
        let [name, status, changed] = brief(person, it);
        let name = thumbnails.beside(it.shown.license.id, &it.shown.talent_name, name);
        vec![name, status, changed]
    };
    let heads = [text!("talent-license"), text!("word-status"), text!("word-updated")];
    let table = Table::new(text!("talent-licenses"), &heads).rows(&licenses.items, row);
    card(
        text!("talent-licenses"),
        html! {
            @if licenses.items.is_empty() { p.quiet { (text!("talent-no-licenses")) } }
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
        Ok(made) => {
            let path = format!("/app/talents/{}", made.talent.id);
            Ok(person.redirect(path, text!("talent-was-added")))
        }
        Err(error) => Ok(person.redisplay(error, entered, |entered| draw_new(&person, entered))),
    }
}

fn draw_new(person: &Person, entered: &FormData) -> Response {
    let body = html! {
        (head(text!("talent-add"), text!("talent-add-lead"), html! {}))
        (card(text!("talent-details"), form("/app/talents/new", entered, fields(entered), text!("talent-add"))))
    };
    person.page(text!("talent-add"), NavItem::Talents, body)
}

/// The fields of both forms.
fn fields(entered: &FormData) -> Markup {
    html! {
        (field("fullname", text!("talent-full-name")).required().max_length(100).hint(text!("talent-full-name-hint")).of(entered))
        (area("aliases", text!("talent-aliases"), Some(text!("talent-aliases-hint")), 3, entered))
        (field("email", text!("word-email")).kind("email").of(entered))
        (field("phone", text!("talent-phone")).kind("tel").of(entered))
        (area("bio", text!("talent-bio"), Some(text!("talent-bio-hint")), 4, entered))
        (area("socialMedia", text!("talent-social-media"), Some(text!("talent-social-media-hint")), 3, entered))
        (field("externalId", text!("talent-external-id")).max_length(128).hint(text!("talent-external-id-hint")).of(entered))
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
    let external_id = entered.optional("externalId");
    let external_id = external_id.and_then(|it| fields.take("externalId", ExternalId::choose(it)));
    fields.finish()?;
    let (Some(fullname), Some(aliases), Some(social_media)) = (fullname, aliases, social_media)
    else {
        return Err(Error::validation("Some fields are not valid"));
    };
    let status = TalentStatus::Active;
    Ok(NewTalent { fullname, aliases, email, phone, bio, social_media, team, external_id, status })
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
    let external_id = talent::external_ids(person.app(), vec![id]).await?.remove(&id);
    let accounts = talent.social_media.as_map().iter().map(|(name, it)| format!("{name}: {it}"));
    let entered = FormData::default()
        .with("fullname", talent.fullname.as_str())
        .with("aliases", talent.aliases.as_slice().join("\n"))
        .with("email", talent.email.as_ref().map_or("", |it| it.as_str()))
        .with("phone", talent.phone.as_ref().map_or("", |it| it.as_str()))
        .with("bio", talent.bio.as_ref().map_or("", |it| it.as_str()))
        .with("socialMedia", accounts.collect::<Vec<_>>().join("\n"))
        .with("teamId", talent.team.map(|it| it.to_string()).unwrap_or_default())
        .with("externalId", external_id.unwrap_or_default())
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
        Ok(_) => Ok(person.redirect(format!("/app/talents/{id}"), text!("talent-updated"))),
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
        external_id: new.external_id.map_or(Patch::Clear, Patch::Set),
    })
}

fn draw_edit(person: &Person, id: TalentId, entered: &FormData) -> Response {
    let inside = html! {
        (fields(entered))
        (select("status", text!("word-status"), None, &statuses(), entered))
        (crate::view::hidden("teamId", entered.get("teamId")))
    };
    let body = html! {
        (head(text!("talent-edit"), "", html! {}))
        (card(text!("talent-details"), form(&format!("/app/talents/{id}/edit"), entered, inside, text!("talent-save"))))
    };
    person.page(text!("talent-edit"), NavItem::Talents, body)
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
        Ok(_) => Ok(person.redirect("/app/talents", text!("talent-invited"))),
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
        (field("fullname", text!("talent-full-name")).required().of(entered))
        (field("email", text!("word-email")).kind("email").required().of(entered))
    };
    let body = html! {
        (head(text!("talent-invite"), text!("talent-invite-lead"), html! {}))
        (card(text!("talent-invitation"), form("/app/talents/invite", entered, inside, text!("talent-invite-send"))))
    };
    person.page(text!("talent-invite"), NavItem::Talents, body)
}
