//! The default templates of mails about requests, offers and grants.

use super::built_in::Row;
use super::variable::{GREETING, ORGANIZATION, Variable, may, must};

const LICENSE: Variable = may("license", "Winter campaign");
const TALENT: Variable = may("talent", "Maya Chen");
const NUMBER: Variable = may("number", "GR-2026-000042");
const REASON: Variable = may("reason", "The talent isn't available in June.");
const LICENSOR: Variable = may("licensor", "Babbage Talent");
const LICENSEE: Variable = may("licensee", "Loopwell Media");
const ITEM: Variable = may("item", "offer");
const DATE: Variable = may("date", "Feb 15, 2026");
const REQUEST: Variable =
    must("link", "https://grantor.example/app/requests/0190a5e4-7b3c-7def-8123-456789abcdef");
const GRANT: Variable =
    must("link", "https://grantor.example/app/grants/0190a5e4-7b3c-7def-8123-456789abcdef");

pub(super) const OFFER_INVITATION: Row = (
    "offer_invitation",
    "An offer to an email address",
    &[GREETING, ORGANIZATION, LICENSE, TALENT, REQUEST, DATE],
    "{{organization}} made you an offer for {{license}}",
    "{{greeting}}

{{organization}} made you an offer for {{license}} ({{talent}}).

[View offer]({{link}})

Sign in with this email address to read the terms and respond. If you don't have an account with this address yet, you can create one first. The offer ends on {{date}}.

Until you respond, {{organization}} can't see whether you have an account.

If you don't know the sender, you can ignore this email.

Grantor",
);

pub(super) const OFFER_WITHDRAWN: Row = (
    "offer_withdrawn",
    "A notice that an offer to an email address was withdrawn",
    &[GREETING, ORGANIZATION, LICENSE, TALENT, REQUEST],
    "{{organization}} withdrew its offer",
    "{{greeting}}

{{organization}} withdrew its offer for {{license}} ({{talent}}), so you can't accept it anymore.

[View request]({{link}})

If you don't know the sender, you can ignore this email.

Grantor",
);

pub(super) const REQUEST_RECEIVED: Row = (
    "request_received",
    "A request for a license, to its owner",
    &[GREETING, ORGANIZATION, LICENSE, TALENT, may("purpose", "A winter campaign"), REQUEST],
    "{{organization}} requested {{license}}",
    "{{greeting}}

{{organization}} requested your license {{license}} ({{talent}}).

Purpose: {{purpose}}

[View request]({{link}})

You can make an offer, send a message or decline the request.

Grantor",
);

pub(super) const OFFER_RECEIVED: Row = (
    "offer_received",
    "An offer, to the organization it was made to",
    &[GREETING, ORGANIZATION, LICENSE, TALENT, REQUEST, DATE],
    "{{organization}} made you an offer for {{license}}",
    "{{greeting}}

{{organization}} made you an offer for {{license}} ({{talent}}).

[View offer]({{link}})

The offer ends on {{date}}.

Grantor",
);

pub(super) const REQUEST_MESSAGE: Row = (
    "request_message",
    "A message about a request, to the other party",
    &[
        GREETING,
        may("author", "Grace Hopper"),
        ORGANIZATION,
        LICENSE,
        may("message", "Which channels do you need?"),
        REQUEST,
    ],
    "New message about {{license}}",
    "{{greeting}}

{{author}} from {{organization}} sent a message about {{license}}:

{{message}}

[View request]({{link}})

We'll email you about new messages again after you have read this one.

Grantor",
);

pub(super) const REQUEST_DECLINED: Row = (
    "request_declined",
    "A notice that a request or an offer was declined",
    &[GREETING, ORGANIZATION, ITEM, LICENSE, TALENT, REASON, REQUEST],
    "{{organization}} declined your {{item}} for {{license}} ({{talent}})",
    "{{greeting}}

{{organization}} declined your {{item}} for {{license}} ({{talent}}).

Reason: {{reason}}

[View request]({{link}})

Grantor",
);

pub(super) const REQUEST_WITHDRAWN: Row = (
    "request_withdrawn",
    "A notice that a request or an offer was withdrawn",
    &[GREETING, ORGANIZATION, ITEM, LICENSE, TALENT, REQUEST],
    "{{organization}} withdrew its {{item}} for {{license}} ({{talent}})",
    "{{greeting}}

{{organization}} withdrew its {{item}} for {{license}} ({{talent}}).

[View request]({{link}})

Grantor",
);

pub(super) const REQUEST_LAPSED: Row = (
    "request_lapsed",
    "A notice that a request or an offer lapsed, to both parties",
    &[
        GREETING,
        ORGANIZATION,
        ITEM,
        LICENSE,
        TALENT,
        may("reason", "Nobody responded in time."),
        REQUEST,
    ],
    "The {{item}} for {{license}} ({{talent}}) lapsed",
    "{{greeting}}

The {{item}} for {{license}} ({{talent}}) between you and {{organization}} lapsed. {{reason}}

[View request]({{link}})

Grantor",
);

pub(super) const OFFER_BLOCKED: Row = (
    "offer_blocked",
    "A notice that an exclusive grant prevents an offer from being accepted, to the licensor",
    &[GREETING, ORGANIZATION, LICENSE, TALENT, NUMBER, REQUEST],
    "Your offer for {{license}} can't be accepted",
    "{{greeting}}

{{organization}} tried to accept your offer for {{license}} ({{talent}}). The offer overlaps with grant {{number}}, and one of the two is exclusive.

[View request]({{link}})

Replace the offer or withdraw it. We didn't tell {{organization}} which grant it overlaps with.

Grantor",
);

pub(super) const GRANT_MADE: Row = (
    "grant_made",
    "A notice of a new grant, to both parties",
    &[GREETING, LICENSEE, LICENSOR, LICENSE, TALENT, NUMBER, GRANT],
    "{{licensee}} accepted the offer for {{license}} ({{talent}}): grant {{number}}",
    "{{greeting}}

{{licensee}} accepted the offer from {{licensor}} for {{license}} ({{talent}}). The number of the grant is {{number}}.

[View grant]({{link}})

Grantor",
);

pub(super) const GRANT_EXPIRING: Row = (
    "grant_expiring",
    "A reminder that a grant ends soon, to both parties",
    &[
        GREETING,
        NUMBER,
        LICENSOR,
        LICENSEE,
        LICENSE,
        TALENT,
        may("time", "30 days"),
        DATE,
        GRANT,
    ],
    "Grant {{number}} for {{license}} ({{talent}}) ends on {{date}}",
    "{{greeting}}

Grant {{number}} from {{licensor}} to {{licensee}} for {{license}} ({{talent}}) ends on {{date}}, in {{time}}.

[View grant]({{link}})

Uses after that date need a new grant.

Grantor",
);

pub(super) const GRANT_REVOKED: Row = (
    "grant_revoked",
    "A notice that a grant was revoked, to the licensee",
    &[GREETING, LICENSOR, NUMBER, LICENSE, TALENT, REASON, GRANT],
    "{{licensor}} revoked grant {{number}} for {{license}} ({{talent}})",
    "{{greeting}}

{{licensor}} revoked grant {{number}} for {{license}} ({{talent}}).

Reason: {{reason}}

The grant and its receipt are no longer valid.

[View grant]({{link}})

Grantor",
);
