//! The sections of the license form. Fields are named as in the console API and its errors.

use grantor_domain::license::{Approval, FeePer, Territories, Uses};
use grantor_messages::text;
use maud::{Markup, html};

use super::talent_field::TalentField;
use super::term;
use super::{approval_label, type_label, types};
use crate::frame::FormData;
use crate::view::label::fee_per;
use crate::view::marked::{Mark, marked_select};
use crate::view::money::currency_choices;
use crate::view::territory::territory_choices;
use crate::view::time::zone_name;
use crate::view::{area, checkbox, choices, field, select};

/// What differs between the forms.
pub(super) struct Parts<'a> {
    /// The choice of the talent; `None` for a license that has one.
    pub(super) talent: Option<&'a TalentField>,
    /// The statuses to choose from, with their labels.
    pub(super) states: &'a [(&'static str, &'static str)],
    /// Draws the pictures, in their turn: errors are listed in the order of the fields.
    pub(super) pictures: &'a dyn Fn() -> Markup,
}

/// All sections of the form.
pub(super) fn sections(parts: &Parts<'_>, entered: &FormData) -> Markup {
    html! {
        (section(text!("license-section-who"), &who_and_what(parts, entered)))
        (section(text!("license-section-where"), &where_and_when(entered)))
        (section(text!("license-section-price"), &price(entered)))
        (section(text!("license-terms"), &terms(entered)))
        (section(text!("license-section-pictures"), &(parts.pictures)()))
        (section(text!("license-section-watching"), &watching(entered)))
    }
}

fn section(title: &str, fields: &Markup) -> Markup {
    html! { section.section { h2 { (title) } (fields) } }
}

fn who_and_what(parts: &Parts<'_>, entered: &FormData) -> Markup {
    let kinds: Vec<_> = types().collect();
    let uses: Vec<_> = Uses::known().map(|it| (it.key(), type_label(it))).collect();
    let drafts = text!("license-status-field-hint");
    let description = text!("license-description-hint");
    let no_uses = text!("license-uses-hint");
    html! {
        @if let Some(talent) = parts.talent { (talent.show(entered)) }
        (field("name", text!("word-name")).required().max_length(200).of(entered))
        (marked_select(Mark::Required, "type", text!("word-type"), None, &kinds, entered))
        (choices("uses", text!("license-uses"), Some(no_uses), &uses, entered))
        (area("description", text!("word-description"), Some(description), 4, entered))
        (select("status", text!("word-status"), Some(drafts), parts.states, entered))
        (field("externalId", text!("license-external-id")).max_length(128).hint(text!("license-external-id-hint")).of(entered))
    }
}

fn where_and_when(entered: &FormData) -> Markup {
    let everywhere = text!("license-territories-hint");
    let (all, zone) = (Territories::default(), zone_name());
    html! {
        (territory_choices(Mark::Optional, "territories", text!("license-territories"), Some(everywhere), &all, entered))
        div.two {
            (field("validFrom", text!("license-starts")).kind("datetime-local").hint(&text!("license-starts-hint", zone = &zone)).of(entered))
            (field("expiresAt", text!("license-ends")).kind("datetime-local").hint(&text!("license-ends-hint", zone = &zone)).of(entered))
        }
    }
}

fn price(entered: &FormData) -> Markup {
    let with_fee = Mark::RequiredIf(text!("license-with-fee"));
    html! {
        div.three {
            (field("appearanceFee", text!("license-fee")).inputmode("decimal").placeholder(text!("license-fee-example")).hint(text!("license-fee-hint")).of(entered))
            (marked_select(with_fee, "currency", text!("license-currency"), None, &currency_choices(), entered))
            (marked_select(with_fee, "feePer", text!("license-fee-per"), None, &per_choices(), entered))
        }
    }
}

/// The choices of what a fee is paid per.
fn per_choices() -> Vec<(&'static str, &'static str)> {
    let per = FeePer::ALL.map(|it| (it.name(), fee_per(it)));
    [("", "–")].into_iter().chain(per).collect()
}

fn terms(entered: &FormData) -> Markup {
    let exclusive = text!("license-exclusive-hint");
    let channels = text!("license-channels-hint");
    let conditions = text!("license-conditions-hint");
    let lines = text!("license-other-terms-hint");
    let approvals = Approval::ALL.map(|it| (it.name(), approval_label(it)));
    let approvals: Vec<_> =
        [("", text!("license-not-specified"))].into_iter().chain(approvals).collect();
    html! {
        (checkbox("exclusive", text!("license-exclusive"), Some(exclusive), entered))
        (area("channels", text!("license-channels"), Some(channels), 3, entered))
        (select("approval", text!("license-approval-by-talent"), None, &approvals, entered))
        (field("creditLine", text!("license-credit-line")).max_length(200).hint(text!("license-credit-line-hint")).of(entered))
        (area("conditions", text!("license-conditions"), Some(conditions), 5, entered))
        (area(term::LINES, text!("license-other-terms"), Some(lines), 3, entered))
        (advanced(entered))
    }
}

/// Terms that programs added. The part is open if there are any, or an error.
fn advanced(entered: &FormData) -> Markup {
    let wrong = entered.errors().iter().any(|it| it.name == term::JSON);
    let hint = text!("license-terms-json-hint");
    html! {
        details.more open[wrong || !entered.raw(term::JSON).is_empty()] {
            summary { (text!("license-advanced")) }
            (area(term::JSON, text!("license-terms-json"), Some(hint), 6, entered))
        }
    }
}

fn watching(entered: &FormData) -> Markup {
    let hint = text!("license-monitor-hint");
    checkbox("canCrawl", text!("license-monitor"), Some(hint), entered)
}

/// Returns the form's label of a field.
pub(crate) fn label(name: &str) -> String {
    if name == term::LINES {
        return text!("license-terms").to_owned();
    }
    let new_form = FormData::default();
    let talent = TalentField::default();
    let parts = Parts { talent: Some(&talent), states: &[], pictures: &|| html! {} };
    drop(sections(&parts, &new_form));
    new_form.label(name)
}
