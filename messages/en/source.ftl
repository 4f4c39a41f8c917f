### Watched addresses, and social profiles.

## The list.

source-list-title = Sources
source-list-lead = Public addresses that are watched for uses of your talents.
source-new-one = new source
source-new-many = new sources
source-name = Name
source-what-is-read = What is read
source-state = State
source-next-scan = Next scan
source-mentions = Mentions
source-search = Search name or site
source-status = Status
source-any-status = Any status
source-status-running = Running
source-status-paused = Paused
source-any-kind = Anything
source-sort-newest = Newest first
source-sort-oldest = Oldest first
source-none-found = No sources found
source-none-match = No sources match your filters.
source-watch-first = Watch your first address
source-watch-first-paste = Paste any public address: a news site, a blog, a podcast, a shop, or a profile on Mastodon, Bluesky or YouTube. You don't have to own it.
source-watch-first-read = Grantor reads it regularly, looks for the names and pictures of your talents, and tells you what it finds.
source-own-profiles = Do you publish on Mastodon, Bluesky or another service yourself? { $link }, so that what you publish there counts as yours.
source-own-profiles-link = Add your social profiles

## What is read, and how often.

source-kind-feed = Feed
source-kind-sitemap = Sitemap
source-kind-page = Page and its links
source-kind-on-service = { $kind } on { $service }
source-frequency-hourly = Every hour
source-frequency-daily = Every day
source-frequency-weekly = Every week

## The state of a source.

source-not-scanned = Not scanned yet.
source-stopped-at = Stopped by the operator { $time }.
source-is-paused = Not scanned until you resume it.
source-is-scanning = Scanning now.
source-failing-since = Failing since { $time }. Last try { $last }
source-waits-for-push = Waiting for the first push.
source-first-scan-now = The first scan starts within seconds.
source-first-scan-soon = The first scan starts within an hour.
source-scan-when-pushed = When something new is published
source-scan-in-seconds = within seconds
source-scan-now = now
source-never = never

## Watching an address.

source-watch = Watch an address
source-watch-lead = Paste the address of anything public. You don't have to own it.
source-address = Address
source-address-hint = A site, blog, podcast, sitemap or feed, or a profile on a service such as Mastodon, Bluesky or YouTube.
source-look = Look at it
source-another-address = Another address
source-what-was-found = What was found
source-found-title = Title
source-no-title = No title
source-items = Items
source-item-count = { $count ->
    [one] { $count } item
   *[other] { $count } items
}
source-newest = Newest
source-push-only = The site's robots.txt forbids fetching this feed, so it is only read when the service pushes something new.
source-note-page = No feed was found, so the page itself and the pages it links to are watched.
source-note-sitemap = No feed was found, so the pages listed in the site's sitemap are watched.
source-note-key = The service does not allow reading its feeds, so its official API is read with a key of this server.
source-how-to-watch = How to watch it
source-name-hint = Leave blank to use the title found.
source-how-often = How often
source-start-watching = Start watching
source-created = The address is watched from now on.

## The talents to look for.

source-look-for = Look for
source-watch-all-talents = All talents, including those you add later
source-watch-some-talents = Only the talents below
source-search-talents = Search talents by name
source-talents = Talents
source-no-talents = No talents found.
source-talents-stay = Chosen talents stay chosen when you search for others.
source-required-if-chosen = if you choose talents
source-all-talents = All talents
source-talents-gone = None: the talents no longer exist
source-talents-and-more = { $names } and { $count } more

## The page of a source.

source-title = Source
source-details = Details
source-looks-for = Looks for
source-last-read = Last read
source-pushes = Pushes
source-mentions-found = Mentions found
source-added = Added
source-recent-scans = Recent scans
source-skipped = Skipped in the last scan
source-no-mentions = Nothing yet. New mentions appear here and under Mentions.
source-mention = Mention
source-talent = Talent
source-verdict = Verdict
source-first-seen = First seen
source-view-all-mentions = View all mentions
source-scan = Scan now
source-pause = Pause
source-resume = Resume
source-stopped-notice = The operator stopped this source { $time }. Contact the operator to have it resumed.
source-scans-failing = Scans have been failing since { $time }.
source-scans-retried = The address is tried again automatically, less often the longer it fails.
source-last-error = Last error: { $reason }
source-subscribed-until = Subscribed until { $day }.
source-subscription-not-renewed = Subscribed until { $day }, not renewed yet: { $reason }.
source-not-subscribed = Not subscribed: { $reason }.
source-hub = Hub: { $hub }.
source-push-unreachable = hubs cannot reach this server
source-push-no-hub = the address names no hub that can be subscribed to
source-push-not-running = the source is not running
source-push-unconfirmed = the hub has not confirmed the subscription yet
source-push-lapsed = the hub has not renewed the subscription yet
source-resumed = Source resumed
source-paused = Source paused
source-scan-requested = Scan requested. It starts within seconds.
source-deleted = Source deleted
source-edit-title = Edit source
source-back = Back to source
source-save-changes = Save changes
source-updated = Source updated

## Social profiles.

source-profile-list = Social profiles
source-profile-lead = Where you publish on Mastodon, Bluesky and other services. What appears on a verified profile counts as published by you.
source-profile-none = No social profiles yet
source-profile-none-why = A verified profile tells your own posts from those of others.
source-profile-lesson-address = Enter the address of the profile below.
source-profile-lesson-code = Put the code that you get into its description.
source-profile-lesson-verify = Verify it. What appears there then counts as published by you.
source-profile-add-title = Add a profile
source-profile-address = Address of the profile
source-profile-add = Add profile
source-profile-code = Code for { $address }
source-profile-put-code = Put this code into the description of the profile
source-profile-verify = Verify
source-profile-remove-code = Once the profile is verified, you can remove the code.
source-profile-verify-button = Verify profile
source-profile-added = Profile added. Put the code into its description next.
source-profile-verified = Profile verified
source-profile-removed = Profile removed
