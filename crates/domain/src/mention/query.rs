//! Query parameters of a license's list of mentions.

use super::{MentionStatus, Verdict};
use crate::Timestamp;
use crate::error::{Error, Fields, Result};
use crate::id::PlatformId;
use crate::page::{Order, Page, PageRules};

/// The raw query parameters of a list of mentions.
#[derive(Clone, Copy, Debug, Default)]
pub struct MentionParams<'a> {
    /// The page number, from 1.
    pub page: Option<&'a str>,
    /// Items per page, under the name the API uses for it.
    pub size: Option<&'a str>,
    /// Filter by status.
    pub status: Option<&'a str>,
    /// Filter by verdict.
    pub verdict: Option<&'a str>,
    /// Filter by platform.
    pub platform_id: Option<&'a str>,
    /// First seen at or after this time.
    pub from: Option<&'a str>,
    /// First seen before this time.
    pub to: Option<&'a str>,
    /// The sort order.
    pub order: Option<&'a str>,
}

/// The parsed query of a list of mentions. They are sorted by when they were first seen, which
/// never changes, so that pages are stable when mentions are seen again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MentionQuery {
    /// The page number.
    pub page: Page,
    /// Filter by status.
    pub status: Option<MentionStatus>,
    /// Filter by verdict.
    pub verdict: Option<Verdict>,
    /// Filter by platform.
    pub platform: Option<PlatformId>,
    /// First seen at or after this time.
    pub from: Option<Timestamp>,
    /// First seen before this time.
    pub to: Option<Timestamp>,
    /// The sort order.
    pub order: Order,
}

impl MentionQuery {
    /// Parses the query parameters; the error names every invalid one.
    pub fn parse(params: &MentionParams<'_>, rules: PageRules) -> Result<Self> {
        let mut fields = Fields::default();
        let page = fields.take_all(Page::parse(params.page, params.size, rules));
        let status = params.status.and_then(|text| fields.take("status", text.parse()));
        let verdict = params.verdict.and_then(|text| fields.take("verdict", text.parse()));
        let platform = params.platform_id.and_then(|text| fields.take("platform_id", text.parse()));
        let from = params.from.and_then(|text| fields.take("from", Timestamp::parse(text)));
        let to = params.to.and_then(|text| fields.take("to", Timestamp::parse(text)));
        let order = fields.take("order", params.order.map_or(Ok(Order::default()), str::parse));
        if from.zip(to).is_some_and(|(from, to)| to <= from) {
            fields.add("to", "must be after from");
        }
        fields.finish()?;
        match (page, order) {
            (Some(page), Some(order)) => {
                Ok(Self { page, status, verdict, platform, from, to, order })
            }
            _ => Err(Error::validation("The query is not valid")),
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
        let params = MentionParams {
            page: Some("2"),
            size: Some("5"),
            status: Some("new"),
            verdict: Some("needs_review"),
            platform_id: Some(id),
            from: Some("2026-01-01T00:00:00Z"),
            to: Some("2026-02-01T00:00:00Z"),
            order: Some("asc"),
        };
        let query = MentionQuery::parse(&params, RULES).unwrap();
        assert_eq!((query.page.offset(), query.order), (5, Order::Asc));
        assert_eq!(query.status, Some(MentionStatus::New));
        assert_eq!(query.verdict, Some(Verdict::NeedsReview));
        assert_eq!(query.platform, Some(id.parse().unwrap()));
        assert!(query.from < query.to);
        let empty = MentionQuery::parse(&MentionParams::default(), RULES).unwrap();
        assert_eq!((empty.status, empty.from, empty.order), (None, None, Order::Desc));
    }

    #[test]
    fn every_wrong_parameter_is_named() {
        let wrong = Some("?");
        let params = MentionParams {
            page: wrong,
            size: wrong,
            status: wrong,
            verdict: wrong,
            platform_id: wrong,
            from: wrong,
            to: wrong,
            order: wrong,
        };
        let error = MentionQuery::parse(&params, RULES).unwrap_err();
        let names: Vec<_> = error.fields().keys().map(String::as_str).collect();
        assert_eq!(
            names,
            ["from", "order", "page", "per_page", "platform_id", "status", "to", "verdict"]
        );
        let same = Some("2026-01-01T00:00:00Z");
        let params = MentionParams { from: same, to: same, ..MentionParams::default() };
        let error = MentionQuery::parse(&params, RULES).unwrap_err();
        assert_eq!(error.fields()["to"], "must be after from");
    }
}
