### Texts of the page around all others, and of the components of pages.

## Problems.

view-problem-read-only = You can only look
view-problem-not-found = Page not found
view-problem-no-access = You don't have access
view-problem-too-many = Too many requests
view-problem-unavailable = Temporarily unavailable
view-problem-internal = Something went wrong
view-problem-other = We couldn't complete your request
view-problem-to-catalog = Go to the catalog
view-problem-to-dashboard = Go to dashboard
view-problem-check-address = Check the address and try again.
view-problem-wait = { $count ->
    [one] Try again in { $count } second.
   *[other] Try again in { $count } seconds.
}
view-problem-support = If this keeps happening, contact support with this request ID: { $id }

## Navigation and the page around the content.

view-nav-licensing = Licensing
view-nav-monitoring = Monitoring
view-nav-developers = Developers
view-nav-organization = Organization
view-nav-operations = Operations
view-nav-system = System
view-nav-dashboard = Dashboard
view-nav-licenses = Licenses
view-nav-talents = Talents
view-nav-requests = Requests
view-nav-grants = Grants
view-nav-mentions = Mentions
view-nav-cases = Cases
view-nav-bookmarks = Bookmarks
view-nav-catalog = Catalog
view-nav-check = Check
view-nav-sources = Sources
view-nav-profiles = Social profiles
view-nav-platforms = Platforms
view-nav-pax = Ingest keys
view-nav-webhooks = Webhooks
view-nav-clients = API clients
view-nav-teams = Teams
view-nav-logs = Logs
view-nav-billing = Billing
view-nav-help = Help
view-nav-overview = Overview
view-nav-organizations = Organizations
view-nav-help-requests = Help requests
view-nav-scanners = Scanners
view-nav-staff = Staff
view-nav-templates = Email templates
view-nav-site = Site
view-nav-console = Console
view-nav-verify = Verify
view-nav-docs = Docs
view-nav-sign-in = Sign in
view-nav-sign-up = Sign up
view-nav-sign-out = Sign out
view-nav-open = Open menu
view-nav-close = Close
view-nav-unread = unread
view-nav-open-cases = open
view-description = { $title }: licenses for names, images and likenesses, with Grantor.
view-skip = Skip to content
view-switch = Switch
view-switch-organization = Switch organization
view-theme = Theme: { $theme }
view-theme-switch = Switch theme
view-theme-auto = auto
view-theme-light = light
view-theme-dark = dark
view-bell = Notifications
view-bell-new = Notifications, { $count } new
view-query-invalid = Some filters are not valid and were ignored
view-viewing = Viewing as
view-viewing-who = You're viewing { $organization } as { $person }. You can't change anything. This ends { $time }.
view-viewing-stop = Stop viewing
view-switch-title = This page belongs to { $organization }
view-switch-to = Switch to { $organization }
view-switch-why = You're in { $here } at the moment. Switch to { $organization } to open the page.
view-switch-stay = Stay in { $here }
view-mailbox = No mail server is configured. Read emails in the { $mailbox }.
view-mailbox-link = local mailbox

## Components of pages.

view-copied = Copied
view-absent = Not specified
view-for-developers = For developers
view-step-done = (done)
view-pages = Pagination
view-page-of = Page { $page } of { $last } · { $total } total
view-export = Export
view-export-csv = CSV
view-export-excel = CSV for Excel
view-picture = Picture
view-compare = Show more of the found picture or of the reference image

## Charts.

view-chart-day = Day
view-chart-total = { $title }: { $total } total
view-chart-of = { $used } of { $limit }
view-chart-unlimited = { $used }, unlimited
view-chart-label = { $title }: { $text }
view-chart-data = Show data

## Filters and sorting.

