### E-Mails über Konten, Einladungen und Zahlungen.
### Jede hat einen Betreff, einen Text und die Beschriftung der Schaltfläche, für die $link steht.
### Ein Absatz ist eine Zeile; eine leere Zeile trennt zwei Absätze.

# Der Code, mit dem eine Registrierung abgeschlossen wird.
mail-registration-subject = { $code } ist Ihr Grantor-Code
mail-registration-body =
    { $greeting }

    geben Sie diesen Code ein, um Ihre Registrierung abzuschließen:

    { $code }

    Der Code ist { $minutes } Minuten gültig und kann einmal verwendet werden. Wir werden Sie niemals danach fragen.

    Falls Sie das nicht angefordert haben, können Sie diese E-Mail ignorieren.

    Grantor

# Der Code und der Link, mit denen ein Passwort zurückgesetzt wird.
mail-password-reset-subject = { $code } ist Ihr Grantor-Code
mail-password-reset-button = Passwort zurücksetzen
mail-password-reset-body =
    { $greeting }

    geben Sie diesen Code ein, um Ihr Passwort zurückzusetzen:

    { $code }

    Der Code ist { $minutes } Minuten gültig und kann einmal verwendet werden. Wir werden Sie niemals danach fragen.

    Oder verwenden Sie diesen Link, der länger gültig ist und keinen Code erfordert:

    { $link }

    Falls Sie das nicht angefordert haben, können Sie diese E-Mail ignorieren.

    Grantor

# Ein Link und ein Code, um sich ohne Passwort anzumelden.
mail-magic-link-subject = Bei Grantor anmelden
mail-magic-link-button = Anmelden
mail-magic-link-body =
    { $greeting }

    mit diesem Link melden Sie sich an:

    { $link }

    Oder geben Sie diesen Code auf der Anmeldeseite ein:

    { $code }

    Der Link und der Code sind { $minutes } Minuten gültig und können einmal verwendet werden. Wir werden Sie niemals danach fragen.

    Falls Sie das nicht angefordert haben, können Sie diese E-Mail ignorieren.

    Grantor

# Die Nachricht, dass es zu dieser E-Mail-Adresse kein Konto gibt.
mail-no-account-subject = Kein Grantor-Konto mit dieser E-Mail-Adresse
mail-no-account-button = Konto erstellen
mail-no-account-body =
    { $greeting }

    jemand (vermutlich Sie) hat mit dieser E-Mail-Adresse versucht, { $purpose }.

    Zu dieser Adresse gibt es kein Konto. Falls Sie ein Konto haben, gehört es zu einer anderen Adresse. Andernfalls können Sie ein Konto erstellen:

    { $link }

    Falls Sie das nicht angefordert haben, können Sie diese E-Mail ignorieren.

    Grantor

# Die Nachricht, dass ein Passwort geändert wurde.
mail-password-changed-subject = Ihr Grantor-Passwort wurde geändert
mail-password-changed-body =
    { $greeting }

    das Passwort für { $email } wurde geändert und alle anderen Sitzungen wurden beendet.

    Falls Sie das nicht waren, setzen Sie Ihr Passwort jetzt zurück und wenden Sie sich an Ihre Administration.

    Grantor

# Eine Warnung vor fehlgeschlagenen Anmeldungen.
mail-sign-in-warning-subject = Fehlgeschlagene Anmeldungen bei Ihrem Grantor-Konto
mail-sign-in-warning-button = Passwort zurücksetzen
mail-sign-in-warning-body =
    { $greeting }

    jemand hat mehrmals mit einem falschen Passwort versucht, sich bei Ihrem Konto { $email } anzumelden.

    Keiner dieser Versuche war erfolgreich. Auf Geräten, die Sie schon verwendet haben, können Sie sich weiterhin anmelden. Auf anderen Geräten sind Anmeldungen mit Passwort eine Zeit lang eingeschränkt, aber mit einem Link per E-Mail können Sie sich immer anmelden.

    Falls Sie das nicht waren und Ihr Passwort leicht zu erraten ist, wählen Sie ein neues Passwort:

    { $link }

    Grantor

