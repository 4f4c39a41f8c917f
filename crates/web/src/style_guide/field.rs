//! Fields and forms. Errors are beside their fields, and what was entered stays.

use grantor_domain::license::Territories;
use grantor_messages::text;
use maud::{Markup, html};

use super::{HERE, Part};
use crate::asset;
use crate::view::combobox::{Choice, Combobox, combobox};
use crate::view::field::{error_summary, group, upload_form};
use crate::view::marked::{
    Mark, marked_area, marked_choices, marked_select, required_checkbox, required_note,
};
use crate::view::party::{Accepts, party_field};
use crate::view::tag::tag_field;
use crate::view::territory::territory_choices;
use crate::view::zone::time_zone;
use crate::view::{
    PictureOption, area, check_file, checkbox, choices, field, files, form, new_password,
    picture_choice, receipt_file, scope_choices, select, spreadsheet_file,
};

fn plans() -> [(&'static str, &'static str); 2] {
    [
        ("month", text!("style-guide-example-per-month")),
        ("year", text!("style-guide-example-per-year")),
    ]
}

pub(super) const PARTS: &[Part] = &[
    Part {
        name: "field::form",
        draw: |example| {
            let name = field("form_name", text!("word-name")).required().of(&example.entered);
            form(HERE, &example.entered, name, text!("style-guide-example-save-changes"))
        },
    },
    Part {
        name: "field::upload_form",
        draw: |example| {
            let (hint, entered) = (text!("style-guide-example-image-types"), &example.entered);
            let images =
                files("upload_images", text!("style-guide-example-add-images"), hint, entered);
            upload_form(HERE, entered, images, text!("style-guide-example-upload"))
        },
    },
    Part {
        name: "field::field",
        draw: |example| {
            let label = text!("style-guide-example-full-name");
            let hint = text!("style-guide-example-full-name-hint");
            in_form(&html! {
                (field("example_name", label).required().hint(hint).of(&example.entered))
                (field("wrong_name", label).required().of(&example.refused))
            })
        },
    },
    Part {
        name: "field::error_summary",
        draw: |example| {
            // The summary knows the labels of the fields that were drawn before it.
            let label = text!("style-guide-example-full-name");
            drop(field("wrong_name", label).of(&example.refused));
            error_summary(&example.refused)
        },
    },
    Part { name: "marked::required_note", draw: |_| required_note() },
    Part {
        name: "field::area",
        draw: |example| {
            let (label, hint) =
                (text!("style-guide-example-bio"), text!("style-guide-example-bio-hint"));
            in_form(&area("example_bio", label, Some(hint), 3, &example.entered))
        },
    },
    Part {
        name: "marked::marked_area",
        draw: |example| {
            let mark = Mark::RequiredIf(text!("style-guide-example-with-a-fee"));
            let label = text!("style-guide-example-conditions");
            in_form(&marked_area(mark, "example_terms", label, None, 3, &example.entered))
        },
    },
    Part {
        name: "field::select",
        draw: |example| {
            let label = text!("style-guide-example-fee");
            in_form(&select("example_per", label, None, &plans(), &example.entered))
        },
    },
    Part {
        name: "marked::marked_select",
        draw: |example| {
            let (label, entered) = (text!("style-guide-example-plan"), &example.entered);
            in_form(&marked_select(Mark::Required, "example_plan", label, None, &plans(), entered))
        },
    },
    Part {
        name: "field::checkbox",
        draw: |example| {
            let label = text!("style-guide-example-accept-terms");
            in_form(&checkbox("example_agreed", label, None, &example.entered))
        },
    },
    Part {
        name: "marked::required_checkbox",
        draw: |example| {
            let label = text!("style-guide-example-cannot-restore");
            in_form(&required_checkbox("example_understood", label, &example.entered))
        },
    },
    Part {
        name: "field::choices",
        draw: |example| {
            let label = text!("style-guide-example-uses");
            in_form(&choices("example_uses", label, None, &plans(), &example.entered))
        },
    },
    Part {
        name: "marked::marked_choices",
        draw: |example| {
            let (mark, label) = (Mark::Required, text!("style-guide-example-kinds"));
            in_form(&marked_choices(mark, "example_kinds", label, None, &plans(), &example.entered))
        },
    },
    Part {
        name: "scope::scope_choices",
        draw: |example| {
            let scopes = [
                ("mention:read", text!("style-guide-example-scope-mentions")),
                ("webhook:manage", text!("style-guide-example-scope-webhooks")),
            ];
            let label = text!("style-guide-example-scopes");
            let (hint, entered) = (text!("style-guide-example-scopes-hint"), &example.entered);
            in_form(&scope_choices("example_scopes", label, hint, &scopes, entered))
        },
    },
    Part {
        name: "field::group",
        draw: |example| {
            let street = text!("style-guide-example-street");
            let first = field("example_street", street).of(&example.entered);
            let label = text!("style-guide-example-address");
            in_form(&group("example_address", label, &example.entered, first))
        },
    },
    Part {
        name: "field::files",
        draw: |example| {
            let (label, hint) =
                (text!("style-guide-example-images"), text!("style-guide-example-images-hint"));
            in_form(&files("example_images", label, hint, &example.entered))
        },
    },
    Part {
        name: "file::check_file",
        draw: |example| {
            let (label, hint) =
                (text!("style-guide-example-picture"), text!("style-guide-example-picture-hint"));
            in_form(&check_file("example_picture", label, hint, &example.entered))
        },
    },
    Part {
        name: "file::receipt_file",
        draw: |example| {
            let (label, hint) =
                (text!("style-guide-example-receipt"), text!("style-guide-example-receipt-hint"));
            in_form(&receipt_file("example_receipt", label, hint, &example.entered))
        },
    },
    Part {
        name: "file::spreadsheet_file",
        draw: |example| {
            let (label, hint) =
                (text!("style-guide-example-file"), text!("style-guide-example-file-hint"));
            in_form(&spreadsheet_file("example_sheet", label, hint, &example.entered))
        },
    },
    Part {
        name: "file::picture_choice",
        draw: |example| {
            let option = PictureOption {
                value: "1".to_owned(),
                thumbnail: asset::url("seal.svg").to_owned(),
                label: text!("style-guide-example-seal").to_owned(),
            };
            let label = text!("style-guide-example-catalog-picture");
            in_form(&picture_choice("example_pick", label, &[option], &example.entered))
        },
    },
    Part {
        name: "password::new_password",
        draw: |example| {
            let label = text!("style-guide-example-new-password");
            in_form(&new_password("example_password", label, &example.entered))
        },
    },
    Part {
        name: "party::party_field",
        draw: |example| {
            let (label, accepts) = (text!("style-guide-example-share-with"), Accepts::Everyone);
            in_form(&party_field("example_party", label, accepts, &[], &example.entered))
        },
    },
    Part {
        name: "combobox::combobox",
        draw: |example| {
            let chosen = Choice {
                id: "1".to_owned(),
                name: "Zoë Lindqvist".to_owned(),
                detail: String::new(),
                thumbnail: None,
            };
            let field = Combobox {
                name: "example_record",
                label: text!("style-guide-example-talent"),
                hint: text!("license-talent-hint"),
                source: "/app/licenses/talents?search=",
                find: ("act", "find"),
                typed: "",
                chosen: Some(&chosen),
                found: None,
            };
            in_form(&combobox(&field, &example.entered))
        },
    },
    Part {
        name: "territory::territory_choices",
        draw: |example| {
            let within = Territories::parse(&["AT", "CH", "DE"]).unwrap_or_default();
            let (name, label) = ("example_places", text!("style-guide-example-territories"));
            let (mark, entered) = (Mark::Optional, &example.entered);
            in_form(&territory_choices(mark, name, label, None, &within, entered))
        },
    },
    Part {
        name: "tag::tag_field",
        draw: |example| {
            let (label, hint) =
                (text!("style-guide-example-tags"), text!("style-guide-example-tags-hint"));
            in_form(&tag_field("example_tags", label, hint, &example.entered))
        },
    },
    Part {
        name: "zone::time_zone",
        draw: |example| {
            let label = text!("style-guide-example-time-zone");
            in_form(&time_zone("example_zone", label, None, &example.entered))
        },
    },
];

/// Scripts of fields expect a form around them.
fn in_form(fields: &Markup) -> Markup {
    html! { form.form method="get" action=(HERE) { (fields) } }
}
