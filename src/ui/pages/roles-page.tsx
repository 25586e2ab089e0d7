/** What each role may do with each table, for administrators to read. */

import type { RolesView, RoleTableView } from '../../protocol/roles-view.ts'
import { usePage } from '../../react/use-component.ts'
import { Blank } from '../parts/blank.tsx'
import { Head } from '../parts/head.tsx'
import { Icon } from '../parts/icon.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { say } from '../parts/say.ts'
import { SearchForm } from '../parts/search-form.tsx'
import type { RolesWords } from '../people/roles-words.ts'

type Props = { view: RolesView; words: RolesWords }

export const RolesPage = ({ view, words }: Props) => (
  <>
    <Head title={words.title} end={view.seeAs !== null && <SeeAs view={view} words={words} />} />
    <div className="form people roles" tabIndex={0} role="region" aria-label={words.title}>
      <div className="people-bar">
        <nav className="tabs" aria-label={words.which}>
          {view.tabs.map(({ label, href, isCurrent }) => (
            <a key={href} href={href} aria-current={isCurrent ? 'page' : undefined}>
              <Shown text={label} />
            </a>
          ))}
        </nav>
        <SearchForm label={words.search} search={view.search}>
          <input type="hidden" name="role" value={view.role.name} />
        </SearchForm>
      </div>
      <p className="lead">
        <Shown text={[view.role.text, ...view.notes].map(asSentence).join(' ')} />
      </p>
      {view.tables.length === 0 && view.unseen.length === 0 ? (
        <Blank kind="none" title={words.noneTitle} text={words.noneText} />
      ) : (
        view.tables.length > 0 && <Tables view={view} words={words} />
      )}
      {view.unseen.length > 0 && (
        <section className="not-seen" aria-label={words.unseen}>
          <h2>{words.unseen}</h2>
          <p>
            <Shown text={view.unseen.join(', ')} />
          </p>
        </section>
      )}
    </div>
  </>
)

const asSentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)

const Tables = ({ view, words }: Props) => (
  <table className="ledger" role="table" aria-label={say(words.mayOf, view.role.label)}>
    <thead role="rowgroup">
      <tr role="row">
        {[words.table, words.reads, words.creates, words.changes, words.deletes].map((head) => (
          <th key={head} scope="col" role="columnheader">
            {head}
          </th>
        ))}
      </tr>
    </thead>
    <tbody role="rowgroup">
      {view.tables.map((table) => (
        <TableRow key={table.name} table={table} words={words} />
      ))}
    </tbody>
  </table>
)

const TableRow = ({ table, words }: { table: RoleTableView; words: RolesWords }) => (
  <tr role="row">
    <th scope="row" role="rowheader">
      <Shown text={table.label} />
    </th>
    <td role="cell" data-label={words.reads}>
      <span>
        <Shown text={table.rows} />
        {table.columns !== null && (
          <small>
            <Shown text={table.columns} />
          </small>
        )}
      </span>
    </td>
    <May label={words.creates} text={table.create} words={words} />
    <May label={words.changes} text={table.change} words={words} />
    <May label={words.deletes} text={table.delete} words={words} />
  </tr>
)

const May = (props: { label: string; text: string | null; words: RolesWords }) => (
  <td role="cell" data-label={props.label} className={props.text === null ? 'not' : undefined}>
    <Shown text={props.text ?? props.words.no} />
  </td>
)

/** A form, so that it works without script. The whole document is loaded as the role sees it. */
function SeeAs({ view, words }: Props) {
  const { csrf } = usePage()
  return (
    <form method="post" action={view.seeAs ?? ''}>
      <input type="hidden" name="_token" value={csrf} />
      <input type="hidden" name="role" value={view.role.name} />
      <button type="submit" className="btn line">
        <Icon name="person" />
        {say(words.seeAs, view.role.label)}
      </button>
    </form>
  )
}
