import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { extractResponseText } from '#test/pdf/words.ts'
import { type TestApi, type TestResponse, type TestUser, testPortal } from '#test/support/portal.ts'
import { scaleRunCount } from '#test/support/scope.ts'
import {
  collectionMembers,
  documentApiUrl,
  expectSuccess,
  loadSignOffCounts,
  loadSignOffStates,
  makeSignOffHelpers,
  SIGN_OFF_PEOPLE_URL,
  sendSignature,
  TALKS_URL,
} from '#test/support/sign-offs.ts'
import { safetyModule } from '../module.server.ts'

const portal = await testPortal()
const { company, ask } = makeSignOffHelpers(portal)
const { kinds } = safetyModule
const PACKS = '/api/safety/rams_packs'
const FOREMAN = 'ROLE_RISK_CREATE_UNRESTRICTED'

interface CreatedRevision {
  readonly '@id': string
  readonly id: number
  readonly revision: number
}

/** Returns functions that create and approve a company's documents and packs. */
function writing(author: TestApi) {
  const talk = async (title: string, audience: readonly string[] = []): Promise<CreatedRevision> =>
    expectSuccess(
      await author.post(TALKS_URL, { title, points: [{ text: 'x' }], audience, complete: true, approved: true }),
    )
  const step = async (on: CreatedRevision, action: string, body = {}): Promise<CreatedRevision> =>
    expectSuccess(await author.post(`${on['@id']}/${action}`, body))
  const revised = async (on: CreatedRevision) => {
    const next = await step(on, 'revise')
    await step(next, 'complete')
    return step(next, 'approve')
  }
  const papersOf = (papers: readonly CreatedRevision[], notes = '') =>
    papers.map((p) => ({ target: documentApiUrl(p), notes }))
  const pack = async (papers: readonly CreatedRevision[], more = {}): Promise<CreatedRevision> =>
    expectSuccess(
      await author.post(PACKS, {
        description: 'Roof',
        location: 'Unit 4',
        supervisor: 'Ann',
        papers: papersOf(papers),
        complete: true,
        approved: true,
        ...more,
      }),
    )
  const drafted = async (
    on: CreatedRevision,
    papers: readonly CreatedRevision[],
    more = {},
  ): Promise<CreatedRevision> => {
    const next = await step(on, 'revise')
    return expectSuccess(await author.put(next['@id'], { papers: papersOf(papers), ...more }))
  }
  const reissued = async (on: CreatedRevision, papers: readonly CreatedRevision[], more = {}, change = {}) => {
    const next = await drafted(on, papers, more)
    await step(next, 'complete')
    return step(next, 'approve', change)
  }
  return { talk, revised, papersOf, pack, drafted, reissued, step }
}

/**
 * Creates a company with two people, one of whom is a foreman, and a pack with one document for everyone and one for
 * foremen. Both people have signed the pack.
 */
async function signedPack() {
  const firm = await company('Will')
  const foreman = await firm.hire('Fred Foreman', ['ROLE_EMPLOYEE', FOREMAN])
  const [will] = firm.workers as [TestUser]
  const write = writing(firm.author)
  const [ladders, cranes] = [await write.talk('Ladders'), await write.talk('Cranes', [FOREMAN])]
  const first = await write.pack([ladders, cranes])
  expectSuccess(await ask(firm.author, first, { people: [will.id, foreman.id] }))
  for (const who of [will, foreman]) expectSuccess(await sendSignature(firm.as(who), first))
  return { ...firm, ...write, will, foreman, ladders, cranes, first }
}

