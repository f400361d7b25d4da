import { beforeEach, expect, test, vi } from 'vitest'
import type { Actor } from '#kernel/roles.ts'

interface PoolCall {
  readonly client: string
  readonly person: string
  readonly timeoutMs?: number
}

/** The calls of the pool, which fails with `error` if there is one. */
const pool = vi.hoisted(() => ({ calls: [] as PoolCall[], error: undefined as Error | undefined }))
vi.mock('#server/processes/pool.ts', () => ({
  lazyPool: () => () => ({
    ask: async (_job: unknown, client: string, options: Omit<PoolCall, 'client'>) => {
      pool.calls.push({ client, ...options })
      if (pool.error) throw pool.error
      return new Uint8Array()
    },
  }),
}))
// Earlier test files of this process may have loaded the module with the real pool.
vi.resetModules()
const { withRequester } = await import('#server/concurrency-limiter.ts')
const { NO_TIME_LIMITS, withTimeLimits } = await import('#server/db/time-limits.ts')
const { TimeLimitError } = await import('#server/processes/failures.ts')
const { pdfPoolOptions, renderPdf } = await import('./render.ts')

const job = { template: '/some.typ', title: 'A title', data: {}, client: 7 }
const ann = { clientId: 7, userId: 70 } as Actor
beforeEach(() => {
  pool.calls = []
  pool.error = undefined
})

test('a client leaves one PDF process free for other clients, and a person leaves another one free for colleagues', () => {
  const limits = [1, 2, 3, 4].map(pdfPoolOptions).map(({ each, person }) => [each, person?.each])
  expect(limits).toEqual([
    [1, 1],
    [1, 1],
    [2, 1],
    [3, 2],
  ])
})

test('renderPdf queues a PDF for the document’s client and the person who requested it', async () => {
  await withRequester(ann, () => renderPdf(job))
  expect(pool.calls).toEqual([{ client: '7', person: '7 70' }])
})

test('the PDF of a background job has a longer time limit, and does not count towards any person’s limit', async () => {
  await withTimeLimits(NO_TIME_LIMITS, () => renderPdf(job))
  expect(pool.calls).toMatchObject([{ client: '7', person: 'job' }])
  expect(pool.calls[0]?.timeoutMs).toBeGreaterThan(pdfPoolOptions(3).timeoutMs)
})

test('a PDF that takes too long is refused with 503 and advice to shorten its texts', async () => {
  pool.error = new TimeLimitError('it took longer than 10 seconds')
  const refusal = await renderPdf(job).catch((e: unknown) => e)
  expect(refusal).toMatchObject({ status: 503, message: expect.stringContaining('shorten its longest texts') })
})
