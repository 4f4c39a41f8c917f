### API clients.

client-list = API clients
client-list-lead = Credentials that let your applications use the API.
client-none = No API clients yet
client-none-why = An API client lets an application read licenses or push content.
client-step-name = Name the application and choose what it may do.
client-step-copy = Copy the key and the secret. The secret is shown once.
client-step-exchange = Exchange both for a token, as the API documentation shows.
client-key-head = Key
client-key = API key
client-secret = API secret
client-environment = Environment
client-environment-production = production
client-environment-staging = staging
client-environment-development = development
client-last-used = Last used
client-never = never

## The form.

client-new = New API client
client-new-lead = A key and a secret for one application.
client-card = API client
client-create = Create API client
client-created = API client created
client-name-hint = The application that uses the client, such as “Importer”.
client-choose-production = Production
client-choose-staging = Staging
client-choose-development = Development
client-environment-hint = Where the application runs: Production for the live one, Staging for trials before a release, Development for your own computer. All of them use the same data and the same quota. Production keys start with gk_live_, the others with gk_test_.
client-scopes = Scopes
client-scopes-hint = Choose at least one: without a scope, a client can do nothing. The role of whoever creates the client limits it, too.
client-scope-license-read = Read licenses, requests, offers, grants and receipts; ask for decisions; manage bookmarks
client-scope-license-write = Update licenses; ask for grants, make, accept, decline and withdraw offers, and write messages; revoke grants; review mentions, handle cases and manage sources; push content
client-scope-mention-read = Read mentions, evidence, cases and sources; run checks
client-scope-webhook-manage = Manage webhooks; read events
client-expires-at = Expires ({ $zone })
client-expires-at-hint = Leave blank for a client that never expires.

## An API client.

client-details = Details
client-expires = Expires
client-settings = Settings
client-status-active = Active
client-status-inactive = Inactive
client-save = Save changes
client-updated = API client updated
client-revoke = Revoke
client-revoke-question = Applications that use this key will permanently lose access. You can't undo this.
client-revoked = API client revoked
client-delete-question = Applications that use this key will lose access immediately. You can undo this for a minute, but tokens stay invalid.
client-deleted = API client deleted

## Secrets.

client-rotate = Rotate secret
client-rotate-lead = The new secret is shown once. Choose when the current secret stops working.
client-grace = Current secret expires
client-grace-none = Immediately, if it may have leaked
client-grace-hour = In 1 hour
client-grace-day = In 1 day
client-rotated = Secret rotated
client-old-secret = The previous secret still works. It expires { $when }.
client-secret-save = { $now } You won't be able to see it again.
client-secret-save-now = Save this secret now.
client-done = Done

## First steps.

client-start = Get started
client-start-token = Exchange the key and secret for an access token, valid for one hour:
client-start-token-label = Get an access token
client-start-list = Then list your licenses:
client-start-list-label = List licenses
client-documentation = Quick start: from this key to a verified webhook
