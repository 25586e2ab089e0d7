/** The React component of the page, rendered on the server and in browsers. */

import { useComponent } from 'tablewire/react'
import { Head, type PageProps } from 'tablewire/ui'
import type { tally } from './tally.ts'
import type { tallyPage } from './tally-page.ts'
import type { varieties } from './varieties.ts'
import './tally.css'

export function TallyPage({ data, components }: PageProps<typeof tallyPage>) {
  return (
    <>
      <Head title="Tally" />
      <div className="tallies">
        <p>{data.lead}</p>
        <Tally id={components.north} />
        <Tally id={components.south} />
        <Varieties id={components.varieties} />
      </div>
    </>
  )
}

function Tally({ id }: { id: string }) {
  const { view, data, call, set } = useComponent<typeof tally>(id)
  return (
    <section aria-label={view.of}>
      <h2>{view.of}</h2>
      <output>{view.count}</output>
      <button type="button" className="btn needs-script" onClick={() => void call.add()}>
        Count
      </button>
      <label className="needs-script">
        Crates at a time
        <input
          className="in"
          type="number"
          min={1}
          value={data.step}
          onChange={({ target }) => set('step', Number(target.value))}
        />
      </label>
    </section>
  )
}

function Varieties({ id }: { id: string }) {
  const { view } = useComponent<typeof varieties>(id)
  return (
    <p>
      {view.count} varieties, {view.best} before all others.
    </p>
  )
}