view-filter-clear = Clear
view-filter-apply = Apply
view-filter-search = Search
view-filters = Filters
view-filters-set = Filters ({ $count })
view-filters-clear = Clear filters
view-chips = Filters that are set
view-chip = { $label }: { $value }
view-chip-remove = Remove filter { $label }: { $value }
view-selected-talent = The selected talent
view-sort = Sort by
view-sort-name = Name A to Z
view-sort-name-reversed = Name Z to A

## Saved views, selected rows and tags.

view-saved = Saved views
view-saved-all = All
view-saved-manage = Manage views
view-saved-save = Save view
view-saved-name = Name of the view
view-saved-default = Open the list with this view
view-selection = Rows to change
view-selection-rows = Selected rows
view-selection-page = All { $count } on this page
view-selection-all = All { $count } that match
view-selection-batches = Your bulk actions
view-selection-row = Select { $name }
view-tags = Tags
view-tags-none = No tags yet. Only your organization sees them.
view-tags-add = Add tags
view-tags-hint = Separate several with commas.
view-tags-remove = Remove tag { $tag }

## Fields of forms.

view-field-choose = Choose one
view-field-required = (required)
view-field-required-if = (required { $when })
view-field-required-note = Fields marked with { $mark } are required.
view-field-progress = Upload progress
view-field-party = The name of an organization, or an email address.
view-combobox-find = Find
view-combobox-none = Nothing found
view-combobox-too-many = Too many results. Type more to find yours.
view-combobox-found = { $count ->
    [one] { $count } result
   *[other] { $count } results
}
view-combobox-first = { $count ->
    [one] The first result. Type more to find others.
   *[other] The first { $count } results. Type more to find others.
}
view-field-password = At least 8 characters, with uppercase, lowercase, a digit and a special character.
view-password-strength = Password strength
view-password-very-weak = Password strength: very weak
view-password-weak = Password strength: weak
view-password-fair = Password strength: fair
view-password-good = Password strength: good
view-password-strong = Password strength: strong
view-file-choose = Choose a file
view-file-drop = Drop the file here, or choose it
view-files-choose = Choose files
view-files-drop = Drop images here, or choose files
view-files-drop-anywhere = Drop pictures anywhere on this page, or choose files
view-files-not = Not a picture: { $names }
view-picture-choose = Choose a picture
view-picture-drop = Drop or paste a picture anywhere on this page, or choose it
view-picture-large = { $name } has { $size }. A picture can have at most { $most }.
view-picture-not = { $name } is not a picture. Only JPEG, PNG and WebP pictures can be checked.
view-picture-text = { $name } is not a picture. To check a text, paste it into the field below.
view-text-long = { $bytes } bytes. A text can have at most { $most } bytes (100 KB).
view-passkey-expired = This page has expired. Reload it, sign in again if it asks you to, and try again.
view-passkey-known = This device already has a passkey for your account.
view-passkey-unused = No passkey was used. Try again, or choose another way.
view-passkey-failed = The passkey could not be used. Try again.

## Time zones.

