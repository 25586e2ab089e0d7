/** What webhooks tell an application about its channels. */

export const WEBHOOK_EVENTS = [
  'channel_occupied',
  'channel_vacated',
  'member_added',
  'member_removed',
  'client_event',
  'cache_miss',
  'subscription_count',
] as const

export type WebhookEventName = (typeof WEBHOOK_EVENTS)[number]

export type WebhookEvent = {
  readonly name: WebhookEventName
  readonly channel: string
  readonly user_id?: string
  readonly event?: string
  readonly data?: string
  readonly socket_id?: string
  readonly subscription_count?: number
}
