### What all emails have in common, and the values that the texts of emails contain.

mail-greeting = Hello,
mail-greeting-named = Hello { $name },

## The end of emails about notifications.

mail-footer-about = This email is about { $organizations }.
mail-organizations = { $others } and { $last }
mail-footer-text =
    To stop { $what }:
    { $unsubscribe }
    To choose what we email you:
    { $settings }
mail-footer-html = To stop { $what }, { $unsubscribe }. { $settings }.
mail-footer-unsubscribe = unsubscribe
mail-footer-settings = Choose what we email you
# What is stopped.
mail-footer-kind = emails like this one ({ $kind })
mail-footer-digest = the daily digest

## The kinds of notifications.

mail-kind-mention-unlicensed = An unlicensed mention was found
mail-kind-mention-needs-review = A mention that needs review was found
mail-kind-mention-licensed = A licensed mention was found
mail-kind-mention-removed = A mention with a case was found or marked as removed, or is back
mail-kind-case-assigned = A case was assigned to you
mail-kind-request = A license was requested, or a request ended
mail-kind-offer = You received an offer, or your offer is blocked
mail-kind-message = You received a message about a request
mail-kind-grant-made = An offer was accepted
mail-kind-grant-ending = A grant ends soon
mail-kind-grant-revoked = A grant was revoked
mail-kind-license-shared = A license was shared with you
mail-kind-license-ending = A license expires soon
mail-kind-client-expiring = An API client expires soon
mail-kind-card-expiring = A payment card expires soon
mail-kind-webhook-failing = Deliveries to a webhook fail
mail-kind-webhook-disabled = A webhook or chat address was disabled
mail-kind-source-failing = A source can't be read
mail-kind-platform-verified = A platform's domain was verified
mail-kind-scanner-stopped = A platform's scanner was stopped
mail-kind-staff-viewed = Staff viewed your organization
mail-kind-platform-waiting = A platform waits for a scanner
mail-kind-help-requested = Somebody asks for help

## Several notifications in one email.

# $count of mail-several-notices and mail-digest.
mail-count = { $count ->
    [one] { $count } notification
   *[other] { $count } notifications
}
mail-more = and { $count } more

## What somebody tried: $purpose of mail-no-account.

mail-purpose-sign-in = to sign in
mail-purpose-reset = to reset a password

## What ended: $item of the emails about requests.

mail-declined-request = request
mail-declined-offer = offer
mail-withdrawn-request = request
mail-withdrawn-offer = offer
mail-lapsed-request = request
mail-lapsed-offer = offer

## Reasons.

mail-reason-no-response = Nobody responded in time.
mail-reason-license-changed = The license changed and no longer allows the offer.
mail-reason-in-review = The rights holder decides about it.
mail-reason-webhook-gone = The endpoint returned 410 Gone, which means that it no longer accepts events.
mail-reason-webhook-fails = Every delivery to this URL has failed for five days.
mail-reason-chat-gone = The chat says that this address no longer exists.
mail-reason-chat-fails = Every message to this address has failed for five days.
mail-error-unfinished = the scan did not finish

## Verdicts on mentions.

mail-verdict-licensed = licensed
mail-verdict-unlicensed = unlicensed
mail-verdict-needs-review = needs review
mail-verdict-in-review = in review

## Roles on a license.

mail-role-viewer = viewer
mail-role-trustee = trustee
mail-role-licensor = licensor

## How a person signs in: $change of mail-second-factor-changed.

mail-change-app-added = An authenticator app was set up.
mail-change-app-removed = The authenticator app was removed.
mail-change-passkey-added = The passkey “{ $name }” was added.
mail-change-passkey-removed = The passkey “{ $name }” was removed.
mail-change-code-used = A recovery code was used. { $left ->
    [one] { $left } is left.
   *[other] { $left } are left.
}
mail-change-codes-created = New recovery codes were created. The previous ones no longer work.

## Devices.

# Such as: Firefox on Windows.
mail-device = { $program } on { $system }
mail-device-unknown = Unknown device
# An IP address.
mail-inviter-unknown = An administrator
mail-address-unknown = unknown

## Times and payments.

# $time of the emails about what ends, as in: in 7 days.
mail-days = { $count ->
    [one] { $count } day
   *[other] { $count } days
}
# As in: Your Visa card ending in 4242 expires.
mail-card = { $brand } card ending in { $last4 }
mail-bill = { $whole }.{ $cents } { $currency } ({ $plan } plan, one month from { $day })
