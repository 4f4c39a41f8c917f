### Notifications, their settings and emails.

notice-title = Notifications
notice-lead = What happened in { $organization } that concerns you.
notice-lead-here = What happened in this organization that concerns you.
notice-lead-staff = What waits for staff.
notice-mark-all = Mark all as read
notice-all-read = All notifications marked as read
notice-settings-link = Settings
notice-notification = Notification
notice-about = About
notice-when = When
notice-none = No notifications yet
notice-none-why = When somebody requests a license, makes an offer or a mention is found, you'll see it here.
notice-none-why-staff = When an organization asks for a scanner, you'll see it here.
notice-step-bell = The bell on every page counts what is new.
notice-step-email = Choose what you also get by email: at once, once a day, or not at all.
notice-choose-emails = Choose emails

## After the number of new ones.

notice-new-one = new notification
notice-new-many = new notifications

## In other organizations.

notice-elsewhere = { $count ->
    [one] { $count } new notification in { $organization }
   *[other] { $count } new notifications in { $organization }
}
notice-switch = Switch to { $organization }

## Kinds.

notice-kind-mention-unlicensed = An unlicensed mention was found
notice-kind-mention-needs-review = A mention that needs review was found
notice-kind-mention-licensed = A licensed mention was found
notice-kind-mention-removed = A mention with a case was found or marked as removed, or is back
notice-kind-case-assigned = A case was assigned to you
notice-kind-request = A license was requested, or a request ended
notice-kind-offer = You received an offer, or your offer is blocked
notice-kind-message = You received a message about a request
notice-kind-grant-made = An offer was accepted
notice-kind-grant-ending = A grant ends soon
notice-kind-grant-revoked = A grant was revoked
notice-kind-license-shared = A license was shared with you
notice-kind-license-ending = A license expires soon
notice-kind-client-expiring = An API client expires soon
notice-kind-card-expiring = A payment card expires soon
notice-kind-webhook-failing = Deliveries to a webhook fail
notice-kind-webhook-disabled = A webhook or chat address was disabled
notice-kind-source-failing = A source can't be read
notice-kind-platform-verified = A platform's domain was verified
notice-kind-scanner-stopped = A platform's scanner was stopped
notice-kind-staff-viewed = Staff viewed your organization
notice-kind-platform-waiting = A platform waits for a scanner
notice-kind-help-requested = Somebody asks for help

## Settings.

notice-settings = Notification settings
notice-settings-lead = Emails go to { $email }. Every notification is also on the bell.
notice-settings-updated = Notification settings updated
notice-view = View notifications
notice-back-to-profile = Back to profile
notice-emails = Emails
notice-channel-now = Email at once
notice-channel-digest = Daily digest
notice-channel-off = No email
notice-channel-of = { $channel }: { $kind }
notice-digest-hour = Daily digest at
notice-digest-hint = At most one email a day, and none if nothing happened.
notice-time-zone = Time zone
notice-save = Save changes
notice-refused = The mail server of { $email } refused our emails, so we stopped sending notifications. Sign-in codes and links are still sent.
notice-resume = Send emails again
notice-resumed = We'll email you notifications again

## Unsubscribing by the link in an email. $email is “unknown” if the account is gone.

notice-unsubscribe = Unsubscribe
notice-unsubscribe-kind = { $email ->
    [unknown] Stop emails of the kind “{ $kind }”?
   *[other] Stop emails of the kind “{ $kind }” to { $email }?
}
notice-unsubscribe-digest = { $email ->
    [unknown] Stop the daily digest?
   *[other] Stop the daily digest to { $email }?
}
notice-unsubscribe-still = You still get emails that you ask for, such as sign-in links and codes.
notice-unsubscribed = You're unsubscribed
notice-unsubscribed-kind = { $email ->
    [unknown] We stopped emails of the kind “{ $kind }”.
   *[other] We stopped emails of the kind “{ $kind }” to { $email }.
}
notice-unsubscribed-digest = { $email ->
    [unknown] We stopped the daily digest.
   *[other] We stopped the daily digest to { $email }.
}
notice-unsubscribed-choose = Choose what we email you

## The mailbox of a server without a mail server.

notice-mailbox = Mailbox
notice-mailbox-lead = No mail server is configured, so emails are stored here instead of being sent.
notice-mailbox-empty = No emails yet
notice-mailbox-empty-why = Sign up or request a sign-in link, and the email appears here.
notice-mailbox-sign-up = Sign up
notice-mailbox-all = All emails
notice-mail-subject = Subject
notice-mail-from = From
notice-mail-to = To
notice-mail-sent = Sent
notice-mail-details = Details
notice-mail-text = Text
notice-mail-preview = Preview
notice-mail-frame = Email preview
