### Requests for grants, with their offers and messages.

## The list of requests.

request-list = Requests
request-list-lead = Requests for licenses, with offers and messages.
request-browse-catalog = Browse catalog
request-view-licenses = View licenses
request-license = License
request-with = With
request-changed = Last change
request-unread = Unread
request-unread-count = { $count } unread
request-unread-updates = { $count ->
    [one] You have { $count } unread update.
   *[other] You have { $count } unread updates.
}
request-new-one = new request
request-new-many = new requests
request-sort-changed-first = Last changed first
request-sort-changed-last = Last changed last
request-search = Search talent, license or party
request-any-status = Any status
request-talent = Talent
request-use = Use
request-any-use = Any use
request-country = Country
request-any-country = Any country
request-changed-from = Changed from
request-changed-to = Changed to
request-selected-license = The selected license
request-sides = Requests by direction
request-as-licensor = As licensor
request-as-licensee = As licensee
request-side-received = Received
request-side-sent = Sent
request-side-offer-sent = Offer sent
request-side-offer-received = Offer received
request-none-found = No requests found
request-none-found-why = No requests match your filters.
request-none-received = No requests received yet
request-none-received-why = Requests for your licenses appear here. Publish a license in the catalog to be found.
request-received-step-1 = You get an email when somebody asks.
request-received-step-2 = Answer with an offer: uses, places, time and price.
request-received-step-3 = When it is accepted, a grant is made.
request-none = No requests yet
request-none-why = Find a license in the catalog and select Request this license.
request-step-1 = Say what you want to use, where and how long.
request-step-2 = The owner answers with an offer.
request-step-3 = Accept it, and you have a grant with a receipt.

## Status of a request.

request-status-open = Open
request-status-offered = Offered
request-status-accepted = Accepted
request-status-declined = Declined
request-status-withdrawn = Withdrawn
request-status-lapsed = Lapsed

## Kinds of parties.

request-party-type-Platform = Platform
request-party-type-Agency = Agency
request-party-type-Brand = Brand
request-party-type-Individual = Individual

## Terms.

request-terms = Terms
request-all-terms = All terms
request-term-uses = Uses
request-term-territories = Territories
request-term-starts = Starts
request-term-ends = Ends
request-term-fee = Fee
request-term-exclusive = Exclusive
request-term-channels = Channels
request-term-conditions = Conditions
request-term-credit-line = Credit line
request-not-limited = Not limited
request-not-specified = Not specified
request-no-end-date = No end date
request-license-terms = License terms
request-owner = Owner
request-permitted-uses = Permitted uses
request-dates = Dates
request-changes-from-yours = Changes from your request:
request-changes-from-request = Changes from the request:
request-changes-from-previous = Changes from the previous offer:
request-compared-to-read = Compared to the terms you had read:
request-as-requested = Uses, territories, dates and channels are as requested.
request-budget-of = budget { $amount }
request-fee-above-budget = { $fee } (above the budget)
request-fee-below-budget = { $fee } (below the budget)
request-same-terms = The terms are the same as before.
request-same-terms-license-edited = The terms are the same, but the license was edited in between.
request-conditions-removed = Conditions, removed:
request-conditions-added = Conditions, added:
request-conditions-reordered = Conditions in another order

## The form to request a license.

request-new-title = Request license
request-this-license = Request this license
request-view-yours = View your open request
request-view-offer = View your offer
request-back-to-license = Back to license
request-already-open = You already have an open request for this license
request-already-offered = You already have an offer for this license
request-one-per-license = There can be one open request per license. { $link }.
request-one-per-party = There can be one open request per license and party. { $link }.
request-view-open-one = View the open request
request-yours = Your request
request-send = Send request
request-sent-to = Request sent to { $name }
request-within-license = Only what the license allows can be chosen.
request-in-zone = In { $zone }.
request-ends-hint = In { $zone }. Leave blank for no end date.
request-ends-with-license-hint = In { $zone }. The license ends { $time }; an offer can't last longer.
request-purpose = Purpose
request-purpose-hint = What you need the likeness for. Up to 2,000 characters.
request-channels-hint = Such as Instagram or TV. One per line, up to 10.
request-budget = Budget
request-budget-optional = Budget (optional)
request-amount = Amount
request-amount-example = 1,500
request-amount-hint = Such as 1,500 or 1.500,00.
request-with-amount = with an amount
request-currency = Currency

## The form to make an offer.

request-offer = Offer
request-make-offer = Make an offer
request-replace-offer = Replace the offer
request-send-offer = Send offer
request-offer-sent = Offer sent
request-offer-sent-to = Offer sent to { $name }
request-offer-lead = { $license } for { $name }
request-requested = Requested
request-licensor = Licensor
request-licensee = Licensee
request-offer-ends-with-license-hint = In { $zone }. At the latest { $time }, when the license ends.
request-fee-hint = Such as 1,500 or 1.500,00. 0 means free. Leave blank for no fee.
request-with-fee = with a fee
request-fee-per = Per
request-fee-per-use = Use
request-fee-per-day = Day
request-fee-per-month = Month
request-fee-per-year = Year
request-fee-per-campaign = Campaign
request-exclusive-hint = Nobody else can get a grant for the same talent, use, territory and time. Permissions on the license stay until you revoke them.
request-offer-channels-hint = Where the likeness may appear. One per line, up to 10. Leave blank for no limit.
request-conditions-hint = Further conditions in plain language. Up to 5,000 characters.
request-credit-line-hint = How the talent is credited.
request-offer-ends = Offer ends
request-offer-expires-hint = In { $zone }, within 90 days. Leave blank for 14 days.

