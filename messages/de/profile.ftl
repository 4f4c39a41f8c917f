### Das Profil einer Person.

profile-title = Profil
profile-notifications = Benachrichtigungseinstellungen
profile-account = Konto
profile-organization = Organisation
profile-role = Rolle
profile-member-since = Mitglied seit
profile-about = Über Sie
profile-first-name = Vorname
profile-last-name = Nachname
profile-bio = Kurzbiografie
profile-bio-hint = Bis zu 500 Zeichen.
profile-location = Ort
profile-phone = Telefon
profile-save = Änderungen speichern
profile-updated = Profil aktualisiert

## Das Passwort.

profile-password = Passwort
profile-password-current = Aktuelles Passwort
profile-password-new = Neues Passwort
profile-password-change = Passwort ändern
profile-password-changed = Passwort geändert. Ihre anderen Sitzungen wurden abgemeldet.

## Wie sich die Person anmeldet.

profile-security = Anmeldesicherheit
profile-second-factor = Zweiter Faktor
profile-security-manage = Anmeldesicherheit verwalten

## Sitzungen.

profile-sessions = Anmeldungen
profile-sessions-caption = Sitzungen
profile-session-device = Gerät
profile-session-address = IP-Adresse
profile-session-started = Angemeldet
profile-session-seen = Zuletzt aktiv
profile-session-active = Jetzt aktiv
profile-session-organization = Angemeldet bei { $organization }
profile-session-ended = Sitzung abgemeldet
profile-sessions-ended = { $count ->
    [one] { $count } Sitzung abgemeldet
   *[other] { $count } Sitzungen abgemeldet
}
profile-sign-out = Abmelden
profile-sign-out-question = Das Gerät wird abgemeldet.
profile-sign-out-own-question = Sie werden abgemeldet.
profile-sign-out-others = Alle anderen abmelden
profile-sign-out-others-question = Alle Geräte außer diesem werden abgemeldet.
profile-device-name = { $browser } auf { $system }
profile-device-browser = Browser auf { $system }
profile-device-unknown = Unbekanntes Gerät