# Eine Einladung in ein Team.
mail-team-invitation-subject = { $organization } hat Sie zu Grantor eingeladen
mail-team-invitation-button = Einladung annehmen
mail-team-invitation-body =
    { $greeting }

    { $inviter } von { $organization } hat Sie in das Team { $team } eingeladen.

    { $link }

    Falls Sie mit dieser E-Mail-Adresse noch kein Konto haben, können Sie beim Annehmen eines erstellen.

    Die Einladung ist { $days } Tage gültig und kann einmal verwendet werden.

    Falls Sie diese Einladung nicht erwartet haben, können Sie diese E-Mail ignorieren.

    Grantor

# Eine Einladung, einen Talent-Eintrag zu übernehmen.
mail-talent-invitation-subject = { $organization } hat Sie zu Grantor eingeladen
mail-talent-invitation-button = Einladung annehmen
mail-talent-invitation-body =
    { $greeting }

    { $inviter } von { $organization } hat für Sie einen Talent-Eintrag angelegt und lädt Sie ein, ihn zu übernehmen.

    { $link }

    Falls Sie mit dieser E-Mail-Adresse noch kein Konto haben, können Sie beim Annehmen eines erstellen.

    Die Einladung ist { $days } Tage gültig und kann einmal verwendet werden.

    Falls Sie diese Einladung nicht erwartet haben, können Sie diese E-Mail ignorieren.

    Grantor

# Die Nachricht, dass eine Lizenz mit dieser E-Mail-Adresse geteilt wurde.
mail-license-shared-subject = { $organization } hat eine Lizenz mit Ihnen geteilt
mail-license-shared-button = Einladung annehmen
mail-license-shared-body =
    { $greeting }

    { $inviter } von { $organization } hat die Lizenz { $license } mit Ihnen geteilt. Ihre Rolle: { $role }.

    { $link }

    Falls Sie mit dieser E-Mail-Adresse noch kein Konto haben, können Sie beim Annehmen eines erstellen.

    Die Einladung ist { $days } Tage gültig und kann einmal verwendet werden. Bis Sie annehmen, kann { $organization } nicht sehen, ob Sie ein Konto haben.

    Falls Ihnen der Absender nicht bekannt ist, können Sie diese E-Mail ignorieren.

    Grantor

# Eine Einladung in das Betreiberteam.
mail-admin-invitation-subject = Sie wurden in das Grantor-Betreiberteam eingeladen
mail-admin-invitation-button = Einladung annehmen
mail-admin-invitation-body =
    { $greeting }

    { $inviter } hat Sie eingeladen, dem Grantor-Betreiberteam als { $role } beizutreten.

    { $link }

    Die Einladung ist { $days } Tage gültig und kann einmal verwendet werden.

    Falls Sie diese Einladung nicht erwartet haben, können Sie diese E-Mail ignorieren.

    Grantor

# Ein Einmal-Token, mit dem sich das Betreiberteam anmeldet.
mail-admin-token-subject = Ihr Anmelde-Token für das Grantor-Betreiberteam
mail-admin-token-button = Anmelden
mail-admin-token-body =
    { $greeting }

    willkommen! Melden Sie sich mit diesem Einmal-Token an:

    { $token }

    { $link }

    Das Token ist { $minutes } Minuten gültig und kann einmal verwendet werden. Falls Sie ein weiteres Token benötigen, kann der Betreiber eines mit diesem Befehl erstellen: grantor admin token --email { $email }

    Falls Sie diese E-Mail nicht erwartet haben, wenden Sie sich an den Betreiber.

    Grantor

# Die Nachricht, dass ein Webhook deaktiviert wurde.
mail-webhook-disabled-subject = Der Webhook zu { $host } wurde deaktiviert
mail-webhook-disabled-button = Webhook ansehen
mail-webhook-disabled-body =
    { $greeting }

    Ereignisse werden nicht mehr an { $url } gesendet.

    { $reason }

    Die Ereignisse werden in der Zwischenzeit gespeichert. Sobald Ihr Endpunkt wieder funktioniert, aktivieren Sie den Webhook und lassen Sie die verpassten Ereignisse erneut zustellen.

    { $link }

    Grantor

