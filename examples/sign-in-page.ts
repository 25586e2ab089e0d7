/** The page that stands in for an application's own sign-in: a name is enough. */

/** `next` is where to go afterwards. */
export const signInPage = (next: string): string => `<!doctype html>
<title>Sign in</title>
<link rel="icon" href="data:,">
<h1>Fruit &amp; Co.</h1>
<form method="post" action="/sign-in?next=${encodeURIComponent(next)}">
  <label>Name <input name="name" required autofocus></label>
  <button>Sign in</button>
</form>`

/** Only back to the admin: what an address says must not lead to another site. */
export const safeNext = (next: unknown): string =>
  typeof next === 'string' && /^\/admin(?:[/?]|$)/.test(next) ? next : '/admin/'

export const sessionCookie = (session: string): string =>
  `session=${session}; Path=/; HttpOnly; SameSite=Lax`
