//! The forms of a platform.

use axum::response::Response;
use grantor_domain::Error;
use grantor_domain::error::Fields;
use grantor_domain::id::{PlatformId, TeamId};
use grantor_domain::patch::Patch;
use grantor_domain::platform::{
    DetectionFrequency, FeedUrls, PlatformDescription, PlatformDomain, PlatformName,
    PlatformSettings, PlatformType,
};
use grantor_service::platform::{self, Changes, NewPlatform};
use grantor_service::team::Team;
use maud::{Markup, html};

use super::teams;
use crate::frame::{Entered, Outcome, Person, Segment};
use crate::view::{Place, area, card, check, empty, field, form, head, select};

const FREQUENCIES: [(&str, &str); 3] =
    [("hourly", "Every hour"), ("daily", "Every day"), ("weekly", "Every week")];

/// The form of a new one.
pub(crate) async fn blank(person: Person) -> Outcome {
    let teams = teams(&person).await?;
    let entered = Entered::default()
        .with("type", PlatformType::Website.name())
        .with("teamId", teams.first().map(|it| it.id.to_string()).unwrap_or_default())
        .with("crawlingEnabled", "true")
        .with("settings.detectionFrequency", DetectionFrequency::Daily.name());
    Ok(draw_new(&person, &teams, &entered))
}

/// Adds one.
pub(crate) async fn create(person: Person, entered: Entered) -> Outcome {
    let made = async {
        let mut fields = entered.fields();
        entered.required(&mut fields, "teamId");
        let new = read(&entered, fields)?;
        platform::create(person.app(), person.context(), person.caller(), new).await
    };
    match made.await {
        Ok(made) => Ok(person.went(
            format!("/app/platforms/{}", made.id),
            "The platform was added: prove its domain next",
        )),
        Err(error) => {
            let teams = teams(&person).await?;
            Ok(person.again(error, entered, |entered| draw_new(&person, &teams, entered)))
        }
    }
}

fn draw_new(person: &Person, teams: &[Team], entered: &Entered) -> Response {
    let body = html! {
        (head("Add a platform", "Which site of yours shall be watched?", html! {}))
        @if teams.is_empty() {
            (empty("A team comes first", "Every platform is looked after by a team.", html! { a.button href="/app/teams" { "To the teams" } }))
        } @else {
            (card("Platform", form("/app/platforms/new", entered, inputs(teams, entered), "Add")))
        }
    };
    person.page("Add a platform", Place::Platforms, body)
}

fn inputs(teams: &[Team], entered: &Entered) -> Markup {
    let kinds = PlatformType::ALL.map(|it| (it.name(), it.name()));
    // One whose team is gone belongs to none until another is chosen.
    let none = entered.typed("teamId").is_empty().then(|| (String::new(), "–"));
    let teams = teams.iter().map(|it| (it.id.to_string(), it.name.as_str()));
    let teams: Vec<_> = none.into_iter().chain(teams).collect();
    html! {
        (field("name", "Name").required().longest(100).of(entered))
        (field("domain", "Domain").required().placeholder("example.com").hint("Without https://. Another domain must be proved anew.").of(entered))
        div.two {
            (select("type", "Type", None, &kinds, entered))
            (select("teamId", "Team", Some("Who looks after it."), &teams, entered))
        }
        (area("description", "About", Some("At most 500 characters."), 3, entered))
        (area("feedUrls", "Feeds", Some("One address a line, at most 20, on the domain or below it."), 3, entered))
        (check("crawlingEnabled", "Crawl its pages", None, entered))
        (select("settings.detectionFrequency", "How often", None, &FREQUENCIES, entered))
    }
}

fn read(entered: &Entered, mut fields: Fields) -> Result<NewPlatform, Error> {
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
    // Without a domain nobody can say whether they are on it.
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

/// The form of one that is there.
pub(crate) async fn edit(person: Person, Segment(id): Segment<PlatformId>) -> Outcome {
    let found = platform::get(person.app(), &person.caller, id).await?;
    let mut entered = Entered::default()
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

/// Changes one.
pub(crate) async fn change(
    person: Person,
    Segment(id): Segment<PlatformId>,
    entered: Entered,
) -> Outcome {
    let changed = async {
        let changes = whole(read(&entered, entered.fields())?);
        platform::change(person.app(), person.context(), person.caller(), id, changes).await
    };
    match changed.await {
        Ok(_) => Ok(person.went(format!("/app/platforms/{id}"), "The platform was changed")),
        Err(error) => {
            let teams = teams(&person).await?;
            Ok(person.again(error, entered, |entered| draw_edit(&person, id, &teams, entered)))
        }
    }
}

/// A form shows all there is, so what it leaves empty is taken away.
fn whole(new: NewPlatform) -> Changes {
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

fn draw_edit(person: &Person, id: PlatformId, teams: &[Team], entered: &Entered) -> Response {
    let action = format!("/app/platforms/{id}/edit");
    let body = html! {
        (head("Edit a platform", "", html! {}))
        (card("Platform", form(&action, entered, inputs(teams, entered), "Save")))
    };
    person.page("Edit a platform", Place::Platforms, body)
}
