import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Problem } from '#kernel/errors.ts'
import { createSystemActor } from '#kernel/roles.ts'
import { createEngine } from '#server/engine/engine.ts'
import type { Module } from '#server/engine/module.ts'
import type { BatchJob, BatchStep } from '#server/engine/schedule.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { CrashingDb } from '#test/support/ending.ts'
import { type TestClient, type TestPortal, testPortal } from '#test/support/portal.ts'
import { scaleRunCount } from '#test/support/scope.ts'
import {
  type DefinedBatchJob,
  defineBatchJob,
  resumeBatchJob,
  startBatchJob,
  stopBatchJob,
  undoBatchJob,
} from './batch-job-control.ts'

/**
 * A batch job that writes the numbers from 1 upwards, `portion` numbers in each step. The number 13 is rejected, and
 * undoing deletes the numbers.
 */
const INPUT = z.object({
  numbers: z.int(),
  portion: z.int(),
  restarts: z.boolean().default(false),
  failAt: z.int().default(0),
})
type Input = z.output<typeof INPUT>
const UNLUCKY = 13

/** Called before each step is executed. Tests can intervene here. */
let onTake: (first: number) => Promise<void> | void = () => {}

async function* portionsOf({ numbers, portion }: Input, from: number | null): AsyncGenerator<readonly number[]> {
  for (let n = (from ?? 0) + 1; n <= numbers; n += portion)
    yield Array.from({ length: Math.min(portion, numbers - n + 1) }, (_, k) => n + k)
}

const counting: DefinedBatchJob<Input> = defineBatchJob<Input, number>({
  kind: 'test.counting',
  queue: 'bulk',
  input: INPUT as z.ZodType<Input>,
  cursor: z.int(),
  restarts: (input) => input.restarts,
  begin: async (c, run) => {
    await c.work.tx.rows('DELETE FROM counted WHERE client_id = $1 AND run = $2', [c.clientId, run.id])
    return run.input.numbers
  },
  steps: async function* (_engine, run, from) {
    for await (const numbers of portionsOf(run.input, from))
      yield stepOf(run, numbers, 'INSERT INTO counted (client_id, run, n) SELECT $1, $2, unnest($3::int[])')
  },
  undo: async function* (_engine, run, from) {
    for await (const numbers of portionsOf(run.input, from))
      yield stepOf(run, numbers, 'INSERT INTO counted (client_id, run, n) SELECT $1, $2, -unnest($3::int[])')
  },
  onFinished: async (c, run) => {
    await c.work.tx.rows('INSERT INTO counted (client_id, run, n, word) VALUES ($1, $2, 0, $3)', [
      c.clientId,
      run.id,
      run.state,
    ])
  },
})

function stepOf(run: BatchJob<Input>, numbers: readonly number[], sql: string): BatchStep<number> {
  return {
    cursor: numbers.at(-1) as number,
    execute: async (c) => {
      await onTake(numbers[0] as number)
      if (run.input.failAt && numbers.includes(run.input.failAt)) throw new Problem(422, 'This number is not to be.')
      const good = numbers.filter((n) => n !== UNLUCKY)
      await c.work.tx.rows(sql, [c.clientId, run.id, good])
      return {
        done: good.length,
        refused: numbers.includes(UNLUCKY) ? [{ line: UNLUCKY, reason: 'It is unlucky' }] : [],
        tally: { odd: good.filter((n) => n % 2).length },
      }
    },
  }
}

const module: Module = { name: 'counting', resources: [], batchJobs: [counting] }
let portal: TestPortal
let client: TestClient

beforeAll(async () => {
  portal = await (await testPortal()).with({}, [module])
  client = await portal.client()
  await portal.db.tx('owner', (tx) =>
    tx.script(`CREATE TABLE IF NOT EXISTS counted (client_id int NOT NULL, run bigint NOT NULL, n int NOT NULL, word text);
      GRANT SELECT, INSERT, DELETE ON counted TO stanchion_tenant, stanchion_system`),
  )
})

const inClient = <T>(engine: Engine, work: (c: Context) => Promise<T>): Promise<T> =>
  engine.inTenant(client.id, { actor: createSystemActor(client.id, 'test'), requestId: 'test' }, async (c) => {
    const value = await work(c)
    return () => value
  })
const start = (input: Partial<Input>) =>
  inClient(portal.engine, (c) =>
    startBatchJob(c, counting, { numbers: 10, portion: 3, restarts: false, failAt: 0, ...input }),
  )
const workOn = (id: number, engine = portal.engine) => counting.work(engine, client.id, id)

interface StoredBatchJob {
  readonly state: string
  readonly done: number
  readonly refused: number
  readonly undone: number
  readonly total: number
  readonly tally: Record<string, number>
  readonly error: string | null
}
const stored = async (id: number): Promise<StoredBatchJob> =>
  (
    await portal.db.tx({ clientId: client.id }, (tx) =>
      tx.rows<StoredBatchJob>(
        'SELECT state, done, refused, undone, total, tally, error FROM run WHERE client_id = $1 AND id = $2',
        [client.id, id],
      ),
    )
  )[0] as StoredBatchJob
const written = async (id: number): Promise<number[]> =>
  (
    await portal.db.tx({ clientId: client.id }, (tx) =>
      tx.rows<{ n: number }>('SELECT n FROM counted WHERE client_id = $1 AND run = $2 AND word IS NULL ORDER BY n', [
        client.id,
        id,
      ]),
    )
  ).map((r) => r.n)
const upTo = (n: number) => Array.from({ length: n }, (_, k) => k + 1).filter((k) => k !== UNLUCKY)

