### Emails about accounts, invitations and payments.
### Each has a subject, a body, and the label of the button that $link stands for.
### A paragraph is one line; an empty line separates two.

# The code to complete a registration.
mail-registration-subject = { $code } is your Grantor code
mail-registration-body =
    { $greeting }

    Enter this code to complete your registration:

    { $code }

    The code is valid for { $minutes } minutes and can be used once. We'll never ask you for it.

    If you didn't request this, you can ignore this email.

    Grantor

# The code and link to reset a password.
mail-password-reset-subject = { $code } is your Grantor code
mail-password-reset-button = Reset password
mail-password-reset-body =
    { $greeting }

    Enter this code to reset your password:

    { $code }

    The code is valid for { $minutes } minutes and can be used once. We'll never ask you for it.

    Or use this link, which is valid longer and doesn't require the code:

    { $link }

    If you didn't request this, you can ignore this email.

    Grantor

# A magic link and code to sign in without a password.
mail-magic-link-subject = Sign in to Grantor
mail-magic-link-button = Sign in
mail-magic-link-body =
    { $greeting }

    Use this link to sign in:

    { $link }

    Or enter this code on the sign-in page:

    { $code }

    The link and the code are valid for { $minutes } minutes and can be used once. We'll never ask you for them.

    If you didn't request this, you can ignore this email.

    Grantor

# A notice that no account has this email address.
mail-no-account-subject = No Grantor account with this email address
mail-no-account-button = Create account
mail-no-account-body =
    { $greeting }

    Someone (probably you) tried { $purpose } with this email address.

    There is no account with this address. If you have an account, it uses a different address. Otherwise, you can create an account:

    { $link }

    If you didn't request this, you can ignore this email.

    Grantor

# A notice that a password was changed.
mail-password-changed-subject = Your Grantor password was changed
mail-password-changed-body =
    { $greeting }

    The password for { $email } was changed, and all other sessions were signed out.

    If this wasn't you, reset your password now and contact your administrator.

    Grantor

# A warning about failed sign-ins.
mail-sign-in-warning-subject = Failed sign-ins to your Grantor account
mail-sign-in-warning-button = Reset password
mail-sign-in-warning-body =
    { $greeting }

    Someone tried several times to sign in to your account { $email } with the wrong password.

    None of these attempts succeeded. You can still sign in on devices you have used before. On other devices, password sign-ins are limited for a while, but you can always sign in with an emailed link.

    If this wasn't you and your password is easy to guess, choose a new password:

    { $link }

    Grantor

# An invitation to a team.
mail-team-invitation-subject = { $organization } invited you to Grantor
mail-team-invitation-button = Accept invitation
mail-team-invitation-body =
    { $greeting }

    { $inviter } from { $organization } invited you to join the team { $team }.

    { $link }

    If you don't have an account with this email address yet, you can create one when you accept.

    The invitation is valid for { $days } days and can be used once.

    If you weren't expecting this invitation, you can ignore this email.

    Grantor

# An invitation to claim a talent record.
mail-talent-invitation-subject = { $organization } invited you to Grantor
mail-talent-invitation-button = Accept invitation
mail-talent-invitation-body =
    { $greeting }

    { $inviter } from { $organization } created a talent record for you and invited you to claim it.

    { $link }

    If you don't have an account with this email address yet, you can create one when you accept.

    The invitation is valid for { $days } days and can be used once.

    If you weren't expecting this invitation, you can ignore this email.

    Grantor

# A notice that a license was shared with this email address.
mail-license-shared-subject = { $organization } shared a license with you
mail-license-shared-button = Accept invitation
mail-license-shared-body =
    { $greeting }

    { $inviter } from { $organization } shared the license { $license } with you as a { $role }.

    { $link }

    If you don't have an account with this email address yet, you can create one when you accept.

    The invitation is valid for { $days } days and can be used once. Until you accept, { $organization } can't see whether you have an account.

    If you don't know the sender, you can ignore this email.

    Grantor

