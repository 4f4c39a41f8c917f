### Die Übersicht.
dashboard-title = Übersicht
dashboard-hello = Hallo, { $name }
dashboard-lead = Das passiert gerade mit Ihren Lizenzen.
dashboard-new-license = Neue Lizenz

## Erste Schritte.

dashboard-all-set = Alles ist eingerichtet
dashboard-all-set-why = Alle ersten Schritte sind erledigt. Das hilft Ihnen ab jetzt:
dashboard-next-publish = Lizenz veröffentlichen
dashboard-next-publish-why = Ein Entwurf steht nicht im Katalog, und niemand sucht nach seinen Nutzungen.
dashboard-next-mentions = Erwähnungen prüfen
dashboard-next-mentions-why = Sagen Sie, ob es die Person ist und ob die Nutzung erlaubt ist.
dashboard-next-calendar = Sehen, was wann endet
dashboard-next-calendar-why = Der Kalender zeigt Ihre Nutzungsrechte und die Lizenzen, die ablaufen.
dashboard-next-requests = Anfragen verfolgen
dashboard-next-requests-why = Angebote und Nachrichten warten dort auf Ihre Antwort.
dashboard-next-webhooks = Ihre Systeme anbinden
dashboard-next-webhooks-why = Ein Webhook meldet ihnen jede Änderung.
dashboard-next-keys = Schneller arbeiten
dashboard-next-keys-why = Strg K findet alles, und weitere Tasten sparen Klicks.
dashboard-steps = Erste Schritte
dashboard-steps-done = { $done } von { $total } erledigt
dashboard-steps-hide = Ausblenden{ $what }
dashboard-steps-hide-what = (erste Schritte)
dashboard-steps-hidden = Erste Schritte ausgeblendet
dashboard-step-done = (erledigt)
dashboard-step-talent = Talent hinzufügen
dashboard-step-talent-why = Eine Lizenz gilt für das Bildnis eines Talents.
dashboard-step-license = Lizenz mit einem Bild erstellen
dashboard-step-license-why = Legen Sie fest, was erlaubt ist. Mit einem Bild erkennen wir das Gesicht und nicht nur den Namen.
dashboard-step-watch = Adresse überwachen
dashboard-step-watch-why = Nennen Sie eine Website, einen Feed oder ein Profil, und wir sagen Ihnen, wer dort vorkommt.
dashboard-step-find = Lizenz finden
dashboard-step-find-why = Stöbern Sie im Katalog und setzen Sie Lesezeichen für alles, was zu Ihrer Kampagne passt.
dashboard-step-ask = Lizenz anfragen
dashboard-step-ask-why = Öffnen Sie eine Lizenz und fragen Sie Nutzung, Gebiet und Zeitraum an, die Sie brauchen.
dashboard-step-receipt = Nachweis prüfen
dashboard-step-receipt-why = Jedes Nutzungsrecht hat einen signierten Nachweis. Sehen Sie, was andere davon sehen.
dashboard-step-platform = Plattform hinzufügen
dashboard-step-platform-why = Ihre Website oder App mit ihrer Domain.
dashboard-step-domain = Domain verifizieren
dashboard-step-domain-why = Ein DNS-Eintrag, ein Tag oder eine Datei belegt, dass die Website Ihnen gehört.
dashboard-step-scanner = Scanner anfragen
dashboard-step-scanner-why = Ein Scanner liest Ihre Website und zeigt, was lizenziert ist.
dashboard-step-emails = E-Mail-Benachrichtigungen wählen
dashboard-step-emails-why = Sofort, einmal am Tag oder gar nicht.
dashboard-step-colleague = Teammitglied einladen
dashboard-step-colleague-why = Erstellen Sie ein Team und laden Sie jemanden dazu ein.

## Zahlen.

dashboard-offers-waiting = { $count ->
    [one] { $count } Angebot wartet auf Ihre Antwort
   *[other] { $count } Angebote warten auf Ihre Antwort
}
dashboard-requests-waiting = { $count ->
    [one] { $count } Anfrage wartet auf Ihre Antwort
   *[other] { $count } Anfragen warten auf Ihre Antwort
}
dashboard-new-mentions = Neue Erwähnungen
dashboard-new-mentions-more = oder mehr. Alle anzeigen
dashboard-review = Prüfen
dashboard-view = Anzeigen
dashboard-unlicensed-week = Nicht lizenziert, letzte 7 Tage
dashboard-active-licenses = Aktive Lizenzen
dashboard-shared-licenses = Mit Ihnen geteilte Lizenzen
dashboard-browse-catalog = Im Katalog stöbern
dashboard-deliveries-week = Webhook-Zustellungen, letzte 7 Tage
dashboard-deliveries-none = Noch keine Zustellungen
dashboard-deliveries-failed = Noch nichts zugestellt
dashboard-deliveries-share = { $share } % zugestellt
dashboard-deliveries-waiting = { $count } in der Warteschlange
dashboard-usage = API-Anfragen in diesem Monat
dashboard-usage-resets = Wird am { $date } zurückgesetzt.

## Diagramme.

dashboard-spans = Tage in den Diagrammen
dashboard-days = { $days } Tage
dashboard-day = Tag
dashboard-week = Woche ab
dashboard-month = Monat
dashboard-mentions-by-verdict = Erwähnungen der letzten { $days } Tage nach Bewertung
dashboard-mentions-by-platform = Erwähnungen der letzten { $days } Tage nach Plattform
dashboard-deliveries-by-outcome = Webhook-Zustellungen der letzten { $days } Tage nach Ergebnis
dashboard-endings = Endende Nutzungsrechte und Lizenzen nach Monat
dashboard-calendar = Kalender öffnen
dashboard-licenses-by-status = Lizenzen nach Status
dashboard-platform = Plattform
dashboard-mentions = Erwähnungen
dashboard-mentions-other = Andere
dashboard-mentions-none = Keine Erwähnungen in diesem Zeitraum.
dashboard-licensed = lizenziert
dashboard-needs-review = zu prüfen
dashboard-unlicensed = nicht lizenziert
dashboard-grants-given = von Ihnen erteilte Nutzungsrechte
dashboard-grants-held = Ihre Nutzungsrechte
dashboard-licenses = Lizenzen
dashboard-delivered = zugestellt
dashboard-failed = fehlgeschlagen
dashboard-public = öffentlich
dashboard-private = privat
dashboard-draft = Entwurf
dashboard-expired = abgelaufen
