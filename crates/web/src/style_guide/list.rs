//! Lists, and what is in their rows.

use grantor_domain::likeness::Placement;
use grantor_domain::page::{Listing, Page};
use grantor_domain::saved_view::ViewList;
use grantor_messages::text;
use maud::html;

use super::{HERE, Part};
use crate::asset;
use crate::frame::Params;
use crate::view::export::export_links;
use crate::view::lightbox::{enlarged, lightbox};
use crate::view::outline::{outlined, placement_words};
use crate::view::palette::{Entry, EntryGroup, options, results};
use crate::view::saved_view::ViewBar;
use crate::view::tag::{tag_links, tags_card};
use crate::view::thumbnail::with_thumbnail;
use crate::view::{Table, ago, badge, pager};

pub(super) const PARTS: &[Part] = &[
    Part {
        name: "component::Table",
        draw: |example| {
            let rows = [("Zoë Lindqvist", "active"), ("Bo Ek", "inactive")];
            let heads = [text!("word-name"), text!("word-status"), text!("word-updated")];
            Table::new(text!("style-guide-example-talents"), &heads)
                .rows(rows, |(name, status)| {
                    let name = html! { a href=(HERE) { (name) } };
                    vec![name, badge(status), ago(example.now, example.now)]
                })
                .show()
        },
    },
    Part {
        name: "component::pager",
        draw: |_| {
            let page = Page::parse(Some("2"), None, Params::rules());
            html! { @if let Ok(page) = page { (pager(&Listing::new(page, vec![()], 45), HERE)) } }
        },
    },
    Part {
        name: "saved_view::ViewBar",
        draw: |_| {
            ViewBar::new(ViewList::Licenses, vec![], "/app/licenses?status=public", true).show()
        },
    },
    Part { name: "export::export_links", draw: |_| export_links("/app/export/licenses", HERE) },
    Part { name: "tag::tag_links", draw: |_| tag_links("/app/licenses", &["Winter".to_owned()]) },
    Part {
        name: "tag::tags_card",
        draw: |example| {
            let tags = ["Winter".to_owned()];
            tags_card(HERE, "/app/licenses", &tags, true, &example.entered)
        },
    },
    Part {
        name: "thumbnail::with_thumbnail",
        draw: |_| {
            let name = html! { a href=(HERE) { "Winter" } };
            with_thumbnail(Some(asset::url("seal.svg")), "Grace Hopper", name)
        },
    },
    Part {
        name: "lightbox::enlarged",
        draw: |_| {
            let url = asset::url("seal.svg");
            html! {
                div.row {
                    (enlarged(url, html! { img src=(url) alt=(text!("style-guide-example-seal")) width="64" height="64"; }))
                    (enlarged(url, html! { img src=(url) alt=(text!("style-guide-example-seal-copy")) width="48" height="48"; }))
                }
            }
        },
    },
    Part { name: "lightbox::lightbox", draw: |_| lightbox() },
    Part {
        name: "outline::outlined",
        draw: |_| {
            let url = asset::url("seal.svg");
            let outline = vec![[100, 150], [620, 60], [680, 560], [160, 650]];
            let placement = Placement { outline, scale: 560, rotation: -10, mirrored: false };
            let picture = html! { img src=(url) alt=(text!("style-guide-example-seal")) width="64" height="64"; };
            html! {
                (outlined(picture, Some(&placement)))
                p { (placement_words(&placement, true)) }
            }
        },
    },
    Part { name: "palette::results", draw: |_| results(&found()) },
    Part {
        name: "palette::options",
        draw: |_| {
            html! {
                div.palette-results role="listbox" aria-label=(text!("style-guide-example-results")) { (options(&found())) }
            }
        },
    },
];

fn found() -> [EntryGroup; 1] {
    let entries = vec![Entry::new("Zoë Lindqvist", "Zoë L.", HERE)];
    [EntryGroup { title: text!("style-guide-example-talents"), entries, all: None }]
}
