### Anmelden und Registrieren.

## Die Anmeldeseite.

sign-in-title = Anmelden
sign-in-username = E-Mail-Adresse oder vollständiger Name
sign-in-password = Passwort
sign-in-button = Anmelden
sign-in-by-link = Stattdessen einen Anmeldelink per E-Mail erhalten
sign-in-by-sso = Single Sign-on verwenden
sign-in-by-password = Mit Passwort anmelden
sign-in-forgot = Passwort vergessen?
sign-in-new = Neu bei Grantor? { $link }
sign-in-new-link = Registrieren
sign-in-signed-out = Sie sind abgemeldet
sign-in-your-name = Ihr Name

## Wie sich jemand angemeldet hat.

sign-in-method-password = Passwort
sign-in-method-email = Link oder Code per E-Mail
sign-in-method-passkey = Passkey
sign-in-method-single-sign-on = Single Sign-on

## Registrieren.

sign-in-register-title = Registrieren
sign-in-register-type = Kontotyp
sign-in-register-agency = Agentur: Wir vertreten Talente
sign-in-register-brand = Marke: Wir lizenzieren Bildnisse
sign-in-register-platform = Plattform: Wir veröffentlichen Inhalte anderer
sign-in-register-individual = Einzelperson: Ich verwalte mein eigenes Bildnis
sign-in-register-organization = Name der Organisation
sign-in-register-organization-if = für Organisationen
sign-in-register-organization-hint = Lassen Sie das Feld leer, wenn Sie sich als Einzelperson registrieren.
sign-in-register-email-hint = Wir senden Ihnen einen Code, um diese Adresse zu bestätigen.
sign-in-register-button = Registrieren
sign-in-register-by-link = Ohne Passwort registrieren
sign-in-register-by-password = Mit Passwort oder als Organisation registrieren
sign-in-register-known = Sie haben schon ein Konto? { $link }
sign-in-register-known-link = Anmelden
sign-in-register-link-title = Ohne Passwort registrieren
sign-in-register-link-lead = Für Einzelpersonen, die ihr eigenes Bildnis verwalten. Bei jeder Anmeldung senden wir Ihnen einen Link und einen Code per E-Mail.
sign-in-register-verify = E-Mail-Adresse bestätigen
sign-in-register-welcome = Willkommen bei Grantor
sign-in-register-active = Ihr Konto ist aktiv. Melden Sie sich an, um fortzufahren.

## Codes per E-Mail.

sign-in-code = Code
sign-in-code-title = Code eingeben
sign-in-code-sent = Wir haben einen sechsstelligen Code an { $email } gesendet.
sign-in-code-sent-again = Wir haben Ihnen einen neuen Code gesendet. Der vorherige Code ist nicht mehr gültig.
sign-in-code-missing = Keine E-Mail erhalten? Sehen Sie im Spam-Ordner nach oder fordern Sie einen neuen Code an:
sign-in-code-resend = Code erneut senden

## Links per E-Mail.

sign-in-link-title = Per E-Mail anmelden
sign-in-link-lead = Wir senden Ihnen einen Link und einen Code per E-Mail. Sie brauchen kein Passwort.
sign-in-link-button = Link per E-Mail senden
sign-in-link-sent-title = Sehen Sie in Ihr Postfach
sign-in-link-sent = Wir haben einen Link und einen Code an { $email } gesendet. Beide sind 15 Minuten gültig.
sign-in-link-open = Öffnen Sie den Link oder geben Sie den Code hier ein:
sign-in-link-other-address = Andere E-Mail-Adresse verwenden
sign-in-link-incomplete = Dieser Link ist unvollständig. Kopieren Sie den ganzen Link aus der E-Mail oder fordern Sie einen neuen an.
sign-in-link-again = Neuen Link per E-Mail senden
sign-in-link-click = Klicken Sie auf die Schaltfläche, um sich anzumelden. Dieser Link funktioniert einmal.

## Passwort zurücksetzen.

sign-in-reset-title = Passwort zurücksetzen
sign-in-reset-lead = Wir senden Ihnen einen Code und einen Link per E-Mail, mit denen Sie ein neues Passwort wählen.
sign-in-reset-button = Code per E-Mail senden
sign-in-reset-back = Anmelden
sign-in-reset-choose = Neues Passwort wählen
sign-in-reset-link-for = Das neue Passwort gilt für { $email }.
sign-in-reset-link-lead = Sie werden auf allen Geräten abgemeldet. Dieser Link funktioniert einmal.
sign-in-reset-sent = Wenn es ein Konto für { $email } gibt, haben wir einen Code an diese Adresse gesendet.
sign-in-reset-password = Neues Passwort
sign-in-reset-submit = Passwort ändern
sign-in-reset-new-link = Neuen Link anfordern
sign-in-reset-new-code = Neuen Code anfordern
sign-in-reset-done = Passwort geändert. Melden Sie sich mit Ihrem neuen Passwort an.

## Single Sign-on.

sign-in-sso-title = Single Sign-on
sign-in-sso-lead = Geben Sie Ihre geschäftliche E-Mail-Adresse ein. Wenn Ihre Organisation Single Sign-on verwendet, leiten wir Sie zu ihrer Anmeldeseite weiter.
sign-in-sso-continue = Weiter zur Anmeldeseite von { $organization }.
sign-in-sso-failed = Single Sign-on fehlgeschlagen
sign-in-sso-other-way = Auf anderem Weg anmelden

## Einladungen. Die ersten drei stehen allein oder als $message.

sign-in-invitation-talent = Willkommen! Sie können Ihren Eintrag jetzt verwalten
sign-in-invitation-holder = Die Lizenz ist jetzt für Sie freigegeben
sign-in-invitation-member = Willkommen im Team
sign-in-invitation-member-signed-in = Willkommen im Team. Wechseln Sie zur Organisation, um loszulegen.
sign-in-invitation-other-account = { $message }. Sie sind mit einem anderen Konto angemeldet. Melden Sie sich mit dem eingeladenen Konto an, um fortzufahren.
sign-in-invitation-sign-in = { $message }. Melden Sie sich an, um fortzufahren.
sign-in-invitation-staff = Willkommen! Wir haben Ihnen ein Einmal-Token zum Anmelden per E-Mail gesendet.
sign-in-invitation-title = Einladung annehmen
sign-in-invitation-heading = Sie sind eingeladen
sign-in-invitation-lead = { $inviter } hat { $email } eingeladen.
sign-in-invitation-accept = Einladung annehmen
sign-in-invitation-unexpected = Haben Sie das nicht erwartet? Dann können Sie diese Seite einfach schließen.
