//! The icons of the shell, as line drawings in a 20 × 20 box.

use maud::{Markup, PreEscaped, html};

/// A decorative icon next to a label, hidden from screen readers.
pub(super) fn icon(name: &str) -> Markup {
    let path = match name {
        "dashboard" => "M3 10.5 10 4l7 6.5M5 9v7h10V9",
        "license" => "M5 3h7l3 3v11H5zM8 8h4M8 11h4M8 14h2",
        "talent" => "M10 10a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM4 17c.6-3.2 3-5 6-5s5.4 1.8 6 5",
        "mention" => {
            "M2 10s3-5 8-5 8 5 8 5-3 5-8 5-8-5-8-5ZM10 12.500a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z"
        }
        "case" => "M3 7h14v9H3zM7 7V4h6v3M3 11h14",
        "check" => "M9 15a6 6 0 1 0 0-12 6 6 0 0 0 0 12ZM13.500 13.500 17 17M6.500 9l2 2 3-3.500",
        "request" => "M3 4h14v10H9l-4 3v-3H3zM7 8h6M7 11h4",
        "grant" => {
            "M10 3l6 2v5c0 3.500-2.5 5.800-6 7-3.500-1.200-6-3.500-6-7V5zM7.5 10l2 2 3.500-4"
        }
        "bookmark" => "M6 3h8v14l-4-3-4 3z",
        "catalog" => "M4 4h5v5H4zM11 4h5v5h-5zM4 11h5v5H4zM11 11h5v5h-5z",
        "platform" => {
            "M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM3 10h14M10 3c2.5 2 2.5 12 0 14M10 3c-2.5 2-2.5 12 0 14"
        }
        "source" => {
            "M4 16h.01M4 11.500a4.5 4.5 0 0 1 4.500 4.500M4 7a9 9 0 0 1 9 9M4 3a13 13 0 0 1 13 13"
        }
        "profile" => {
            "M3 4h14v12H3zM7.500 10a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3ZM5 13.500c.3-1.500 1.300-2 2.500-2s2.200.5 2.500 2M12 8h3M12 11h3"
        }
        "pax" => "M7 11a3.5 3.5 0 1 1 2.7-1.300L17 17M14 14l2-2",
        "webhook" => "M4 6h9M10 3l3 3-3 3M16 14H7M10 11l-3 3 3 3",
        "client" => "M7 6 3 10l4 4M13 6l4 4-4 4M11 4 9 16",
        "team" => {
            "M7 9a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM2 16c.5-3 2.5-4.5 5-4.500S11.5 13 12 16M13 9a2 2 0 1 0 0-4M14.5 11.800c1.8.4 3 1.8 3.5 4.2"
        }
        "log" => "M5 5h11M5 10h11M5 15h7M2.5 5h.01M2.5 10h.01M2.5 15h.01",
        "billing" => "M3 5h14v10H3zM3 9h14M6 12h3",
        "organization" => "M4 17V4h7v13M11 8h5v9M2 17h16M6.5 7h2M6.5 10h2M6.5 13h2",
        "pod" => "M10 3l6 3.500v7L10 17l-6-3.500v-7zM4 6.500l6 3.5 6-3.500M10 10v7",
        "bell" => "M5 14h10l-1.500-2V9a3.500 3.500 0 0 0-7 0v3zM8.500 16.500a1.600 1.600 0 0 0 3 0",
        "mail" => "M3 5h14v10H3zM3 6l7 5 7-5",
        "help" => {
            "M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM8 8.200a2 2 0 1 1 2.800 1.800c-.6.3-.8.7-.8 1.500M10 13.800h.01"
        }
        "docs" => {
            "M4 4h5a2 2 0 0 1 2 2v11a2 2 0 0 0-2-2H4zM16 4h-3a2 2 0 0 0-2 2v11a2 2 0 0 1 2-2h3z"
        }
        "menu" => "M3 6h14M3 10h14M3 14h14",
        "search" => "M9 14.500a5.500 5.500 0 1 0 0-11 5.500 5.500 0 0 0 0 11ZM13 13l4 4",
        _ => "M10 4v12M4 10h12",
    };
    html! {
        svg.icon viewBox="0 0 20 20" aria-hidden="true" focusable="false" {
            (PreEscaped(format!("<path d=\"{path}\"/>")))
        }
    }
}

/// The logo.
pub(super) fn seal() -> Markup {
    html! {
        svg.seal viewBox="0 0 24 24" aria-hidden="true" focusable="false" {
            (PreEscaped("<circle cx=\"12\" cy=\"12\" r=\"10\"/><path d=\"M8 12.500l3 3 5.5-6.5\"/>"))
        }
    }
}
