### The profile of a person.

profile-title = Profile
profile-notifications = Notification settings
profile-account = Account
profile-organization = Organization
profile-role = Role
profile-member-since = Member since
profile-about = About you
profile-first-name = First name
profile-last-name = Last name
profile-bio = Bio
profile-bio-hint = Up to 500 characters.
profile-location = Location
profile-phone = Phone
profile-save = Save changes
profile-updated = Profile updated

## The password.

profile-password = Password
profile-password-current = Current password
profile-password-new = New password
profile-password-change = Change password
profile-password-changed = Password changed. Your other sessions have been signed out.

## How the person signs in.

profile-security = Sign-in security
profile-second-factor = Second factor
profile-security-manage = Manage sign-in security

## Sessions.

profile-sessions = Sign-ins
profile-sessions-caption = Sessions
profile-session-device = Device
profile-session-address = IP address
profile-session-started = Signed in
profile-session-seen = Last seen
profile-session-active = Active now
profile-session-organization = Signed in to { $organization }
profile-session-ended = Session signed out
profile-sessions-ended = { $count ->
    [one] { $count } session signed out
   *[other] { $count } sessions signed out
}
profile-sign-out = Sign out
profile-sign-out-question = The device will be signed out.
profile-sign-out-own-question = You'll be signed out.
profile-sign-out-others = Sign out all others
profile-sign-out-others-question = Every device but this one will be signed out.
profile-device-name = { $browser } on { $system }
profile-device-browser = Browser on { $system }
profile-device-unknown = Unknown device
