### Teams und ihre Mitglieder.

team-list = Teams
team-list-lead = Talente und Plattformen gehören zu Teams. Teamleitungen verwalten die ihrer Teams.
team-none = Noch keine Teams
team-none-why = Teams teilen sich die Arbeit: Jedes verwaltet seine eigenen Talente und Plattformen.
team-step-create = Erstellen Sie ein Team und laden Sie Personen per E-Mail ein.
team-step-role = Geben Sie jeder Person eine Rolle. Teamleitungen verwalten, was zu ihren Teams gehört, Mitglieder haben Lesezugriff.
team-step-choose = Wählen Sie das Team eines Talents oder einer Plattform beim Bearbeiten.
team-new = Neues Team
team-new-lead = Sie werden das erste Mitglied des Teams.
team-card = Team
team-name-hint = 2 bis 50 Zeichen.
team-create = Team erstellen
team-created = Team erstellt
team-deleted = Team gelöscht
team-delete-question = Die Talente des Teams gehören dann zu keinem Team mehr. Ein Team mit Plattformen können Sie nicht löschen, und das Löschen lässt sich nicht rückgängig machen.

## Mitglieder.

team-members = Mitglieder
team-member = Mitglied
team-role = Rolle
team-joined = Beigetreten
team-joined-first = Zuerst beigetreten
team-joined-last = Zuletzt beigetreten
team-search = Nach Name oder E-Mail suchen
team-any-role = Alle Rollen
team-any-status = Alle Status
team-status-active = Aktiv
team-status-inactive = Inaktiv
team-status-invited = Eingeladen
team-status-cannot-sign-in = Inaktiv: kann sich nicht anmelden
team-nobody-found = Keine Mitglieder gefunden
team-nobody-found-why = Keine Mitglieder entsprechen Ihren Filtern.
team-remove-question = Wenn dies das einzige Team des Mitglieds ist, verlässt das Mitglied auch die Organisation und wird abgemeldet. Sie können dies eine Minute lang rückgängig machen.
team-removed = Aus dem Team entfernt
team-member-updated = Mitglied aktualisiert
team-role-and-status = Rolle und Status
team-role-hint = Gilt für die ganze Organisation.
team-role-member = Teammitglied: hat Lesezugriff
team-role-lead = Teamleitung: verwaltet alles, was zu ihren Teams gehört
team-role-user = Organisationsmitglied: verwaltet Lizenzen, Talente, Plattformen und Webhooks
team-role-admin = Organisationsadmin: hat vollen Zugriff
team-save = Änderungen speichern

## Einladungen.

team-invite = Mitglied einladen
team-invite-lead = Wir senden dem neuen Mitglied einen Link per E-Mail, um beizutreten und ein Passwort zu wählen.
team-invite-role-hint = Bestehende Mitglieder der Organisation behalten ihre Rolle.
team-invite-send = Einladung senden
team-invited = Einladung gesendet
team-first-name = Vorname
team-last-name = Nachname
team-invitation = Einladung
team-invitation-expires = läuft { $when } ab
team-invitation-revoke = Widerrufen
