/** A row source with other methods in place of some of its own, which count, wait or fail. */

import type { RowSource } from '../src/table/source/row-source.ts'

export const sourceWith = (source: RowSource, methods: Partial<RowSource>): RowSource =>
  new Proxy(source, {
    get(target, name) {
      const value: unknown = Reflect.get(name in methods ? methods : target, name)
      // Its own methods read private fields, which a proxy has not.
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
