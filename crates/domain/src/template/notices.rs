//! Mails about mentions, licenses and integrations, and those that contain several notices.

use super::kind::Row;
use super::variable::{GREETING, ORGANIZATION, Variable, may, must};

const LICENSE: Variable = may("license", "Winter campaign");
const TALENT: Variable = may("talent", "Maya Chen");
const SITE: Variable = may("site", "loopwell.example");
const PAGE: Variable = may("title", "Ten faces of the winter");
const CASE: Variable =
    must("link", "https://grantor.example/app/mentions/0190a5e4-7b3c-7def-8123-456789abcdef/case");
const PERSON: Variable = may("person", "Ada Lovelace");
const PLATFORM: Variable = may("platform", "Loopwell News");
const REASON: Variable = may("reason", "The server responded with 503.");
const TIME: Variable = may("time", "7 days");
const DATE: Variable = may("date", "Feb 15, 2026");
const HOST: Variable = may("host", "brand.example");
const NEW_SCANNER: Variable = must(
    "link",
    "https://grantor.example/app/admin/pods/new?platform=0190a5e4-7b3c-7def-8123-456789abcdef",
);
const COUNT: Variable = may("count", "3 notifications");
const ITEMS: Variable = must(
    "items",
    "Loopwell Media requested Winter campaign\n\
     https://grantor.example/app/requests/0190a5e4-7b3c-7def-8123-456789abcdef",
);
const ALL: Variable = must("link", "https://grantor.example/app/notices");

pub(super) const MENTION_FOUND: Row = (
    "mention_found",
    "A notice that a mention was found",
    &[
        GREETING,
        TALENT,
        may("site", "loopwell.example"),
        may("title", "Ten faces of the winter"),
        may("verdict", "unlicensed"),
        REASON,
        must("link", "https://grantor.example/app/mentions/0190a5e4-7b3c-7def-8123-456789abcdef"),
    ],
);

pub(super) const MENTION_REMOVED: Row = (
    "mention_removed",
    "A notice that a mention with a case was removed",
    &[GREETING, TALENT, SITE, PAGE, CASE],
);

pub(super) const MENTION_MARKED_REMOVED: Row = (
    "mention_marked_removed",
    "A notice that somebody marked a mention with a case as removed",
    &[GREETING, PERSON, TALENT, SITE, PAGE, CASE],
);

pub(super) const MENTION_MARKED_NOT_REMOVED: Row = (
    "mention_marked_not_removed",
    "A notice that somebody marked a removed mention as not removed",
    &[GREETING, PERSON, TALENT, SITE, PAGE, CASE],
);

pub(super) const MENTION_BACK: Row = (
    "mention_back",
    "A notice that a removed mention is back",
    &[GREETING, TALENT, SITE, PAGE, CASE],
);

pub(super) const CASE_ASSIGNED: Row = (
    "case_assigned",
    "A notice that a case was assigned",
    &[GREETING, PERSON, TALENT, SITE, PAGE, CASE],
);

pub(super) const LICENSE_RECEIVED: Row = (
    "license_received",
    "A notice that a license was shared with an organization",
    &[
        GREETING,
        ORGANIZATION,
        LICENSE,
        TALENT,
        may("role", "viewer"),
        must("link", "https://grantor.example/app/licenses/0190a5e4-7b3c-7def-8123-456789abcdef"),
    ],
);

pub(super) const LICENSE_EXPIRING: Row = (
    "license_expiring",
    "A reminder that a license expires soon",
    &[
        GREETING,
        LICENSE,
        TALENT,
        TIME,
        DATE,
        must("link", "https://grantor.example/app/licenses/0190a5e4-7b3c-7def-8123-456789abcdef"),
    ],
);

pub(super) const CLIENT_EXPIRING: Row = (
    "client_expiring",
    "A warning that an API client expires soon",
    &[
        GREETING,
        may("client", "Production"),
        TIME,
        DATE,
        must("link", "https://grantor.example/app/clients/0190a5e4-7b3c-7def-8123-456789abcdef"),
    ],
);

pub(super) const CARD_EXPIRING: Row = (
    "card_expiring",
    "A warning that a payment card expires soon",
    &[
        GREETING,
        may("card", "Visa card ending in 4242"),
        may("month", "02/2026"),
        must("link", "https://grantor.example/app/billing"),
    ],
);

pub(super) const WEBHOOK_FAILING: Row = (
    "webhook_failing",
    "A notice that deliveries to a webhook fail",
    &[
        GREETING,
        may("url", "https://brand.example/hooks"),
        HOST,
        DATE,
        must("link", "https://grantor.example/app/webhooks/0190a5e4-7b3c-7def-8123-456789abcdef"),
    ],
);

pub(super) const CHAT_DISABLED: Row = (
    "chat_disabled",
    "A notice that a chat address was disabled",
    &[
        GREETING,
        may("chat", "Rights team"),
        REASON,
        must("link", "https://grantor.example/app/organization/chat"),
    ],
);

pub(super) const SOURCE_FAILING: Row = (
    "source_failing",
    "A notice that a source cannot be read",
    &[
        GREETING,
        may("source", "Loopwell blog"),
        may("url", "https://loopwell.example/feed"),
        DATE,
        may("error", "the server returned status 503"),
        must("link", "https://grantor.example/app/sources/0190a5e4-7b3c-7def-8123-456789abcdef"),
    ],
);

pub(super) const PLATFORM_VERIFIED: Row = (
    "platform_verified",
    "A notice that a platform's domain was verified",
    &[
        GREETING,
        PLATFORM,
        may("domain", "loopwell.example"),
        must("link", "https://grantor.example/app/platforms/0190a5e4-7b3c-7def-8123-456789abcdef"),
    ],
);

pub(super) const SCANNER_STOPPED: Row = (
    "scanner_stopped",
    "A notice that staff stopped the scanner of a platform",
    &[
        GREETING,
        PLATFORM,
        must("link", "https://grantor.example/app/platforms/0190a5e4-7b3c-7def-8123-456789abcdef"),
    ],
);

pub(super) const PLATFORM_WAITING: Row = (
    "platform_waiting",
    "A notice to staff that a platform waits for a scanner",
    &[GREETING, ORGANIZATION, PLATFORM, may("domain", "loopwell.example"), NEW_SCANNER],
);

pub(super) const HELP_REQUESTED: Row = (
    "help_requested",
    "A notice to staff that somebody asks for help",
    &[
        GREETING,
        ORGANIZATION,
        may("person", "Maya Chen"),
        may("message", "How do I share a license with two brands?"),
        may("email", "maya@loopwell.example"),
        may(
            "organization_link",
            "https://grantor.example/app/admin/organizations/0190a5e4-7b3c-7def-8123-456789abcdef",
        ),
        must("link", "https://grantor.example/app/admin/help/0190a5e4-7b3c-7def-8123-456789abcdef"),
    ],
);

pub(super) const HELP_ANSWERED: Row = (
    "help_answered",
    "The answer of staff to a request for help",
    &[
        GREETING,
        may("message", "How do I share a license with two brands?"),
        must("answer", "Open the license, select Share, and add one brand after the other."),
        may("link", "https://grantor.example/app/help"),
    ],
);

pub(super) const SEVERAL_NOTICES: Row = (
    "several_notices",
    "Several notices of one kind in one email",
    &[GREETING, COUNT, may("subject", "Loopwell Media requested Winter campaign"), ITEMS, ALL],
);

pub(super) const DIGEST: Row = ("digest", "The daily digest", &[GREETING, COUNT, DATE, ITEMS, ALL]);
