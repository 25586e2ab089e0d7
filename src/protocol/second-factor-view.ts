/** What is shown of second factors, at signing in and on the page of one's own account. */

/** A secret that an app takes, by a picture or by hand. */
export type CodeDraftView = {
  /** The dark squares of the QR code as the path of a drawing, `size` squares on each side. */
  qr: { size: number; path: string }
  /** In groups of four. */
  secret: string
  /** Opens the app on the same device. */
  uri: string
  /** The secret for the form, which nobody else can make. */
  sealed: string
}

/** The step after the password. */
export type SecondStepView = {
  /** Names the person to the server. */
  token: string
  email: string
  /** What is to be set up first; `null` where a code is asked. */
  draft: CodeDraftView | null
  /** Shown once, where they have just been made; nothing more is asked then. */
  recovery: string[]
}
