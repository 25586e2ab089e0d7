/** Times of day, as they are. */

import { defineKind } from '../kind.ts'

export const time = defineKind({ name: 'time', defaultFor: ['time'] })
