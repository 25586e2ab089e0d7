/** The pages and components of an admin: its own and yours, which are added in the same way. */

import type { AnyComponent } from '../../server/component/define.ts'
import { problemLines } from '../../table/definition/problems.ts'
import { actorSource } from '../../table/actor-source.ts'
import { createHistoryComponent } from '../../table/history/component.ts'
import { allEvents } from '../../table/history/other-events.ts'
import { howGone } from '../../table/history/gone.ts'
import { createListComponent } from '../../table/list/component.ts'
import { createTotals } from '../../table/list/totals.ts'
import { createJobsComponent } from '../../table/jobs/component.ts'
import { createJobs } from '../../table/jobs/jobs.ts'
import { createUndoJob } from '../../table/history/undo-job.ts'
import { createSavedViews } from '../../table/saved-views/component.ts'
import type { ViewStore } from '../../table/saved-views/view-records.ts'
import { createViewsChannel } from '../../table/saved-views/view-channel.ts'
import type { PlanServices } from '../../table/plans/asking.ts'
import { createBulkJob } from '../../table/plans/bulk-job.ts'
import { createCellsComponent } from '../../table/record/form/cells.ts'
import { createFormComponent } from '../../table/record/form/component.ts'
import { createRecordComponent } from '../../table/record/component.ts'
import { correctionsAddress, createCorrectionsPage } from '../pages/corrections-page.ts'
import { createCorrectionsComponent } from '../corrections/component.ts'
import { correctionHistory } from '../corrections/history.ts'
import { createHistoryPage } from '../pages/history-page.ts'
import { createPeopleComponent } from '../pages/people-component.ts'
import { peopleHistory } from '../pages/people-history.ts'
import { createPeoplePage } from '../pages/people-page.ts'
import { createListPage, createStartPage } from '../pages/list-page.ts'
import type { Page } from '../pages/page.ts'
import { createRolesPage } from '../pages/roles-page.ts'
import { tableLayouts } from '../pages/preferences.ts'
import { railPages } from '../pages/rail-pages.ts'
import { createJobChannel } from '../realtime/job-channel.ts'
import { createPresence } from '../realtime/presence.ts'
import { createPresenceComponent } from '../realtime/presence-component.ts'
import { createNewRecordPage } from '../pages/new-record-page.ts'
import { createRecordPage } from '../pages/record-page.ts'
import { createShellComponent } from '../pages/shell-component.ts'
import { createYouPage } from '../pages/you-page.ts'
import type { AdminOptions } from './admin-options.ts'
import { undrawnKinds, unknownNames } from './check-client.ts'
import { assertParts } from './check-parts.ts'
import type { Foundation } from './foundation.ts'
import type { People } from './people.ts'

export type Parts = Awaited<ReturnType<typeof createParts>>