/**
 * Works on a job with several processes. Each is killed after a certain number of database responses, except the last.
 */
async function workKilled(id: number, kills: readonly number[]): Promise<void> {
  for (const left of kills) {
    const db = new CrashingDb(portal.db)
    const engine = createEngine(db, portal.engine.config, [module])
    db.left = left
    await workOn(id, engine).catch(() => {})
    db.left = 0
    // Makes the lease expire, as it would after its process has been killed.
    await portal.db.tx('system', (tx) =>
      tx.rows(
        "UPDATE run SET lease_until = now() - interval '1 second' WHERE client_id = $1 AND id = $2 AND lease IS NOT NULL",
        [client.id, id],
      ),
    )
  }
  await workOn(id)
}

describe('a batch job', () => {
  test('a batch job executes its steps and reports its progress', async () => {
    const id = await start({ numbers: 20 })
    await portal.drain()
    expect(await stored(id)).toEqual({
      state: 'done',
      done: 19,
      refused: 1,
      undone: 0,
      total: 20,
      tally: { odd: 9 },
      error: null,
    })
    expect(await written(id)).toEqual(upTo(20))
    const refusals = await portal.db.tx({ clientId: client.id }, (tx) =>
      tx.rows('SELECT line, reason FROM run_refusal WHERE client_id = $1 AND run_id = $2', [client.id, id]),
    )
    expect(refusals).toEqual([{ line: UNLUCKY, reason: 'It is unlucky' }])
    const audit = await portal.db.tx({ clientId: client.id }, (tx) =>
      tx.rows("SELECT verb FROM audit WHERE client_id = $1 AND type = 'Run' AND row_id = $2", [client.id, id]),
    )
    expect(audit).toEqual([{ verb: 'done' }])
  })

  test('a failed batch job reports the reason, and can be resumed where it stopped or undone', async () => {
    const id = await start({ failAt: 8 })
    await portal.drain()
    expect(await stored(id)).toMatchObject({ state: 'failed', done: 6, error: 'This number is not to be.' })
    await inClient(portal.engine, (c) => undoBatchJob(c, counting, id))
    await portal.drain()
    expect(await stored(id)).toMatchObject({ state: 'failed', undone: 6 })
  })

  test('a batch job stops after its current step and can be resumed from there', async () => {
    const id = await start({ numbers: 300 })
    let reach = () => {}
    const reached = new Promise<void>((resolve) => {
      reach = resolve
    })
    onTake = (first) => {
      if (first === 4) reach()
    }
    await Promise.all([workOn(id), reached.then(() => inClient(portal.engine, (c) => stopBatchJob(c, id)))])
    const at = await stored(id)
    expect(at.state).toBe('stopped')
    expect(at.done).toBeLessThan(299)
    expect(await written(id)).toEqual(upTo(at.done + at.refused))
    await inClient(portal.engine, (c) => resumeBatchJob(c, counting, id))
    await portal.drain()
    expect(await stored(id)).toMatchObject({ state: 'done', done: 299, refused: 1 })
    expect(await written(id)).toEqual(upTo(300))
  })

  test('a batch job is processed by only one process at a time', async () => {
    const id = await start({ numbers: 30 })
    const others = Array.from({ length: 4 }, () => createEngine(portal.db, portal.engine.config, [module]))
    await Promise.all([portal.engine, ...others].map((engine) => workOn(id, engine)))
    expect(await written(id)).toEqual(upTo(30))
  })

  test('starting a batch job of an unknown type is rejected', async () => {
    const other = { ...counting }
    await expect(
      inClient((await testPortal()).engine, (c) =>
        startBatchJob(c, other, { numbers: 1, portion: 1, restarts: false, failAt: 0 }),
      ),
    ).rejects.toThrow('No handler is registered for "run.test.counting"')
  })
})

describe('a batch job whose process is killed', () => {
  const kills = fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 5 })
  const sizes = { numbers: fc.integer({ min: 0, max: 20 }), portion: fc.integer({ min: 1, max: 6 }) }

  test(
    'a batch job executes each step once, at whatever point its process is killed',
    () =>
      fc.assert(
        fc.asyncProperty(fc.record({ ...sizes, restarts: fc.boolean() }), kills, async (input, at) => {
          const id = await start(input)
          await workKilled(id, at)
          const good = upTo(input.numbers)
          expect(await written(id)).toEqual(good)
          expect(await stored(id)).toMatchObject({
            state: 'done',
            done: good.length,
            refused: input.numbers - good.length,
            tally: good.length ? { odd: good.filter((n) => n % 2).length } : {},
          })
        }),
        { numRuns: scaleRunCount(25) },
      ),
    120_000,
  )

  test('a batch job executes each step once, even if its process is killed at every database response', async () => {
    for (let left = 1; left <= 24; left++) {
      const id = await start({ numbers: 5, portion: 2 })
      await workKilled(id, [left])
      expect([left, await written(id), (await stored(id)).done]).toEqual([left, upTo(5), 5])
    }
  }, 120_000)

  test(
    'a batch job undoes each step once, even if its process is killed',
    () =>
      fc.assert(
        fc.asyncProperty(fc.record(sizes), kills, kills, async (input, there, back) => {
          const id = await start(input)
          await workKilled(id, there)
          await inClient(portal.engine, (c) => undoBatchJob(c, counting, id))
          await workKilled(id, back)
          const good = upTo(input.numbers)
          expect(await written(id)).toEqual([...good.map((n) => -n).reverse(), ...good])
          expect(await stored(id)).toMatchObject({ state: 'undone', done: good.length, undone: good.length })
        }),
        { numRuns: scaleRunCount(10) },
      ),
    120_000,
  )
})
