### Teams and their members.

team-list = Teams
team-list-lead = Talents and platforms belong to teams. Team leads manage the ones in their teams.
team-none = No teams yet
team-none-why = Teams share the work: each one manages its own talents and platforms.
team-step-create = Create a team and invite people to join by email.
team-step-role = Give each person a role. Leads manage what belongs to their teams, and members look.
team-step-choose = Choose the team of a talent or platform when you edit it.
team-new = New team
team-new-lead = You'll be the team's first member.
team-card = Team
team-name-hint = 2 to 50 characters.
team-create = Create team
team-created = Team created
team-deleted = Team deleted
team-delete-question = The team's talents will no longer have a team. You can't delete a team that has platforms, and you can't undo this.

## Members.

team-members = Members
team-member = Member
team-role = Role
team-joined = Joined
team-joined-first = Joined first
team-joined-last = Joined last
team-search = Search by name or email
team-any-role = Any role
team-any-status = Any status
team-status-active = Active
team-status-inactive = Inactive
team-status-invited = Invited
team-status-cannot-sign-in = Inactive: can't sign in
team-nobody-found = No members found
team-nobody-found-why = No members match your filters.
team-remove-question = If this is the member's only team, the member will also leave the organization and be signed out. You can undo this for a minute.
team-removed = Removed from the team
team-member-updated = Member updated
team-role-and-status = Role and status
team-role-hint = Applies to the whole organization.
team-role-member = Team member: can view
team-role-lead = Team lead: manages everything that belongs to their teams
team-role-user = Organization user: manages licenses, talents, platforms and webhooks
team-role-admin = Organization admin: full access
team-save = Save changes

## Invitations.

team-invite = Invite member
team-invite-lead = We'll email the new member a link to join and choose a password.
team-invite-role-hint = Existing members of the organization keep their role.
team-invite-send = Send invitation
team-invited = Invitation sent
team-first-name = First name
team-last-name = Last name
team-invitation = Invitation
team-invitation-expires = expires { $when }
team-invitation-revoke = Revoke
