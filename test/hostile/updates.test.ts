/** Hostile updates: nothing forged is taken, nothing undeclared runs, nothing odd is read. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withstand } from './attack.ts'
import { confusions, randomConfusions } from './confusion.ts'
import { garbled, strangers, texts } from './json-texts.ts'
import { methods, paths } from './names.ts'
import { edits, flips, oddities, replays, splices, truncations } from './tampering.ts'
import { openTarget, type Target } from './target.ts'

let target: Target

beforeAll(async () => void (target = await openTarget()))
afterAll(() => target.close())

describe('a snapshot is refused', () => {
  const family = 'F1 snapshots'

  test('when a bit of it is flipped', (context) =>
    withstand(target, context, family, flips(target, 0.3)))

  test('when it is cut', (context) => withstand(target, context, family, truncations(target)))

  test('when characters come or go', (context) =>
    withstand(target, context, family, edits(target, 1500)))

  test('when its MAC belongs to another snapshot, person, session or purpose', (context) =>
    withstand(target, context, family, splices(target)))

  test('when it is another person’s; an old one is told to come anew', (context) =>
    withstand(target, context, family, replays(target)))

  test('when it is none', (context) => withstand(target, context, family, oddities(target)))
})

describe('a value is refused', () => {
  test('when it has another type than was declared', (context) =>
    withstand(target, context, 'F2 types', confusions(target)))

  test('when it is anything at all', (context) =>
    withstand(target, context, 'F2 types', randomConfusions(target, 150)))
})

describe('a name leads nowhere', () => {
  test('when nobody declared such a method', (context) =>
    withstand(target, context, 'F3 names', methods(target, 100)))

  test('when nobody declared such a property', (context) =>
    withstand(target, context, 'F3 names', paths(target, 100)))

  test('and this is all that was declared', () => {
    const declared = [...target.admin.components].map(([name, { writable, actions }]) => ({
      name,
      writable: [...writable],
      actions: [...actions.keys()],
    }))
    expect(declared).toEqual([
      {
        name: 'list',
        writable: ['search', 'filterComponents', 'filterSlideDownDefaultVisible', 'selected'],
        actions: [
          'filterByCell',
          'facets',
          'findRelated',
          'relatedOffers',
          'bounds',
          'removeFilter',
          'sortBy',
          'turnPage',
          'setSize',
          'total',
          'describeColumn',
          'setColumns',
          'pinColumns',
          'setWidths',
          'enableReordering',
          'disableReordering',
          'storeReorder',
          'spaceOutPositions',
          'reorderPage',
          'findInOrder',
          'orderLength',
          'setAllSelected',
          'clearSelected',
          'selectedCount',
          'selectedSums',
          'checkExport',
          'bulkFields',
          'bulkForm',
          'seal',
          'tryPlan',
          'writePlan',
          'dropPlan',
          'keptOut',
          'rowsByKey',
          'setView',
          'previewCorrections',
          'peek',
          'peekRelated',
          'peekWhole',
        ],
      },
      {
        name: 'views',
        writable: [],
        actions: ['countViews', 'saveViewAs', 'saveView', 'changeView', 'removeView', 'orderViews'],
      },
      {
        name: 'record',
        writable: [],
        actions: [
          ...['around', 'whole', 'hanging', 'remove', 'mark'],
          ...['bulkForm', 'seal', 'writePlan', 'dropPlan'],
        ],
      },
      {
        name: 'form',
        writable: [],
        actions: [
          ...['save', 'authors', 'suggest', 'newRelated', 'createRelated', 'relatedNotShown'],
          'notShown',
          ...['start-upload', 'finish-upload', 'upload-errored', 'remove-upload'],
        ],
      },
      {
        name: 'cells',
        writable: [],
        actions: ['cell', 'save', 'suggest', 'newRelated', 'createRelated', 'relatedNotShown'],
      },
      { name: 'jobs', writable: [], actions: ['pauseJob', 'resumeJob', 'cancelJob'] },
      {
        name: 'corrections',
        writable: [],
        actions: ['show', 'enter', 'putBack', 'putAllBack', 'drop', 'save'],
      },
      { name: 'presence', writable: [], actions: ['people'] },
      {
        name: 'people',
        writable: [],
        actions: [
          ...['invite', 'renewLink', 'withdraw', 'changeRole'],
          ...['disable', 'enable', 'endSessions', 'removeSecondFactor'],
        ],
      },
      { name: 'history', writable: [], actions: ['restore', 'erase'] },
      {
        name: 'shell',
        writable: [],
        actions: ['prefer', 'pin', 'fold', 'find', 'changes', 'undoPlan', 'undo', 'allowChanges'],
      },
    ])
  })
})

describe('a text is refused', () => {
  const family = 'F4 JSON text'

  test('when it is no request', (context) => withstand(target, context, family, texts(target)))

  test('when its bytes are garbled', (context) =>
    withstand(target, context, family, garbled(target, 1500)))

  test('when it is other JSON', (context) =>
    withstand(target, context, family, strangers(target, 400)))
})
