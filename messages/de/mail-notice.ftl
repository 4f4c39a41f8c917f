### E-Mails über Erwähnungen, Lizenzen und Integrationen und solche mit mehreren Benachrichtigungen.
### Wie sie geschrieben werden, steht in mail-account.ftl.

# Die Nachricht, dass eine Erwähnung gefunden wurde.
mail-mention-found-subject = { $talent } wurde auf { $site } gefunden ({ $verdict })
mail-mention-found-button = Erwähnung ansehen
mail-mention-found-body =
    { $greeting }

    wir haben { $talent } auf { $site } gefunden: { $title }

    Bewertung: { $verdict }. { $reason }

    { $link }

    Grantor

# Die Nachricht, dass eine Erwähnung mit einem Fall entfernt wurde.
mail-mention-removed-subject = { $talent } wurde von { $site } entfernt
mail-mention-removed-button = Fall ansehen
mail-mention-removed-body =
    { $greeting }

    die Erwähnung von { $talent } auf { $site } wurde entfernt: { $title }

    { $link }

    Wir prüfen die Seite noch eine Zeit lang und öffnen den Fall wieder, falls die Erwähnung wieder erscheint.

    Grantor

# Die Nachricht, dass jemand eine Erwähnung mit einem Fall als entfernt markiert hat.
mail-mention-marked-removed-subject = { $person } hat { $talent } als von { $site } entfernt markiert
mail-mention-marked-removed-button = Fall ansehen
mail-mention-marked-removed-body =
    { $greeting }

    { $person } hat die Erwähnung von { $talent } auf { $site } als entfernt markiert: { $title }

    { $link }

    Das ist die Angabe von { $person }. Wir prüfen die Seite noch eine Zeit lang und öffnen den Fall wieder, falls die Erwähnung noch da ist.

    Grantor

# Die Nachricht, dass jemand eine entfernte Erwähnung als nicht entfernt markiert hat, an alle, die von der Entfernung erfahren haben.
mail-mention-marked-not-removed-subject = Laut { $person } wurde { $talent } nicht von { $site } entfernt
mail-mention-marked-not-removed-button = Fall ansehen
mail-mention-marked-not-removed-body =
    { $greeting }

    laut { $person } wurde die Erwähnung von { $talent } auf { $site } doch nicht entfernt: { $title }

    { $link }

    Zuvor haben Sie erfahren, dass die Erwähnung entfernt wurde.

    Grantor

# Die Nachricht, dass eine entfernte Erwähnung zurück ist.
mail-mention-back-subject = { $talent } ist wieder auf { $site }
mail-mention-back-button = Fall ansehen
mail-mention-back-body =
    { $greeting }

    die Erwähnung von { $talent } auf { $site } ist wieder da. Der Fall wurde deshalb wieder geöffnet: { $title }

    { $link }

    Grantor

# Die Nachricht, dass ein Fall zugewiesen wurde.
mail-case-assigned-subject = { $person } hat Ihnen den Fall zu { $talent } auf { $site } zugewiesen
mail-case-assigned-button = Fall ansehen
mail-case-assigned-body =
    { $greeting }

    { $person } hat Ihnen den Fall zu { $talent } auf { $site } zugewiesen: { $title }

    { $link }

    Grantor

# Die Nachricht, dass eine Lizenz mit einer Organisation geteilt wurde.
mail-license-received-subject = { $organization } hat { $license } mit Ihnen geteilt
mail-license-received-button = Lizenz ansehen
mail-license-received-body =
    { $greeting }

    { $organization } hat die Lizenz { $license } ({ $talent }) mit Ihrer Organisation geteilt. Ihre Rolle: { $role }.

    { $link }

    Grantor

# Die Erinnerung, dass eine Lizenz bald abläuft.
mail-license-expiring-subject = { $license } ({ $talent }) läuft am { $date } ab
mail-license-expiring-button = Lizenz ansehen
mail-license-expiring-body =
    { $greeting }

    die Lizenz { $license } ({ $talent }) läuft am { $date } ab, in { $time }.

    { $link }

    Um sie zu behalten, ändern Sie ihr Enddatum.

    Grantor

# Die Warnung, dass ein API-Client bald abläuft.
mail-client-expiring-subject = Der API-Client { $client } läuft am { $date } ab
mail-client-expiring-button = API-Client ansehen
mail-client-expiring-body =
    { $greeting }

    der API-Client { $client } läuft am { $date } ab, in { $time }. Danach werden Anfragen mit seinen Zugangsdaten abgewiesen.

    { $link }

    Um ihn weiter zu verwenden, ändern Sie sein Ablaufdatum.

    Grantor

