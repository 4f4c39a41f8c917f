//! The forms to add and edit a platform.

use axum::response::Response;
use grantor_domain::Error;
use grantor_domain::error::Fields;
use grantor_domain::id::{PlatformId, TeamId};
use grantor_domain::patch::Patch;
use grantor_domain::platform::{
    DetectionFrequency, FeedUrls, PlatformDescription, PlatformDomain, PlatformName,
    PlatformSettings, PlatformType,
};
use grantor_messages::text;
use grantor_service::organizations::team::Team;
use grantor_service::watching::platform::{self, Changes, NewPlatform};
use maud::{Markup, html};

use super::{manages, teams, type_label};
use crate::frame::{FormData, Outcome, Person, Segment};
use crate::view::{NavItem, area, card, checkbox, empty, field, form, head, select};

/// Shows the form for a new platform.
pub(crate) async fn new_form(person: Person) -> Outcome {
    let teams = teams(&person).await?;
    let entered = FormData::default()
        .with("type", PlatformType::Website.name())
        .with("teamId", teams.first().map(|it| it.id.to_string()).unwrap_or_default())
        .with("crawlingEnabled", "true")
        .with("settings.detectionFrequency", DetectionFrequency::Daily.name());
    Ok(draw_new(&person, &teams, &entered))
}

/// Adds a platform.
pub(crate) async fn create(person: Person, entered: FormData) -> Outcome {
    let made = async {
        let new = read(&entered, entered.fields())?;
        platform::create(person.app(), person.context(), person.caller(), new).await
    };
    match made.await {
        Ok(made) => {
            Ok(person.redirect(format!("/app/platforms/{}", made.id), text!("platform-created")))
        }
        Err(error) => {
            let teams = teams(&person).await?;
            Ok(person.redisplay(error, entered, |entered| draw_new(&person, &teams, entered)))
        }
    }
}

fn draw_new(person: &Person, teams: &[Team], entered: &FormData) -> Response {
    let without_team = manages(person, None, teams);
    let inside = inputs(teams, without_team, entered);
    let body = html! {
        (head(text!("platform-add"), text!("platform-add-lead"), html! {}))
        @if teams.is_empty() && !without_team {
            (empty(text!("platform-join-team"), text!("platform-join-team-why"), html! {}))
        } @else {
            (card(text!("platform-title"), form("/app/platforms/new", entered, inside, text!("platform-add"))))
        }
    };
    person.page(text!("platform-add"), NavItem::Platforms, body)
}

/// The fields. The choice of no team is offered if the platform may have none.
fn inputs(teams: &[Team], without_team: bool, entered: &FormData) -> Markup {
    let kinds = PlatformType::ALL.map(|it| (it.name(), type_label(it)));
    let frequencies = [
        ("hourly", text!("platform-frequency-hourly")),
        ("daily", text!("platform-frequency-daily")),
        ("weekly", text!("platform-frequency-weekly")),
    ];
    let none = without_team.then(|| (String::new(), text!("platform-no-team")));
    let choices = teams.iter().map(|it| (it.id.to_string(), it.name.as_str()));
    let choices: Vec<_> = none.into_iter().chain(choices).collect();
    html! {
        (field("name", text!("platform-name")).required().max_length(100).of(entered))
        (field("domain", text!("platform-domain")).required().placeholder("example.com").hint(text!("platform-domain-hint")).of(entered))
        div.two {
            (select("type", text!("platform-type"), None, &kinds, entered))
            @if !teams.is_empty() {
                (select("teamId", text!("platform-team"), Some(text!("platform-team-hint")), &choices, entered))
            }
        }
        (area("description", text!("platform-description"), Some(text!("platform-description-hint")), 3, entered))
        (area("feedUrls", text!("platform-feeds"), Some(text!("platform-feeds-hint")), 3, entered))
        (checkbox("crawlingEnabled", text!("platform-crawl-pages"), None, entered))
        (select("settings.detectionFrequency", text!("platform-scan-frequency"), None, &frequencies, entered))
    }
}

