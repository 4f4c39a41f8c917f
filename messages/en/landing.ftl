### Texts of the front page.

landing-title = Licenses for names, images and likenesses
landing-lead = Grantor is an open licensing server. Rights holders say what may be done with a face, a name or a voice. Brands ask, agree and get a signed receipt. Grantor then watches where the likeness is used.
landing-talents = Agencies and talents
landing-talents-about = List your talents, publish licenses with clear terms, answer requests, and see every use with its evidence.
landing-brands = Brands
landing-brands-about = Find the license you need, ask for exact terms, and keep a receipt that anyone can verify.
landing-platforms = Platforms
landing-platforms-about = Verify your site, let it be scanned or push what is published, and know what is licensed before anyone complains.
landing-open = Without an account
landing-catalog = Catalog
landing-catalog-about = Browse licenses that anyone can request.
landing-check = Check a picture
landing-check-about = See whether there is a license for who is in it.
landing-verify = Verify a receipt
landing-verify-about = See whether a grant is valid today.
landing-docs = API documentation
landing-docs-about = Connect your own tools.
landing-sign-up = Sign up
landing-sign-in = Sign in
landing-console = Open the console
landing-sample = Try it with sample data
landing-sample-about = This server runs on your machine with invented people. Look around as one of them:
landing-enter-agency = Enter as agency
landing-enter-brand = Enter as brand
landing-enter-platform = Enter as platform
landing-enter-staff = Enter as staff
