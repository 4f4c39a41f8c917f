### Zweite Faktoren, Passkeys und das Single Sign-on einer Organisation.

## Wörter mehrerer Seiten.

security-title = Anmeldesicherheit
security-second-factor = Zweiter Faktor
security-code = Code
security-recovery-code = Wiederherstellungscode
security-confirm = Bestätigen
security-done = Fertig
security-save = Änderungen speichern
security-never = nie
security-back = Zurück zur Anmeldesicherheit
security-back-to-profile = Zurück zum Profil
security-back-to-organization = Zurück zur Organisation
security-sign-in = Anmelden
security-sign-in-again = Erneut anmelden
security-sign-in-again-first = Melden Sie sich erneut an, um zu ändern, wie Sie sich anmelden
security-somebody-else = Mit einem anderen Konto anmelden

## Die eigenen zweiten Faktoren.

security-lead = Was Sie zum Anmelden brauchen, zusätzlich zu Ihrem Passwort oder einem Link per E-Mail.
security-organization-requires = Ihre Organisation verlangt einen zweiten Faktor.
security-signed-in-by-sso = Sie haben sich mit Single Sign-on angemeldet. Um diese Einstellungen zu ändern, melden Sie sich ab und dann mit Ihrem Passwort oder einem Link per E-Mail wieder an.
security-signed-in-long-ago = Melden Sie sich zu Ihrem Schutz erneut an, um diese Einstellungen zu ändern.

## Authenticator-Apps.

security-app = Authenticator-App
security-app-lead = Eine App auf Ihrem Smartphone zeigt einen sechsstelligen Code an, den Sie beim Anmelden eingeben.
security-app-since = Eingerichtet { $when }.
security-app-set-up = Authenticator-App einrichten
security-app-replace = Ersetzen
security-app-remove-question = Beim Anmelden wird dann kein Code dieser App mehr verlangt.
security-app-removed = Authenticator-App entfernt
security-app-done = Authenticator-App eingerichtet
security-app-install = Installieren Sie eine Authenticator-App auf Ihrem Smartphone
security-app-any = Jede App für Einmalcodes ist geeignet. Auch viele Passwortmanager enthalten eine.
security-app-add = Fügen Sie Ihr Konto der App hinzu
security-app-scan = Scannen Sie diesen Code oder tippen Sie den Schlüssel ein.
security-app-type = Tippen Sie diesen Schlüssel in die App ein.
security-app-key = Schlüssel
security-app-qr = QR-Code für Ihre Authenticator-App
security-app-enter = Geben Sie den Code ein, den die App anzeigt

## Wiederherstellungscodes.

security-codes = Wiederherstellungscodes
security-codes-yours = Ihre Wiederherstellungscodes
security-codes-save = Bewahren Sie Ihre Wiederherstellungscodes auf
security-codes-keep = Bewahren Sie diese Codes an einem sicheren Ort auf, zum Beispiel in einem Passwortmanager. Wenn Sie Ihr Smartphone oder Ihren Passkey verlieren, können Sie sich mit jedem Code einmal anmelden. Wir können die Codes nicht noch einmal anzeigen.
security-codes-left = Noch { $left } von { $total } Codes übrig. Mit jedem können Sie sich einmal anmelden, wenn Sie Ihr Smartphone oder Ihren Passkey verlieren.
security-codes-renew = Neue Codes erstellen
security-codes-renew-question = Ihre bisherigen Codes sind dann nicht mehr gültig.
security-codes-renewed = Die vorherigen Codes sind nicht mehr gültig.

## Passkeys.

security-passkeys = Passkeys
security-passkey-count = { $count ->
    [one] { $count } Passkey
   *[other] { $count } Passkeys
}
security-passkey-lead = Mit einem Passkey melden Sie sich per Fingerabdruck, Gesicht oder Bildschirmsperre an, ohne Passwort. Er kann auch Ihr zweiter Faktor sein.
security-passkey-added = Hinzugefügt
security-passkey-used = Zuletzt verwendet
security-passkey-remove-question = Sie können sich dann nicht mehr damit anmelden. Löschen Sie den Passkey auch auf Ihrem Gerät.
security-passkey-removed = Passkey entfernt
security-passkey-added-message = Passkey hinzugefügt
security-passkey-sign-in = Mit Passkey anmelden
security-passkey-use = Passkey verwenden
security-passkey-create = Passkey erstellen
security-passkey-add = Passkey hinzufügen
security-passkey-script = Um einen Passkey hinzuzufügen, wird JavaScript benötigt.
security-passkey-https = Passkeys erfordern HTTPS und einen Hostnamen. Beides ist auf diesem Server nicht eingerichtet.
security-passkey-name = Name des Passkeys
security-passkey-name-example = Mein Laptop
security-passkey-name-hint = Woran Sie ihn wiedererkennen, zum Beispiel das Gerät, auf dem er gespeichert ist.

## Der zweite Schritt der Anmeldung.