describe('a reissued pack', () => {
  test('reissuing a pack requests new signatures only from readers of the replaced document, and carries all other signatures forward', async () => {
    const firm = await signedPack()
    const { author, will, foreman, as, ladders, cranes, first } = firm
    const next = await firm.reissued(first, [ladders, await firm.revised(cranes)])
    expect(await loadSignOffStates(author, next)).toEqual({ Will: 'signed', 'Fred Foreman': 'asked' })
    expect(await loadSignOffCounts(author, next)).toEqual([2, 1, true])
    expect(expectSuccess(await author.get(next['@id'])).carried).toBe(1)
    expect(collectionMembers(await author.get(`${documentApiUrl(next)}/carried`))).toEqual([
      expect.objectContaining({ name: 'Will', user: will.id, revision: 1, carriedTo: 2, why: 'untouched' }),
    ])
    expect(
      collectionMembers(await as(will).get(`${SIGN_OFF_PEOPLE_URL}?document=${documentApiUrl(next)}`)),
    ).toMatchObject([{ state: 'signed', revision: 1 }])
    expect(await extractResponseText(await author.get(`${next['@id']}/pdf`))).toContain(
      'Signed revision 1, carried over to 2 (nothing that concerns them has changed)',
    )
    // No signature record is created when a signature is carried forward.
    expect(collectionMembers(await author.get(`/api/safety/signatures?document=${documentApiUrl(next)}`))).toEqual([])
    expectSuccess(await sendSignature(as(foreman), next))
    expect(await loadSignOffCounts(author, next)).toEqual([2, 0, false])
    expect((await verifyEvidence(portal.engine, firm.client.id)).broken).toEqual([])
  })

  test('reissuing a pack requests new signatures from the readers of added and removed documents', async () => {
    const firm = await signedPack()
    const without = await firm.reissued(firm.first, [firm.ladders])
    expect(await loadSignOffStates(firm.author, without)).toEqual({ Will: 'signed', 'Fred Foreman': 'asked' })
    const more = await firm.reissued(without, [firm.ladders, await firm.talk('Dust')])
    expect(await loadSignOffStates(firm.author, more)).toEqual({ Will: 'asked', 'Fred Foreman': 'asked' })
  })

  test('reissuing a pack requests no new signature from people who have already signed the same document revision', async () => {
    const firm = await signedPack()
    const { author, as, foreman, cranes, ladders, first } = firm
    const newer = await firm.revised(cranes)
    expectSuccess(await sendSignature(as(foreman), newer))
    const next = await firm.reissued(first, [ladders, newer])
    expect(await loadSignOffStates(author, next)).toEqual({ Will: 'signed', 'Fred Foreman': 'signed' })
    expect(
      collectionMembers(await author.get(`${documentApiUrl(next)}/carried`)).map((c: { why: string }) => c.why),
    ).toEqual(['untouched', 'papers'])
    // If the pack's signature has already been requested, signing the changed document fulfils the request immediately.
    const again = await firm.revised(newer)
    const third = await firm.reissued(next, [ladders, again])
    expect(await loadSignOffStates(author, third)).toMatchObject({ 'Fred Foreman': 'asked' })
    expectSuccess(await sendSignature(as(foreman), again))
    expect(await loadSignOffStates(author, third)).toEqual({ Will: 'signed', 'Fred Foreman': 'signed' })
    expect(await loadSignOffCounts(author, third)).toEqual([2, 0, false])
  })

  test('signatories of a pack can read the replaced revisions that they were meant to read, and no others', async () => {
    const firm = await signedPack()
    const { as, will, foreman } = firm
    const newer = await firm.revised(firm.cranes)
    expect(expectSuccess(await as(foreman).get(`${newer['@id']}/signed`))).toMatchObject({ id: firm.cranes.id })
    expectSuccess(await firm.author.put(newer['@id'], { audience: [] }))
    expect((await as(will).get(`${newer['@id']}/signed`)).status).toBe(404)
    const ladders = await firm.revised(firm.ladders)
    expect(expectSuccess(await as(will).get(`${ladders['@id']}/signed`))).toMatchObject({
      id: firm.ladders.id,
      revision: 1,
    })
  })

  test("a material change to the pack's own text requests new signatures from everybody, and an unchanged reissue requests none", async () => {
    const firm = await signedPack()
    const { author, ladders, cranes, first } = firm
    const same = await firm.reissued(first, [ladders, cranes])
    expect(await loadSignOffStates(author, same)).toEqual({ Will: 'signed', 'Fred Foreman': 'signed' })
    const minor = await firm.reissued(same, [ladders, cranes], { telephone: '1' }, { change: 'minor' })
    expect(await loadSignOffStates(author, minor)).toEqual({ Will: 'signed', 'Fred Foreman': 'signed' })
    expect(collectionMembers(await author.get(`${documentApiUrl(minor)}/carried`))).toMatchObject([
      { why: 'minor' },
      { why: 'minor' },
    ])
    const noted = await firm.reissued(minor, [], { papers: firm.papersOf([ladders, cranes], 'Read this first') })
    expect(await loadSignOffStates(author, noted)).toEqual({ Will: 'asked', 'Fred Foreman': 'asked' })
    for (const who of [firm.will, firm.foreman]) expectSuccess(await sendSignature(firm.as(who), noted))
    const words = await firm.reissued(noted, [], {
      papers: firm.papersOf([ladders, cranes], 'Read this first'),
      notes: 'Ring Ann',
    })
    expect(await loadSignOffStates(author, words)).toEqual({ Will: 'asked', 'Fred Foreman': 'asked' })
  })

  test('new readers of a document in a pack are asked to sign the pack, which remains in their "To sign" list even if the request is cancelled', async () => {
    const firm = await signedPack()
    const { author, as, will, ladders, cranes, first } = firm
    const newer = await firm.revised(cranes)
    const next = await firm.reissued(first, [ladders, newer])
    expect(await loadSignOffStates(author, next)).toMatchObject({ Will: 'signed' })
    expectSuccess(await author.put(newer['@id'], { audience: [] }))
    expect(await loadSignOffStates(author, next)).toMatchObject({ Will: 'asked' })
    const [request] = collectionMembers(await author.get('/api/safety/sign_offs'))
    expectSuccess(await author.post(`${request['@id']}/cancel`))
    const waits = async () =>
      collectionMembers(await as(will).get('/api/safety/documents/to_sign')).some(
        (d: { id: number }) => d.id === next.id,
      )
    expect(await waits()).toBe(true)
    expectSuccess(await sendSignature(as(will), newer))
    expect(await waits()).toBe(false)
  })
})

