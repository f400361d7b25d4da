import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'
import { readConfig } from '#server/config.ts'
import { connectToDbServer } from '#server/db/server.ts'
import { createEngine } from '#server/engine/engine.ts'
import { eventHandler } from '#server/engine/handler.ts'
import type { Module } from '#server/engine/module.ts'
import type { BatchJob, BatchStep } from '#server/engine/schedule.ts'
import { defineBatchJob } from '#server/jobs/batch-job-control.ts'
import { QueueWorkers } from '#server/jobs/workers.ts'

// A separate process that works on the queues, for tests that kill it. Its argument is the database URL.

export const countedEvent = defineEvent({ kind: 'test.counted', version: 1, payload: z.object({ n: z.int() }) })

/** Each of two handlers records every event in the table `told`. */
const listeners = ['one', 'two'].map((name) =>
  eventHandler(countedEvent, {
    name: `test.${name}`,
    queue: 'events',
    run: async ({ work }, { n }) => {
      await work.tx.rows('INSERT INTO told (listener, n) VALUES ($1, $2)', [name, n])
      // The delay is long enough for a process to be killed during it now and then.
      await work.tx.rows('SELECT pg_sleep(0.01)')
    },
  }),
)
/**
 * Batch job that inserts the numbers from 1 into the table `numbered`, several per step. Undoing the job inserts the
 * negated numbers.
 */
export const numberingJob = defineBatchJob({
  kind: 'test.numbering',
  queue: 'bulk',
  input: z.object({ numbers: z.int() }),
  cursor: z.int(),
  steps: (_engine, run, from) => portions(run, from, 1),
  undo: (_engine, run, from) => portions(run, from, -1),
})

async function* portions(
  run: BatchJob<{ numbers: number }>,
  from: number | null,
  sign: 1 | -1,
): AsyncGenerator<BatchStep<number>> {
  const { numbers } = run.input
  for (let n = from ?? 0; n < numbers; n += PORTION) {
    const next = Array.from({ length: Math.min(PORTION, numbers - n) }, (_, k) => sign * (n + k + 1))
    yield {
      cursor: n + next.length,
      execute: async ({ work }) => {
        await work.tx.rows('INSERT INTO numbered (run, n) SELECT $1, unnest($2::int[])', [run.id, next])
        await work.tx.rows('SELECT pg_sleep(0.01)')
        return { done: next.length }
      },
    }
  }
}
const PORTION = 3

export const countingModule: Module = {
  name: 'counting',
  resources: [],
  handlers: listeners,
  batchJobs: [numberingJob],
}

if (process.argv[1] === import.meta.filename) {
  const engine = createEngine(connectToDbServer(process.argv[2] as string, 6), readConfig({}), [countingModule])
  await new QueueWorkers(engine, { error: () => {} }).start()
  process.stdout.write('open\n')
}
