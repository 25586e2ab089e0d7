import { expect, test, vi } from 'vitest'
import type {
  PlanView,
  Refusal,
  SealResult,
  TryResult,
  WriteResult,
} from '../../protocol/plan-view.ts'
import { bulkWordsFor } from '../../messages/bulk/words.ts'
import { createFlow, type PlanCalls } from './flow.ts'
import { outcomeTitle } from './outcome.tsx'

const plan: PlanView = {
  ...{ handle: 'h1', title: 'Set Status to Closed on 3 strikes', rows: 3, rowsText: '3' },
  ...{ figures: [], changes: [], moreChanges: null, sample: [], hanging: [], seal: '' },
  ...{ refused: { reasons: [], rows: [] }, typed: null, runs: 'at-once', canTry: true },
  write: 'Write 3 rows',
}
const DONE: WriteResult = { status: 'done', text: 'Done', entry: 'e1', rows: 3, left: null }
const TRIED: TryResult = { status: 'tried', text: 'Fine', tables: [], sample: [] }
const CHANGED: WriteResult = {
  ...{ status: 'changed', text: 'Others match now' },
  came: { count: '1', rows: [] },
  went: { count: '0', rows: [] },
  differ: { count: '0', rows: [] },
}

/** A flow whose calls the test answers. */
function begin({ hasForm = false } = {}) {
  const open: { [call: string]: PromiseWithResolvers<never> } = {}
  const asked = (name: string) =>
    vi.fn<(...params: unknown[]) => Promise<never>>(
      () => (open[name] = Promise.withResolvers<never>()).promise,
    )
  const calls = {
    ...{ seal: asked('seal'), tryPlan: asked('tryPlan'), writePlan: asked('writePlan') },
    dropPlan: vi.fn(() => Promise.resolve()),
  } satisfies PlanCalls
  const tell = vi.fn()
  const flow = createFlow({ calls, selected: ['1', '2', '3'], hasForm, tell })
  const answer = async (name: keyof PlanCalls, value: SealResult | TryResult | WriteResult) => {
    open[name]!.resolve(value as never)
    await new Promise((done) => setTimeout(done))
  }
  const fail = async (name: keyof PlanCalls) => {
    open[name]!.reject(new Error('lost'))
    await new Promise((done) => setTimeout(done))
  }
  return { flow, calls, tell, answer, fail, step: () => flow.step.getState() }
}

async function sealed(options = {}) {
  const begun = begin(options)
  void begun.flow.seal({ do: 'delete' })
  await begun.answer('seal', { status: 'sealed', plan })
  return begun
}

test('what was sealed is written by its handle, told, and over', async () => {
  const { flow, calls, tell, answer, step } = await sealed()
  expect(step()).toMatchObject({ is: 'sealed', plan })
  void flow.write(null)
  expect(step().is).toBe('writing')
  await answer('writePlan', DONE)
  expect(calls.writePlan).toHaveBeenCalledExactlyOnceWith('h1', null)
  expect(tell).toHaveBeenCalledExactlyOnceWith(DONE, true)
  expect(step().is).toBe('closed')
})

test('rows that were left behind are shown before it is over', async () => {
  const { flow, answer, step } = await sealed()
  void flow.write(null)
  const left: WriteResult = { ...DONE, left: { text: 'Open the 2', href: '/tables/a' } }
  await answer('writePlan', left)
  expect(step()).toEqual({ is: 'left', result: left })
})

test('what was done in part is told, looked at, and never asked anew', async () => {
  const { flow, tell, answer, step } = await sealed()
  void flow.write(null)
  const rows = [{ key: '2', label: 'Two', reason: 'Even.' }]
  const partly: WriteResult = { status: 'partly', text: 'Check: done in 2 rows.', rows, left: null }
  await answer('writePlan', partly)
  expect(tell).toHaveBeenCalledExactlyOnceWith(partly, true)
  expect(step()).toEqual({ is: 'left', result: partly })
  expect(outcomeTitle(step(), bulkWordsFor('en'))).toBe('Only part of it is known to be done')
})

