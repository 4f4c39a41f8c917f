//! Mails about requests, offers and grants.

use super::kind::Row;
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
);

pub(super) const OFFER_WITHDRAWN: Row = (
    "offer_withdrawn",
    "A notice that an offer to an email address was withdrawn",
    &[GREETING, ORGANIZATION, LICENSE, TALENT, REQUEST],
);

pub(super) const REQUEST_RECEIVED: Row = (
    "request_received",
    "A request for a license, to its owner",
    &[GREETING, ORGANIZATION, LICENSE, TALENT, may("purpose", "A winter campaign"), REQUEST],
);

pub(super) const OFFER_RECEIVED: Row = (
    "offer_received",
    "An offer, to the organization it was made to",
    &[GREETING, ORGANIZATION, LICENSE, TALENT, REQUEST, DATE],
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
);

pub(super) const REQUEST_DECLINED: Row = (
    "request_declined",
    "A notice that a request or an offer was declined",
    &[GREETING, ORGANIZATION, ITEM, LICENSE, TALENT, REASON, REQUEST],
);

pub(super) const REQUEST_WITHDRAWN: Row = (
    "request_withdrawn",
    "A notice that a request or an offer was withdrawn",
    &[GREETING, ORGANIZATION, ITEM, LICENSE, TALENT, REQUEST],
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
);

pub(super) const OFFER_BLOCKED: Row = (
    "offer_blocked",
    "A notice that an exclusive grant prevents an offer from being accepted, to the licensor",
    &[GREETING, ORGANIZATION, LICENSE, TALENT, NUMBER, REQUEST],
);

pub(super) const GRANT_MADE: Row = (
    "grant_made",
    "A notice of a new grant, to both parties",
    &[GREETING, LICENSEE, LICENSOR, LICENSE, TALENT, NUMBER, GRANT],
);

pub(super) const GRANT_EXPIRING: Row = (
    "grant_expiring",
    "A reminder that a grant ends soon, to both parties",
    &[GREETING, NUMBER, LICENSOR, LICENSEE, LICENSE, TALENT, may("time", "30 days"), DATE, GRANT],
);

pub(super) const GRANT_REVOKED: Row = (
    "grant_revoked",
    "A notice that a grant was revoked, to the licensee",
    &[GREETING, LICENSOR, NUMBER, LICENSE, TALENT, REASON, GRANT],
);
