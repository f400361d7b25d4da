import fc from 'fast-check'
import { expect, test } from 'vitest'
import { registryOf } from '#server/engine/registry.ts'
import { extractText } from '#test/pdf/words.ts'
import { testTypesModule } from '#test/support/kinds/kinds.ts'
import { makeCompleteDocumentBody } from '#test/support/kinds/whole.ts'
import { type TestApi, testPortal } from '#test/support/portal.ts'
import { scaleRunCount } from '#test/support/scope.ts'
import { sendSignature } from '#test/support/sign-offs.ts'
import { DOCUMENT_PACKS } from '../rights.ts'
import type { DocumentKind } from '../types/kind.ts'
import { collectDocumentKinds } from '../types/kinds.server.ts'

// Checks that the list, record, PDF and signature routes agree about which revisions are in force. If none is in force,
// the list must return the latest complete revision.

const portal = await (await testPortal()).with({}, [testTypesModule])

interface Revision {
  readonly id: number
  readonly number: string
  readonly revision: number
  readonly state: string
  readonly current: boolean
  readonly retired: boolean
  readonly template: boolean
  readonly audience: readonly string[]
}

const revisionsOf = (clientId: number, kind: DocumentKind) =>
  portal.db.tx('system', (tx) =>
    tx.rows<Revision>(
      `SELECT id, number, revision, state, current, retired, is_template AS template, audience FROM document
       WHERE client_id = $1 AND kind = $2 ORDER BY id`,
      [clientId, kind.kind],
    ),
  )

/**
 * Returns the group in which only one document is in force at a time. Each template is independent, even in a type with
 * one document per client.
 */
const groupOf = (kind: DocumentKind, { number, template }: Revision) =>
  kind.current === 'per client' && !template ? 'the company' : number

/**
 * Returns the expected IDs: the revision in force or, if there is none, the latest complete revision that no later
 * revision of the same number has overtaken.
 */
function expectedIn(kind: DocumentKind, all: readonly Revision[]): number[] {
  const groups = Map.groupBy(all, (r) => groupOf(kind, r))
  return [...groups.values()].flatMap((group) => {
    const current = group.filter((r) => r.current)
    if (current.length) return current.map(({ id }) => id)
    const could = group.filter((r) => r.state === 'complete' && !r.retired && !all.some((o) => overtakes(o, r)))
    return could.slice(-1).map(({ id }) => id)
  })
}
const overtakes = (o: Revision, r: Revision) =>
  o.number === r.number && o.revision > r.revision && ['current', 'replaced'].includes(o.state)

interface Doing {
  readonly kind: DocumentKind
  readonly admin: TestApi
  readonly at: string
}

const DOINGS: Readonly<Record<string, (on: Doing) => Promise<unknown>>> = {
  'write another': ({ kind, admin }) =>
    admin.post(kind.resource.url, { ...makeCompleteDocumentBody(kind), complete: true }),
  'write another, and approve it': ({ kind, admin }) =>
    admin.post(kind.resource.url, { ...makeCompleteDocumentBody(kind), complete: true, approved: true }),
  'write a template, and approve it': ({ kind, admin }) =>
    admin.post(kind.resource.url, {
      ...makeCompleteDocumentBody(kind),
      isTemplate: true,
      complete: true,
      approved: true,
    }),
  'follow it': async ({ admin, at }) =>
    admin.post(`${(await admin.post(`${at}/revise`, {})).body['@id'] ?? at}/complete`, {}),
  approve: ({ admin, at }) => admin.post(`${at}/approve`, {}),
  reject: ({ admin, at }) => admin.post(`${at}/reject`, { note: 'Not set' }),
  withdraw: ({ admin, at }) => admin.post(`${at}/withdraw`, { note: 'Unsafe' }),
  delete: ({ admin, at }) => admin.put(at, { retired: true }),
  restore: ({ admin, at }) => admin.put(at, { retired: false }),
  'say that it is for foremen': ({ admin, at }) => admin.put(at, { audience: ['ROLE_RISK_CREATE_UNRESTRICTED'] }),
}

const doings = fc.array(
  fc.record({
    name: fc.constantFrom(...Object.keys(DOINGS), 'write another, and approve it', 'follow it', 'withdraw'),
    which: fc.nat({ max: 5 }),
  }),
  { minLength: 6, maxLength: 12 },
)

const idsIn = (answer: { readonly body: { readonly 'hydra:member': readonly { readonly id: number }[] } }) =>
  answer.body['hydra:member'].map(({ id }) => id).toSorted((a, b) => a - b)

test.each(collectDocumentKinds(registryOf(portal.engine).modules).map((kind) => [kind.noun, kind] as const))(
  'list, record, PDF and signature routes of a %s agree on which revisions are in force after any sequence of actions',
  async (_noun, kind) => {
    await fc.assert(
      fc.asyncProperty(doings, async (all) => {
        const client = await portal.client({ packs: DOCUMENT_PACKS })
        const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
        const foreman = await client.user({ roles: ['ROLE_EMPLOYEE'] })
        const worker = client.as(foreman)
        if (kind.readerGroup) await admin.put((await client.user()).iri, { manager: foreman.iri })
        const { url } = kind.resource
        const list = async (api: TestApi, query = '') => idsIn(await api.get(`${url}/list?itemsPerPage=100${query}`))
        await admin.post(url, { ...makeCompleteDocumentBody(kind), complete: true })
        for (const { name, which } of all) {
          const before = await revisionsOf(client.id, kind)
          await DOINGS[name]?.({ kind, admin, at: `${url}/${before[which % before.length]?.id}` })
          const now = await revisionsOf(client.id, kind)
          const told = [name, now] as const
          expect([...told, await list(admin, '&current=1')]).toEqual([
            ...told,
            expectedIn(kind, now).toSorted((a, b) => a - b),
          ])
          const inForce = now.filter((r) => r.current)
          expect(await list(admin, '&current=true')).toEqual(await list(admin, '&current=1'))
          expect(new Set(inForce.map((r) => groupOf(kind, r))).size).toBe(inForce.length)
          // Users without the author role see only documents in force that are meant for them.
          const theirs = inForce.filter(({ audience }) => !audience.length || audience.includes('ROLE_EMPLOYEE'))
          const ids = theirs.map(({ id }) => id)
          expect([await list(worker), await list(worker, '&current=1')]).toEqual([ids, ids])
        }
        const last = await revisionsOf(client.id, kind)
        for (const { id, current } of last) expect((await admin.get(`${url}/${id}`)).body.current).toBe(current)
        for (const { id, current, template } of [
          ...last.filter((r) => r.current).slice(-1),
          ...last.filter((r) => !r.current).slice(-1),
        ]) {
          const paper = await extractText((await admin.get(`${url}/${id}/pdf`)).raw ?? Buffer.alloc(0))
          expect([id, /Status Current /.test(paper)]).toEqual([id, current])
          const signed = await sendSignature(admin, { id })
          // Templates can't be signed, even if in force.
          expect([id, signed.status === 201]).toEqual([id, current && !template])
        }
      }),
      { numRuns: scaleRunCount(kind.current === 'per client' ? 5 : 2) },
    )
  },
)
