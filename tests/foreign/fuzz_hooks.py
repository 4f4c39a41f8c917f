"""What Schemathesis must know beyond the documents: see fuzz_api.py, which runs it with this file.

Some rules cannot be told in JSON Schema, because they depend on the time, on what is stored or on
two members at once. A refusal by such a rule is counted, not taken for a fault. Each has its line in
BEYOND, with the message it excuses: any other refusal of the same member is reported.
"""

import atexit
import collections
import contextlib
import json
import os
import random
import re
import urllib.request
import uuid

import schemathesis

# An operation, what it says of a member or of the body, and why no schema can tell.
BEYOND = [
    (r"POST /token/info", r"token: is required", "the token may come in a header"),
    # Two members at once.
    (r"(GET|PATCH) /licenses/\{id\}$", r"include_image_urls: requires include_images=true", "two parameters at once"),
    (r"GET /licenses/\{id\}$", r"include_images: requires the format json", "two parameters at once"),
    (r"GET /licenses/\{id\}/mentions", r"to: must be after from", "two parameters at once"),
    (r"POST /oauth/", r"invalid_request: (Credentials must be in|The parameter client_id is another)", "credentials come in one of two ways"),
    (r"POST /oauth/token", r"invalid_target: ", "a resource is a URL of the server"),
    (r"GET /oauth/authorize", r"unsupported_response_type: ", "there is nothing to authorize"),
    (r"POST /magic-link/verify", r"Send either email and otp, or token", "one of two forms"),
    (r"POST /org/invite/talent$", r"(fullname|teamId): must be omitted if talentId is set", "one of two forms"),
    (r"PATCH /mentions/\{id\}$", r"status: is required", "one of two members"),
    (r"PATCH /mentions/\{id\}$", r"allowed: can only be set for a confirmed mention", "two members at once"),
    (r"GET /(console/logs|logs/all|logs/search)|POST /console/logs/export", r"endDate: must be after startDate", "two members at once"),
    (r"POST /webhooks/\{id\}/replay", r"until: must be after since", "two members at once"),
    (r"PATCH /licenses/\{id\}|(POST|PATCH) /org/(talent/)?license/", r"(expires_at|expiresAt|valid_from|validFrom): must be (after|before)", "two members at once"),
    (r"(POST|PATCH) /org/(talent/)?license/", r"(appearanceFee|currency|feePer): is required for a fee", "the fee is three members"),
    (r"POST /org/invite/team/member/", r"lastname: must be", "two names together are one"),
    (r"PATCH /user/profile", r"(lastname: must result in a full name of 2 to 100 characters|fullname: must match firstname and lastname)", "two names together are one"),
    (r"(POST /org/talent|PATCH /talent/\{talentId\})$", r"socialMedia: must contain .* only once", "names that differ in case alone are one"),
    (r"POST /org/create/platform|PATCH /org/platform/", r"feedUrls: entry \d+ must be (on the platform's own host|a URL such as)", "feeds are on the platform's own domain, and a URL has a standard of its own"),
    (r"POST /org/create/platform", r"teamId: is required because", "a Team_Lead of several teams names one"),
    (r"POST /org/subscribe$", r"cardId: is required", "only a plan with a price needs a card"),
    (r"POST /org/invite/talent$", r"email: is required", "only where the record has none"),
    (r"", r"[pP]assword: must be at most 128 bytes", "a schema counts characters, not bytes"),
    (r"POST /checks", r"(must be the only one of|The check must have one of) image, image_url, url and text", "exactly one of several members"),
    (r"POST /decisions", r"questions\.\d+: must have either license_id or talent_id", "one of two members"),
    (r"POST /(requests|licenses/\{id\}/offers|requests/\{id\}/offer)$", r"ends_at: must be after starts_at", "two members at once"),
    # Time.
    (r"(POST /org/create/client|PATCH /org/client/)", r"expiresAt: must be in the future", "depends on the time"),
    (r"(POST|PATCH) /org/(talent/)?license/|PATCH /licenses/", r"(expires_at|expiresAt): must be in the future", "depends on the time"),
    # What is stored, or is elsewhere.
    (r"GET /events", r"after: must be at most \d+, the number of the newest event", "a cursor is one that was given"),
    (r"POST /auth/validate/registration|POST /auth/reset/password|PUT /auth/resend/otp/", r"(INVALID_SESSION|INVALID_OTP)", "depends on a code that was mailed"),
    (r"POST /auth/accept/invitation", r"INVALID_SESSION", "depends on an invitation that was mailed"),
    (r"POST /sources", r"url: cannot be read: ", "the address is fetched"),
    (r"POST /profiles", r"url: must be the address of a profile", "each service has addresses of its own"),
    (r"POST /(profiles|sources)", r"url: must be (an address|a URL) such as", "an address has a standard of its own"),
    (r"(POST|PATCH) /sources", r"talents: must be talents of your organization", "depends on who is in the roster"),
    (r"PATCH /mentions/\{id\}/case", r"assignee_id: must be a member of your organization", "depends on who is a member"),
    (r"(POST|PATCH) /webhooks", r"url: must (resolve to a public address|have a (public|valid) host name|be an absolute URL)", "the host is looked up: it must be on the public internet"),
    (r"(POST|PATCH) /org/chat-addresses", r"url: must (resolve to a public address|have a (public|valid) host name|be (an absolute URL|a URL that starts with)|not contain a user name)", "the host is looked up: it must be on the public internet"),
    (r"POST /org/create/platform|PATCH /org/platform/", r"domain: must be a host name such as", "international names have a standard of their own"),
    (r"POST /console/pax/\{paxId\}/content", r"items\.\d+\.(url|imageUrl): must be (a URL such as|on )", "an address must be on the platform's verified domain, and a URL has a standard of its own"),
    (r"POST /checks", r"(url|image_url): (must (be a URL such as|be an absolute URL|resolve to|have a (public|valid) host name|use https|not )|could not be read|took longer)", "the address is fetched, and a URL has a standard of its own"),
    (r"POST /checks", r"image: (must be a JPEG, PNG or WebP image|has too little detail)", "pictures are decoded"),
    (r"PUT /org/license/\{licenseId\}/catalog-picture", r"image: must be a JPEG, PNG or WebP image", "pictures are decoded"),
    (r"PUT /org/license/\{licenseId\}/catalog-picture", r"imageId: must be a reference image of this license", "the picture must belong to the license"),
    (r"POST /checks", r"not a valid multipart form", "names of parts cannot hold every character"),
    (r"POST /org/card$", r"token: was declined \(unknown_token\)", "the payment processor knows its tokens"),
    (r"POST /org/(card|subscribe)$", r"must not contain a card number", "card numbers are refused wherever they stand"),
    (r"PATCH /org/talent/license/\{licenseId\}/image|POST /org/talent/license/|PUT /org/license/\{licenseId\}/catalog-picture", r"not a valid multipart form", "names of parts cannot hold every character"),
    (r"PATCH /org/letter-templates/", r"(subject|text): (must contain \{evidence_link\}|has a \{ without a \}|has an unknown placeholder)", "letters have values of their own"),
    (r"(POST|PUT) /mail/", r"(subject|body): (must contain|has an |uses the )", "each mail has values of its own"),
    (r"PATCH /user/change/password", r"password: is not your current password", "depends on the password there is"),
    (r"PATCH /org/talent/license/\{licenseId\}/image|POST /org/talent/license/", r"images(\.\d+)?: (“.*” )?(must be a JPEG, PNG or WebP image|is empty)", "pictures are decoded"),
    (r"PATCH /licenses/\{id\}|(POST|PATCH) /org/(talent/)?license/", r"(external_id|externalId): must not have the form of a UUID", "UUIDs have many spellings"),
    (r"PATCH /org/information", r"basicInfo\.website: must be a URL such as", "an address has a host with a dot"),
]
BEYOND = [(re.compile(where), re.compile(what), why) for where, what, why in BEYOND]

