import fc from 'fast-check'
import { expect, test } from 'vitest'
import { complete, LIST, makeAssessments } from '#test/support/assessments.ts'
import { testPortal } from '#test/support/portal.ts'
import { verify } from '../evidence/verify-all.server.ts'

const portal = await testPortal()
const { client, author, worker, draft } = await makeAssessments(portal)

interface Revision {
  readonly '@id': string
  readonly id: number
  readonly revision: number
  readonly state: string
  readonly retired: boolean
  readonly current: boolean
  readonly seal: string | null
}

/** What people, and programs, do to a revision; some of it is refused. */
const CALLS: Readonly<Record<string, (r: Revision) => Promise<unknown>>> = {
  complete: (r) => author.post(`${r['@id']}/complete`),
  approve: (r) => author.post(`${r['@id']}/approve`, {}),
  reject: (r) => author.post(`${r['@id']}/reject`, { note: 'Not yet' }),
  revise: (r) => author.post(`${r['@id']}/revise`, {}),
  'save whole': (r) => author.put(r['@id'], { complete: true, approved: true }),
  'approve and delete': (r) => author.put(r['@id'], { approved: true, retired: true }),
  delete: (r) => author.put(r['@id'], { retired: true }),
  restore: (r) => author.put(r['@id'], { retired: false }),
  reword: (r) => author.put(r['@id'], { location: 'Elsewhere' }),
  'move review': (r) => author.put(r['@id'], { reviewDue: '2028-02-02' }),
  'follow with a whole one': (r) => author.post(LIST, complete({ parent: r['@id'], complete: true, approved: true })),
  sign: (r) =>
    worker.post('/api/safety/signatures', {
      document: `/api/safety/documents/${r.id}`,
      name: 'Will Worker',
      method: 'typed',
    }),
}

const revisionsOf = async (one: { readonly '@id': string; readonly id: number }): Promise<Revision[]> =>
  (await author.get(`${LIST}/revision/${one.id}`)).body['hydra:member']
const wordsOf = (r: Revision) =>
  portal.db.tx('system', (tx) =>
    tx.rows('SELECT title, content, completed_by, seal FROM document WHERE client_id = $1 AND id = $2', [
      client.id,
      r.id,
    ]),
  )

const call = fc.record({ name: fc.constantFrom(...Object.keys(CALLS)), which: fc.nat({ max: 3 }) })
/** One call after the other, or two at once. */
const steps = fc.array(fc.array(call, { minLength: 1, maxLength: 2 }), { minLength: 6, maxLength: 14 })

test('whatever is asked of one number, in any order or at once, one revision is current, no older one, and what is sealed stands', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const first = await draft()
      const sealed = new Map<number, unknown>()
      for (const step of all) {
        const there = await revisionsOf(first)
        await Promise.all(step.map(async ({ name, which }) => CALLS[name]?.(there[which % there.length] as Revision)))
        const now = await revisionsOf(first)
        const current = now.filter((r) => r.current)
        expect(current.length).toBeLessThanOrEqual(1)
        const later = now.filter((r) => r.revision > (current[0]?.revision ?? Number.POSITIVE_INFINITY))
        expect(later.filter((r) => r.state === 'current' || r.state === 'replaced')).toEqual([])
        for (const r of now) {
          if (!r.seal) continue
          const words = await wordsOf(r)
          expect(words).toEqual(sealed.get(r.id) ?? words)
          sealed.set(r.id, words)
        }
      }
    }),
    { numRuns: 8 },
  )
  expect((await verify(portal.engine, client.id)).broken).toEqual([])
})