view-zone-search = Search time zones
view-zone-example = Search by city
view-zone-region-africa = Africa
view-zone-region-america = America
view-zone-region-antarctica = Antarctica
view-zone-region-arctic = Arctic
view-zone-region-asia = Asia
view-zone-region-atlantic = Atlantic
view-zone-region-australia = Australia
view-zone-region-europe = Europe
view-zone-region-indian = Indian
view-zone-region-pacific = Pacific
view-zone-city-africa-algiers = Algiers
view-zone-city-africa-cairo = Cairo
view-zone-city-africa-addis-ababa = Addis Ababa
view-zone-city-africa-djibouti = Djibouti
view-zone-city-africa-khartoum = Khartoum
view-zone-city-africa-mogadishu = Mogadishu
view-zone-city-africa-ndjamena = Ndjamena
view-zone-city-africa-tripoli = Tripoli
view-zone-city-america-bogota = Bogota
view-zone-city-america-havana = Havana
view-zone-city-america-jamaica = Jamaica
view-zone-city-america-mexico-city = Mexico City
view-zone-city-america-sao-paulo = Sao Paulo
view-zone-city-asia-baghdad = Baghdad
view-zone-city-asia-damascus = Damascus
view-zone-city-asia-hong-kong = Hong Kong
view-zone-city-asia-kamchatka = Kamchatka
view-zone-city-asia-kolkata = Kolkata
view-zone-city-asia-muscat = Muscat
view-zone-city-asia-nicosia = Nicosia
view-zone-city-asia-novosibirsk = Novosibirsk
view-zone-city-asia-pyongyang = Pyongyang
view-zone-city-asia-qatar = Qatar
view-zone-city-asia-riyadh = Riyadh
view-zone-city-asia-sakhalin = Sakhalin
view-zone-city-asia-singapore = Singapore
view-zone-city-asia-taipei = Taipei
view-zone-city-asia-tashkent = Tashkent
view-zone-city-asia-tbilisi = Tbilisi
view-zone-city-asia-tehran = Tehran
view-zone-city-asia-tokyo = Tokyo
view-zone-city-asia-vladivostok = Vladivostok
view-zone-city-asia-yakutsk = Yakutsk
view-zone-city-asia-yekaterinburg = Yekaterinburg
view-zone-city-asia-yerevan = Yerevan
view-zone-city-atlantic-azores = Azores
view-zone-city-atlantic-canary = Canary
view-zone-city-atlantic-faroe = Faroe
view-zone-city-europe-athens = Athens
view-zone-city-europe-belgrade = Belgrade
view-zone-city-europe-brussels = Brussels
view-zone-city-europe-bucharest = Bucharest
view-zone-city-europe-busingen = Busingen
view-zone-city-europe-copenhagen = Copenhagen
view-zone-city-europe-kiev = Kiev
view-zone-city-europe-kyiv = Kyiv
view-zone-city-europe-lisbon = Lisbon
view-zone-city-europe-luxembourg = Luxembourg
view-zone-city-europe-moscow = Moscow
view-zone-city-europe-nicosia = Nicosia
view-zone-city-europe-prague = Prague
view-zone-city-europe-rome = Rome
view-zone-city-europe-tirane = Tirane
view-zone-city-europe-vatican = Vatican
view-zone-city-europe-vienna = Vienna
view-zone-city-europe-volgograd = Volgograd
view-zone-city-europe-warsaw = Warsaw
view-zone-city-europe-zurich = Zurich
view-zone-city-indian-maldives = Maldives
view-zone-city-pacific-easter = Easter
view-zone-city-pacific-fiji = Fiji

## Scans.

view-run-now = Scanning now.
view-run-read = { $time }: { $items ->
    [one] { $items } item
   *[other] { $items } items
} read, { $new } new or changed, { $mentions ->
    [one] { $mentions } new mention
   *[other] { $mentions } new mentions
}.
view-run-skipped = { $count } skipped.
view-run-partial = Some of it could not be read.
view-run-partial-because = Some of it could not be read: { $reason }.
view-run-failed = { $time }: the scan failed
view-run-failed-because = { $time }: the scan failed: { $reason }
view-run-interrupted = { $time }: the scan was interrupted
view-run-interrupted-because = { $time }: the scan was interrupted: { $reason }
view-run-blocked = { $time }: nothing was scanned
view-run-blocked-because = { $time }: nothing was scanned: { $reason }
view-run-reason-pod-not-running = the scanner is paused or stopped
view-run-reason-scope-crawl-missing = the scanner is not allowed to crawl
view-run-reason-platform-not-verified = the domain is not verified
view-run-reason-crawling-disabled = crawling is turned off
view-run-reason-organization-suspended = the organization is suspended
view-run-reason-no-feeds = the platform has no feeds
view-run-reasons = { $first }, and { $next }
view-run-none = No scans yet.
view-run-recent = Recent scans
view-run-started = Started
view-run-duration = Duration
view-run-outcome = Outcome
view-run-requests = Requests
view-run-errors = Failed
view-run-items = Items
view-run-new = New
view-run-mentions = Mentions
view-run-reason = Reason

