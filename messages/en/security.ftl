### Second factors, passkeys and the single sign-on of an organization.

## Words of several pages.

security-title = Sign-in security
security-second-factor = Second factor
security-code = Code
security-recovery-code = Recovery code
security-confirm = Confirm
security-done = Done
security-save = Save changes
security-never = never
security-back = Back to sign-in security
security-back-to-profile = Back to profile
security-back-to-organization = Back to organization
security-sign-in = Sign in
security-sign-in-again = Sign in again
security-sign-in-again-first = Sign in again to change how you sign in
security-somebody-else = Sign in as somebody else

## A person's own second factors.

security-lead = What you need to sign in, besides your password or an emailed link.
security-organization-requires = Your organization requires a second factor.
security-signed-in-by-sso = You signed in with single sign-on. To change these settings, sign out, and sign in with your password or an emailed link.
security-signed-in-long-ago = For your protection, sign in again to change these settings.

## Authenticator apps.

security-app = Authenticator app
security-app-lead = An app on your phone shows a six-digit code, which you enter when you sign in.
security-app-since = Set up { $when }.
security-app-set-up = Set up an authenticator app
security-app-replace = Replace
security-app-remove-question = Signing in will no longer ask for a code of this app.
security-app-removed = Authenticator app removed
security-app-done = Authenticator app set up
security-app-install = Install an authenticator app on your phone
security-app-any = Any app for one-time codes works. Many password managers have one, too.
security-app-add = Add your account to the app
security-app-scan = Scan this code, or type the key.
security-app-type = Type this key into the app.
security-app-key = Key
security-app-qr = QR code for your authenticator app
security-app-enter = Enter the code that the app shows

## Recovery codes.

security-codes = Recovery codes
security-codes-yours = Your recovery codes
security-codes-save = Save your recovery codes
security-codes-keep = Keep these codes in a safe place, such as a password manager. If you lose your phone or passkey, each code signs you in once. We can't show them again.
security-codes-left = { $left } of { $total } codes are left. Each signs you in once if you lose your phone or passkey.
security-codes-renew = Create new codes
security-codes-renew-question = The codes you have now will stop working.
security-codes-renewed = The previous codes no longer work.

## Passkeys.

security-passkeys = Passkeys
security-passkey-count = { $count ->
    [one] { $count } passkey
   *[other] { $count } passkeys
}
security-passkey-lead = A passkey signs you in with your fingerprint, face or screen lock, without a password. It can also be your second factor.
security-passkey-added = Added
security-passkey-used = Last used
security-passkey-remove-question = You can no longer sign in with it. Also delete it on your device.
security-passkey-removed = Passkey removed
security-passkey-added-message = Passkey added
security-passkey-sign-in = Sign in with a passkey
security-passkey-use = Use a passkey
security-passkey-create = Create a passkey
security-passkey-add = Add a passkey
security-passkey-script = Adding a passkey needs JavaScript.
security-passkey-https = Passkeys need HTTPS and a host name, which this server doesn't have.
security-passkey-name = Name of the passkey
security-passkey-name-example = My laptop
security-passkey-name-hint = How you'll recognize it, such as the device it is on.

## The second step of signing in.

security-check-title = Confirm it's you
security-check-as = Signing in as { $email }.
security-check-app = Enter the six-digit code that your authenticator app shows.
security-check-recovery = If you can't use your passkey, enter one of your recovery codes.
security-check-lost = Lost your phone? Enter one of your recovery codes instead.
security-set-up-title = Set up a second factor
security-set-up-lead = { $organization } requires a second factor for signing in. Set one up for { $email } to continue.
security-set-up-other = Choose another second factor

## The requirement of an organization.

security-organization-lead = How members of your organization sign in.
security-members = Members
security-member = Member
security-role = Role
security-required = Members need an authenticator app or a passkey to sign in. Single sign-on counts as one.
security-required-without = { $count ->
    [one] { $count } member will set one up at the next sign-in.
   *[other] { $count } members will set one up at the next sign-in.
}
security-not-required = { $count ->
    [one] Each member decides whether to use a second factor. { $count } active member without one.
   *[other] Each member decides whether to use a second factor. { $count } active members without one.
}
security-require = Require a second factor
security-set-up-own = Set up your own second factor
security-require-question = Members without a second factor set one up when they sign in the next time.
security-stop-requiring = Stop requiring
security-now-required = A second factor is now required
security-no-longer-required = A second factor is no longer required

## The single sign-on of an organization.

security-sso = Single sign-on
security-sso-lead = Members sign in at your identity provider, such as Okta, Entra ID or Google Workspace, by OpenID Connect.
security-sso-saved = Single sign-on saved
security-sso-enabled = Single sign-on enabled
security-sso-disabled = Single sign-on disabled
security-sso-deleted = Single sign-on deleted
security-sso-forgotten = Links to accounts deleted
security-sso-domains = Email domains
security-sso-domains-lead = Only people with an address in a verified domain can sign in with your provider.
security-sso-domain = Domain
security-sso-domain-hint = The part after the @ of your members' email addresses.
security-sso-domain-add = Add domain
security-sso-domain-added = Domain added. Now verify it.
security-sso-domain-verify = Verify
security-sso-domain-verified = Domain verified
security-sso-domain-missing = Domain not verified:
security-sso-domain-remove-question = People with an address in this domain can no longer sign in with your provider.
security-sso-domain-removed = Domain removed
security-sso-record = DNS record
security-sso-record-add = Add this TXT record, then verify.
security-sso-record-name = TXT record name
security-sso-record-value = TXT record value
security-sso-provider = Identity provider
security-sso-register = Register Grantor as a web application at your provider, with this redirect address:
security-sso-redirect = Redirect address
security-sso-issuer = Issuer
security-sso-issuer-hint = The address of your provider, exactly as it names itself.
security-sso-client = Client ID
security-sso-secret = Client secret
security-sso-secret-keep = Leave it empty to keep the current secret.
security-sso-secret-hint = It is stored encrypted and not shown again.
security-sso-role = Who becomes a member by signing in
security-sso-role-hint = Existing members keep their role.
security-sso-nobody = Nobody: members are invited first
security-sso-set-up = Set up
security-sso-is-active = Members can sign in with your provider.
security-sso-is-pending = Verify a domain, so that members can sign in.
security-sso-is-disabled = Nobody can sign in with your provider.
security-sso-enable = Enable
security-sso-disable = Disable
security-sso-forget = Delete links to accounts
security-sso-forget-question = People are linked again by their email address when they sign in the next time.
security-sso-delete-question = Nobody can sign in with your provider anymore. Accounts and memberships stay.
