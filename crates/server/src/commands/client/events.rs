//! `grantor events`.

use std::collections::VecDeque;

use grantor_client::{Event, Feed};
use grantor_domain::{Clock as _, Timestamp};
use serde_json::Value;

use super::output::Terminal;
use super::{Desk, explain, moment, retrying};
use crate::cli::{Events, is_event_of};
use crate::commands::backoff::{self, Backoff};
use crate::listener;
use crate::system::SystemClock;
use crate::telemetry::print_error;

/// How many stored events are printed by default.
const USUAL: u32 = 20;
/// Where the data of an event says what it is about, the most telling first.
const SUBJECTS: [&str; 8] = [
    "/grant/number",
    "/mention/url",
    "/license/title",
    "/request/license_title",
    "/client/name",
    "/license/id",
    "/license_id",
    "/webhook_id",
];

/// Which events are printed.
struct Filter<'a> {
    since: Option<Timestamp>,
    types: &'a [String],
}

pub(super) async fn run(desk: &mut Desk<'_>, options: &Events) -> Result<(), String> {
    let now = SystemClock::new().now();
    let since = options.since.map(|it| it.time(now));
    let filter = Filter { since, types: &options.types };
    let client = desk.connect(&options.connect)?;
    let mut feed = client.feed(None);
    let terminal = &mut desk.terminal;
    if !options.follow {
        let events = stored(&mut feed, &filter, most(options)).await?;
        return print_stored(terminal, &events, options.json);
    }
    let stop = listener::stop_signal()?;
    tokio::select! {
        () = stop => Ok(()),
        ended = follow(terminal, &mut feed, &filter, options) => ended,
    }
}

/// How many stored events are printed at most.
fn most(options: &Events) -> Option<u32> {
    if options.limit.is_some() {
        return options.limit;
    }
    let usual = if options.follow { 0 } else { USUAL };
    (!options.all && options.since.is_none()).then_some(usual)
}

/// The newest events that are stored, oldest first. Reads the feed to its end.
async fn stored(
    feed: &mut Feed<'_>,
    filter: &Filter<'_>,
    most: Option<u32>,
) -> Result<VecDeque<Event>, String> {
    let most = most.map_or(usize::MAX, |it| it as usize);
    let mut events = VecDeque::new();
    while let Some(event) = feed.next_stored().await.map_err(|it| explain(&it))? {
        if filter.fits(&event) {
            events.push_back(event);
        }
        if events.len() > most {
            events.pop_front();
        }
    }
    Ok(events)
}

fn print_stored(
    terminal: &mut Terminal<'_>,
    events: &VecDeque<Event>,
    json: bool,
) -> Result<(), String> {
    if json {
        return terminal.json(events);
    }
    for event in events {
        if !terminal.stream(&line(event), false)? {
            break;
        }
    }
    Ok(())
}

/// Prints stored events, and then new ones until nobody reads them.
async fn follow(
    terminal: &mut Terminal<'_>,
    feed: &mut Feed<'_>,
    filter: &Filter<'_>,
    options: &Events,
) -> Result<(), String> {
    let mut earlier = stored(feed, filter, most(options)).await?;
    loop {
        let event = match earlier.pop_front() {
            Some(event) => event,
            None => next(feed, filter).await?,
        };
        let text = if options.json {
            serde_json::to_string(&event).map_err(|error| error.to_string())?
        } else {
            line(&event)
        };
        if !terminal.stream(&text, options.json)? {
            return Ok(());
        }
    }
}

/// The next event that fits. While the server cannot be reached, it waits for it.
async fn next(feed: &mut Feed<'_>, filter: &Filter<'_>) -> Result<Event, String> {
    let mut backoff = Backoff::default();
    loop {
        match feed.next().await {
            Ok(event) if filter.fits(&event) => return Ok(event),
            Ok(_) => backoff = Backoff::default(),
            Err(error) if error.is_temporary() => {
                let pause = backoff.next(error.retry_after());
                print_error(&retrying(&error, pause));
                backoff::wait(pause).await;
            }
            Err(error) => return Err(explain(&error)),
        }
    }
}

impl Filter<'_> {
    fn fits(&self, event: &Event) -> bool {
        let is_of = |wanted: &String| is_event_of(&event.kind, wanted);
        let happened = Timestamp::parse(&event.timestamp).ok();
        let is_recent = self.since.is_none_or(|since| happened.is_none_or(|it| it >= since));
        is_recent && (self.types.is_empty() || self.types.iter().any(is_of))
    }
}

/// An event as a line: its number, when it happened, its type, and what it is about.
fn line(event: &Event) -> String {
    let data: Value = serde_json::from_str(event.data.get()).unwrap_or_default();
    let subject = SUBJECTS.iter().find_map(|it| data.pointer(it)?.as_str()).unwrap_or_default();
    let fields = data["changed_fields"].as_array().map(Vec::as_slice).unwrap_or_default();
    let fields: Vec<_> = fields.iter().filter_map(Value::as_str).collect();
    let fields =
        if fields.is_empty() { String::new() } else { format!(" ({})", fields.join(", ")) };
    let (number, time) = (event.sequence, moment(Some(&event.timestamp)));
    format!("{number:>6}  {time}  {:<18}  {subject}{fields}", event.kind)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::cli::Since;

    fn event(kind: &str, data: &str) -> Event {
        let text = format!(
            r#"{{"id": "e", "type": "{kind}", "timestamp": "2026-11-15T12:00:00.5Z",
               "data": {data}, "sequence": 42, "resource_version": 1}}"#
        );
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn an_event_is_a_line() {
        let data = r#"{"license_id": "7", "license": {"title": "Summit"},
                       "changed_fields": ["title", "fee"]}"#;
        let shown = line(&event("license.updated", data));
        let expected = "    42  2026-11-15 12:00:00  license.updated     Summit (title, fee)";
        assert_eq!(shown, expected);
        assert!(
            line(&event("grant.ended", r#"{"grant": {"number": "GR-1"}}"#)).ends_with("  GR-1")
        );
    }

    #[test]
    fn types_and_times_filter() {
        let at = |text: &str| Some(Timestamp::parse(text).unwrap());
        let event = event("license.updated", "{}");
        let fits = |types: &[&str], since| {
            let types: Vec<_> = types.iter().map(|it| (*it).to_owned()).collect();
            Filter { since, types: &types }.fits(&event)
        };
        assert!(fits(&[], None) && fits(&["x", "license"], None));
        assert!(fits(&["license.updated"], at("2026-11-15T12:00:00Z")));
        assert!(!fits(&["license.up"], None) && !fits(&["grant"], None));
        assert!(!fits(&[], at("2026-11-15T12:00:01Z")));
    }

    #[test]
    fn following_starts_now_unless_told_otherwise() {
        let follow = Events { follow: true, ..Events::default() };
        let since = Some(Since::Ago(Duration::from_hours(24)));
        assert_eq!((most(&Events::default()), most(&follow)), (Some(20), Some(0)));
        assert_eq!(most(&Events { since, ..follow.clone() }), None);
        assert_eq!(most(&Events { limit: Some(5), ..follow }), Some(5));
    }
}
