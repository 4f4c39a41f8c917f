//! Batches in words.

use grantor_domain::batch::{Batch, BatchCommand, BatchList, BatchProblem, BatchStatus};
use grantor_domain::mention::MentionStatus;
use grantor_messages::{error, text};
use maud::{Markup, html};

use super::list_of;
use crate::frame::label_from_name;
use crate::import::column_name;
use crate::license::field_label;

/// A batch in words.
pub(super) fn describe(batch: &Batch) -> String {
    describe_command(&batch.command, batch.total)
}

fn describe_command(command: &BatchCommand, count: u32) -> String {
    let list = list_of(command).name();
    match command {
        BatchCommand::Publish => text!("bulk-publish", count = count),
        BatchCommand::MakePrivate => text!("bulk-make-private", count = count),
        BatchCommand::Expire => text!("bulk-expire", count = count),
        BatchCommand::Share { name, .. } => text!("bulk-share", count = count, name = name),
        BatchCommand::Tag { tags, .. } => {
            text!("bulk-tag", list = list, count = count, tags = tags.joined())
        }
        BatchCommand::Untag { tags, .. } => {
            text!("bulk-untag", list = list, count = count, tags = tags.joined())
        }
        BatchCommand::Decide { status: MentionStatus::Dismissed, .. } => {
            text!("bulk-dismiss", count = count)
        }
        BatchCommand::Decide { allowed: Some(false), .. } => {
            text!("bulk-not-allowed", count = count)
        }
        BatchCommand::Decide { .. } => text!("bulk-confirm", count = count),
        BatchCommand::Decline { .. } => text!("bulk-decline", count = count),
        BatchCommand::Withdraw => text!("bulk-withdraw", count = count),
        BatchCommand::Import(_) => text!("bulk-import", list = list, count = count),
        BatchCommand::UndoImport { .. } => text!("bulk-undo-import", list = list, count = count),
        BatchCommand::Undo { of } => {
            let what = describe_command(of, count);
            text!("bulk-undo-of", what = what)
        }
    }
}

/// What a finished batch did, in one line.
pub(crate) fn summary(batch: &Batch) -> String {
    let (list, did) = (list_of(&batch.command).name(), done_label(&batch.command));
    let rows = text!("bulk-rows", list = list, count = batch.done);
    match batch.skipped {
        0 => text!("bulk-changed", did = did, rows = rows),
        skipped => {
            let why = skipped_label(&batch.command);
            text!("bulk-changed-some", did = did, rows = rows, why = why, skipped = skipped)
        }
    }
}

/// How far a batch is, and whether it could be done.
pub(super) fn status(batch: &Batch) -> Markup {
    let (tone, words) = match batch.status {
        BatchStatus::Checked => ("warn", text!("bulk-status-checked")),
        BatchStatus::Running => ("plain", text!("bulk-status-running")),
        BatchStatus::Stopped => ("warn", text!("bulk-status-stopped")),
        BatchStatus::Finished if not_done(batch) == 0 => ("good", text!("bulk-status-done")),
        BatchStatus::Finished if is_vain(batch) => ("bad", text!("bulk-status-failed")),
        BatchStatus::Finished => ("warn", text!("bulk-status-partly")),
    };
    html! { span class={ "badge " (tone) } { (words) } }
}

/// How many rows could not be done, for a reason that the person should know.
pub(super) fn not_done(batch: &Batch) -> u32 {
    match batch.command {
        BatchCommand::UndoImport { .. } | BatchCommand::Undo { .. } => {
            batch.failed.saturating_add(batch.skipped)
        }
        _ => batch.failed,
    }
}

/// Whether nothing at all could be done.
fn is_vain(batch: &Batch) -> bool {
    let not_done = not_done(batch);
    not_done > 0 && batch.done == 0 && not_done >= batch.worked_on()
}

/// What became of a batch, in a sentence.
pub(super) fn outcome(batch: &Batch) -> String {
    let list = list_of(&batch.command).name();
    let rows = |count: u32| text!("bulk-rows", list = list, count = count);
    match batch.status {
        BatchStatus::Checked => String::new(),
        BatchStatus::Running => text!("bulk-outcome-running").to_owned(),
        BatchStatus::Stopped => {
            let left = batch.total.saturating_sub(batch.worked_on());
            text!("bulk-outcome-stopped", rows = rows(left))
        }
        BatchStatus::Finished if not_done(batch) == 0 => text!("bulk-outcome-done").to_owned(),
        BatchStatus::Finished if is_vain(batch) => text!("bulk-outcome-failed").to_owned(),
        BatchStatus::Finished => text!("bulk-outcome-partly", rows = rows(not_done(batch))),
    }
}

