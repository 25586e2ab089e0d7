/** The simulator's network: it delays, loses, doubles and reorders requests and answers. */

import type { Chance } from './chance.ts'
import type { Clock } from './clock.ts'
import type { Answered, Arrived, Server } from './server.ts'

/** What happens to one request. */
type Fate = 'ok' | 'lost' | 'answer lost' | 'late' | 'twice' | 'busy' | 'refused' | 'answer refused'

const FATES: readonly [Fate, ...Fate[]] = [
  'lost',
  'lost',
  'answer lost',
  'answer lost',
  'late',
  'twice',
  'twice',
  'busy',
  'refused',
  'answer refused',
]

/** How bad the network is. */
export type Weather = {
  /** Share of requests that do not simply arrive, 0 to 1. */
  readonly faults: number
  /** Longest time on the way, in each direction, ms. */
  readonly delayMs: number
}

export const CALM: Weather = { faults: 0, delayMs: 20 }

const unreachable = () => new TypeError('Failed to fetch')

const refusal = (status: number, text: string): Answered => ({ status, type: 'text/html', text })

export class Network {
  weather: Weather
  readonly #clock: Clock
  readonly #chance: Chance
  readonly #server: Server

  constructor(clock: Clock, chance: Chance, server: Server, weather: Weather) {
    this.#clock = clock
    this.#chance = chance
    this.#server = server
    this.weather = weather
  }

  /** Sends a request, and rejects where the browser would say that the network failed. `isOnline` tells whether this browser has a network. */
  async send(request: Arrived, isOnline: () => boolean): Promise<Answered> {
    const fate = this.#chance.happens(this.weather.faults) ? this.#chance.pick(FATES) : 'ok'
    await this.#travel()
    if (!isOnline() || fate === 'lost') throw unreachable()
    if (fate === 'refused') return refusal(502, 'Bad gateway')
    if (fate === 'busy') return refusal(503, 'Busy')
    if (fate === 'twice' || fate === 'late') this.#deliverLate(request)
    if (fate === 'late') throw unreachable()
    const answer = this.#deliver(request)
    if (fate === 'answer lost') {
      answer.catch(() => undefined)
      await this.#travel()
      throw unreachable()
    }
    const answered = await answer
    await this.#travel()
    if (!isOnline()) throw unreachable()
    return fate === 'answer refused' ? refusal(502, 'Bad gateway') : answered
  }

  /** Delivers a request once more, long after; nobody reads its answer. */
  #deliverLate(request: Arrived): void {
    const again = () => void this.#deliver(request).catch(() => undefined)
    this.#clock.later(again, this.#chance.between(0, 3000))
  }

  async #deliver(request: Arrived): Promise<Answered> {
    const process = this.#server.route()
    if (process) return process.answer(request)
    // A proxy in between says so, or nobody does.
    if (this.#chance.happens(0.5)) return refusal(503, 'No server')
    throw unreachable()
  }

  #travel(): Promise<void> {
    const delayMs = this.#chance.between(1, this.weather.delayMs)
    return new Promise((resolve) => this.#clock.later(resolve, delayMs))
  }
}