# Failures of a check that does not mean what it looks for, with the reason.
ODD = {
    ("POST /external/validate/key", "IgnoredAuth"): "the bearer is the key that is asked about, not proof of who asks",
}
UUID = re.compile(r"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$")
KEY = re.compile(r"^[!-~]{1,255}$")

counts = collections.Counter()
statuses = collections.defaultdict(collections.Counter)
beyond = collections.Counter()
dice = random.Random(1)
# Ids of records that there are, by the names that members and paths have for them.
known = collections.defaultdict(list, json.loads(os.environ.get("FUZZ_KNOWN", "{}")))
session = json.loads(os.environ.get("FUZZ_SESSION", "{}"))


def reasons(response):
    """What an error says: its code, its message and each member with its message."""
    try:
        body = response.json()
        error = body["error"]
    except Exception:
        return []
    if isinstance(error, str):
        # As OAuth 2.0 has it.
        return [f"{error}: {body.get('error_description')}"]
    details = error.get("details") or {}
    members = [f"{name}: {message}" for name, message in details.items()]
    return members or [f"{error['code']}: {error['message']}"]


def excused(label, response):
    """Why no schema can tell of a refusal, if that is so for every reason it gives."""
    told = reasons(response)
    lines = [next((it for it in BEYOND if it[0].search(label) and it[1].search(one)), None) for one in told]
    return lines[0][2] if lines and all(lines) else None


