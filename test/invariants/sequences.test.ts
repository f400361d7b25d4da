import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defineSequence, formatSequenceNumber, type NumberSequence } from '#kernel/sequence.ts'
import type { DocumentKind } from '#modules/documents/types/kind.ts'
import { collectDocumentKinds } from '#modules/documents/types/kinds.server.ts'
import { issueSequenceNumber } from '#server/data/sequences.ts'
import { registryOf } from '#server/engine/registry.ts'
import { scaleRunCount } from '#test/support/scope.ts'
import { makeCompleteDocumentBody } from '../support/kinds/whole.ts'
import { testPortal } from '../support/portal.ts'

const portal = await testPortal()
const { db } = portal
const gapless = defineSequence({ name: 'test_whole', prefix: 'W-', per: 'client', gapless: true, digits: 4 })
const loose = defineSequence({ name: 'test_loose', prefix: 'L-', per: 'client', gapless: false, digits: 4 })
const yearly = defineSequence({ name: 'test_yearly', prefix: 'Y-', per: 'client and year', gapless: true, digits: 3 })
const at = (text: string) => Temporal.Instant.from(text)
const NOW = at('2026-06-01T12:00:00Z')

class Abandoned extends Error {}

/** Takes a number from a sequence in a separate transaction, which is then committed or rolled back. */
async function draw(s: NumberSequence, clientId: number, commits = true, now = NOW): Promise<number | undefined> {
  return db
    .tx({ clientId }, async (tx) => {
      const { number } = await issueSequenceNumber({ work: { tx, clientId }, now }, s)
      if (!commits) throw new Abandoned()
      return number
    })
    .catch((e: unknown) => {
      if (e instanceof Abandoned) return undefined
      throw e
    })
}

/** Takes numbers concurrently, rolls some of them back, and returns the committed ones. */
const drawAll = async (s: NumberSequence, clientId: number, commits: readonly boolean[]) =>
  (await Promise.all(commits.map((ok) => draw(s, clientId, ok)))).filter((n) => n !== undefined)

const manyDraws = fc.array(fc.boolean(), { maxLength: 12 })

describe('sequence numbers', () => {
  test('sequence numbers are assigned once each, despite concurrent draws and rollbacks', async () => {
    await fc.assert(
      fc.asyncProperty(manyDraws, manyDraws, async (first, second) => {
        const { id } = await portal.client()
        const [whole, others] = await Promise.all([drawAll(gapless, id, first), drawAll(loose, id, second)])
        expect(new Set(others).size).toBe(second.filter(Boolean).length)
        expect(whole.sort((a, b) => a - b)).toEqual(first.filter(Boolean).map((_, i) => i + 1))
      }),
      { numRuns: scaleRunCount(15) },
    )
  })

  test('sequence numbers are independent for each client', async () => {
    const [one, other] = [await portal.client(), await portal.client()]
    for (const s of [gapless, loose])
      expect([await draw(s, one.id), await draw(s, one.id), await draw(s, other.id)]).toEqual([1, 2, 1])
  })

  test('sequence numbers restart with the calendar year in London', async () => {
    const { id } = await portal.client()
    const text = (now: string) =>
      db.tx(
        { clientId: id },
        async (tx) => (await issueSequenceNumber({ work: { tx, clientId: id }, now: at(now) }, yearly)).text,
      )
    expect(await text('2025-12-31T23:59:59Z')).toBe('Y-2025-001')
    expect(await text('2026-01-01T00:00:00Z')).toBe('Y-2026-001')
    expect(await text('2026-06-30T23:30:00Z')).toBe('Y-2026-002')
    expect(await text('2025-12-31T12:00:00Z')).toBe('Y-2025-002')
  })

  test("one client's sequence numbers can't be issued in another client's transaction", async () => {
    const [one, other] = [await portal.client(), await portal.client()]
    for (const s of [gapless, loose])
      await expect(
        db.tx({ clientId: one.id }, (tx) => issueSequenceNumber({ work: { tx, clientId: other.id }, now: NOW }, s)),
      ).rejects.toMatchObject({ code: '42501' })
  })
})

/** Bodies that are rejected during or after the step in which the document type's behaviour takes a number. */
const refusedBodies = (whole: Record<string, unknown>, { resource, references = {} }: DocumentKind) => [
  ...('industry' in resource.fields ? [{ ...whole, industry: '/api/safety/risk_industries/999999' }] : []),
  { ...whole, origin: '/api/safety/documents/999999999' },
  { ...whole, parent: '/api/safety/risk_assessments/999999999', previous: '/api/safety/toolbox_talks/999999999' },
  ...('uploadedDocuments' in resource.fields
    ? [{ ...whole, uploadedDocuments: ['/api/safety/uploaded_documents/999999999'] }]
    : []),
  { ...whole, reviewDue: 'tomorrow' },
  ...Object.keys(references).map((name) => ({ ...whole, [name]: [{ target: '/api/safety/documents/999999999' }] })),
]

test.each(collectDocumentKinds(registryOf(portal.engine).modules).map((kind) => [kind.noun, kind] as const))(
  'a refused %s leaves no gap in the numbers, whatever the reason, even with concurrent requests',
  async (_noun, kind) => {
    expect(kind.numbers.gapless).toBe(true)
    const client = await portal.client({ packs: ['safety', 'employees'] })
    const author = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
    const refused = refusedBodies(makeCompleteDocumentBody(kind), kind)
    const numbers: string[] = []
    const send = async (bodies: readonly object[]) => {
      const answers = await Promise.all(bodies.map((body) => author.post(kind.resource.url, { ...body })))
      for (const { status, body } of answers) if (status === 201) numbers.push(body.documentNumber)
      return answers.map(({ status }) => status)
    }
    for (const body of refused) {
      expect((await send([body]))[0]).toBeGreaterThanOrEqual(400)
      expect(await send([makeCompleteDocumentBody(kind)])).toEqual([201])
    }
    const atOnce = refused.flatMap((body) => [body, makeCompleteDocumentBody(kind)])
    expect((await send(atOnce)).filter((status) => status === 201)).toHaveLength(refused.length)
    const expected = Array.from({ length: 2 * refused.length }, (_, i) => formatSequenceNumber(kind.numbers, i + 1, 0))
    expect(numbers.toSorted()).toEqual(expected)
  },
)

describe('sequences in two concurrent transactions', () => {
  test('a sequence that allows gaps blocks no other transaction', async () => {
    const { id } = await portal.client()
    const order: string[] = []
    await db.tx({ clientId: id }, async (tx) => {
      const first = await issueSequenceNumber({ work: { tx, clientId: id }, now: NOW }, loose)
      order.push(`first drew ${first.number}`)
      order.push(`another committed ${await draw(loose, id)}`)
    })
    expect(order).toEqual(['first drew 1', 'another committed 2'])
  })

  test('a gapless sequence waits for the earlier transaction, and reuses its number after a rollback', async () => {
    const { id } = await portal.client()
    let second: Promise<number | undefined> | undefined
    await db
      .tx({ clientId: id }, async (tx) => {
        await issueSequenceNumber({ work: { tx, clientId: id }, now: NOW }, gapless)
        second = draw(gapless, id)
        await waiting()
        throw new Abandoned()
      })
      .catch(() => {})
    expect(await second).toBe(1)
  })
})

/** Resolves when a transaction waits for a lock that another one holds. */
async function waiting(): Promise<void> {
  for (;;) {
    const [row] = await db.tx('owner', (tx) =>
      tx.rows<{ n: number }>(
        "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%sequence_counter%'",
      ),
    )
    if (row?.n) return
  }
}
