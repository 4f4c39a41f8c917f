//! The actions of the log in words, so that nobody has to know their names.

use std::borrow::Cow;
use std::sync::LazyLock;

use grantor_domain::audit::{Class, Level};
use grantor_messages::{Language, error, find_error, named, text};
use grantor_service::log::LogRecord;

use super::resource_label;

/// The actions that an organization's log contains, each with a message `log-action-…`. Reads have
/// none.
const ACTIONS: &[&str] = &[
    "authenticator_app.begin",
    "authenticator_app.create",
    "authenticator_app.delete",
    "batch.start",
    "batch.stop",
    "batch.undo",
    "bill.settle",
    "bookmark.create",
    "bookmark.delete",
    "bookmark.update",
    "card.create",
    "card.delete",
    "card.warn",
    "case.comment",
    "case.create",
    "case.letter",
    "case.look",
    "case.update",
    "catalog_picture.remove",
    "catalog_picture.set",
    "change.undo",
    "chat_address.create",
    "chat_address.delete",
    "chat_address.disable",
    "chat_address.test",
    "chat_address.update",
    "check.create",
    "client.create",
    "client.delete",
    "client.revoke",
    "client.rotate",
    "client.update",
    "client.warn",
    "code.resend",
    "grant.advance",
    "grant.remind",
    "grant.revoke",
    "help_request.answer",
    "help_request.create",
    "image.add",
    "image.remove",
    "import.start",
    "invitation.accept",
    "invitation.resend",
    "letter_template.restore",
    "letter_template.update",
    "license.create",
    "license.delete",
    "license.expire",
    "license.remind",
    "license.update",
    "license_template.create",
    "license_template.delete",
    "license_template.rename",
    "locale.update",
    "log.export",
    "magic_link.create",
    "magic_link.verify",
    "mention.record",
    "mention.record_source",
    "mention.update",
    "notification.unsubscribe",
    "notification.update",
    "onboarding.finish",
    "onboarding.hide",
    "onboarding.verify_receipt",
    "organization.change",
    "organization.require_second_factor",
    "organization.set_findable",
    "organization.update",
    "passkey.create",
    "passkey.delete",
    "passkey.sign_in",
    "passkey.verify",
    "password.forgot",
    "password.reset",
    "password.send_reset",
    "pax.create",
    "pax.push",
    "pax.revoke",
    "permission.grant",
    "permission.revoke",
    "platform.ask_scanner",
    "platform.create",
    "platform.delete",
    "platform.update",
    "platform.verify",
    "pod.create",
    "pod.pause",
    "pod.pause_all",
    "pod.scan",
    "pod.start",
    "pod.start_all",
    "pod.stop",
    "pod.stop_all",
    "profile.claim",
    "profile.delete",
    "profile.verify",
    "recovery_code.create",
    "registration.create",
    "registration.verify",
    "request.accept",
    "request.create",
    "request.decline",
    "request.lapse",
    "request.message",
    "request.offer",
    "request.read",
    "request.withdraw",
    "sample.enter",
    "sample.enter_staff",
    "saved_view.create",
    "saved_view.delete",
    "saved_view.update",
    "second_factor.reset",
    "second_factor.verify",
    "session.create",
    "session.delete",
    "session.delete_others",
    "session.renew",
    "session.switch",
    "session.warn",
    "shared_link.create",
    "shared_link.withdraw",
    "single_sign_on.add_domain",
    "single_sign_on.delete",
    "single_sign_on.enable",
    "single_sign_on.fail",
    "single_sign_on.forget_people",
    "single_sign_on.remove_domain",
    "single_sign_on.sign_in",
    "single_sign_on.update",
    "single_sign_on.verify_domain",
    "source.create",
    "source.delete",
    "source.failing",
    "source.resume",
    "source.scan",
    "source.stop",
    "source.stop_all",
    "source.update",
    "staff_view.begin",
    "staff_view.end",
    "subscription.cancel",
    "subscription.create",
    "subscription.renew",
    "tag.change",
    "talent.create",
    "talent.delete",
    "talent.invite",
    "talent.update",
    "team.change_member",
    "team.create",
    "team.delete",
    "team.invite",
    "team.remove_member",
    "token.create",
    "token.refresh",
    "token.revoke",
    "user.change_password",
    "user.set_status",
    "user.update",
    "webhook.create",
    "webhook.delete",
    "webhook.disable",
    "webhook.replay",
    "webhook.retry",
    "webhook.rotate_secret",
    "webhook.test",
    "webhook.update",
    "webhook.warn",
];

/// The actions of staff and operators, who act in no organization.
const STAFF_ACTIONS: &[&str] = &[
    "admin.authenticate",
    "admin.create",
    "admin.invite",
    "admin.token",
    "admin.update",
    "keys.cancel",
    "keys.rotate",
    "mail_template.create",
    "mail_template.delete",
    "mail_template.update",
];

/// Returns an action in words, or its name if it has no label.
pub(crate) fn label(action: &str) -> Cow<'_, str> {
    let known = named("log-action", action).map(Cow::Borrowed);
    known.or_else(|| read_label(action).map(Cow::Owned)).unwrap_or(Cow::Borrowed(action))
}

/// A read in words: what was looked at, and how.
fn read_label(action: &str) -> Option<String> {
    let (kind, verb) = action.split_once('.')?;
    let what = resource_label(kind);
    Some(match verb.split('_').next().unwrap_or(verb) {
        "list" => text!("log-read-list", what = what),
        "show" | "read" | "check" | "preview" => text!("log-read-show", what = what),
        "new" | "edit" => text!("log-read-form", what = what),
        "fetch" | "export" | "sample" => text!("log-read-file", what = what),
        "search" => text!("log-read-search", what = what),
        _ => return None,
    })
}

