/** The door to the look: the application, and how the server draws it. */

export { messagesFor, type PageMessages } from '../messages/messages.ts'
export { App } from '../ui/app.tsx'
export { render } from '../ui/render.tsx'