# An invitation to join the staff.
mail-admin-invitation-subject = You're invited to join the Grantor staff
mail-admin-invitation-button = Accept invitation
mail-admin-invitation-body =
    { $greeting }

    { $inviter } invited you to join the Grantor staff as { $role }.

    { $link }

    The invitation is valid for { $days } days and can be used once.

    If you weren't expecting this invitation, you can ignore this email.

    Grantor

# A one-time sign-in token for staff.
mail-admin-token-subject = Your Grantor staff sign-in token
mail-admin-token-button = Sign in
mail-admin-token-body =
    { $greeting }

    Welcome. Sign in with this one-time token:

    { $token }

    { $link }

    The token is valid for { $minutes } minutes and can be used once. If you need another token, the operator can create one with: grantor admin token --email { $email }

    If you weren't expecting this email, contact the operator.

    Grantor

# A notice that a webhook was disabled.
mail-webhook-disabled-subject = The webhook to { $host } was disabled
mail-webhook-disabled-button = View webhook
mail-webhook-disabled-body =
    { $greeting }

    Events are no longer sent to { $url }.

    { $reason }

    Events are stored in the meantime. Once your endpoint works again, enable the webhook and replay the missed events.

    { $link }

    Grantor

# A notice that a payment was declined.
mail-payment-declined-subject = Your Grantor payment was declined
mail-payment-declined-body =
    { $greeting }

    Your card was declined for { $bill }.

    We'll try again on { $date }. Until then, your plan stays the same.

    To pay now, add another card and subscribe again.

    Grantor

# A notice that a subscription ended after failed payments.
mail-subscription-ended-subject = Your Grantor subscription has ended
mail-subscription-ended-body =
    { $greeting }

    Your card was declined again for { $bill }.

    Your subscription has ended, and you are now on the Free plan.

    You can add a card and subscribe again at any time.

    Grantor

# A notice that somebody signed in from a new device.
mail-new-device-subject = New sign-in to your Grantor account
mail-new-device-button = View sign-ins
mail-new-device-body =
    { $greeting }

    Someone signed in to your account { $email } from a device we haven't seen before.

    Device: { $device }
    IP address: { $address }
    Time: { $time }

    If this was you, you can ignore this email. Otherwise, sign out that device and change your password:

    { $link }

    Grantor

# A notice that a person's second factors changed.
mail-second-factor-changed-subject = Your Grantor sign-in security was changed
mail-second-factor-changed-button = View sign-in security
mail-second-factor-changed-body =
    { $greeting }

    The way you sign in to your account { $email } was changed.

    { $change }

    If this wasn't you, sign in, remove what you don't recognize and change your password:

    { $link }

    Grantor

# A notice that staff removed a person's second factors.
mail-second-factor-reset-subject = Your Grantor second factor was reset
mail-second-factor-reset-button = Sign in
mail-second-factor-reset-body =
    { $greeting }

    Our staff removed the authenticator app, passkeys and recovery codes of your account { $email }, and signed out all of its sessions.

    The reason our staff gave: { $reason }

    Sign in with your password or an emailed link, and set up a new second factor:

    { $link }

    If you didn't ask for this, change your password and contact us.

    Grantor

# A notice that staff viewed an organization as one of its people.
mail-staff-viewed-subject = Our staff viewed { $organization } as { $person }
mail-staff-viewed-button = See details
mail-staff-viewed-body =
    { $greeting }

    Our staff opened the console of { $organization } as { $person } ({ $role }) sees it. Staff can look at it for { $minutes } minutes at most: from { $start } until { $end }.

    The reason our staff gave: { $reason }

    Staff can open the pages that { $person } can open, except the profile, sign-in security, language and notification settings. They can't change or send anything, and they don't see secrets.

    { $log }

    { $link }

    Grantor
mail-staff-viewed-log = Every page that staff opens is in your log. Search it for “staff”.
mail-staff-viewed-log-of = Every page that staff opens is in the log, which the administrators of { $organization } can read.
