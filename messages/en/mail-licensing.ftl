### Emails about requests, offers and grants. See mail-account.ftl for how they are written.

# An offer to an email address.
mail-offer-invitation-subject = { $organization } made you an offer for { $license }
mail-offer-invitation-button = View offer
mail-offer-invitation-body =
    { $greeting }

    { $organization } made you an offer for { $license } ({ $talent }).

    { $link }

    Sign in with this email address to read the terms and respond. If you don't have an account with this address yet, you can create one first. The offer ends on { $date }.

    Until you respond, { $organization } can't see whether you have an account.

    If you don't know the sender, you can ignore this email.

    Grantor

# A notice that an offer to an email address was withdrawn.
mail-offer-withdrawn-subject = { $organization } withdrew its offer
mail-offer-withdrawn-button = View request
mail-offer-withdrawn-body =
    { $greeting }

    { $organization } withdrew its offer for { $license } ({ $talent }), so you can't accept it anymore.

    { $link }

    If you don't know the sender, you can ignore this email.

    Grantor

# A request for a license, to its owner.
mail-request-received-subject = { $organization } requested { $license }
mail-request-received-button = View request
mail-request-received-body =
    { $greeting }

    { $organization } requested your license { $license } ({ $talent }).

    Purpose: { $purpose }

    { $link }

    You can make an offer, send a message or decline the request.

    Grantor

# An offer, to the organization it was made to.
mail-offer-received-subject = { $organization } made you an offer for { $license }
mail-offer-received-button = View offer
mail-offer-received-body =
    { $greeting }

    { $organization } made you an offer for { $license } ({ $talent }).

    { $link }

    The offer ends on { $date }.

    Grantor

# A message about a request, to the other party.
mail-request-message-subject = New message from { $organization } about { $license }
mail-request-message-button = View request
mail-request-message-body =
    { $greeting }

    { $author } from { $organization } sent a message about { $license }:

    { $message }

    { $link }

    We'll email you about new messages again after you have read this one.

    Grantor

# A notice that a request or an offer was declined.
mail-request-declined-subject = { $organization } declined your { $item } for { $license } ({ $talent })
mail-request-declined-button = View request
mail-request-declined-body =
    { $greeting }

    { $organization } declined your { $item } for { $license } ({ $talent }).

    Reason: { $reason }

    { $link }

    Grantor

# A notice that a request or an offer was withdrawn.
mail-request-withdrawn-subject = { $organization } withdrew its { $item } for { $license } ({ $talent })
mail-request-withdrawn-button = View request
mail-request-withdrawn-body =
    { $greeting }

    { $organization } withdrew its { $item } for { $license } ({ $talent }).

    { $link }

    Grantor

# A notice that a request or an offer lapsed, to both parties.
mail-request-lapsed-subject = The { $item } for { $license } ({ $talent }) lapsed
mail-request-lapsed-button = View request
mail-request-lapsed-body =
    { $greeting }

    The { $item } for { $license } ({ $talent }) between you and { $organization } lapsed. { $reason }

    { $link }

    Grantor

# A notice that an exclusive grant prevents an offer from being accepted, to the licensor.
mail-offer-blocked-subject = Your offer for { $license } can't be accepted
mail-offer-blocked-button = View request
mail-offer-blocked-body =
    { $greeting }

    { $organization } can't accept your offer for { $license } ({ $talent }): it overlaps with grant { $number }, and one of the two is exclusive.

    { $link }

    Replace the offer or withdraw it. We didn't tell { $organization } which grant it overlaps with.

    Grantor

# A notice of a new grant, to both parties.
mail-grant-made-subject = { $licensee } accepted the offer for { $license } ({ $talent }): grant { $number }
mail-grant-made-button = View grant
mail-grant-made-body =
    { $greeting }

    { $licensee } accepted the offer from { $licensor } for { $license } ({ $talent }). The number of the grant is { $number }.

    { $link }

    Grantor

# A reminder that a grant ends soon, to both parties.
mail-grant-expiring-subject = Grant { $number } for { $license } ({ $talent }) ends on { $date }
mail-grant-expiring-button = View grant
mail-grant-expiring-body =
    { $greeting }

    Grant { $number } from { $licensor } to { $licensee } for { $license } ({ $talent }) ends on { $date }, in { $time }.

    { $link }

    Uses after that date need a new grant.

    Grantor

# A notice that a grant was revoked, to the licensee.
mail-grant-revoked-subject = { $licensor } revoked grant { $number } for { $license } ({ $talent })
mail-grant-revoked-button = View grant
mail-grant-revoked-body =
    { $greeting }

    { $licensor } revoked grant { $number } for { $license } ({ $talent }).

    Reason: { $reason }

    The grant and its receipt are no longer valid.

    { $link }

    Grantor