## Badges. The same words, with a capital letter, are the choices of filters.

view-state-active = active
view-state-inactive = inactive
view-state-verified = verified
view-state-pending-verification = pending verification
view-state-pending = pending
view-state-public = public
view-state-private = private
view-state-draft = draft
view-state-expired = expired
view-state-running = running
view-state-paused = paused
view-state-stopped = stopped
view-state-scanning = scanning
view-state-checked = checked
view-state-finished = finished
view-state-licensed = licensed
view-state-unlicensed = unlicensed
view-state-needs-review = needs review
view-state-new = new
view-state-confirmed = confirmed
view-state-dismissed = dismissed
view-state-delivered = delivered
view-state-dropped = dropped
view-state-failed = failed
view-state-failing = failing
view-state-succeeded = succeeded
view-state-healthy = healthy
view-state-unused = unused
view-state-disabled = disabled
view-state-ok = ok
view-state-partial = partial
view-state-interrupted = interrupted
view-state-blocked = blocked
view-state-paid = paid
view-state-past-due = past due
view-state-canceled = canceled
view-state-void = void
view-state-open = open
view-state-offered = offered
view-state-accepted = accepted
view-state-declined = declined
view-state-withdrawn = withdrawn
view-state-replaced = replaced
view-state-lapsed = lapsed
view-state-scheduled = scheduled
view-state-ended = ended
view-state-ending = ending
view-state-revoked = revoked
view-state-suspended = suspended
view-state-denied = denied
view-state-allowed = allowed
view-state-off = off
view-state-sent = sent
view-state-letter-sent = letter sent
view-state-answered = answered
view-state-removed = removed
view-state-disputed = disputed
view-state-closed = closed
view-state-exclusive = exclusive
view-state-access-lost = access lost
view-state-current = current
view-state-customized = customized
view-state-none = none
view-state-this-device = this device
view-state-info = info
view-state-warn = warn
view-state-error = error
view-state-production = production
view-state-staging = staging
view-state-development = development
view-state-hourly = hourly
view-state-daily = daily
view-state-weekly = weekly
view-state-use = use
view-state-day = day
view-state-month = month
view-state-year = year
view-state-campaign = campaign
view-state-license = license
view-state-mention = mention
view-state-talent = talent
view-state-request = request
view-state-grant = grant
view-state-case = case
view-state-source = source
view-state-platform = platform
view-state-organization = organization
view-state-team = team
view-state-webhook = webhook
view-state-agency = agency
view-state-brand = brand

## Roles.

view-role-organization-admin = organization admin
view-role-organization-user = organization user
view-role-team-lead = team lead
view-role-team-member = team member
view-role-individual = individual
view-role-super-admin = super admin
view-role-admin = admin
view-role-support-admin = support admin
view-role-viewer = viewer
view-role-trustee = trustee
view-role-licensor = licensor

## Where a picture shows a reference image.

view-outline-part = A part of the picture shows the reference image.
view-outline-part-doubtful = A part of the picture may show the reference image.
view-outline-whole = The picture shows the reference image or a part of it.
view-outline-whole-doubtful = The picture may show the reference image or a part of it.
view-outline-share = That part covers about { $percent }% of the picture.
view-outline-mirrored = The reference image is mirrored.
view-outline-turned = The reference image is turned clockwise by { $degrees }°.
view-outline-turned-back = The reference image is turned counterclockwise by { $degrees }°.
view-recognized-by = Recognized by
view-confidence = Confidence
view-likely-right = { $percent }% likely to be right
view-method-full-name = A full name
view-method-single-name = A single name
view-method-perceptual-hash = The whole picture (perceptual hash)
view-method-local-features = Parts of the picture (local features)
