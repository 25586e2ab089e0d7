/** The door to the look: the application, and how the server draws it. */

export { messagesFor, type PageMessages } from '../messages/messages.ts'
export { App } from '../ui/app.tsx'
export type { ClientKind, ClientKinds, KindFieldProps, KindProps } from '../ui/kinds/client-kind.ts'
export { KindsProvider } from '../ui/kinds/kinds-context.tsx'
export { createRender, render, type RenderOptions } from '../ui/render.tsx'
