/** A page in place of an application's own sign-in: it asks only for a name. */

/** `next` is the address to open afterwards. */
export const signInPage = (next: string): string => `<!doctype html>
<title>Sign in</title>
<link rel="icon" href="data:,">
<h1>Fruit &amp; Co.</h1>
<form method="post" action="/sign-in?next=${encodeURIComponent(next)}">
  <label>Name <input name="name" required autofocus></label>
  <button>Sign in</button>
</form>`

/** Allows only addresses of the admin: a crafted link must not redirect to another site. */
export const safeNext = (next: unknown): string =>
  typeof next === 'string' && /^\/admin(?:[/?]|$)/.test(next) ? next : '/admin/'

export const sessionCookie = (session: string): string =>
  `session=${session}; Path=/; HttpOnly; SameSite=Lax`
