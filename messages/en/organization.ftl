### The organization, its details and its chat addresses.

organization-account = Account
organization-plan = Plan
organization-id = Organization ID
organization-letters = Letter templates
organization-chats = Chat addresses
organization-security = Sign-in security
organization-sso = Single sign-on
organization-back = Back to organization
organization-switched = Switched to { $organization }
organization-switch-second-factor = That organization requires a second factor. Set one up first.

## Being found by name.

organization-findable = Can be found by name
organization-findable-on = Others see your organization's name, type and domain ({ $domain }) when they search for it.
organization-findable-no-domain = This is turned on, but others can't find your organization until you { $link }.
organization-findable-no-domain-link = verify a domain
organization-findable-off = Only parties that share a license, a request or a grant with you can find your organization by name.
organization-findable-turn-on = Turn on
organization-findable-turn-off = Turn off
organization-findable-turned-on = Your organization can be found by name
organization-findable-turned-off = Your organization can no longer be found by name

## Details.

organization-edit = Edit organization
organization-edit-lead = Your public details and billing information.
organization-save = Save changes
organization-updated = Organization updated
organization-about = About
organization-description = Description
organization-description-hint = Up to 500 characters.
organization-website = Website
organization-industry = Industry
organization-founded = Founded
organization-address = Address
organization-street = Street
organization-postal-code = Postal code
organization-city = City
organization-region = Region
organization-country = Country
organization-contact = Contact
organization-contact-person = Contact person
organization-contact-email = Email
organization-contact-phone = Phone
organization-tax = Tax
organization-legal-name = Legal name
organization-tax-id = Tax ID
organization-vat-number = VAT number

## Chat addresses.

organization-chats-lead = Send notifications to a channel in Slack, Teams or a compatible chat.
organization-chats-none = No chat addresses yet
organization-chats-none-why = Your team reads here what needs attention, in the channel where it works anyway.
organization-chats-step-create = Create an incoming webhook in your chat.
organization-chats-step-add = Add its URL here, and choose what to send.
organization-chats-step-test = Send a test message.
organization-chats-back = Back to chat addresses
organization-chat = Chat
organization-chat-add = Add chat address
organization-chat-added = Chat address added. Send a test message to check it.
organization-chat-edit = Edit chat address
organization-chat-updated = Chat address updated
organization-chat-deleted = Chat address deleted
organization-chat-address = Address
organization-chat-last-message = Last message
organization-chat-last-error = Last error: { $error }
organization-chat-never = never
organization-chat-name-example = Rights team
organization-chat-url = Webhook URL
organization-chat-url-hint = The URL of an incoming webhook. It is stored encrypted and not shown again.
organization-chat-url-new = New webhook URL
organization-chat-url-keep = Leave it empty to keep { $url }.
organization-chat-kinds = Notifications
organization-chat-kinds-hint = Choose at least one.
organization-chat-enable = Enable
organization-chat-enabled = Chat address enabled
organization-chat-disable = Disable
organization-chat-disabled = Chat address disabled
organization-chat-test = Send test message
organization-chat-tested = Test message sent
organization-chat-test-failed = The test message did not arrive: { $reason }.
