### Webhooks and their deliveries.

webhook-list = Webhooks
webhook-list-lead = Send events to your own URLs as soon as they happen.
webhook-none = No webhooks yet
webhook-none-why = A webhook tells your own program what happens here.
webhook-step-add = Add a URL and choose events.
webhook-step-sent = Each event is sent to the URL as a signed POST request.
webhook-step-test = Send a test event, and see here what was delivered.

## After the number of new ones.

webhook-new-one = new webhook
webhook-new-many = new webhooks
webhook-delivery-new-one = new delivery
webhook-delivery-new-many = new deliveries

## A webhook.

webhook-title = Webhook
webhook-details = Details
webhook-url = URL
webhook-events = Events
webhook-events-all = all
webhook-events-some = { $count } of { $total }
webhook-health = Health
webhook-last-delivered = Last delivered
webhook-never = never
webhook-is-disabled = Nothing is sent until you enable it.
webhook-is-failing = Every delivery has failed since { $when }. After five days the webhook is disabled.
webhook-is-healthy = Events arrive. Failed test events do not count.
webhook-is-unused = No event has arrived yet.
webhook-enable = Enable
webhook-enabled = Webhook enabled
webhook-disable = Disable
webhook-disabled = Webhook disabled. Events are queued until you enable the webhook again.
webhook-deleted = Webhook deleted
webhook-back = Back to webhook

## The form.

webhook-new = New webhook
webhook-new-lead = Choose where events are sent.
webhook-edit = Edit webhook
webhook-endpoint = Endpoint
webhook-url-hint = Must start with https:// and be reachable from the internet. For a program on your own computer, run grantor listen instead.
webhook-description-hint = Up to 500 characters.
webhook-events-hint = Choose at least one.
webhook-create = Create webhook
webhook-created = Webhook created
webhook-save = Save changes
webhook-updated = Webhook updated

## Events.

webhook-event-license-created = A license was created
webhook-event-license-updated = A license was updated
webhook-event-license-published = A license was published
webhook-event-license-expired = A license expired
webhook-event-license-deleted = A license was deleted
webhook-event-permission-granted = A permission was granted
webhook-event-permission-revoked = A permission was revoked
webhook-event-mention-created = A mention was found
webhook-event-mention-updated = A mention was updated
webhook-event-mention-removed = A mention was removed
webhook-event-license-expiring = A license expires soon
webhook-event-request-created = A license was requested
webhook-event-request-offered = An offer was made
webhook-event-request-declined = A request or an offer was declined
webhook-event-request-withdrawn = A request or an offer was withdrawn
webhook-event-request-lapsed = A request lapsed
webhook-event-request-message = A message was sent
webhook-event-grant-created = An offer was accepted
webhook-event-grant-expiring = A grant ends soon
webhook-event-grant-ended = A grant ended
webhook-event-grant-revoked = A grant was revoked
webhook-event-client-expiring = An API client is about to expire
webhook-event-webhook-test = You sent a test event

## The signing secret.

webhook-secret = Signing secret
webhook-secret-save = { $now } You won't be able to see it again.
webhook-secret-save-now = Save this secret now.
webhook-secret-use = Every delivery is signed with this secret as defined by { $standard }. Verify the { $header } header with a Standard Webhooks library before you trust a request.
webhook-secret-both = After a rotation, deliveries are signed with both the old and the new secret for one day.
webhook-rotate = Rotate secret
webhook-rotate-question = The new secret is shown once. The current secret keeps signing for one day.
webhook-rotated = Secret rotated
webhook-done = Done

## Deliveries.

webhook-deliveries = Deliveries
webhook-deliveries-none = No deliveries
webhook-deliveries-none-why = Send a test event, or wait for the first event.
webhook-event = Event
webhook-event-number = Event number
webhook-queued = Queued
webhook-finished = Finished
webhook-finished-not-yet = not yet
webhook-attempts = Attempts
webhook-attempts-none = none yet
webhook-attempts-last = { $count ->
    [one] { $count } attempt, last { $response }
   *[other] { $count } attempts, last { $response }
}
webhook-attempt-count = { $count ->
    [one] { $count } attempt
   *[other] { $count } attempts
}
webhook-attempt = { $when }: { $response } in { $duration } ms
webhook-no-attempts = No attempts yet.
webhook-next-attempt = next attempt { $when }
webhook-next-attempt-disabled = queued until the webhook is enabled
webhook-dropped-not-visible = not visible: you can no longer view the license
webhook-dropped-expired = expired: the webhook was disabled for too long
webhook-status-any = Any status
webhook-status-pending = Pending
webhook-status-delivered = Delivered
webhook-status-failed = Failed
webhook-status-dropped = Dropped
webhook-response = Response
webhook-response-none = no response
webhook-send-now = Send now
webhook-retried = Delivery queued again. It is sent now.
webhook-test = Send test event
webhook-test-delivered = Test event delivered: { $response } in { $duration } ms
webhook-test-failed = Test event failed: { $response } in { $duration } ms

## Replays.

webhook-replay = Replay events
webhook-replay-lead = If your endpoint was down, send past events again. Replayed events keep their original IDs.
webhook-replay-since = Since ({ $zone })
webhook-replay-until = Until ({ $zone })
webhook-replay-until-hint = Leave blank to include everything up to now.
webhook-replay-status = Delivery status
webhook-replay-events-hint = Leave all unchecked to include all of the webhook's events.
webhook-replay-dry-run = Dry run: only count the events
webhook-replay-counted = { $count ->
    [one] { $count } event would be replayed
   *[other] { $count } events would be replayed
}
webhook-replayed = { $count ->
    [one] { $count } event queued for replay
   *[other] { $count } events queued for replay
}

## A delivery.

webhook-delivery-of = Delivery of { $event }
webhook-delivery-id = Delivery ID
webhook-sent-hidden-from-staff = What was sent is hidden from staff.
webhook-sent-hidden = You can no longer view the license that this event is about, so what was sent is not shown.
webhook-request = Request
webhook-request-lead = The request of the last attempt. The webhook's secret is not shown.
webhook-request-verify = The request is genuine if the part of { $header } after “v1,” is the base64 HMAC-SHA256 of { $content }, with the webhook's secret (without its prefix, base64-decoded) as the key; any Standard Webhooks library checks that. { $docs }
webhook-request-docs = API documentation
webhook-request-headers = Headers
webhook-payload = Payload
webhook-payload-size = The payload has { $bytes } bytes.
webhook-payload-formatted = Formatted for reading. Copying and downloading give exactly the bytes that were sent and signed.
webhook-payload-download = Download payload
webhook-curl = Copy as curl
webhook-curl-file = Download the payload first, and run the command in the same folder.
webhook-curl-lead = The command sends exactly what was sent, so the signature is valid.
webhook-curl-time = Receivers that check the time, as Standard Webhooks libraries do, refuse the signature five minutes after the attempt. Then use “Send now”.
webhook-curl-command = Command
