//! Parts that structure a page or say how something stands.

use grantor_messages::text;
use maud::html;

use super::{HERE, Part};
use crate::view::chart::tile;
use crate::view::{
    absent, ago, badge, card, code, confirm, day, empty, facts, for_developers, lesson, notice,
    plain_button, post_button, steps, tabs, undoable,
};

pub(super) const PARTS: &[Part] = &[
    Part {
        name: "component::card",
        draw: |_| {
            card(
                text!("style-guide-example-details"),
                html! { p { (text!("style-guide-example-together")) } },
            )
        },
    },
    Part {
        name: "component::facts",
        draw: |example| {
            facts(&[
                (text!("style-guide-example-talent"), html! { "Zoë Lindqvist" }),
                (text!("word-status"), badge("active")),
                (text!("word-updated"), ago(example.now, example.now)),
            ])
        },
    },
    Part { name: "component::absent", draw: |_| html! { p { (absent()) } } },
    Part {
        name: "component::badge",
        draw: |_| {
            html! {
                p {
                    (badge("active")) " " (badge("needs_review")) " " (badge("unlicensed")) " "
                    (badge("ended"))
                }
            }
        },
    },
    Part {
        name: "component::notice",
        draw: |_| {
            html! {
                (notice("good", html! { p { (text!("style-guide-example-domain-verified")) } }))
                (notice("warn", html! { p { (text!("style-guide-example-card-expires")) } }))
                (notice("bad", html! { p { (text!("style-guide-example-grant-revoked")) } }))
            }
        },
    },
    Part {
        name: "component::empty",
        draw: |_| {
            let next = html! { a.button.plain href=(HERE) { (text!("style-guide-example-clear-filters")) } };
            let why = text!("style-guide-example-no-licenses-why");
            empty(text!("style-guide-example-no-licenses"), why, next)
        },
    },
    Part {
        name: "component::lesson",
        draw: |_| {
            let next = html! { a.button href=(HERE) { (text!("style-guide-example-add-talent")) } };
            let why = text!("style-guide-example-no-talents-why");
            let steps = [
                text!("style-guide-example-enter-name"),
                text!("style-guide-example-create-licenses"),
            ];
            lesson(text!("style-guide-example-no-talents"), why, &steps, next)
        },
    },
    Part {
        name: "component::steps",
        draw: |_| {
            let steps = [
                (
                    text!("style-guide-example-add-domain"),
                    html! { p { (text!("style-guide-example-add-domain-done")) } },
                ),
                (
                    text!("style-guide-example-add-record"),
                    html! { p { (text!("style-guide-example-add-record-how")) } },
                ),
            ];
            steps_of(&steps)
        },
    },
    Part {
        name: "component::tabs",
        draw: |_| {
            let tab = |name, current| (HERE.to_owned(), name, current);
            let all = [
                tab(text!("style-guide-example-new"), true),
                tab(text!("style-guide-example-confirmed"), false),
            ];
            tabs(text!("style-guide-example-mentions-by-status"), &all)
        },
    },
    Part {
        name: "component::code",
        draw: |_| code(text!("style-guide-example-command"), "grantor listen"),
    },
    Part {
        name: "component::for_developers",
        draw: |_| {
            let label = text!("style-guide-example-license-id");
            for_developers(label, "0190a5e4-7b3c-7def-8123-456789abcdef")
        },
    },
    Part {
        name: "component::post_button",
        draw: |_| post_button(HERE, text!("style-guide-example-pause"), &[]),
    },
    Part {
        name: "component::plain_button",
        draw: |_| plain_button(HERE, text!("style-guide-example-pause"), &[]),
    },
    Part { name: "component::undoable", draw: |_| undoable(HERE, text!("action-remove"), &[]) },
    Part {
        name: "component::confirm",
        draw: |_| {
            let question = text!("style-guide-example-delete-question");
            confirm(HERE, text!("action-delete"), question, &[])
        },
    },
    Part {
        name: "component::confirm_with",
        draw: |example| {
            let reason = text!("style-guide-example-reason");
            let reason = crate::view::field("confirm_reason", reason).of(&example.entered);
            let (label, question) =
                (text!("style-guide-example-revoke"), text!("style-guide-example-revoke-question"));
            crate::view::component::confirm_with(HERE, label, question, reason)
        },
    },
    Part {
        name: "chart::tile",
        draw: |_| {
            let (name, link) =
                (text!("style-guide-example-new-mentions"), text!("style-guide-example-review"));
            html! { div.tiles { (tile(name, 1_234, Some(HERE), link)) } }
        },
    },
    Part {
        name: "time::day",
        draw: |example| html! { p { (day(example.now)) ", " (ago(example.now, example.now)) } },
    },
];

fn steps_of(all: &[(&str, maud::Markup)]) -> maud::Markup {
    steps(all, 1)
}