## Accepting an offer.

request-accept-title = Accept the offer
request-back = Back to request
request-what-changed = What changed
request-parties = Parties
request-accept = Accept
request-accept-as-other = To accept as another organization, switch to it in the menu first. The offer stays in your requests.
request-accept-as = You accept as { $name }.
request-accept-makes-grant = Accepting makes a grant with exactly these terms. Its terms never change.
request-accept-terms = I accept these terms for { $name }
request-accept-offer = Accept offer
request-offer-accepted = Offer accepted. Your grant is { $number }.

## An offer that cannot be accepted.

request-blocked = This offer can't be accepted: it overlaps with another grant of the talent.
request-blocked-by = This offer can't be accepted: it overlaps with { $grant }, and one of the two is exclusive.
request-grant = grant { $number }
request-blocked-next = Replace the offer with other terms, or withdraw it.
request-overlaps-until = What was asked for overlaps with { $grant }, which is exclusive until { $date } ({ $uses }; { $territories }).
request-overlaps = What was asked for overlaps with { $grant }, which is exclusive and has no end date ({ $uses }; { $territories }).
request-overlaps-next = Offer other uses, territories or dates.
request-ask-for-terms = { $link } to ask for other terms.
request-write-to = Write a message to { $name }

## One request.

request-title = Request for { $license }
request-card = Request
request-offers-and-messages = Offers and messages
request-other-actions = Other actions
request-view-terms = View terms
request-review-and-accept = Review and accept
request-back-to-list = Back to requests
request-requested-by = Requested by
request-sent-at = Sent
request-offered-to = Offered to
request-offered-at = Offered
request-lapses = Lapses { $when }
request-view-grant = View the grant
request-ended-accepted = The offer was accepted.
request-ended-grant-revoked = The offer was accepted. The grant was revoked on { $date }.
request-ended-grant-ended = The offer was accepted. The grant ended on { $date }.
request-ended-offer-declined = The offer was declined by { $name }.
request-ended-declined = The request was declined by { $name }.
request-ended-withdrawn = The request was withdrawn by { $name }.
request-ended-lapsed = The request lapsed: nobody responded in time, or the license changed.
request-reason-given = Reason: { $reason }
request-you-withdrew-offer = You withdrew your offer, so { $asker } can't accept it. You can make another.
request-owner-withdrew-offer = { $owner } withdrew the offer, so { $asker } can't accept it.
request-offer-was-withdrawn = { $owner } withdrew the offer, so it can't be accepted. The request stays open.
request-offer-to-you-withdrawn = { $owner } withdrew the offer, so you can't accept it. The request stays open: you can write a message, or wait for another offer.
request-claim = This offer was sent to { $email }. You respond as { $name }.
request-claim-until = Until you respond, { $owner } only sees your email address.
request-beyond = The request goes beyond your license:
request-beyond-own = Your request goes beyond the license:
request-beyond-own-next = { $owner } can only offer what the license includes. To ask for something else, withdraw this request and send another, or write a message.
request-beyond-uses = Uses: { $uses }
request-beyond-territories = Territories: { $territories }
request-beyond-start = It starts before the license
request-beyond-end = It ends after the license
request-beyond-next = Offer only what your license includes, or { $edit }.
request-beyond-edit = edit the license first
request-message = Message
request-message-hint = The other party can read it. Up to 5,000 characters.
request-send-message = Send message
request-message-sent = Message sent
request-closed = This request is closed, so nobody can send messages.
request-reason = Reason
request-reason-hint = The other party can read it. Up to 2,000 characters.
request-decline = Decline request
request-declined = Request declined
request-decline-offer = Decline offer
request-offer-declined = Offer declined
request-withdraw = Withdraw request
request-withdraw-question = The request closes, and so does an open offer. You can't undo this.
request-withdrawn = Request withdrawn
request-withdraw-offer = Withdraw offer
request-withdraw-offer-question = The offer can no longer be accepted. The request stays open. You can't undo this.
request-offer-withdrawn = Offer withdrawn
request-sent = Request sent
request-sent-by = { $sent } by { $name }
request-closed-by = { $status } by { $name }
request-offer-open-until = Open until { $time }
request-offer-withdrawn-by = Withdrawn by { $name }.

## A link that was sent to somebody else.

request-foreign-link = This link is for another account
request-foreign-link-sent-to = The link was sent to { $to }. You're signed in as { $own }.
request-foreign-link-next = To open it, sign in with the address it was sent to.
request-foreign-link-sign-in = Sign out and sign in with { $email }
request-go-to-dashboard = Go to dashboard

## Why somebody is asked to sign in or sign up.

request-sign-in-to-request = Sign in to request { $license }.
request-sign-in-to-request-this = Sign in to request this license.
request-sign-in-to-read-offer = Sign in to read the offer sent to you.
request-sign-in-to-view = Sign in to view the request.
request-sign-in-to-view-grant = Sign in to view the grant.
request-sign-in-to-view-page = Sign in to see this page.
request-sign-up-to-request = Sign up to request { $license }.
request-sign-up-to-request-this = Sign up to request this license.
request-sign-up-to-read-offer = Sign up to read the offer sent to you.
request-sign-up-to-view = Sign up to view the request.
request-sign-up-to-view-grant = Sign up to view the grant.
request-sign-up-to-view-page = Sign up to see this page.
