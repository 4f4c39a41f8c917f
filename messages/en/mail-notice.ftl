### Emails about mentions, licenses and integrations, and those that contain several notifications.
### See mail-account.ftl for how they are written.

# A notice that a mention was found.
mail-mention-found-subject = { $talent } was found on { $site } ({ $verdict })
mail-mention-found-button = View mention
mail-mention-found-body =
    { $greeting }

    We found { $talent } on { $site }: { $title }

    Verdict: { $verdict }. { $reason }

    { $link }

    Grantor

# A notice that a mention with a case was removed.
mail-mention-removed-subject = { $talent } was removed from { $site }
mail-mention-removed-button = View case
mail-mention-removed-body =
    { $greeting }

    The mention of { $talent } on { $site } was removed: { $title }

    { $link }

    We keep looking at the page for some time, and reopen the case if the mention is back.

    Grantor

# A notice that somebody marked a mention with a case as removed.
mail-mention-marked-removed-subject = { $person } marked { $talent } as removed from { $site }
mail-mention-marked-removed-button = View case
mail-mention-marked-removed-body =
    { $greeting }

    { $person } marked the mention of { $talent } on { $site } as removed: { $title }

    { $link }

    This is what { $person } says. We keep looking at the page for some time, and reopen the case if the mention is still there.

    Grantor

# A notice that somebody marked a removed mention as not removed, to those who were told that it was removed.
mail-mention-marked-not-removed-subject = { $person } says that { $talent } was not removed from { $site }
mail-mention-marked-not-removed-button = View case
mail-mention-marked-not-removed-body =
    { $greeting }

    { $person } says that the mention of { $talent } on { $site } was not removed after all: { $title }

    { $link }

    You were told before that the mention was removed.

    Grantor

# A notice that a removed mention is back.
mail-mention-back-subject = { $talent } is on { $site } again
mail-mention-back-button = View case
mail-mention-back-body =
    { $greeting }

    The mention of { $talent } on { $site } is back, so its case was reopened: { $title }

    { $link }

    Grantor

# A notice that a case was assigned.
mail-case-assigned-subject = { $person } assigned the case about { $talent } on { $site } to you
mail-case-assigned-button = View case
mail-case-assigned-body =
    { $greeting }

    { $person } assigned the case about { $talent } on { $site } to you: { $title }

    { $link }

    Grantor

# A notice that a license was shared with an organization.
mail-license-received-subject = { $organization } shared { $license } with you
mail-license-received-button = View license
mail-license-received-body =
    { $greeting }

    { $organization } shared the license { $license } ({ $talent }) with your organization as a { $role }.

    { $link }

    Grantor

# A reminder that a license expires soon.
mail-license-expiring-subject = { $license } ({ $talent }) expires on { $date }
mail-license-expiring-button = View license
mail-license-expiring-body =
    { $greeting }

    The license { $license } ({ $talent }) expires on { $date }, in { $time }.

    { $link }

    To keep it, change its end date.

    Grantor

# A warning that an API client expires soon.
mail-client-expiring-subject = The API client { $client } expires on { $date }
mail-client-expiring-button = View API client
mail-client-expiring-body =
    { $greeting }

    The API client { $client } expires on { $date }, in { $time }. Requests with its credentials will then be rejected.

    { $link }

    To keep using it, change its expiration date.

    Grantor

# A warning that a payment card expires soon.
mail-card-expiring-subject = Your { $card } expires at the end of { $month }
mail-card-expiring-button = View billing
mail-card-expiring-body =
    { $greeting }

    Your { $card } expires at the end of { $month }.

    { $link }

    Add another card, so that your plan stays the same.

    Grantor

# A notice that deliveries to a webhook fail.
mail-webhook-failing-subject = The webhook to { $host } is failing
mail-webhook-failing-button = View webhook
mail-webhook-failing-body =
    { $greeting }

    Every delivery to { $url } has failed since { $date }. After five days of failures, the webhook is disabled.

    { $link }

    Grantor

# A notice that a chat address was disabled.
mail-chat-disabled-subject = The chat address { $chat } was disabled
mail-chat-disabled-button = View chat addresses
mail-chat-disabled-body =
    { $greeting }

    Notifications are no longer sent to the chat address { $chat }.

    { $reason }

    { $link }

    Grantor

# A notice that a source cannot be read.
mail-source-failing-subject = The source { $source } can't be read: { $error }
mail-source-failing-button = View source
mail-source-failing-body =
    { $greeting }

    We haven't been able to read the source { $source } ({ $url }) since { $date }: { $error }. Until we can read it again, we won't find mentions there.

    { $link }

    Grantor

# A notice that a platform's domain was verified.
mail-platform-verified-subject = The domain of { $platform } was verified
mail-platform-verified-button = View platform
mail-platform-verified-body =
    { $greeting }

    The domain { $domain } of your platform { $platform } was verified.

    { $link }

    Grantor

# A notice that staff stopped the scanner of a platform.
mail-scanner-stopped-subject = The scanner of { $platform } was stopped
mail-scanner-stopped-button = View platform
mail-scanner-stopped-body =
    { $greeting }

    Our staff stopped the scanner of your platform { $platform }. New content is not scanned until the scanner is started again.

    { $link }

    Grantor

# A notice to staff that a platform waits for a scanner.
mail-platform-waiting-subject = { $organization } asked for a scanner of { $platform }
mail-platform-waiting-button = Create scanner
mail-platform-waiting-body =
    { $greeting }

    { $organization } asked for a scanner of its platform { $platform } ({ $domain }).

    { $link }

    Grantor

# A notice to staff that somebody asks for help.
mail-help-requested-subject = { $person } of { $organization } asks for help
mail-help-requested-button = Answer
mail-help-requested-body =
    { $greeting }

    { $person } ({ $email }) of { $organization } asks for help:

    { $message }

    { $link }

    The organization with its people, where you can send an invitation or a password reset again, or view as { $person }:
    { $organization_link }

    Grantor

# The answer of staff to a request for help.
mail-help-answered-subject = Our answer to your request for help
mail-help-answered-button = View your requests
mail-help-answered-body =
    { $greeting }

    You asked us:

    { $message }

    Our answer:

    { $answer }

    { $link }

    Grantor

# Several notices of one kind in one email.
mail-several-notices-subject = { $count }: { $subject }
mail-several-notices-button = View notifications
mail-several-notices-body =
    { $greeting }

    You have { $count }:

    { $items }

    { $link }

    Grantor

# The daily digest.
mail-digest-subject = Your daily digest: { $count }
mail-digest-button = View notifications
mail-digest-body =
    { $greeting }

    This is your digest for { $date }, with { $count }:

    { $items }

    { $link }

    Grantor