fn read(entered: &FormData, mut fields: Fields) -> Result<NewPlatform, Error> {
    let name = entered.required(&mut fields, "name");
    let domain = entered.required(&mut fields, "domain");
    let name = fields.take("name", PlatformName::parse(name));
    let team = entered.optional("teamId");
    let team = team.and_then(|it| fields.take("teamId", it.parse::<TeamId>()));
    let kind = fields.take("type", entered.get("type").parse::<PlatformType>());
    let domain = fields.take("domain", PlatformDomain::parse(domain));
    let description = entered.optional("description").map(PlatformDescription::parse);
    let description = description.and_then(|it| fields.take("description", it));
    let feeds: Vec<_> = entered.lines("feedUrls").collect();
    // Feed URLs can only be checked against a valid domain.
    let feeds = domain.as_ref().map(|it| FeedUrls::parse(&feeds, it));
    let feeds = feeds.and_then(|it| fields.take("feedUrls", it));
    let frequency = entered.get("settings.detectionFrequency").parse::<DetectionFrequency>();
    let frequency = fields.take("settings.detectionFrequency", frequency);
    fields.finish()?;
    let (Some(name), Some(kind), Some(domain), Some(detection_frequency)) =
        (name, kind, domain, frequency)
    else {
        return Err(Error::validation("Some fields are not valid"));
    };
    let crawling_enabled = entered.has("crawlingEnabled", "true");
    let settings = PlatformSettings { crawling_enabled, detection_frequency };
    let feed_urls = feeds.unwrap_or_default();
    Ok(NewPlatform { name, team, kind, domain, description, feed_urls, settings })
}

/// Shows the form to edit a platform.
pub(crate) async fn edit(person: Person, Segment(id): Segment<PlatformId>) -> Outcome {
    let found = platform::get(person.app(), &person.caller, id).await?;
    let mut entered = FormData::default()
        .with("name", found.name.as_str())
        .with("domain", found.domain.as_str())
        .with("type", found.kind.name())
        .with("teamId", found.team.map(|it| it.to_string()).unwrap_or_default())
        .with("description", found.description.as_ref().map_or("", |it| it.as_str()))
        .with("feedUrls", found.feed_urls.as_slice().join("\n"))
        .with("settings.detectionFrequency", found.settings.detection_frequency.name());
    if found.settings.crawling_enabled {
        entered = entered.with("crawlingEnabled", "true");
    }
    Ok(draw_edit(&person, id, &teams(&person).await?, &entered))
}

/// Saves changes.
pub(crate) async fn change(
    person: Person,
    Segment(id): Segment<PlatformId>,
    entered: FormData,
) -> Outcome {
    let changed = async {
        let changes = replace_all(read(&entered, entered.fields())?);
        platform::change(person.app(), person.context(), person.caller(), id, changes).await
    };
    match changed.await {
        Ok(_) => Ok(person.redirect(format!("/app/platforms/{id}"), text!("platform-updated"))),
        Err(error) => {
            let teams = teams(&person).await?;
            Ok(person.redisplay(error, entered, |entered| draw_edit(&person, id, &teams, entered)))
        }
    }
}

/// The form shows every field, so an empty one clears its value.
fn replace_all(new: NewPlatform) -> Changes {
    Changes {
        name: Some(new.name),
        team: new.team,
        kind: Some(new.kind),
        domain: Some(new.domain),
        description: new.description.map_or(Patch::Clear, Patch::Set),
        feed_urls: Patch::Set(new.feed_urls.as_slice().to_vec()),
        crawling_enabled: Some(new.settings.crawling_enabled),
        detection_frequency: Some(new.settings.detection_frequency),
    }
}

fn draw_edit(person: &Person, id: PlatformId, teams: &[Team], entered: &FormData) -> Response {
    let action = format!("/app/platforms/{id}/edit");
    // A team that was chosen can be replaced, but not removed.
    let inside = inputs(teams, entered.raw("teamId").is_empty(), entered);
    let body = html! {
        (head(text!("platform-edit-title"), "", html! {}))
        (card(text!("platform-title"), form(&action, entered, inside, text!("platform-save-changes"))))
    };
    person.page(text!("platform-edit-title"), NavItem::Platforms, body)
}
