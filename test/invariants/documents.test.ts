import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { DOCUMENT_PACKS } from '#modules/documents/rights.ts'
import { needsApproval } from '#modules/documents/types/in-force.ts'
import type { DocumentKind } from '#modules/documents/types/kind.ts'
import { collectDocumentKinds } from '#modules/documents/types/kinds.server.ts'
import { registryOf } from '#server/engine/registry.ts'
import { expectOk } from '#test/support/attendances.ts'
import { confidentialTestType, memoTestType, policyTestType, testTypesModule } from '#test/support/kinds/kinds.ts'
import { makeCompleteDocumentBody } from '#test/support/kinds/whole.ts'
import { type TestApi, type TestResponse, testPortal } from '#test/support/portal.ts'
import { IS_FULL_RUN, pickDailySample } from '#test/support/scope.ts'

// Tests each user's access to a document in each state. The result is committed as `documents.txt`, so that its diff
// shows changes of access. UPDATE_MATRIX=1 rewrites the file.

const FILE = join(import.meta.dirname, 'documents.txt')
const portal = await (await testPortal()).with({}, [testTypesModule])
const client = await portal.client({ packs: DOCUMENT_PACKS })
const person = async (of: typeof client, ...roles: string[]) => of.as(await of.user({ roles }))

let people: readonly (readonly [string, TestApi])[]
let author: TestApi
let approver: TestApi

beforeAll(async () => {
  author = await person(client, 'ROLE_SAFETY_AUTHOR', 'ROLE_HR')
  approver = await person(client, 'ROLE_CLIENT_ADMIN')
  // Users from the least to the most privileged: once a user has changed a document, the test creates a new one for the
  // next user.
  people = [
    ['nobody', portal.anonymous],
    ['other client', await person(await portal.client({ packs: DOCUMENT_PACKS }), 'ROLE_CLIENT_ADMIN')],
    ['provider', await person(portal.provider, 'ROLE_STAFF')],
    ['no role', await person(client)],
    ['employee', await person(client, 'ROLE_EMPLOYEE')],
    ['foreman', await person(client, 'ROLE_EMPLOYEE', 'ROLE_SIGN_ON_BEHALF')],
    ['author', await person(client, 'ROLE_SAFETY_AUTHOR')],
    ['its author', author],
    ['approver', approver],
  ]
})

interface CreatedRevision {
  readonly '@id': string
  readonly id: number
  readonly documentNumber: string
}

const act = async (one: CreatedRevision, action: string, body = {}): Promise<CreatedRevision> =>
  expectOk(await approver.post(`${one['@id']}/${action}`, body))
const draft = async (kind: DocumentKind): Promise<CreatedRevision> =>
  expectOk(await author.post(kind.resource.url, makeCompleteDocumentBody(kind)))
const complete = async (kind: DocumentKind) => act(await draft(kind), 'complete')
const current = async (kind: DocumentKind) => {
  const made = await complete(kind)
  if (needsApproval(kind)) await act(made, 'approve')
  expectOk(
    await approver.post(SIGNATURES, {
      document: document(made),
      method: 'on behalf',
      name: 'Sam',
      opened: await openedBy(approver, made),
    }),
  )
  expectOk(
    await approver.post('/api/safety/sign_offs', {
      document: document(made),
      role: 'ROLE_EMPLOYEE',
      due: '2031-01-01',
    }),
  )
  return made
}

const SIGNATURES = '/api/safety/signatures'
const document = ({ id }: CreatedRevision) => `/api/safety/documents/${id}`

/** Returns the parts of a document as opened, for somebody who may read them. */
async function openedBy(who: TestApi, one: CreatedRevision) {
  const { status, body } = await who.get(`${document(one)}/parts`)
  const parts: { '@id': string; readable: boolean }[] = status === 200 ? body['hydra:member'] : []
  return parts.flatMap((part) => (part.readable ? [{ part: part['@id'], seconds: 5 }] : []))
}

/**
 * Functions that create a document in each state. Documents in force have one signature and open sign-off requests.
 */
const STATES: Readonly<Record<string, (kind: DocumentKind) => Promise<CreatedRevision>>> = {
  draft,
  waiting: complete,
  current,
  rejected: async (kind) => act(await complete(kind), 'reject', { note: 'Not set' }),
  withdrawn: async (kind) => {
    const made = await current(kind)
    return act(made, 'withdraw', { note: 'Unsafe' })
  },
  replaced: async (kind) => {
    const made = await current(kind)
    const next = expectOk(await author.post(`${made['@id']}/revise`, { reason: 'As agreed' }))
    await act(next, 'complete')
    if (needsApproval(kind)) await act(next, 'approve')
    return made
  },
}

/** States that only documents with approval can have. */
const WAITING = new Set(['waiting', 'rejected'])

/** Gets a list, and returns status 404 instead if the list is empty. */
async function found(who: TestApi, url: string): Promise<TestResponse> {
  const answer = await who.get(url)
  return answer.status === 200 && !answer.body['hydra:member'].length ? { ...answer, status: 404 } : answer
}