# Die Warnung, dass eine Zahlungskarte bald abläuft.
mail-card-expiring-subject = Ihre { $card } läuft Ende { $month } ab
mail-card-expiring-button = Abrechnung ansehen
mail-card-expiring-body =
    { $greeting }

    Ihre { $card } läuft Ende { $month } ab.

    { $link }

    Fügen Sie eine andere Karte hinzu, damit Ihr Tarif unverändert bleibt.

    Grantor

# Die Nachricht, dass Zustellungen an einen Webhook fehlschlagen.
mail-webhook-failing-subject = Zustellungen an den Webhook zu { $host } schlagen fehl
mail-webhook-failing-button = Webhook ansehen
mail-webhook-failing-body =
    { $greeting }

    seit dem { $date } ist jede Zustellung an { $url } fehlgeschlagen. Nach fünf Tagen mit Fehlern wird der Webhook deaktiviert.

    { $link }

    Grantor

# Die Nachricht, dass eine Chat-Adresse deaktiviert wurde.
mail-chat-disabled-subject = Die Chat-Adresse { $chat } wurde deaktiviert
mail-chat-disabled-button = Chat-Adressen ansehen
mail-chat-disabled-body =
    { $greeting }

    Benachrichtigungen werden nicht mehr an die Chat-Adresse { $chat } gesendet.

    { $reason }

    { $link }

    Grantor

# Die Nachricht, dass eine Quelle nicht gelesen werden kann.
mail-source-failing-subject = Die Quelle { $source } kann nicht gelesen werden: { $error }
mail-source-failing-button = Quelle ansehen
mail-source-failing-body =
    { $greeting }

    seit dem { $date } können wir die Quelle { $source } ({ $url }) nicht lesen: { $error }. Solange das so bleibt, finden wir dort keine Erwähnungen.

    { $link }

    Grantor

# Die Nachricht, dass die Domain einer Plattform bestätigt wurde.
mail-platform-verified-subject = Die Domain von { $platform } wurde bestätigt
mail-platform-verified-button = Plattform ansehen
mail-platform-verified-body =
    { $greeting }

    die Domain { $domain } Ihrer Plattform { $platform } wurde bestätigt.

    { $link }

    Grantor

# Die Nachricht, dass das Betreiberteam den Scanner einer Plattform gestoppt hat.
mail-scanner-stopped-subject = Der Scanner von { $platform } wurde gestoppt
mail-scanner-stopped-button = Plattform ansehen
mail-scanner-stopped-body =
    { $greeting }

    unser Betreiberteam hat den Scanner Ihrer Plattform { $platform } gestoppt. Neue Inhalte werden erst wieder gescannt, wenn der Scanner erneut gestartet wird.

    { $link }

    Grantor

# Die Nachricht an das Betreiberteam, dass eine Plattform auf einen Scanner wartet.
mail-platform-waiting-subject = { $organization } hat einen Scanner für { $platform } angefragt
mail-platform-waiting-button = Scanner erstellen
mail-platform-waiting-body =
    { $greeting }

    { $organization } hat einen Scanner für die Plattform { $platform } ({ $domain }) angefragt.

    { $link }

    Grantor

# Die Nachricht an das Betreiberteam, dass jemand um Hilfe bittet.
mail-help-requested-subject = { $person } von { $organization } bittet um Hilfe
mail-help-requested-button = Antworten
mail-help-requested-body =
    { $greeting }

    { $person } ({ $email }) von { $organization } bittet um Hilfe:

    { $message }

    { $link }

    Die Organisation mit ihren Personen, wo Sie eine Einladung oder einen Link zum Zurücksetzen des Passworts erneut senden oder die Ansicht als { $person } öffnen können:
    { $organization_link }

    Grantor

# Die Antwort des Betreiberteams auf eine Bitte um Hilfe.
mail-help-answered-subject = Unsere Antwort auf Ihre Bitte um Hilfe
mail-help-answered-button = Ihre Anfragen ansehen
mail-help-answered-body =
    { $greeting }

    Sie haben uns gefragt:

    { $message }

    Unsere Antwort:

    { $answer }

    { $link }

    Grantor

# Mehrere Benachrichtigungen einer Art in einer E-Mail.
mail-several-notices-subject = { $count }: { $subject }
mail-several-notices-button = Benachrichtigungen ansehen
mail-several-notices-body =
    { $greeting }

    Sie haben { $count }:

    { $items }

    { $link }

    Grantor

# Die tägliche Zusammenfassung.
mail-digest-subject = Ihre tägliche Zusammenfassung: { $count }
mail-digest-button = Benachrichtigungen ansehen
mail-digest-body =
    { $greeting }

    dies ist Ihre Zusammenfassung für den { $date } mit { $count }:

    { $items }

    { $link }

    Grantor
