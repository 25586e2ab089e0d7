/** Every number of the specification's section 9, named once, with its unit and section. */

/** Requests made within this time travel together (spec §7), ms. */
export const BATCH_DELAY_MS = 5

/** Default interval of a poll (spec §9), ms. */
export const POLL_INTERVAL_MS = 2000
/** Share of throttled polls, those of a hidden tab, that are skipped (spec §9), 0 to 1. */
export const POLL_SKIP_RATIO = 0.05

/** Live input is sent when typing has paused for this long (spec §9), ms. */
export const LIVE_INPUT_DEBOUNCE_MS = 150
/** Default of debounce and throttle elsewhere (spec §9), ms. */
export const DEBOUNCE_MS = 250
/** How long a panel takes to collapse or expand (spec §9), ms. */
export const COLLAPSE_MS = 250
/** Delay before a focus trap starts (spec §9), ms. */
export const FOCUS_TRAP_DELAY_MS = 15
/** Padding between a popup and the edge of the viewport (spec §9), px. */
export const POPUP_OFFSET_PX = 5

/** Pages kept for the back button (spec §2, §9). */
export const BACK_CACHE_PAGES = 10
/** A progress bar appears when a navigation takes longer (spec §2, §9), ms. */
export const PROGRESS_BAR_DELAY_MS = 150
/** A link hovered for this long is fetched ahead (spec §2, §9), ms. */
export const HOVER_PREFETCH_MS = 60

/** Presets by which a loading indicator may be delayed (spec §4), ms. */
export const LOADING_DELAYS_MS = {
  none: 0,
  shortest: 50,
  shorter: 100,
  short: 150,
  default: 200,
  long: 300,
  longer: 500,
  longest: 1000,
} as const

/** A socket that has been silent for this long is pinged (spec §9), ms. */
export const ACTIVITY_TIMEOUT_MS = 120_000
/** A socket that does not answer a ping within this time is dropped (spec §9), ms. */
export const PONG_TIMEOUT_MS = 30_000
/** A connection not made within this time counts as unavailable (spec §9), ms. */
export const UNAVAILABLE_TIMEOUT_MS = 10_000
/** The browser's requests have no time limit of their own: 0 means none (spec §9), ms. */
export const HTTP_TIMEOUT_MS = 0

/** Date picker defaults (spec §9): date pattern, hours, minutes, first weekday (0 is Sunday). */
export const DATE_PICKER = {
  format: 'Y-m-d',
  defaultHour: 12,
  defaultMinute: 0,
  minuteStep: 5,
  hourStep: 1,
  weekStart: 0,
  hourCycle: 12,
} as const

/** Upload widget defaults (spec §9): counts, and times in ms. */
export const UPLOAD = {
  maxFilesMultiple: 1_000_000,
  maxFilesSingle: 1,
  resizeDebounceMs: 250,
  resizeEndMs: 500,
  announceClearMs: 1500,
  announceAddDelayMs: 750,
} as const

/** Tooltip defaults (spec §2, §9): times in ms, sizes in px. */
export const TOOLTIP = {
  delayMs: 0,
  maxWidthPx: 350,
  offsetPx: [0, 10],
  showMs: 300,
  hideMs: 250,
  navigationZIndex: 9999,
} as const

/** The overlay that shows a server's error page (spec §8): stacking level and opacity. */
export const ERROR_OVERLAY = { zIndex: 200_000, opacity: 0.6 } as const

/**
 * Presence. Not in the specification: after how long without a key or a pointer a person counts as
 * idle, and after how long in the background as gone, ms.
 */
export const PRESENCE = { idleAfterMs: 5 * 60_000, goneAfterMs: 30 * 60_000 } as const

/** Longest search, characters. Not in the specification, but both sides need it. */
export const SEARCH_MAX = 200