/// Returns what happened, in the language of the page. The sentences of entries are stored in
/// English. In other languages, the label of the action tells the same, but not that something was
/// refused or undone.
pub(crate) fn event(it: &LogRecord) -> Cow<'_, str> {
    if Language::current() == Language::english() {
        return Cow::Borrowed(&it.message);
    }
    if it.class == Class::Access {
        return read_label(&it.action).map_or(Cow::Borrowed(it.message.as_str()), Cow::Owned);
    }
    let Some(label) = named("log-action", &it.action) else {
        return Cow::Borrowed(&it.message);
    };
    let is_known =
        find_error(&it.message).is_some_and(|key| Language::english().text(key) == it.message);
    if is_known || it.level != Level::Info { error(&it.message) } else { Cow::Borrowed(label) }
}

/// The choices of a filter by action, sorted by label. A chosen action without a label is one of
/// them.
pub(super) fn choices(chosen: Option<&str>) -> Vec<(String, String)> {
    static SORTED: Sorted = Sorted::new(|| sort_all(ACTIONS));
    choices_of(&SORTED, chosen)
}

/// The choices of staff.
pub(crate) fn staff_choices(chosen: Option<&str>) -> Vec<(String, String)> {
    static SORTED: Sorted = Sorted::new(|| sort_all(&[ACTIONS, STAFF_ACTIONS].concat()));
    choices_of(&SORTED, chosen)
}

/// Actions with their labels, sorted by label in each language. Sorting them for each page took a
/// seventh of its time.
type Sorted = LazyLock<Vec<(Language, Vec<(&'static str, &'static str)>)>>;

fn sort_all(actions: &[&'static str]) -> Vec<(Language, Vec<(&'static str, &'static str)>)> {
    let sort = |language: Language| {
        let label = |name: &'static str| language.named("log-action", name).unwrap_or(name);
        let mut choices: Vec<_> = actions.iter().map(|it| (*it, label(it))).collect();
        choices.sort_by_cached_key(|(_, label)| sort_key(label));
        (language, choices)
    };
    Language::all().map(sort).collect()
}

fn choices_of(sorted: &Sorted, chosen: Option<&str>) -> Vec<(String, String)> {
    let current = Language::current();
    let found = sorted.iter().find(|(language, _)| *language == current);
    let known = found.map_or(&[] as &[_], |(_, choices)| choices);
    let owned = |(name, label): &(&str, &str)| ((*name).to_owned(), (*label).to_owned());
    let mut choices: Vec<_> = known.iter().map(owned).collect();
    let is_unlisted = |it: &&str| !it.is_empty() && known.iter().all(|(name, _)| name != it);
    let unlisted = chosen.filter(is_unlisted);
    choices.extend(unlisted.map(|it| (it.to_owned(), label(it).into_owned())));
    choices
}

/// Umlauts are sorted like their vowels.
fn sort_key(label: &str) -> String {
    label.to_lowercase().replace('ä', "a").replace('ö', "o").replace('ü', "u")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// The names of the acts in the sources of a folder.
    fn acts(folder: &Path) -> Vec<String> {
        let mut found = Vec::new();
        for file in std::fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            if path.is_dir() {
                found.extend(acts(&path));
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let lines = text.lines().map(str::trim).filter(|it| it.starts_with("const ACTION"));
            found.extend(lines.filter_map(|it| Some(it.split('"').nth(1)?.to_owned())));
        }
        found
    }

    #[test]
    fn every_act_has_a_label() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../service/src");
        let mut unlabeled = acts(&folder);
        assert!(unlabeled.len() > ACTIONS.len() / 2, "the control: acts are found");
        let known = [ACTIONS, STAFF_ACTIONS].concat();
        unlabeled.retain(|it| !known.contains(&it.as_str()));
        assert_eq!(unlabeled, [""; 0], "add them to ACTIONS");
        let missing: Vec<_> = known.iter().filter(|it| named("log-action", it).is_none()).collect();
        assert_eq!(missing, Vec::<&&str>::new(), "add their messages");
        assert!(ACTIONS.is_sorted() && STAFF_ACTIONS.is_sorted());
    }

    #[tokio::test]
    async fn choices_are_sorted_by_their_labels() {
        assert!(choices(None).is_sorted_by_key(|(_, label)| label));
        let german = Language::find("de").unwrap();
        let choices = german.scope(async { choices(None) }).await;
        assert_eq!(choices[0].1, "Abmeldung");
        let at = |name: &str| choices.iter().position(|(it, _)| it == name);
        assert!(at("change.undo") < at("request.accept"), "Änderung, then Angebot");
    }

    #[tokio::test]
    async fn reads_have_a_label_in_every_language() {
        let shown = || ["team.list", "license.show_history", "token.verify"].map(label);
        assert_eq!(shown(), ["List viewed: Team", "Viewed: License", "token.verify"]);
        let german = Language::find("de").unwrap().scope(async { shown() }).await;
        assert_eq!(german, ["Liste angesehen: Team", "Angesehen: Lizenz", "token.verify"]);
    }

    #[test]
    fn a_chosen_action_stays_chosen() {
        assert_eq!(choices(Some("team.create")).len(), ACTIONS.len());
        let more = choices(Some("license.show"));
        assert_eq!(more.last().unwrap().0, "license.show");
        assert_eq!(choices(Some("")).len(), choices(None).len());
        assert_eq!(staff_choices(None).len(), ACTIONS.len() + STAFF_ACTIONS.len());
    }
}