test.each([
  [
    'complete, then approve',
    async (f: Awaited<ReturnType<typeof signedPack>>, d: CreatedRevision) =>
      f.step(await f.step(d, 'complete'), 'approve'),
  ],
  [
    'approve with a change category',
    async (f, d) => f.step(await f.step(d, 'complete'), 'approve', { change: 'material' }),
  ],
  [
    'complete and approve in one save',
    async (f, d) => expectSuccess(await f.author.put(d['@id'], { complete: true, approved: true })),
  ],
] as const satisfies readonly (readonly [
  string,
  (f: Awaited<ReturnType<typeof signedPack>>, d: CreatedRevision) => Promise<CreatedRevision>,
])[])(
  'the nightly recalculation confirms the signatures requested when a pack was issued and sends no further e-mails: %s',
  async (_name, door) => {
    const firm = await signedPack()
    await portal.drain()
    const draft = await firm.drafted(firm.first, [firm.ladders, await firm.revised(firm.cranes)])
    const next = await door(firm, draft)
    const asked = { Will: 'signed', 'Fred Foreman': 'asked' }
    expect(await loadSignOffStates(firm.author, next)).toEqual(asked)
    await portal.runSchedule('sign-off.settle')
    expect(await loadSignOffStates(firm.author, next)).toEqual(asked)
    await portal.drain()
    const letters = await portal.db.tx('system', (tx) =>
      tx.rows<{ to: string }>(
        `SELECT recipient AS to FROM message WHERE client_id = $1 AND subject LIKE 'Please sign again%'`,
        [firm.client.id],
      ),
    )
    expect(letters.map(({ to }) => to.split('@')[0])).toEqual(['fred.foreman'])
  },
)

test('a document signed while its pack comes into force counts as signed for the pack', async () => {
  const firm = await signedPack()
  const newer = await firm.revised(firm.cranes)
  const draft = await firm.drafted(firm.first, [firm.ladders, newer])
  await firm.step(draft, 'complete')
  const [approved, signed, again] = await Promise.all([
    firm.author.post(`${draft['@id']}/approve`, {}),
    sendSignature(firm.as(firm.foreman), newer),
    firm.author.put(newer['@id'], { audience: [FOREMAN, 'ROLE_SAFETY_AUTHOR'] }),
  ])
  for (const { status } of [approved, signed, again]) expect([200, 201, 409]).toContain(status)
  if (approved.status === 409) await firm.step(draft, 'approve')
  expect(await loadSignOffStates(firm.author, draft)).toEqual({
    Will: 'signed',
    'Fred Foreman': signed.status === 201 ? 'signed' : 'asked',
  })
})

test('the database and the type declarations agree on which document types have their contained documents signed separately', async () => {
  const found = await portal.db.tx('system', (tx) =>
    tx.rows<{ kind: string }>('SELECT k AS kind FROM unnest($1::text[]) k WHERE signed_by_paper(k)', [
      kinds.map(({ kind }) => kind),
    ]),
  )
  expect(found.map(({ kind }) => kind)).toEqual(kinds.filter(({ byPaper }) => byPaper).map(({ kind }) => kind))
})

type SigningEvent =
  | { readonly do: 'sign'; readonly who: number }
  | { readonly do: 'sign paper'; readonly who: number; readonly paper: number }
  | { readonly do: 'narrow' | 'widen'; readonly paper: number }
  | {
      readonly do: 'issue'
      readonly papers: readonly number[]
      readonly newer: readonly number[]
      readonly words: boolean
      readonly minor: boolean
    }

const few = fc.nat({ max: 3 })
const step: fc.Arbitrary<SigningEvent> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('sign' as const), who: few }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('sign paper' as const), who: few, paper: few }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('narrow', 'widen'), paper: few }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('issue' as const),
      papers: fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom([0, 1, 2], [0, 1, 3], [0, 1, 2, 3]) },
        { weight: 1, arbitrary: fc.uniqueArray(few, { minLength: 1, maxLength: 4 }).map((all) => all.toSorted()) },
      ),
      newer: fc.oneof(fc.constant([]), fc.constantFrom([2], [3]), fc.uniqueArray(few, { maxLength: 2 })),
      words: fc.nat({ max: 5 }).map((n) => n === 0),
      minor: fc.boolean(),
    }),
  },
)