const CALLS: Readonly<
  Record<string, (who: TestApi, one: CreatedRevision, kind: DocumentKind) => Promise<TestResponse>>
> = {
  see: (who, one) => who.get(one['@id']),
  'see in the list': (who, { documentNumber, id }, kind) =>
    found(who, `${kind.resource.url}?documentNumber=${documentNumber}&id=${id}`),
  print: (who, one) => who.get(`${one['@id']}/pdf`),
  'see its chain': (who, one) => found(who, `/api/safety/seals?document=${document(one)}`),
  'see who signed': (who, one) => found(who, `${SIGNATURES}?document=${document(one)}`),
  'see who is asked': (who, one) => found(who, `/api/safety/sign_offs?document=${document(one)}`),
  edit: (who, one, kind) => who.put(one['@id'], { [kind.title.field]: 'Other words' }),
  complete: (who, one) => who.post(`${one['@id']}/complete`),
  approve: (who, one) => who.post(`${one['@id']}/approve`, {}),
  reject: (who, one) => who.post(`${one['@id']}/reject`, { note: 'No' }),
  revise: (who, one) => who.post(`${one['@id']}/revise`, {}),
  'move its review': (who, one) => who.put(one['@id'], { reviewDue: '2031-01-01' }),
  'mark as reviewed': (who, one) => who.put(one['@id'], { reviewed: true }),
  delete: (who, one) => who.put(one['@id'], { retired: true }),
  withdraw: (who, one) => who.post(`${one['@id']}/withdraw`, { note: 'Unsafe' }),
  restore: (who, one) => who.put(one['@id'], { retired: false }),
  sign: async (who, one) =>
    who.post(SIGNATURES, { document: document(one), method: 'typed', opened: await openedBy(who, one) }),
  'sign for another': async (who, one) =>
    who.post(SIGNATURES, {
      document: document(one),
      method: 'on behalf',
      name: 'Pat',
      opened: await openedBy(who, one),
    }),
  'ask for signatures': (who, one) =>
    who.post('/api/safety/sign_offs', { document: document(one), everybody: true, due: '2031-01-01' }),
}
const READS = new Set(Object.keys(CALLS).filter((name) => name.startsWith('see') || name === 'print'))
/** Actions forbidden to users who may not read the document, even if they are allowed for other documents. */
const FOR_READERS = new Set([...READS, 'sign', 'sign for another', 'ask for signatures', 'revise', 'approve'])
/**
 * Test document types: one for a restricted audience, one with a single document in force per client, and one without
 * approval.
 */
const KINDS = [memoTestType, policyTestType, confidentialTestType]

async function rowsOf(kind: DocumentKind, names: readonly string[]): Promise<string[]> {
  const lines: string[] = []
  for (const [state, make] of Object.entries(STATES)) {
    if (!needsApproval(kind) && WAITING.has(state)) continue
    let one = await make(kind)
    for (const name of names) {
      const cells: string[] = []
      for (const [, who] of people) {
        const answer = (await CALLS[name]?.(who, one, kind)) as TestResponse
        cells.push(String(answer.status))
        if (answer.status < 300 && !READS.has(name)) one = await make(kind)
      }
      lines.push(
        `${kind.kind.padEnd(18)}${state.padEnd(11)}${name.padEnd(20)}${cells.map((s) => s.padEnd(14)).join('')}`.trimEnd(),
      )
    }
  }
  return lines
}

/**
 * Returns the requests to send for each type. Types with the same lifecycle have the same permissions, so only the
 * first of them gets all requests.
 */
function callsByKind(): [DocumentKind, readonly string[]][] {
  const lives = new Set<unknown>()
  const declared = collectDocumentKinds(registryOf(portal.engine).modules).filter(
    (kind) => !testTypesModule.kinds.includes(kind),
  )
  return [...declared.toReversed(), ...KINDS].map((kind) => {
    const always = kind.audience.length ? FOR_READERS : READS
    const calls = Object.keys(CALLS).filter((name) => always.has(name) || !lives.has(kind.transitions))
    lives.add(kind.transitions)
    return [kind, calls]
  })
}

test("each user's access to a document in each status matches the committed file", async () => {
  const isWritten = process.env.UPDATE_MATRIX !== undefined
  const all = callsByKind()
  const blocks: string[] = []
  for (const [kind, calls] of isWritten ? all : pickDailySample(all, 3))
    blocks.push((await rowsOf(kind, calls)).join('\n'))
  const heading = [
    'Status of what is asked of a document in each state, for everybody; 404 in a list: nothing is there.',
    '',
    `${''.padEnd(49)}${people.map(([name]) => name.padEnd(14)).join('')}`.trimEnd(),
  ].join('\n')
  if (isWritten) writeFileSync(FILE, `${heading}\n${blocks.join('\n\n')}\n`)
  const committed = readFileSync(FILE, 'utf8')
  if (IS_FULL_RUN) expect(`${heading}\n${blocks.join('\n\n')}\n`).toBe(committed)
  for (const block of [heading, ...blocks]) expect(committed).toContain(`${block}\n`)
})
