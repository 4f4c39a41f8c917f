//! The default templates of notices about mentions, licenses and integrations, and of emails that
//! contain several notices.

use super::built_in::Row;
use super::variable::{GREETING, ORGANIZATION, Variable, may, must};

const LICENSE: Variable = may("license", "Winter campaign");
const TALENT: Variable = may("talent", "Maya Chen");
const SITE: Variable = may("site", "loopwell.example");
const PAGE: Variable = may("title", "Ten faces of the winter");
const MENTION: Variable =
    must("link", "https://grantor.example/app/mentions/0190a5e4-7b3c-7def-8123-456789abcdef");
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
    "{{talent}} was found on {{site}} ({{verdict}})",
    "{{greeting}}

We found {{talent}} on {{site}}: {{title}}

Verdict: {{verdict}}. {{reason}}

[View mention]({{link}})

Grantor",
);

pub(super) const MENTION_REMOVED: Row = (
    "mention_removed",
    "A notice that a mention with a case was removed",
    &[GREETING, TALENT, SITE, PAGE, MENTION],
    "{{talent}} was removed from {{site}}",
    "{{greeting}}

The mention of {{talent}} on {{site}} was removed: {{title}}

[View case]({{link}})

We keep looking at the page for some time, and reopen the case if the mention is back.

Grantor",
);

pub(super) const MENTION_BACK: Row = (
    "mention_back",
    "A notice that a removed mention is back",
    &[GREETING, TALENT, SITE, PAGE, MENTION],
    "{{talent}} is on {{site}} again",
    "{{greeting}}

The mention of {{talent}} on {{site}} is back, so its case was reopened: {{title}}

[View case]({{link}})

Grantor",
);

pub(super) const CASE_ASSIGNED: Row = (
    "case_assigned",
    "A notice that a case was assigned",
    &[GREETING, may("person", "Ada Lovelace"), TALENT, SITE, PAGE, MENTION],
    "{{person}} assigned the case about {{talent}} on {{site}} to you",
    "{{greeting}}

{{person}} assigned the case about {{talent}} on {{site}} to you: {{title}}

[View case]({{link}})

Grantor",
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
    "{{organization}} shared {{license}} with you",
    "{{greeting}}

{{organization}} shared the license {{license}} ({{talent}}) with your organization as a {{role}}.

[View license]({{link}})

Grantor",
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
    "{{license}} ({{talent}}) expires on {{date}}",
    "{{greeting}}

The license {{license}} ({{talent}}) expires on {{date}}, in {{time}}.

[View license]({{link}})

To keep it, change its end date.

Grantor",
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
    "The API client {{client}} expires on {{date}}",
    "{{greeting}}

The API client {{client}} expires on {{date}}, in {{time}}. Requests with its credentials will then be rejected.

[View API client]({{link}})

To keep using it, change its expiration date.

Grantor",
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
    "Your {{card}} expires at the end of {{month}}",
    "{{greeting}}

Your {{card}} expires at the end of {{month}}.

[View billing]({{link}})

Add another card, so that your plan stays the same.

Grantor",
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
    "The webhook to {{host}} is failing",
    "{{greeting}}

Every delivery to {{url}} has failed since {{date}}. After five days of failures, the webhook is disabled.

[View webhook]({{link}})

Grantor",
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
    "The chat address {{chat}} was disabled",
    "{{greeting}}

Notifications are no longer sent to the chat address {{chat}}.

{{reason}}

[View chat addresses]({{link}})

Grantor",
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
    "The source {{source}} can't be read: {{error}}",
    "{{greeting}}

We haven't been able to read the source {{source}} ({{url}}) since {{date}}: {{error}}. Until we can read it again, we won't find mentions there.

[View source]({{link}})

Grantor",
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
    "The domain of {{platform}} was verified",
    "{{greeting}}

The domain {{domain}} of your platform {{platform}} was verified.

[View platform]({{link}})

Grantor",
);

pub(super) const SCANNER_STOPPED: Row = (
    "scanner_stopped",
    "A notice that staff stopped the scanner of a platform",
    &[
        GREETING,
        PLATFORM,
        must("link", "https://grantor.example/app/platforms/0190a5e4-7b3c-7def-8123-456789abcdef"),
    ],
    "The scanner of {{platform}} was stopped",
    "{{greeting}}

Our staff stopped the scanner of your platform {{platform}}. New content is not scanned until the scanner is started again.

[View platform]({{link}})

Grantor",
);

pub(super) const PLATFORM_WAITING: Row = (
    "platform_waiting",
    "A notice to staff that a platform waits for a scanner",
    &[GREETING, ORGANIZATION, PLATFORM, may("domain", "loopwell.example"), NEW_SCANNER],
    "{{organization}} asked for a scanner of {{platform}}",
    "{{greeting}}

{{organization}} asked for a scanner of its platform {{platform}} ({{domain}}).

[Create scanner]({{link}})

Grantor",
);

pub(super) const SEVERAL_NOTICES: Row = (
    "several_notices",
    "Several notices of one kind in one email",
    &[GREETING, COUNT, may("subject", "Loopwell Media requested Winter campaign"), ITEMS, ALL],
    "{{count}}: {{subject}}",
    "{{greeting}}

You have {{count}}:

{{items}}

[View notifications]({{link}})

Grantor",
);

pub(super) const DIGEST: Row = (
    "digest",
    "The daily digest",
    &[GREETING, COUNT, DATE, ITEMS, ALL],
    "Your daily digest: {{count}}",
    "{{greeting}}

This is your digest for {{date}}, with {{count}}:

{{items}}

[View notifications]({{link}})

Grantor",
);