test('for any sequence of events, signatures are requested from exactly the readers of changed documents', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 14 }), async (steps) => {
      const client = await portal.client()
      const author = client.as(await client.user({ roles: ['ROLE_SAFETY_ADMIN'], name: 'Boss' }))
      const write = writing(author)
      const people: { user: TestUser; foreman: boolean; signed: number }[] = []
      for (let n = 0; n < 4; n++)
        people.push({
          user: await client.user({ roles: ['ROLE_EMPLOYEE', ...(n % 2 ? [FOREMAN] : [])] }),
          foreman: n % 2 === 1,
          signed: 0,
        })
      const papers: { now: CreatedRevision; narrow: boolean }[] = []
      for (let n = 0; n < 4; n++)
        papers.push({ now: await write.talk(`Paper ${n}`, n > 1 ? [FOREMAN] : []), narrow: n > 1 })
      /** Whether each document is for foremen only, by revision ID. */
      const narrow = new Map(papers.map(({ now, narrow: of }) => [now.id, of]))
      const hands = new Set<string>()
      /**
       * Issues of the pack. Each has the pack's documents with their revision IDs, and whether the pack's text changed
       * materially.
       */
      const issues = [
        { papers: new Map([0, 1, 2].map((n) => [n, (papers[n] as { now: CreatedRevision }).now.id])), material: true },
      ]
      let pack = await write.pack(papers.slice(0, 3).map(({ now }) => now))
      expectSuccess(await ask(author, pack, { people: people.map(({ user }) => user.id) }))
      let said = 0
      for (const s of steps) {
        if (s.do === 'sign') {
          const one = people[s.who] as (typeof people)[number]
          const answer: TestResponse = await sendSignature(client.as(one.user), pack)
          expect([201, 422]).toContain(answer.status)
          one.signed = issues.length
        } else if (s.do === 'sign paper') {
          const [one, paper] = [people[s.who], papers[s.paper]] as [(typeof people)[number], (typeof papers)[number]]
          const isReader = one.foreman || !narrow.get(paper.now.id)
          const answer: TestResponse = await sendSignature(
            client.as(one.user),
            paper.now,
            isReader ? {} : { opened: [] },
          )
          // A document that a person may not read is reported as an unknown reference.
          if (!isReader) expect(answer.status).toBe(400)
          if (answer.status === 201) hands.add(`${one.user.id} ${paper.now.id}`)
        } else if (s.do === 'issue') {
          for (const n of s.newer) {
            const paper = papers[n] as (typeof papers)[number]
            paper.now = await write.revised(paper.now)
            narrow.set(paper.now.id, paper.narrow)
          }
          const chosen = s.papers.map((n) => papers[n] as (typeof papers)[number])
          pack = await write.reissued(
            pack,
            chosen.map(({ now }) => now),
            s.words ? { notes: `Words ${++said}` } : {},
            { change: s.minor ? 'minor' : 'material' },
          )
          issues.push({
            papers: new Map(s.papers.map((n) => [n, (papers[n] as { now: CreatedRevision }).now.id])),
            material: s.words && !s.minor,
          })
        } else {
          const paper = papers[s.paper] as (typeof papers)[number]
          paper.narrow = s.do === 'narrow'
          expectSuccess(await author.put(paper.now['@id'], { audience: paper.narrow ? [FOREMAN] : [] }))
          narrow.set(paper.now.id, paper.narrow)
        }
        const held = issues.findLastIndex(({ material }) => material) + 1
        const last = (issues.at(-1) as (typeof issues)[number]).papers
        const isAsked = (p: (typeof people)[number]) => {
          if (p.signed < held) return true
          for (let r = p.signed; r < issues.length; r++) {
            const [before, after] = [issues[r - 1], issues[r]] as [(typeof issues)[number], (typeof issues)[number]]
            for (const n of papers.keys())
              if (before.papers.get(n) !== after.papers.get(n))
                for (const one of [before.papers.get(n), after.papers.get(n)])
                  if (one !== undefined && (p.foreman || !narrow.get(one)) && !hands.has(`${p.user.id} ${last.get(n)}`))
                    return true
          }
          return false
        }
        const found = await portal.db.tx('system', (tx) =>
          tx.rows<{ state: string }>('SELECT state FROM sign_off_person WHERE client_id = $1 ORDER BY user_id', [
            client.id,
          ]),
        )
        expect(found.map(({ state }) => state)).toEqual(people.map((p) => (isAsked(p) ? 'asked' : 'signed')))
      }
    }),
    { numRuns: scaleRunCount(8) },
  )
})
