//! What is asked of a license's mentions.

use super::{MentionStatus, Verdict};
use crate::Timestamp;
use crate::error::{Error, Fields, Result};
use crate::id::PlatformId;
use crate::page::{Order, Page, PageRules};

/// The parameters of a list of mentions as they came.
#[derive(Clone, Copy, Debug, Default)]
pub struct AskedMentions<'a> {
    /// Which page, from 1.
    pub page: Option<&'a str>,
    /// Items on a page, under the surface's own name.
    pub size: Option<&'a str>,
    /// Only those of this status.
    pub status: Option<&'a str>,
    /// Only those of this verdict.
    pub verdict: Option<&'a str>,
    /// Only those on this platform.
    pub platform_id: Option<&'a str>,
    /// Only those first seen at or after this instant.
    pub from: Option<&'a str>,
    /// Only those first seen before this instant.
    pub to: Option<&'a str>,
    /// Which end comes first.
    pub order: Option<&'a str>,
}

/// What is asked of a license's mentions. They are ordered by when they were first seen, which
/// never changes: pages stay what they are while sightings come in again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MentionQuery {
    /// Which page.
    pub page: Page,
    /// Only this status.
    pub status: Option<MentionStatus>,
    /// Only this verdict.
    pub verdict: Option<Verdict>,
    /// Only this platform.
    pub platform: Option<PlatformId>,
    /// First seen at or after.
    pub from: Option<Timestamp>,
    /// First seen before.
    pub to: Option<Timestamp>,
    /// Which end comes first.
    pub order: Order,
}

impl MentionQuery {
    /// Reads every parameter; each that does not fit is named.
    pub fn parse(asked: &AskedMentions<'_>, rules: PageRules) -> Result<Self> {
        let mut fields = Fields::default();
        let page = fields.take_all(Page::parse(asked.page, asked.size, rules));
        let status = asked.status.and_then(|text| fields.take("status", text.parse()));
        let verdict = asked.verdict.and_then(|text| fields.take("verdict", text.parse()));
        let platform = asked.platform_id.and_then(|text| fields.take("platform_id", text.parse()));
        let from = asked.from.and_then(|text| fields.take("from", Timestamp::parse(text)));
        let to = asked.to.and_then(|text| fields.take("to", Timestamp::parse(text)));
        let order = fields.take("order", asked.order.map_or(Ok(Order::default()), str::parse));
        if from.zip(to).is_some_and(|(from, to)| to <= from) {
            fields.add("to", "must be after from");
        }
        fields.finish()?;
        match (page, order) {
            (Some(page), Some(order)) => {
                Ok(Self { page, status, verdict, platform, from, to, order })
            }
            _ => Err(Error::validation("The query does not read")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: PageRules = PageRules { size_name: "per_page", default_size: 20, max_size: 100 };

    #[test]
    fn a_query_filters_by_everything() {
        let id = "0190a5e4-7b3c-7def-8123-456789abcdef";
        let asked = AskedMentions {
            page: Some("2"),
            size: Some("5"),
            status: Some("new"),
            verdict: Some("needs_review"),
            platform_id: Some(id),
            from: Some("2026-01-01T00:00:00Z"),
            to: Some("2026-02-01T00:00:00Z"),
            order: Some("asc"),
        };
        let query = MentionQuery::parse(&asked, RULES).unwrap();
        assert_eq!((query.page.offset(), query.order), (5, Order::Asc));
        assert_eq!(query.status, Some(MentionStatus::New));
        assert_eq!(query.verdict, Some(Verdict::NeedsReview));
        assert_eq!(query.platform, Some(id.parse().unwrap()));
        assert!(query.from < query.to);
        let empty = MentionQuery::parse(&AskedMentions::default(), RULES).unwrap();
        assert_eq!((empty.status, empty.from, empty.order), (None, None, Order::Desc));
    }

    #[test]
    fn every_wrong_parameter_is_named() {
        let wrong = Some("?");
        let asked = AskedMentions {
            page: wrong,
            size: wrong,
            status: wrong,
            verdict: wrong,
            platform_id: wrong,
            from: wrong,
            to: wrong,
            order: wrong,
        };
        let error = MentionQuery::parse(&asked, RULES).unwrap_err();
        let names: Vec<_> = error.fields().keys().map(String::as_str).collect();
        assert_eq!(
            names,
            ["from", "order", "page", "per_page", "platform_id", "status", "to", "verdict"]
        );
        let same = Some("2026-01-01T00:00:00Z");
        let asked = AskedMentions { from: same, to: same, ..AskedMentions::default() };
        let error = MentionQuery::parse(&asked, RULES).unwrap_err();
        assert_eq!(error.fields()["to"], "must be after from");
    }
}