test('a form keeps what was typed while the server refuses it, and while it is gone back to', async () => {
  const { flow, calls, answer, step } = begin({ hasForm: true })
  expect(step()).toEqual({ is: 'asking', errors: {} })
  void flow.seal({ do: 'edit', fields: {} })
  await answer('seal', { status: 'refused', errors: { price: ['Not a number'] } })
  expect(step()).toEqual({ is: 'asking', errors: { price: ['Not a number'] } })
  void flow.seal({ do: 'edit', fields: {} })
  await answer('seal', { status: 'sealed', plan })
  flow.back()
  expect(step()).toEqual({ is: 'asking', errors: {} })
  expect(calls.dropPlan).toHaveBeenCalledExactlyOnceWith('h1')
})

test('without a form, a refusal ends it, and a failure can be tried again', async () => {
  const { flow, calls, fail, answer, step } = begin()
  void flow.seal({ do: 'delete' })
  await fail('seal')
  expect(step()).toEqual({ is: 'failed', errors: null })
  void flow.anew()
  await answer('seal', { status: 'refused', errors: { '': ['Not yours'] } })
  expect(step()).toEqual({ is: 'failed', errors: { '': ['Not yours'] } })
  expect(calls.seal).toHaveBeenCalledTimes(2)
})

test('rows that are all refused have a dialog of their own, and nothing is tried again', async () => {
  const { flow, answer, step } = begin()
  void flow.seal({ do: 'delete' })
  const refusal: Refusal = {
    ...{ title: 'Denver cannot be deleted', reasons: ['Not yours'], hanging: [] },
    refused: { reasons: [], rows: [] },
  }
  await answer('seal', { status: 'refused', errors: { '': ['Not yours'] }, refusal })
  expect(step()).toEqual({ is: 'refused', refusal })
  expect(outcomeTitle(step(), bulkWordsFor('en'))).toBe('Denver cannot be deleted')
})

test('a plan whose answer comes after the person has left is forgotten', async () => {
  const { flow, calls, answer, step } = begin()
  void flow.seal({ do: 'delete' })
  flow.close()
  await answer('seal', { status: 'sealed', plan })
  expect(step().is).toBe('closed')
  expect(calls.dropPlan).toHaveBeenCalledExactlyOnceWith('h1')
})

test('trying shows what happened, and writes nothing', async () => {
  const { flow, calls, answer, step } = await sealed()
  void flow.tryFirst()
  expect(step()).toMatchObject({ is: 'trying', tried: null })
  // Nothing else begins meanwhile.
  void flow.write(null)
  await answer('tryPlan', TRIED)
  expect(step()).toMatchObject({ is: 'sealed', tried: TRIED })
  expect(calls.writePlan).not.toHaveBeenCalled()
})

test('where the rows have changed nothing was written, and the same question is asked anew', async () => {
  const { flow, calls, tell, answer, step } = await sealed()
  void flow.write(null)
  await answer('writePlan', CHANGED)
  expect(step()).toEqual({ is: 'stopped', result: CHANGED })
  expect(tell).not.toHaveBeenCalled()
  void flow.anew()
  expect(calls.seal.mock.lastCall?.slice(0, 2)).toEqual([['1', '2', '3'], { do: 'delete' }])
  // The plan was used.
  expect(calls.dropPlan).not.toHaveBeenCalled()
})

test('after a lost answer it is asked for again with the same handle and what was typed', async () => {
  const { flow, calls, fail, answer, step } = await sealed()
  void flow.write('3')
  await fail('writePlan')
  expect(step()).toMatchObject({ is: 'unknown', typed: '3' })
  void flow.write('3')
  await answer('writePlan', DONE)
  expect(calls.writePlan.mock.calls).toEqual([
    ['h1', '3'],
    ['h1', '3'],
  ])
  expect(step().is).toBe('closed')
})

test('what is being written when the dialog is closed goes on, and is told', async () => {
  const { flow, calls, tell, answer } = await sealed()
  void flow.write(null)
  flow.close()
  expect(calls.dropPlan).not.toHaveBeenCalled()
  await answer('writePlan', CHANGED)
  expect(tell).toHaveBeenCalledExactlyOnceWith(CHANGED, false)
})
