import fc from 'fast-check'
import { expect, test } from 'vitest'
import { registryOf } from '#server/engine/registry.ts'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { testTypesModule } from '#test/support/kinds/kinds.ts'
import { makeCompleteDocumentBody } from '#test/support/kinds/whole.ts'
import { type TestApi, type TestResponse, testPortal } from '#test/support/portal.ts'
import { scaleRunCount } from '#test/support/scope.ts'
import { DOCUMENT_PACKS } from '../rights.ts'
import { needsApproval } from '../types/in-force.ts'
import type { DocumentKind } from '../types/kind.ts'
import { collectDocumentKinds } from '../types/kinds.server.ts'

const portal = await (await testPortal()).with({}, [testTypesModule])
const client = await portal.client({ packs: DOCUMENT_PACKS })
const person = async (of: typeof client, name: string, ...roles: string[]) => of.as(await of.user({ roles, name }))
const PEOPLE = {
  approver: await person(client, 'Ada Approver', 'ROLE_CLIENT_ADMIN'),
  writer: await person(client, 'Wendy Writer', 'ROLE_SAFETY_AUTHOR', 'ROLE_HR'),
  worker: await person(client, 'Will Worker', 'ROLE_EMPLOYEE'),
  stranger: await person(await portal.client(), 'Sid Stranger', 'ROLE_CLIENT_ADMIN'),
} as const
type Name = keyof typeof PEOPLE

interface Revision {
  readonly id: number
  readonly revision: number
  readonly state: string
  readonly current: boolean
  readonly sealed: boolean
  /** Content that must not change after sealing. */
  readonly words: unknown
  readonly signatures: readonly number[]
}

const revisionsOf = (kind: DocumentKind, number: string) =>
  portal.db.tx('system', (tx) =>
    tx.rows<Revision>(
      `SELECT d.id, d.revision, d.state, d.current, d.seal IS NOT NULL AS sealed,
         jsonb_build_array(d.kind, d.number, d.parent_id, d.title, d.content, d.author, d.is_template, d.completed_at, d.completed_by, d.seal,
           (SELECT jsonb_agg(to_jsonb(r) ORDER BY r.id) FROM risk_item r WHERE r.client_id = d.client_id AND r.document_id = d.id),
           (SELECT jsonb_agg(to_jsonb(r) ORDER BY r.id) FROM document_reference r WHERE r.client_id = d.client_id AND r.document_id = d.id)) AS words,
         ARRAY(SELECT g.id FROM signature g WHERE g.client_id = d.client_id AND g.document_id = d.id ORDER BY g.id) AS signatures
       FROM document d WHERE d.client_id = $1 AND d.kind = $2 AND d.number = $3 ORDER BY d.revision`,
      [client.id, kind.kind, number],
    ),
  )

/** Returns the document numbers of a type that have a revision in force. */
const numbersInForce = (kind: DocumentKind) =>
  portal.db.tx('system', (tx) =>
    tx.rows('SELECT number FROM document WHERE client_id = $1 AND kind = $2 AND current', [client.id, kind.kind]),
  )

interface Call {
  readonly kind: DocumentKind
  readonly by: TestApi
  readonly on: Revision
  readonly at: string
  readonly document: string
}

const DUE = '2028-02-02'

/** API calls that users and HTTP clients may send, some of which are rejected. */
const CALLS: Readonly<Record<string, (c: Call) => Promise<TestResponse>>> = {
  complete: ({ by, at }) => by.post(`${at}/complete`),
  approve: ({ by, at }) => by.post(`${at}/approve`, {}),
  'approve a minor change': ({ by, at }) => by.post(`${at}/approve`, { change: 'minor' }),
  reject: ({ by, at }) => by.post(`${at}/reject`, { note: 'Not set' }),
  revise: ({ by, at }) => by.post(`${at}/revise`, {}),
  'save whole': ({ by, at }) => by.put(at, { complete: true, approved: true }),
  'approve and delete': ({ by, at }) => by.put(at, { approved: true, retired: true }),
  delete: ({ by, at }) => by.put(at, { retired: true }),
  withdraw: ({ by, at }) => by.put(at, { retired: true, decisionNote: 'Unsafe' }),
  restore: ({ by, at }) => by.patch(at, { retired: false }),
  'delete among others': ({ by, kind, on }) => by.post(`${kind.resource.url}/bulk`, { action: 'retire', ids: [on.id] }),
  'restore among others': ({ by, kind, on }) =>
    by.post(`${kind.resource.url}/bulk`, { action: 'restore', ids: [on.id] }),
  reword: ({ by, kind, at }) => by.put(at, { [kind.title.field]: 'Other words' }),
  'reword a part': ({ by, kind, at }) => by.patch(at, { [kind.title.field]: 'Others again' }),
  'move the review': ({ by, at }) => by.put(at, { reviewDue: DUE, reviewed: true }),
  'say for whom': ({ by, at }) => by.put(at, { audience: ['ROLE_SAFETY_AUTHOR'] }),
  'follow with a whole one': ({ by, kind, at }) =>
    by.post(kind.resource.url, {
      ...makeCompleteDocumentBody(kind),
      [kind.parent]: at,
      complete: true,
      approved: true,
    }),
  copy: ({ by, kind, document }) =>
    by.post(kind.resource.url, { ...makeCompleteDocumentBody(kind), origin: document, complete: true }),
  confirm: ({ by, at }) => by.put(at, { unconfirmed: [] }),
  'refer to it from itself': ({ by, kind, at, document }) =>
    by.put(at, Object.fromEntries(Object.keys(kind.references ?? {}).map((name) => [name, [{ target: document }]]))),
  sign: ({ by, document }) => by.post('/api/safety/signatures', { document, method: 'typed' }),
  'sign for another': ({ by, document }) =>
    by.post('/api/safety/signatures', { document, method: 'on behalf', name: 'Will Worker' }),
  'ask for signatures': ({ by, document }) => by.post('/api/safety/sign_offs', { document, everybody: true, due: DUE }),
}

