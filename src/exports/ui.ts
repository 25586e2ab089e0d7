/** Exports of the user interface: the application, what you add to it, and its renderer. */

export { messagesFor, type PageMessages } from '../messages/messages.ts'
export type { PageProps } from '../protocol/page-types.ts'
export { App } from '../ui/app.tsx'
export { type ClientDefinition, defineClient, type PageView } from '../ui/define-client.ts'
export type { ClientKind, ClientKinds, KindFieldProps, KindProps } from '../ui/kinds/client-kind.ts'
export { Head, type HeadProps } from '../ui/parts/head.tsx'
export { useNotify } from '../ui/parts/toasts.tsx'
export { createRenderer, type PageRenderer, render } from '../ui/render.tsx'
