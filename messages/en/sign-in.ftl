### Signing in and signing up.

## The sign-in page.

sign-in-title = Sign in
sign-in-username = Email or full name
sign-in-password = Password
sign-in-button = Sign in
sign-in-by-link = Email me a sign-in link instead
sign-in-by-sso = Use single sign-on
sign-in-by-password = Sign in with a password
sign-in-forgot = Forgot your password?
sign-in-new = New to Grantor? { $link }
sign-in-new-link = Sign up
sign-in-signed-out = You're signed out
sign-in-your-name = Your name

## How somebody signed in.

sign-in-method-password = Password
sign-in-method-email = Emailed link or code
sign-in-method-passkey = Passkey
sign-in-method-single-sign-on = Single sign-on

## Signing up.

sign-in-register-title = Sign up
sign-in-register-type = Account type
sign-in-register-agency = Agency: we represent talents
sign-in-register-brand = Brand: we license likenesses
sign-in-register-platform = Platform: we host content
sign-in-register-individual = Individual: I manage my own likeness
sign-in-register-organization = Organization name
sign-in-register-organization-if = for organizations
sign-in-register-organization-hint = Leave blank if you're signing up as an individual.
sign-in-register-email-hint = We'll email you a code to verify this address.
sign-in-register-button = Sign up
sign-in-register-by-link = Sign up without a password
sign-in-register-by-password = Sign up with a password or as an organization
sign-in-register-known = Already have an account? { $link }
sign-in-register-known-link = Sign in
sign-in-register-link-title = Sign up without a password
sign-in-register-link-lead = For individuals who manage their own likeness. Each time you sign in, we email you a link and a code.
sign-in-register-verify = Verify email
sign-in-register-welcome = Welcome to Grantor
sign-in-register-active = Your account is active. Sign in to continue.

## Emailed codes.

sign-in-code = Code
sign-in-code-title = Enter your code
sign-in-code-sent = We emailed a six-digit code to { $email }.
sign-in-code-sent-again = We emailed you a new code. The previous code no longer works.
sign-in-code-missing = No email? Check your spam folder, or
sign-in-code-resend = Resend code

## Emailed links.

sign-in-link-title = Sign in by email
sign-in-link-lead = We'll email you a link and a code. No password needed.
sign-in-link-button = Email me a link
sign-in-link-sent-title = Check your email
sign-in-link-sent = We emailed a link and a code to { $email }. They expire in 15 minutes.
sign-in-link-open = Open the link, or enter the code here:
sign-in-link-other-address = Use another email address
sign-in-link-incomplete = This link is incomplete. Copy the whole link from the email, or request a new one.
sign-in-link-again = Email me a new link
sign-in-link-click = Click the button to sign in. This link works once.

## Resetting the password.

sign-in-reset-title = Reset your password
sign-in-reset-lead = We'll email you a code and a link to choose a new password.
sign-in-reset-button = Email me a code
sign-in-reset-back = Sign in
sign-in-reset-choose = Choose a new password
sign-in-reset-link-for = The new password is for { $email }.
sign-in-reset-link-lead = You'll be signed out everywhere. This link works once.
sign-in-reset-sent = If { $email } has an account, we emailed a code to that address.
sign-in-reset-password = New password
sign-in-reset-submit = Change password
sign-in-reset-new-link = Request a new link
sign-in-reset-new-code = Request a new code
sign-in-reset-done = Password changed. Sign in with your new password.

## Single sign-on.

sign-in-sso-title = Single sign-on
sign-in-sso-lead = Enter your work email. If your organization uses single sign-on, we'll take you to its sign-in page.
sign-in-sso-continue = Continue to the sign-in page of { $organization }.
sign-in-sso-failed = Single sign-on failed
sign-in-sso-other-way = Sign in another way

## Invitations. The first three are shown alone or as $message.

sign-in-invitation-talent = Welcome! You can now manage your record
sign-in-invitation-holder = The license is now shared with you
sign-in-invitation-member = Welcome to the team
sign-in-invitation-member-signed-in = Welcome to the team. Switch to the organization to get started.
sign-in-invitation-other-account = { $message }. You're signed in with a different account. Sign in with the invited account to continue.
sign-in-invitation-sign-in = { $message }. Sign in to continue.
sign-in-invitation-staff = Welcome! We emailed you a one-time token to sign in.
sign-in-invitation-title = Accept invitation
sign-in-invitation-heading = You're invited
sign-in-invitation-lead = { $inviter } has invited { $email }.
sign-in-invitation-accept = Accept invitation
sign-in-invitation-unexpected = Didn't expect this? You can safely close this page.
