//! The formats of the page: the text format of Prometheus, or OpenMetrics for scrapers that ask for
//! it, which alone has exemplars.

use axum::http::HeaderMap;
use axum::http::header::ACCEPT;

/// A format of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Prometheus,
    OpenMetrics,
}

impl Format {
    /// The format that a scraper asks for.
    pub(super) fn wanted(headers: &HeaderMap) -> Self {
        let accept = headers.get(ACCEPT).and_then(|it| it.to_str().ok()).unwrap_or_default();
        if accept.contains("application/openmetrics-text") {
            Self::OpenMetrics
        } else {
            Self::Prometheus
        }
    }

    pub(super) fn content_type(self) -> &'static str {
        match self {
            Self::Prometheus => "text/plain; version=0.0.4; charset=utf-8",
            Self::OpenMetrics => "application/openmetrics-text; version=1.0.0; charset=utf-8",
        }
    }
}

/// Turns the text format of Prometheus into OpenMetrics: the names of counters end in `_total` only
/// in their samples, there are no empty lines, and the end is marked.
pub(super) fn open_metrics(page: &str) -> String {
    let mut out = String::with_capacity(page.len());
    for line in page.lines().filter(|it| !it.is_empty()) {
        let rest = line.strip_prefix("# HELP ").or_else(|| line.strip_prefix("# TYPE "));
        match rest.and_then(|it| it.split_once(' ')) {
            Some((name, text)) => {
                out.push_str(&line[.."# HELP ".len()]);
                out.push_str(name.strip_suffix("_total").unwrap_or(name));
                out.push(' ');
                out.push_str(text);
            }
            None => out.push_str(line),
        }
        out.push('\n');
    }
    out.push_str("# EOF\n");
    out
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn open_metrics_names_counters_without_their_ending() {
        let page = "# HELP a_total Things\n# TYPE a_total counter\na_total{x=\"y\"} 1\n\n\
                    # TYPE up gauge\nup 1\n";
        let wanted = "# HELP a Things\n# TYPE a counter\na_total{x=\"y\"} 1\n\
                      # TYPE up gauge\nup 1\n# EOF\n";
        assert_eq!(open_metrics(page), wanted);
    }

    #[test]
    fn a_scraper_gets_what_it_asks_for() {
        let mut headers = HeaderMap::new();
        assert_eq!(Format::wanted(&headers), Format::Prometheus);
        let prometheus =
            "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.3";
        headers.insert(ACCEPT, HeaderValue::from_static(prometheus));
        assert_eq!(Format::wanted(&headers), Format::OpenMetrics);
    }
}