const call = fc.record({
  name: fc.constantFrom(...Object.keys(CALLS)),
  who: fc.constantFrom<Name>('approver', 'approver', 'approver', 'writer', 'writer', 'worker', 'stranger'),
  which: fc.nat({ max: 3 }),
})
/** Sequences of calls, some of them concurrent. */
const steps = fc.array(fc.array(call, { minLength: 1, maxLength: 3 }), { minLength: 8, maxLength: 12 })

/** Checks the invariants after every step. */
function expectSound(before: readonly Revision[], now: readonly Revision[]): void {
  const [current, ...more] = now.filter((r) => r.current)
  expect(more).toEqual([])
  const later = now.filter((r) => r.revision > (current?.revision ?? Number.POSITIVE_INFINITY))
  expect(later.filter((r) => r.state === 'current' || r.state === 'replaced')).toEqual([])
  for (const was of before.filter((r) => r.sealed)) {
    const is = now.find((r) => r.id === was.id)
    expect(is?.words).toEqual(was.words)
    expect(is?.signatures).toEqual(expect.arrayContaining([...was.signatures]))
  }
}

const inForce = (all: readonly Revision[]) => all.find((r) => r.current)?.id

test.each(collectDocumentKinds(registryOf(portal.engine).modules).map((kind) => [kind.noun, kind] as const))(
  'after random and concurrent calls, a %s has at most one revision in force, never an older one, and unchanged sealed content',
  async (_noun, kind) => {
    await fc.assert(
      fc.asyncProperty(steps, fc.boolean(), async (all, stands) => {
        const first = await PEOPLE.writer.post(kind.resource.url, makeCompleteDocumentBody(kind))
        expect([first.status, first.text]).toEqual([201, expect.anything()])
        if (stands) await PEOPLE.approver.put(first.body['@id'], { complete: true, approved: true })
        const number = first.body.documentNumber as string
        let before = await revisionsOf(kind, number)
        for (const step of all) {
          const asked = step.map(async ({ name, who, which }) => {
            const on = before[which % before.length] as Revision
            const [at, document] = [`${kind.resource.url}/${on.id}`, `/api/safety/documents/${on.id}`]
            return CALLS[name]?.({ kind, by: PEOPLE[who], on, at, document })
          })
          const answers = await Promise.all(asked)
          const now = await revisionsOf(kind, number)
          // Concurrent calls wait for each other, so no deadlock errors occur.
          for (const [i, answer] of answers.entries())
            expect([
              step[i],
              (answer?.status ?? 0) < 500 || answer?.text,
              answer?.body?.code === 'changed_meanwhile',
            ]).toEqual([step[i], true, false])
          expectSound(before, now)
          if (kind.current === 'per client') expect((await numbersInForce(kind)).length).toBeLessThan(2)
          // The revisions in force change only if an approver has made a call.
          const approves = (who: Name) => who === 'approver' || (who === 'writer' && kind.pack === 'employees')
          if (needsApproval(kind) && !step.some(({ who }) => approves(who)))
            expect([step, inForce(now)]).toEqual([step, inForce(before)])
          before = now
        }
        expect((await verifyEvidence(portal.engine, client.id)).broken).toEqual([])
      }),
      // Test types have the same lifecycle, so fewer runs suffice. Shrinking is off because concurrent calls vary
      // between runs: shrinking would find other examples and take minutes.
      { numRuns: scaleRunCount(testTypesModule.kinds.includes(kind) ? 3 : 6), endOnFailure: true },
    )
  },
)