# Die Nachricht, dass eine Zahlung abgelehnt wurde.
mail-payment-declined-subject = Ihre Zahlung an Grantor wurde abgelehnt
mail-payment-declined-body =
    { $greeting }

    Ihre Karte wurde für diese Zahlung abgelehnt: { $bill }.

    Am { $date } versuchen wir es erneut. Bis dahin bleibt Ihr Tarif unverändert.

    Um jetzt zu zahlen, fügen Sie eine andere Karte hinzu und schließen Sie das Abonnement erneut ab.

    Grantor

# Die Nachricht, dass ein Abonnement nach fehlgeschlagenen Zahlungen endete.
mail-subscription-ended-subject = Ihr Grantor-Abonnement ist beendet
mail-subscription-ended-body =
    { $greeting }

    Ihre Karte wurde für diese Zahlung erneut abgelehnt: { $bill }.

    Ihr Abonnement ist beendet und Sie nutzen jetzt den Tarif Free.

    Sie können jederzeit eine Karte hinzufügen und das Abonnement erneut abschließen.

    Grantor

# Die Nachricht, dass sich jemand mit einem neuen Gerät angemeldet hat.
mail-new-device-subject = Neue Anmeldung bei Ihrem Grantor-Konto
mail-new-device-button = Anmeldungen ansehen
mail-new-device-body =
    { $greeting }

    jemand hat sich mit einem uns unbekannten Gerät bei Ihrem Konto { $email } angemeldet.

    Gerät: { $device }
    IP-Adresse: { $address }
    Zeit: { $time }

    Falls Sie das waren, können Sie diese E-Mail ignorieren. Andernfalls melden Sie dieses Gerät ab und ändern Sie Ihr Passwort:

    { $link }

    Grantor

# Die Nachricht, dass sich die zweiten Faktoren einer Person geändert haben.
mail-second-factor-changed-subject = Ihre Anmeldesicherheit bei Grantor wurde geändert
mail-second-factor-changed-button = Anmeldesicherheit ansehen
mail-second-factor-changed-body =
    { $greeting }

    die Anmeldung für Ihr Konto { $email } wurde geändert.

    { $change }

    Falls Sie das nicht waren, melden Sie sich an, entfernen Sie, was Ihnen unbekannt ist, und ändern Sie Ihr Passwort:

    { $link }

    Grantor

# Die Nachricht, dass das Betreiberteam die zweiten Faktoren einer Person entfernt hat.
mail-second-factor-reset-subject = Ihr zweiter Faktor bei Grantor wurde zurückgesetzt
mail-second-factor-reset-button = Anmelden
mail-second-factor-reset-body =
    { $greeting }

    unser Betreiberteam hat die Authenticator-App, die Passkeys und die Wiederherstellungscodes Ihres Kontos { $email } entfernt und alle Sitzungen des Kontos beendet.

    Vom Betreiberteam angegebener Grund: { $reason }

    Melden Sie sich mit Ihrem Passwort oder einem Link per E-Mail an und richten Sie einen neuen zweiten Faktor ein:

    { $link }

    Falls Sie nicht darum gebeten haben, ändern Sie Ihr Passwort und kontaktieren Sie uns.

    Grantor

# Die Nachricht, dass das Betreiberteam eine Organisation aus der Sicht einer ihrer Personen angesehen hat.
mail-staff-viewed-subject = Unser Betreiberteam hat { $organization } aus der Sicht von { $person } angesehen
mail-staff-viewed-button = Einzelheiten ansehen
mail-staff-viewed-body =
    { $greeting }

    unser Betreiberteam hat die Konsole von { $organization } so geöffnet, wie { $person } ({ $role }) sie sieht. Das Betreiberteam kann sie höchstens { $minutes } Minuten lang ansehen: von { $start } bis { $end }.

    Vom Betreiberteam angegebener Grund: { $reason }

    Das Betreiberteam kann die Seiten öffnen, die { $person } öffnen kann, außer Profil, Anmeldesicherheit, Sprache und Benachrichtigungseinstellungen. Es kann nichts ändern oder senden und sieht keine Geheimnisse.

    { $log }

    { $link }

    Grantor
mail-staff-viewed-log = Jede Seite, die das Betreiberteam öffnet, steht in Ihrem Protokoll. Suchen Sie dort nach „staff“.
mail-staff-viewed-log-of = Jede Seite, die das Betreiberteam öffnet, steht im Protokoll, das die Administratoren von { $organization } lesen können.