/** Throws `DefinitionError` with every mistake in the added pages and components. */
export async function createParts(foundation: Foundation, people: People, options: AdminOptions) {
  const { pages: added = [], components: others = [], channels = [], kinds = [], log } = options
  const { roles = {} } = options
  const {
    source,
    metadata,
    addresses,
    changes,
    database,
    door,
    ledger,
    live,
    now,
    policy,
    renderer,
  } = foundation
  await assertParts({ pages: added, components: others, channels }, renderer)
  const remarks = [
    ...unknownNames({ pages: added, kinds }, renderer.added),
    ...(options.client === undefined ? [] : undrawnKinds(kinds, renderer.added)),
  ]
  for (const line of problemLines(remarks)) log?.(line)
  const services = {
    ...{ source, catalog: live.current, door, href: addresses.list },
    isLive: options.live ?? true,
  }
  const totals = createTotals(source)
  const plans = plansOf(foundation)
  const jobs = createJobs({
    engine: foundation.jobs,
    kinds: [
      createBulkJob({ ...services, plans }),
      ...(ledger ? [createUndoJob({ door, ledger })] : []),
      ...(options.jobs ?? []),
    ],
    ...(people.hasOwnAccounts && { actorNow: (id: string) => people.accounts.find(id) }),
    source: (actor) => actorSource({ source, catalog: live.current, door }, actor),
  })
  const list = createListComponent({
    ...{ ...services, totals, plans: { ...plans, jobs } },
    layouts: tableLayouts(metadata.preferences),
    storage: foundation.storage,
    maySwitchChanges: changes.maySwitch,
    preview: live.preview,
  })
  const undo = ledger && {
    ...{ source, catalog: live.current, ledger, door, jobs },
    ...{ href: addresses.list, historyHref: addresses.history },
  }
  const record = createRecordComponent({
    ...{ ...services, totals, storage: foundation.storage, plans: { ...plans, jobs } },
    isKept: ledger !== undefined,
    ...(undo && { howGone: (...asked) => howGone(undo, ...asked) }),
  })
  const history =
    undo &&
    createHistoryComponent({
      ...undo,
      keptDays: foundation.historyDays,
      isLive: services.isLive,
      now,
      otherEvents: allEvents([
        ...(people.hasOwnAccounts ? [peopleHistory(metadata.peopleChanges, roles, now)] : []),
        correctionHistory(foundation, now),
      ]),
    })
  const jobList = createJobsComponent({
    ...{ jobs, catalog: live.current, ledger, isLive: services.isLive, href: services.href, now },
  })
  const form = createFormComponent({ ...services, ledger })
  const cells = createCellsComponent({ ...services, ledger })
  const viewStore = viewStoreIn(foundation)
  const viewsChannel = createViewsChannel(live.current)
  const views = createSavedViews({
    ...{ store: viewStore, channel: viewsChannel, isLive: services.isLive },
    ...{ source, catalog: live.current, newId: foundation.newId, now },
  })
  const here = services.isLive ? createPresence(foundation.keys, live.current) : undefined
  const presence =
    here && createPresenceComponent({ presence: here, policy, catalog: live.current })
  const provider = people.oidc?.name
  const directory = people.hasOwnAccounts
    ? createPeopleComponent({
        directory: people.accounts.directory,
        ...{ addresses, catalog: live.current, letters: people.letters },
        needsSecondFactor: people.accounts.secondFactors.isRequired,
        provider,
      })
    : undefined
  const shell = createShellComponent({
    source,
    catalog: live.current,
    metadata,
    database,
    addresses,
    changes,
    undo,
    links: { start: addresses.start, account: addresses.you, ...people.signIn.links },
    hasPeople: directory !== undefined,
    railPages: railPages(added, addresses),
  })
  const shown = { catalog: live.current, addresses, preferences: metadata.preferences }
  const accounts = people.hasOwnAccounts ? people.accounts : undefined
  const youPages = { accounts, addresses, roles, preferences: metadata.preferences, provider }
  const youPage = createYouPage(youPages)
  const recordPage = createRecordPage({ ...shown, record, form, presence, history })
  const newRecordPage = createNewRecordPage({ ...shown, form })
  const corrected = {
    ...{ catalog: live.current, addresses, corrections: foundation.corrections, source },
  }
  const correctionsPage = createCorrectionsPage(corrected)
  const corrections = createCorrectionsComponent({
    ...{ ...corrected, preview: live.preview },
    href: (table, column) => correctionsAddress(addresses.list(table), column),
  })
  const pages: Page[] = [
    createStartPage({
      ...shown,
      ...(people.hasOwnAccounts && { administrators: administratorsOf(people.accounts) }),
    }),
    createListPage({
      ...{ ...shown, list, views, viewStore, cells, jobs: jobList, corrections, presence },
      ...(log && { log }),
    }),
    recordPage,
    newRecordPage,
    correctionsPage,
    ...(history ? [createHistoryPage(history, jobList)] : []),
    youPage,
    ...(directory ? [createPeoplePage(directory)] : []),
    createRolesPage({ catalog: live.current, addresses, hasPeople: directory !== undefined }),
    ...added,
  ]
  const optional = [presence, directory, history].filter((component) => component !== undefined)
  const registered = [
    list,
    views,
    record,
    form,
    cells,
    jobList,
    corrections,
    ...optional,
    shell,
    ...others,
  ]
  return {
    you: { ...youPages, youPage },
    corrections: { ...corrected, correctionsPage },
    ...{ pages, recordPage, newRecordPage, shell, components: registry(registered, added) },
    jobs,
    channels: [
      createJobChannel(live.current),
      viewsChannel,
      ...(here?.channels ?? []),
      ...channels,
    ],
  }
}

const plansOf = ({
  metadata,
  keys,
  newId,
  now,
  ledger,
  historyDays,
}: Foundation): PlanServices => ({
  ...{ store: metadata.plans, keys, newId, now, ledger },
  ...(ledger && { keptDays: historyDays }),
})

const viewStoreIn = ({ metadata }: Foundation): ViewStore => ({
  of: (table, person) => metadata.savedViews.of(table, person),
  change: (work) => metadata.transaction(({ savedViews }) => work(savedViews)),
})

/** Names of those who can change a role and have come in. */
const administratorsOf =
  ({ directory }: People['accounts']) =>
  async () =>
    (await directory.list()).flatMap(({ name, role, state }) =>
      role === 'admin' && state === 'active' ? name : [],
    )

/** Components by name: the registered ones, and those that pages list for every request. */
function registry(
  registered: readonly AnyComponent[],
  pages: readonly Page[],
): ReadonlyMap<string, AnyComponent> {
  const mounted = pages.flatMap(({ slots }) =>
    Object.values(slots).map(({ component }) => component),
  )
  return new Map([...registered, ...mounted].map((component) => [component.name, component]))
}
