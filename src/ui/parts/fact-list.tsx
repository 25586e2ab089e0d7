/** A few facts, as labels and values between two rules. */

import type { Fact } from '../../protocol/admin-view.ts'
import { Shown } from './plain-text.tsx'

export const FactList = ({ facts, label }: { facts: readonly Fact[]; label: string }) => (
  <dl className="facts" aria-label={label}>
    {facts.map((fact) => (
      <div key={fact.label}>
        <dt>{fact.label}</dt>
        <dd>
          <Shown text={fact.value} />
        </dd>
      </div>
    ))}
  </dl>
)
