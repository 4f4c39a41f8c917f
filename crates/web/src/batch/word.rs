//! Batches in words.

use grantor_domain::batch::{Batch, BatchCommand, BatchProblem};
use grantor_domain::mention::MentionStatus;
use grantor_messages::text;

use super::list_of;

/// A batch in words.
pub(super) fn describe(batch: &Batch) -> String {
    let (list, count) = (list_of(&batch.command).name(), batch.total);
    match &batch.command {
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
    }
}

/// What a finished batch did, in one line.
pub(crate) fn summary(batch: &Batch) -> String {
    let (list, count) = (list_of(&batch.command).name(), batch.done);
    match batch.skipped {
        0 => text!("bulk-changed", list = list, count = count),
        skipped => text!("bulk-changed-some", list = list, count = count, skipped = skipped),
    }
}

/// Each wrong cell of the row of a file, such as `Row 14, Fee: must be an amount such as 1,500`. The
/// problem stays English, because files have the English words that it names.
pub(super) fn lines(problem: &BatchProblem) -> Vec<String> {
    let row = match problem.name.strip_prefix("Row ") {
        Some(number) => text!("import-row", number = number),
        None => problem.name.clone(),
    };
    let line = |it: &str| match it.split_once(": ") {
        Some((column, problem)) => format!("{row}, {column}: {problem}"),
        None => format!("{row}, {it}"),
    };
    problem.problem.lines().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
