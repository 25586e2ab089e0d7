/** The React component of the page, rendered on the server and in browsers. */

import { Link, useComponent, useKept } from 'tablewire/react'
import { Button, Head, type PageProps } from 'tablewire/ui'
import type { tally } from './tally.ts'
import type { tallyPage } from './tally-page.ts'
import type { varieties } from './varieties.ts'
import './tally.css'

export function TallyPage({ data, components }: PageProps<typeof tallyPage>) {
  return (
    <>
      <Head title="Tally" />
      <div className="tallies">
        <p>
          {data.lead} <Link to="/tables/varieties?sort=-stars">The best varieties</Link>
        </p>
        <Help />
        <Tally id={components.north} />
        <Tally id={components.south} />
        <Varieties id={components.varieties} />
      </div>
    </>
  )
}

/** Stays open while the page is kept for the back button. */
function Help() {
  const [isOpen, setOpen] = useKept('help', false)
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>How to count</summary>
      <p>Count a crate when it stands on the scales.</p>
    </details>
  )
}

function Tally({ id }: { id: string }) {
  const { view, data, call, set } = useComponent<typeof tally>(id)
  return (
    <section aria-label={view.of}>
      <h2>{view.of}</h2>
      <output>{view.count}</output>
      <Button onClick={() => void call.add()}>Count</Button>
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
