//! Notices: telling people what happened (contract-2 section 26). A notice is written for each
//! person in the unit of work of the change (`write.rs`), and jobs tell about it afterwards: by
//! email at once or in a daily digest (`mail.rs`), and in the tenant's chats (`chat_sender.rs`).

mod bell;
pub(crate) mod card;
mod case;
pub mod chat;
mod chat_queue;
mod chat_restore;
mod chat_sender;
mod events;
mod mail;
mod mention;
mod person;
mod reader;
mod settings;
pub mod unsubscribe;
mod words;
mod write;

pub use self::bell::{
    Inbox, NoticeList, UNREAD_SHOWN, get, list, mark_all_read, mark_page_read, mark_read, open,
    unread, unread_elsewhere,
};
pub use self::card::warn_expiring as warn_expiring_cards;
pub(crate) use self::case::{
    CaseWorkers, case_assigned, mention_back, mention_marked_removed, mention_not_removed,
    mention_removed,
};
pub(crate) use self::chat_restore::ChatReverse;
pub use self::chat_sender::send_due as send_chat_messages;
pub(crate) use self::events::{
    chat_disabled, client_expiring, license_expiring, license_shared, platform_verified,
    platform_waits, scanner_created, scanner_stopped, source_failing, webhook_disabled,
    webhook_failing,
};
pub use self::mail::compose_due;
pub(crate) use self::mention::mention_found;
pub use self::settings::{SettingsChange, SettingsView, change, parse_language, show};
pub use self::words::in_language;
pub(crate) use self::write::{tell, tell_person, tell_staff};