/// What was done to the rows that were changed.
pub(super) fn done_label(command: &BatchCommand) -> &'static str {
    match command {
        BatchCommand::Publish => text!("bulk-did-publish"),
        BatchCommand::MakePrivate => text!("bulk-did-make-private"),
        BatchCommand::Expire => text!("bulk-did-expire"),
        BatchCommand::Share { .. } => text!("bulk-did-share"),
        BatchCommand::Tag { .. } => text!("bulk-did-tag"),
        BatchCommand::Untag { .. } => text!("bulk-did-untag"),
        BatchCommand::Decide { status: MentionStatus::Dismissed, .. } => text!("bulk-did-dismiss"),
        BatchCommand::Decide { allowed: Some(false), .. } => text!("bulk-did-not-allow"),
        BatchCommand::Decide { .. } => text!("bulk-did-confirm"),
        BatchCommand::Decline { .. } => text!("bulk-did-decline"),
        BatchCommand::Withdraw => text!("bulk-did-withdraw"),
        BatchCommand::Import(_) => text!("bulk-count-created"),
        BatchCommand::UndoImport { .. } => text!("bulk-did-undo-import"),
        BatchCommand::Undo { .. } => text!("bulk-did-undo"),
    }
}

/// Why rows were left as they were.
pub(super) fn skipped_label(command: &BatchCommand) -> &'static str {
    match command {
        BatchCommand::Import(_) => text!("bulk-count-skipped"),
        BatchCommand::UndoImport { .. } | BatchCommand::Undo { .. } => text!("bulk-left"),
        _ => text!("bulk-count-unneeded"),
    }
}

/// Why a row could not be changed. The service names the fields of a record as the API does; people
/// know their labels.
pub(super) fn reason(command: &BatchCommand, problem: &str) -> String {
    let label = |name: &str| match list_of(command) {
        BatchList::Licenses => field_label(name),
        _ => label_from_name(name),
    };
    let told = |part: &str| {
        let (name, message) = part.split_once(": ").filter(|(name, _)| !name.contains(' '))?;
        let words = message.split(' ');
        let words = words.map(|it| if is_member(it) { label(it) } else { it.to_owned() });
        let message = words.collect::<Vec<_>>().join(" ");
        Some(format!("{}: {}", label(name), error(&message)))
    };
    let parts: Option<Vec<_>> = problem.split("; ").map(told).collect();
    parts
        .map_or_else(|| error(problem.trim_end_matches('.')).into_owned(), |parts| parts.join("; "))
}

/// Whether a word is the name of a field in the API, such as `validFrom`.
fn is_member(word: &str) -> bool {
    word.starts_with(|it: char| it.is_ascii_lowercase())
        && word.chars().any(|it| it.is_ascii_uppercase())
}

/// Each wrong cell of the row of a file, such as `Row 14, Fee: must be an amount such as 1,500`.
pub(super) fn lines(problem: &BatchProblem) -> Vec<String> {
    let row = match problem.name.strip_prefix("Row ") {
        Some(number) => text!("import-row", number = number),
        None => problem.name.clone(),
    };
    let line = |it: &str| match it.split_once(": ") {
        Some((column, problem)) => {
            format!("{row}, {}: {}", column_name(column), error(problem))
        }
        None => format!("{row}, {}", error(it)),
    };
    problem.problem.lines().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_names_fields_by_their_labels() {
        let reason = |problem: &str| reason(&BatchCommand::Publish, problem);
        assert_eq!(reason("expiresAt: must be after validFrom"), "Ends: must be after Starts");
        assert_eq!(reason("License not found"), "License not found");
        let told = "The offer could not be read: it is gone";
        assert_eq!(reason(told), told);
    }

    #[test]
    fn each_wrong_cell_has_a_line() {
        let (item, name) = (12, "Row 14".to_owned());
        let problem = "Fee: must be an amount such as 1,500\nName: is required".to_owned();
        let found = lines(&BatchProblem { item, name, problem });
        let expected =
            ["Row 14, Fee: must be an amount such as 1,500", "Row 14, Name: is required"];
        assert_eq!(found, expected);
    }
}
