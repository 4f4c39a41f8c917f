//! What can be done to the selected rows of each list.

use grantor_domain::batch::BatchList;
use grantor_domain::role::Right;
use grantor_messages::text;

use crate::view::selection::Action;

/// Something that can be done to selected rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BulkAct {
    Publish,
    MakePrivate,
    Expire,
    Share,
    Tag,
    Untag,
    Confirm,
    Dismiss,
    NotAllowed,
    Decline,
    Withdraw,
    Export,
}

impl BulkAct {
    pub(super) const ALL: [Self; 12] = [
        Self::Publish,
        Self::MakePrivate,
        Self::Expire,
        Self::Share,
        Self::Tag,
        Self::Untag,
        Self::Confirm,
        Self::Dismiss,
        Self::NotAllowed,
        Self::Decline,
        Self::Withdraw,
        Self::Export,
    ];

    /// The value of its button.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Publish => "publish",
            Self::MakePrivate => "private",
            Self::Expire => "expire",
            Self::Share => "share",
            Self::Tag => "tag",
            Self::Untag => "untag",
            Self::Confirm => "confirm",
            Self::Dismiss => "dismiss",
            Self::NotAllowed => "not-allowed",
            Self::Decline => "decline",
            Self::Withdraw => "withdraw",
            Self::Export => "export",
        }
    }

    /// The label of its button.
    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Publish => text!("bulk-act-publish"),
            Self::MakePrivate => text!("bulk-act-private"),
            Self::Expire => text!("bulk-act-expire"),
            Self::Share => text!("bulk-act-share"),
            Self::Tag => text!("bulk-act-tag"),
            Self::Untag => text!("bulk-act-untag"),
            Self::Confirm => text!("bulk-act-confirm"),
            Self::Dismiss => text!("bulk-act-dismiss"),
            Self::NotAllowed => text!("bulk-act-not-allowed"),
            Self::Decline => text!("bulk-act-decline"),
            Self::Withdraw => text!("bulk-act-withdraw"),
            Self::Export => text!("bulk-act-export"),
        }
    }

    /// The value of its button, and the label.
    pub(super) fn action(self) -> Action {
        (self.name(), self.label())
    }

    /// What can be done to the rows of a list.
    pub(super) const fn of(list: BatchList) -> &'static [Self] {
        match list {
            BatchList::Licenses => &[
                Self::Publish,
                Self::MakePrivate,
                Self::Expire,
                Self::Share,
                Self::Tag,
                Self::Untag,
                Self::Export,
            ],
            BatchList::Talents => &[Self::Tag, Self::Untag, Self::Export],
            BatchList::Mentions => &[Self::Confirm, Self::Dismiss, Self::NotAllowed, Self::Export],
            BatchList::Requests => &[Self::Decline, Self::Withdraw, Self::Export],
        }
    }

    /// The rights of which one is needed for the button to be shown.
    pub(super) const fn rights(self, list: BatchList) -> &'static [Right] {
        match self {
            Self::Publish | Self::MakePrivate | Self::Expire => &[Right::EditLicenses],
            Self::Share => &[Right::ManageLicenses],
            Self::Tag | Self::Untag => match list {
                BatchList::Talents => &[Right::ManageTalents],
                _ => &[Right::ManageLicenses],
            },
            Self::Confirm | Self::Dismiss | Self::NotAllowed => &[Right::ReviewMentions],
            // The asker needs one, and the owner the other.
            Self::Decline | Self::Withdraw => &[Right::RequestLicenses, Right::ManageLicenses],
            Self::Export => &[Right::Read],
        }
    }
}

/// What the confirmation says.
pub(super) fn question(act: BulkAct) -> &'static str {
    match act {
        BulkAct::Publish => text!("bulk-question-publish"),
        BulkAct::MakePrivate => text!("bulk-question-private"),
        BulkAct::Expire => text!("bulk-question-expire"),
        BulkAct::Share => text!("bulk-question-share"),
        BulkAct::Tag | BulkAct::Untag => text!("bulk-question-tag"),
        BulkAct::Decline => text!("bulk-question-decline"),
        BulkAct::Withdraw => text!("bulk-question-withdraw"),
        BulkAct::Confirm | BulkAct::Dismiss | BulkAct::NotAllowed => text!("bulk-question-decide"),
        BulkAct::Export => text!("bulk-question-export"),
    }
}

/// Whether it can be taken back, for the confirmation.
pub(super) fn undo_hint(act: BulkAct) -> &'static str {
    match act {
        BulkAct::Decline | BulkAct::Withdraw => text!("bulk-no-undo"),
        _ => text!("bulk-undo-hint"),
    }
}