security-check-title = Bestätigen Sie Ihre Identität
security-check-as = Anmeldung als { $email }.
security-check-app = Geben Sie den sechsstelligen Code ein, den Ihre Authenticator-App anzeigt.
security-check-recovery = Wenn Sie Ihren Passkey nicht verwenden können, geben Sie einen Ihrer Wiederherstellungscodes ein.
security-check-lost = Smartphone verloren? Geben Sie stattdessen einen Ihrer Wiederherstellungscodes ein.
security-set-up-title = Zweiten Faktor einrichten
security-set-up-lead = { $organization } verlangt zum Anmelden einen zweiten Faktor. Richten Sie einen für { $email } ein, um fortzufahren.
security-set-up-other = Anderen zweiten Faktor wählen

## Die Vorgabe einer Organisation.

security-organization-lead = So melden sich die Mitglieder Ihrer Organisation an.
security-members = Mitglieder
security-member = Mitglied
security-role = Rolle
security-required = Mitglieder brauchen zum Anmelden eine Authenticator-App oder einen Passkey. Single Sign-on zählt als zweiter Faktor.
security-required-without = { $count ->
    [one] { $count } Mitglied richtet ihn bei der nächsten Anmeldung ein.
   *[other] { $count } Mitglieder richten ihn bei der nächsten Anmeldung ein.
}
security-not-required = { $count ->
    [one] Jedes Mitglied entscheidet selbst, ob es einen zweiten Faktor verwendet. { $count } aktives Mitglied hat keinen.
   *[other] Jedes Mitglied entscheidet selbst, ob es einen zweiten Faktor verwendet. { $count } aktive Mitglieder haben keinen.
}
security-require = Zweiten Faktor verlangen
security-set-up-own = Ihren eigenen zweiten Faktor einrichten
security-require-question = Mitglieder ohne zweiten Faktor richten bei der nächsten Anmeldung einen ein.
security-stop-requiring = Nicht mehr verlangen
security-now-required = Ein zweiter Faktor ist jetzt erforderlich
security-no-longer-required = Ein zweiter Faktor ist nicht mehr erforderlich

## Das Single Sign-on einer Organisation.

security-sso = Single Sign-on
security-sso-lead = Mitglieder melden sich über OpenID Connect bei Ihrem Identitätsanbieter an, zum Beispiel Okta, Entra ID oder Google Workspace.
security-sso-saved = Single Sign-on gespeichert
security-sso-enabled = Single Sign-on aktiviert
security-sso-disabled = Single Sign-on deaktiviert
security-sso-deleted = Single Sign-on gelöscht
security-sso-forgotten = Verknüpfungen mit Konten gelöscht
security-sso-domains = E-Mail-Domains
security-sso-domains-lead = Nur Personen mit einer Adresse in einer verifizierten Domain können sich über Ihren Anbieter anmelden.
security-sso-domain = Domain
security-sso-domain-hint = Der Teil nach dem @ in den E-Mail-Adressen Ihrer Mitglieder.
security-sso-domain-add = Domain hinzufügen
security-sso-domain-added = Domain hinzugefügt. Verifizieren Sie sie jetzt.
security-sso-domain-verify = Verifizieren
security-sso-domain-verified = Domain verifiziert
security-sso-domain-missing = Domain nicht verifiziert:
security-sso-domain-remove-question = Personen mit einer Adresse in dieser Domain können sich dann nicht mehr über Ihren Anbieter anmelden.
security-sso-domain-removed = Domain entfernt
security-sso-record = DNS-Eintrag
security-sso-record-add = Legen Sie diesen TXT-Eintrag an und verifizieren Sie dann die Domain.
security-sso-record-name = Name des TXT-Eintrags
security-sso-record-value = Wert des TXT-Eintrags
security-sso-provider = Identitätsanbieter
security-sso-register = Registrieren Sie Grantor bei Ihrem Anbieter als Webanwendung mit dieser Weiterleitungsadresse:
security-sso-redirect = Weiterleitungsadresse
security-sso-issuer = Aussteller (Issuer)
security-sso-issuer-hint = Die Adresse Ihres Anbieters, genau so, wie er sie selbst angibt.
security-sso-client = Client-ID
security-sso-secret = Client-Geheimnis
security-sso-secret-keep = Lassen Sie das Feld leer, um das aktuelle Geheimnis zu behalten.
security-sso-secret-hint = Es wird verschlüsselt gespeichert und nicht noch einmal angezeigt.
security-sso-role = Wer durch die Anmeldung Mitglied wird
security-sso-role-hint = Bestehende Mitglieder behalten ihre Rolle.
security-sso-nobody = Niemand: Mitglieder werden zuerst eingeladen
security-sso-set-up = Einrichten
security-sso-is-active = Mitglieder können sich über Ihren Anbieter anmelden.
security-sso-is-pending = Verifizieren Sie eine Domain, damit sich Mitglieder anmelden können.
security-sso-is-disabled = Niemand kann sich über Ihren Anbieter anmelden.
security-sso-enable = Aktivieren
security-sso-disable = Deaktivieren
security-sso-forget = Verknüpfungen mit Konten löschen
security-sso-forget-question = Personen werden bei der nächsten Anmeldung über ihre E-Mail-Adresse neu verknüpft.
security-sso-delete-question = Niemand kann sich dann mehr über Ihren Anbieter anmelden. Konten und Mitgliedschaften bleiben bestehen.
