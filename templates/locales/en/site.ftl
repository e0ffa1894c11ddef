# What every page has.
layout-skip = Skip to the page
layout-navigation = Site
layout-check = Check a game
layout-log-in = Log in
layout-log-out = Log out
layout-sign-up = Sign up
layout-logged-in-as = Logged in as
layout-preferences = Preferences

# Signing up and logging in.
log-in-others = { $forgot } · No account yet? { $sign_up }.
log-in-forgot = Forgot your password?
log-in-sign-up = Sign up
sign-up-title = Sign up
sign-up-text = With an account you sit down at tables, and a mail tells you when it is your turn. It is free, and there is nothing else to it.
sign-up-handle = Your name here
sign-up-handle-hint = Everybody sees it, and it stays in the records of your games. 2 to 32 letters, digits, hyphens and underscores.
sign-up-handle-bad = A name has 2 to 32 letters without accents, digits, hyphens and underscores, and begins and ends with a letter or a digit.
sign-up-handle-taken = Somebody has this name already. Choose another.
sign-up-email = E-mail address
sign-up-email-hint = Nobody sees it. Mails go there when it is your turn; you choose which.
sign-up-email-bad = This is not an e-mail address.
sign-up-button = Make my account
sign-up-have = You have an account? { $log_in }.
forgot-title = A new password
forgot-text = Tell us the address of your account, and a mail brings you a link to set a new password.
forgot-button = Send me the link
forgot-sent-title = Look into your mailbox
forgot-sent-text = If an account has this address, a mail with a link is on its way. The link works for two hours.

# Sessions.
sessions-title = Where you are logged in
sessions-text = Each browser and each program that you have logged in with. If you do not know one, end it and change your password.
sessions-program = A program
sessions-this = this browser
sessions-since = Since { $since }, last used on { $used }
sessions-end = End it

# What went wrong.
error-onward = Go on from { $home }.
error-home = the front page
error-foreign-form-title = This form is too old
error-foreign-form-text = It was made before you logged in or out, or by another site. Go back, load the page again, and send the form once more.
error-log-in-title = Log in first
error-log-in-text = Your session has ended, or there was none. Log in and try again; nothing has changed.
error-not-found-title = There is nothing here
error-not-found-text = Perhaps the address is not whole, or what was here is gone.
error-forbidden-title = This is not for you
error-forbidden-text = You may not do this. If you think that you should, log in as somebody else.
error-too-many-title = That was too fast
error-too-many-text = Too many requests have come from you or from your network. The next one is possible in { $seconds ->
    [one] one second
   *[other] { $seconds } seconds
}.
error-busy-title = Too much at once
error-busy-text = The server is busy. Try again in some seconds.
error-failure-title = Something broke
error-failure-text = It is not your fault, and the people who run this server can see it. Your games are safe: a move that was told to be accepted is kept.
error-bad-request-title = This cannot be read
error-bad-request-text = What your browser sent is not what this page takes. Go back and try again.
