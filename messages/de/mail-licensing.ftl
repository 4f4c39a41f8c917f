### E-Mails über Anfragen, Angebote und Nutzungsrechte. Wie sie geschrieben werden, steht in mail-account.ftl.

# Ein Angebot an eine E-Mail-Adresse.
mail-offer-invitation-subject = { $organization } hat Ihnen ein Angebot für { $license } gemacht
mail-offer-invitation-button = Angebot ansehen
mail-offer-invitation-body =
    { $greeting }

    { $organization } hat Ihnen ein Angebot für { $license } ({ $talent }) gemacht.

    { $link }

    Melden Sie sich mit dieser E-Mail-Adresse an, um die Bedingungen zu lesen und zu antworten. Falls Sie mit dieser Adresse noch kein Konto haben, können Sie zuerst eines erstellen. Das Angebot endet am { $date }.

    Bis Sie antworten, kann { $organization } nicht sehen, ob Sie ein Konto haben.

    Falls Ihnen der Absender nicht bekannt ist, können Sie diese E-Mail ignorieren.

    Grantor

# Die Nachricht, dass ein Angebot an eine E-Mail-Adresse zurückgezogen wurde.
mail-offer-withdrawn-subject = { $organization } hat das Angebot zurückgezogen
mail-offer-withdrawn-button = Anfrage ansehen
mail-offer-withdrawn-body =
    { $greeting }

    { $organization } hat das Angebot für { $license } ({ $talent }) zurückgezogen, daher können Sie es nicht mehr annehmen.

    { $link }

    Falls Ihnen der Absender nicht bekannt ist, können Sie diese E-Mail ignorieren.

    Grantor

# Die Anfrage nach einer Lizenz, an deren Eigentümer.
mail-request-received-subject = { $organization } hat { $license } angefragt
mail-request-received-button = Anfrage ansehen
mail-request-received-body =
    { $greeting }

    { $organization } hat Ihre Lizenz { $license } ({ $talent }) angefragt.

    Zweck: { $purpose }

    { $link }

    Sie können ein Angebot machen, eine Nachricht senden oder die Anfrage ablehnen.

    Grantor

# Ein Angebot, an die Organisation, der es gemacht wurde.
mail-offer-received-subject = { $organization } hat Ihnen ein Angebot für { $license } gemacht
mail-offer-received-button = Angebot ansehen
mail-offer-received-body =
    { $greeting }

    { $organization } hat Ihnen ein Angebot für { $license } ({ $talent }) gemacht.

    { $link }

    Das Angebot endet am { $date }.

    Grantor

# Eine Nachricht zu einer Anfrage, an die andere Seite.
mail-request-message-subject = Neue Nachricht von { $organization } zu { $license }
mail-request-message-button = Anfrage ansehen
mail-request-message-body =
    { $greeting }

    { $author } von { $organization } hat eine Nachricht zu { $license } gesendet:

    { $message }

    { $link }

    Über weitere Nachrichten benachrichtigen wir Sie erst wieder, nachdem Sie diese gelesen haben.

    Grantor

# Die Nachricht, dass eine Anfrage oder ein Angebot abgelehnt wurde.
mail-request-declined-subject = { $organization } hat { $item } für { $license } ({ $talent }) abgelehnt
mail-request-declined-button = Anfrage ansehen
mail-request-declined-body =
    { $greeting }

    { $organization } hat { $item } für { $license } ({ $talent }) abgelehnt.

    Grund: { $reason }

    { $link }

    Grantor

# Die Nachricht, dass eine Anfrage oder ein Angebot zurückgezogen wurde.
mail-request-withdrawn-subject = { $organization } hat { $item } für { $license } ({ $talent }) zurückgezogen
mail-request-withdrawn-button = Anfrage ansehen
mail-request-withdrawn-body =
    { $greeting }

    { $organization } hat { $item } für { $license } ({ $talent }) zurückgezogen.

    { $link }

    Grantor

# Die Nachricht, dass eine Anfrage oder ein Angebot verfallen ist, an beide Seiten.
mail-request-lapsed-subject = { $item } für { $license } ({ $talent }) ist verfallen
mail-request-lapsed-button = Anfrage ansehen
mail-request-lapsed-body =
    { $greeting }

    { $item } für { $license } ({ $talent }) zwischen Ihnen und { $organization } ist verfallen. { $reason }

    { $link }

    Grantor

# Die Nachricht, dass ein exklusives Nutzungsrecht die Annahme eines Angebots verhindert, an den Lizenzgeber.
mail-offer-blocked-subject = Ihr Angebot für { $license } kann nicht angenommen werden
mail-offer-blocked-button = Anfrage ansehen
mail-offer-blocked-body =
    { $greeting }

    { $organization } kann Ihr Angebot für { $license } ({ $talent }) nicht annehmen: Es überschneidet sich mit dem Nutzungsrecht { $number }, und eines von beiden ist exklusiv.

    { $link }

    Ersetzen Sie das Angebot oder ziehen Sie es zurück. Wir haben { $organization } nicht mitgeteilt, mit welchem Nutzungsrecht es sich überschneidet.

    Grantor

# Die Nachricht über ein neues Nutzungsrecht, an beide Seiten.
mail-grant-made-subject = { $licensee } hat das Angebot für { $license } ({ $talent }) angenommen: Nutzungsrecht { $number }
mail-grant-made-button = Nutzungsrecht ansehen
mail-grant-made-body =
    { $greeting }

    { $licensee } hat das Angebot von { $licensor } für { $license } ({ $talent }) angenommen. Die Nummer des Nutzungsrechts ist { $number }.

    { $link }

    Grantor

# Die Erinnerung, dass ein Nutzungsrecht bald endet, an beide Seiten.
mail-grant-expiring-subject = Nutzungsrecht { $number } für { $license } ({ $talent }) endet am { $date }
mail-grant-expiring-button = Nutzungsrecht ansehen
mail-grant-expiring-body =
    { $greeting }

    das Nutzungsrecht { $number } von { $licensor } an { $licensee } für { $license } ({ $talent }) endet am { $date }, in { $time }.

    { $link }

    Nutzungen nach diesem Datum erfordern ein neues Nutzungsrecht.

    Grantor

# Die Nachricht, dass ein Nutzungsrecht widerrufen wurde, an den Lizenznehmer.
mail-grant-revoked-subject = { $licensor } hat das Nutzungsrecht { $number } für { $license } ({ $talent }) widerrufen
mail-grant-revoked-button = Nutzungsrecht ansehen
mail-grant-revoked-body =
    { $greeting }

    { $licensor } hat das Nutzungsrecht { $number } für { $license } ({ $talent }) widerrufen.

    Grund: { $reason }

    Das Nutzungsrecht und sein Nachweis sind nicht mehr gültig.

    { $link }

    Grantor