def noun(path, name):
    """What a part of a path is an id of: `id` stands for what the path is about."""
    if name != "id":
        return name
    return {"licenses": "licenseId", "mentions": "mention_id", "webhooks": "webhook_id", "bookmarks": "bookmark_id"}.get(path.split("/")[1], name)


def some(name, value):
    """An id that there is instead of one that there is not, more often than not."""
    if not isinstance(value, str) or not UUID.match(value) or not known[name] or dice.random() < 0.3:
        return value
    return dice.choice(known[name])


def learn(path, value):
    """Notes the ids of an answer."""
    if isinstance(value, list):
        for one in value[:5]:
            learn(path, one)
    elif isinstance(value, dict):
        for name, one in value.items():
            if isinstance(one, str) and UUID.match(one):
                name = noun(path, name)
                if one not in known[name]:
                    known[name] = known[name][-9:] + [one]
            else:
                learn(path, one)


def settle(body):
    """Ids that there are, and times to come where the past is refused."""
    for name, value in list(body.items()):
        if isinstance(value, dict):
            settle(value)
        elif name in ("expiresAt", "expires_at") and isinstance(value, str):
            body[name] = "2099-01-31T12:00:00Z"
        else:
            body[name] = some("planId" if name == "subscriptionId" else name, value)


@schemathesis.hook
def before_call(context, case, kwargs):
    # A key that came before with another body would hide what the body is answered with.
    for name in [it for it in case.headers or {} if it.lower() == "idempotency-key"]:
        if KEY.match(str(case.headers[name])):
            case.headers[name] = str(uuid.UUID(int=dice.getrandbits(128)))
    token = case.headers.get("Authorization") if case.headers else None
    if token and session.get("first") and token == f"Bearer {session['first']}":
        case.headers["Authorization"] = f"Bearer {session['token']}"
    phase = case.meta.phase.name.value if case.meta else ""
    if phase not in ("coverage", "fuzzing") or not case.meta.generation.mode.is_positive:
        return
    if case.method != "DELETE" or dice.random() < 0.2:
        for name, value in (case.path_parameters or {}).items():
            case.path_parameters[name] = some(noun(case.operation.path, name), value)
    if isinstance(case.body, dict):
        settle(case.body)


@schemathesis.hook
def after_call(context, case, response):
    counts["cases"] += 1
    statuses[case.operation.label][str(response.status_code)] += 1
    if response.status_code < 300:
        with contextlib.suppress(Exception):
            learn(case.operation.path, response.json())
    if response.status_code == 401 and session.get("password") and dice.random() < 0.2:
        renew()


def renew():
    """Signs in again: some cases end the session that they came with."""
    body = {"username": session["username"], "password": session["password"]}
    request = urllib.request.Request(session["login"], json.dumps(body).encode(), {"content-type": "application/json"})
    with contextlib.suppress(Exception), urllib.request.urlopen(request, timeout=30) as answer:
        session["token"] = json.load(answer)["data"]["accessToken"]
        counts["renewed"] += 1


@schemathesis.hook
def filter_failure(context, failure, case, response):
    label, kind = case.operation.label, type(failure).__name__
    if (label, kind) in ODD:
        beyond[f"{label}: {ODD[label, kind]}"] += 1
        return False
    if kind != "RejectedPositiveData" or response.status_code != 400:
        return True
    why = excused(label, response)
    if any(it in (None, "null") for it in (case.path_parameters or {}).values()):
        why = "a link that was followed from what has no id yet"
    if why:
        beyond[f"{label}: {why} ({'; '.join(sorted(set(reasons(response))))[:200]})"] += 1
    return why is None


@atexit.register
def tell():
    path = os.environ.get("FUZZ_STATS")
    if path:
        with open(path, "w") as file:
            json.dump({"cases": counts["cases"], "beyond": beyond, "statuses": statuses}, file)
