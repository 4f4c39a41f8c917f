### Checks of pictures, addresses and texts.

## The form.

check-title = Check
check-lead = See who is in a picture, on a page or in a text, and whether you may use it.
check-about-licenses = We look for the talents of your licenses, of licenses shared with you and of public licenses.
check-public-lead = See whether there is a public license for who is in a picture, on a page or in a text.
check-about-public-licenses = We look for the talents of public licenses. Sign in to check against licenses shared with you, too.
check-enter-one = Enter one of these:
check-picture = Picture
check-picture-hint = JPEG, PNG or WebP, up to 10 MiB.
check-address = Address
check-address-hint = Of a page or a picture.
check-text = Text
check-text-hint = Up to 100 KB (102,400 bytes).
check-button = Check
check-about = About checks
check-about-pictures = Pictures are compared with the reference images of these licenses.
check-not-kept = We don't keep what you check.
check-limited = You can make { $limit } checks a minute. Try again in { $seconds ->
    [one] { $seconds } second
   *[other] { $seconds } seconds
}

## The result.

check-checked-address = You checked { $address }.
check-checked-text = You checked the text “{ $text }”.
check-checked-file = You checked the picture { $name }.
check-checked-picture = You checked a picture.
check-only-first = You chose { $count ->
    [one] { $count } picture
   *[other] { $count } pictures
}. Only the first one was checked: check the others one by one.
check-match-count = { $count ->
    [one] { $count } match
   *[other] { $count } matches
}
check-nobody = Nobody was recognized
check-nobody-public = No public license is about anybody in it.
check-nobody-visible = None of the licenses that you can see is about anybody in it.
check-reference-image = Reference image of { $talent }
check-view-license = View { $license }
check-found-by-name = Found by the name { $name }
check-found-by-part = Found by a part of the picture
check-found-by-picture = Found by the picture
check-sure-full-name = Very likely ({ $percent }%): a full name appears
check-sure-single-name = Possible ({ $percent }%): others may have this name, too
check-sure-same-picture = Very likely ({ $percent }%): the pictures look the same
check-sure-similar-picture = Possible ({ $percent }%): the pictures look similar
check-sure-same-part = Very likely ({ $percent }%): the same picture appears
check-sure-similar-part = Possible ({ $percent }%): a few details look the same, which may just be a logo
check-allowed-owner = You may use it.
check-allowed-grant = You may use it within what your grant covers.
check-allowed-license = You may use it within what the license covers.
check-need-grant = You need a grant.
check-not-available = Not available.
check-why-owner = Your organization owns this license.
check-why-grant-covers = The grant says for what, where and until when.
check-why-permission = The license is shared with you.
check-why-no-grant = Ask the rights holder for one.
check-why-grant-ended = Your grant has ended.
check-why-grant-not-started = Your grant has not started yet.
check-why-not-covered = Your grant does not cover it.
check-why-not-visible = The license is not visible to you.
check-why-grant-revoked = Your grant was revoked.
check-why-not-in-force = The license is not in force at this time.
check-skipped = Some pictures of the page could not be checked:
check-something-else = Check something else
