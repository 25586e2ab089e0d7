/** The door to the look: the application, and how the server draws it. */

export { App } from '../ui/app.tsx'
export { render } from '../ui/render.tsx'
