/** Icons of the upload widget as markup, which FilePond takes: strokes on a grid of 16. */

const icon = (path: string): string =>
  `<svg class="i" viewBox="0 0 16 16" aria-hidden="true"><path d="${path}"/></svg>`

const DOTS = [6, 10].flatMap((x) => [4, 8, 12].map((y) => `<circle cx="${x}" cy="${y}" r="1.1"/>`))

export const ICONS = {
  upload: icon('M8 9.7v-7M5 5.4 8 2.5l3 2.9M2.5 11v2.5h11V11'),
  full: icon('m3.5 8.5 3 3 6-7'),
  file: icon('M4 2h5.5L12.5 5v9H4zM9.5 2v3h3'),
  warning: icon('M8 2.5 14.3 13.5H1.7zM8 6.5v3.2M8 11.6v.1'),
  remove: icon('m4 4 8 8M12 4l-8 8'),
  retry: icon('M13 4v3.5H9.5M12.7 7.5A5 5 0 1 0 13 9.5'),
  grip: `<svg class="i" viewBox="0 0 16 16" aria-hidden="true"><g fill="currentColor" stroke="none">${DOTS.join('')}</g></svg>`,
} as const
