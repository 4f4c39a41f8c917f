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
use grantor_service::organizations::team::Team;
use grantor_service::watching::platform::{self, Changes, NewPlatform};
use maud::{Markup, html};

use super::teams;
use crate::frame::{FormData, Outcome, Person, Segment};
use crate::view::{NavItem, area, card, checkbox, empty, field, form, head, select};

const FREQUENCIES: [(&str, &str); 3] =
    [("hourly", "Every hour"), ("daily", "Every day"), ("weekly", "Every week")];

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
        let mut fields = entered.fields();
        entered.required(&mut fields, "teamId");
        let new = read(&entered, fields)?;
        platform::create(person.app(), person.context(), person.caller(), new).await
    };
    match made.await {
        Ok(made) => Ok(person.redirect(
            format!("/app/platforms/{}", made.id),
            "Platform added. Verify its domain next.",
        )),
        Err(error) => {
            let teams = teams(&person).await?;
            Ok(person.redisplay(error, entered, |entered| draw_new(&person, &teams, entered)))
        }
    }
}

fn draw_new(person: &Person, teams: &[Team], entered: &FormData) -> Response {
    let body = html! {
        (head("Add platform", "Add a site that you own and want to monitor.", html! {}))
        @if teams.is_empty() {
            (empty("Create a team first", "Every platform belongs to a team.", html! { a.button href="/app/teams" { "Go to teams" } }))
        } @else {
            (card("Platform", form("/app/platforms/new", entered, inputs(teams, entered), "Add platform")))
        }
    };
    person.page("Add platform", NavItem::Platforms, body)
}

fn inputs(teams: &[Team], entered: &FormData) -> Markup {
    let kinds = PlatformType::ALL.map(|it| (it.name(), it.name()));
    // A platform whose team was deleted has no team until one is chosen.
    let none = entered.raw("teamId").is_empty().then(|| (String::new(), "–"));
    let teams = teams.iter().map(|it| (it.id.to_string(), it.name.as_str()));
    let teams: Vec<_> = none.into_iter().chain(teams).collect();
    html! {
        (field("name", "Name").required().max_length(100).of(entered))
        (field("domain", "Domain").required().placeholder("example.com").hint("Without https://. If you change the domain, you have to verify it again.").of(entered))
        div.two {
            (select("type", "Type", None, &kinds, entered))
            (select("teamId", "Team", Some("The team that manages the platform."), &teams, entered))
        }
        (area("description", "Description", Some("Up to 500 characters."), 3, entered))
        (area("feedUrls", "Platform feeds", Some("Feeds and sitemaps that the scanner reads. One URL per line, up to 20, on the domain or a subdomain."), 3, entered))
        (checkbox("crawlingEnabled", "Crawl pages", None, entered))
        (select("settings.detectionFrequency", "Scan frequency", None, &FREQUENCIES, entered))
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
        Ok(_) => Ok(person.redirect(format!("/app/platforms/{id}"), "Platform updated")),
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
    let body = html! {
        (head("Edit platform", "", html! {}))
        (card("Platform", form(&action, entered, inputs(teams, entered), "Save changes")))
    };
    person.page("Edit platform", NavItem::Platforms, body)
}
