import { expect, test, vi } from 'vitest'
import { type Actor, createSystemActor } from '#kernel/roles.ts'
import { signature } from '#modules/documents/types/document.ts'
import { appendToChain, readChainLinksAfter } from '#server/evidence/chain.ts'
import { CHAIN_START, findChainLinkError } from '#server/evidence/link.ts'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { extractText } from '#test/pdf/words.ts'
import { makeAssessments } from '#test/support/assessments.ts'
import { type TestApi, type TestResponse, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const { client, author, worker, draft, current } = await makeAssessments(portal)
const foreman = client.as(await client.user({ roles: ['ROLE_EMPLOYEE', 'ROLE_SIGN_ON_BEHALF'], name: 'Fay Foreman' }))
const will = (await worker.get('/api/security/user_check')).body as { id: number; username: string }

const SIGNATURES = '/api/safety/signatures'
const strokes = {
  width: 300,
  height: 100,
  strokes: [
    [
      [0.1, 0.2],
      [0.4, 0.8],
    ],
  ],
}
const documentOf = ({ id }: { id: number }) => `/api/safety/documents/${id}`
const sign = (who: TestApi, on: { id: number }, more: Record<string, unknown> = {}) =>
  who.post(SIGNATURES, { document: documentOf(on), method: 'typed', ...more })
const refusal = ({ status, body }: TestResponse) => [status, body.violations?.[0]?.message ?? body.detail]
const sql = <T>(text: string, values: readonly unknown[]) => portal.db.tx('system', (tx) => tx.rows<T>(text, values))

test('only a document in force can be signed', async () => {
  const made = await draft()
  expect(refusal(await sign(author, made))).toEqual([
    409,
    'This revision is not in force yet. You can sign it once it is in force.',
  ])
  await author.post(`${made['@id']}/complete`)
  expect((await sign(author, made)).status).toBe(409)
  await author.post(`${made['@id']}/approve`, {})
  expect((await sign(author, made)).status).toBe(201)
  const next = await author.post(`${made['@id']}/revise`, { reason: 'New ladder' })
  await author.post(`${next.body['@id']}/complete`)
  await author.post(`${next.body['@id']}/approve`, {})
  expect(refusal(await sign(author, made))[1]).toBe('This revision is no longer in force. Please sign the current one.')
  // Users who can read only documents in force must not learn that there was another revision.
  expect((await sign(worker, made)).status).toBe(400)
})

test('a signature gets the account and name of the signed-in user, even if no name is sent', async () => {
  const on = await current()
  expect((await sign(worker, on, { method: 'finger' })).status).toBe(422)
  const signed = await sign(worker, on, { method: 'finger', strokes })
  expect(signed.status).toBe(201)
  expect(signed.body).toMatchObject({
    name: 'Will Worker',
    user: will.id,
    signer: will.id,
    mine: true,
    visitor: false,
    byName: null,
    seal: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  const own = await sign(author, on, { name: ' ada  ADMIN ' })
  expect(own.body).toMatchObject({ name: 'Ada Admin', mine: true })
  expect((await author.get(on['@id'])).body.signatures).toBe(2)
})

test('an account can sign a revision only once, under any name, and the database enforces it', async () => {
  const on = await current()
  expect((await sign(worker, on)).status).toBe(201)
  const again = await sign(worker, on, { name: 'Will Worker', method: 'finger', strokes })
  expect([...refusal(again), again.body.violations[0].code]).toEqual([
    422,
    'You have already signed this revision.',
    'duplicate',
  ])
  const insert = sql(
    "INSERT INTO signature (client_id, document_id, place, user_id, signer_id, mine, name, method) VALUES ($1, $2, 2, $3, $3, true, 'Cal', 'typed')",
    [client.id, on.id, will.id],
  )
  await expect(insert).rejects.toThrow(/signature_own/)
})

test('concurrent signatures are all stored and counted, one per person, even while the revision is being replaced', async () => {
  const on = await current()
  const people = await Promise.all(Array.from({ length: 6 }, () => client.user({ roles: ['ROLE_EMPLOYEE'] })))
  const signed = await Promise.all([...people, ...people].map((person) => sign(client.as(person), on)))
  const statuses = signed.map(({ status }) => status)
  expect([statuses.filter((s) => s === 201).length, statuses.filter((s) => s === 422).length]).toEqual([6, 6])
  const counts = async () => {
    const rows = await author.get(`${SIGNATURES}?document=${documentOf(on)}&pagination=false`)
    return [rows.body['hydra:totalItems'], (await author.get(on['@id'])).body.signatures]
  }
  expect(await counts()).toEqual([6, 6])

  const next = (await author.post(`${on['@id']}/revise`, {})).body
  await author.post(`${next['@id']}/complete`)
  const late = await Promise.all(Array.from({ length: 4 }, () => client.user({ roles: ['ROLE_EMPLOYEE'] })))
  const [approved, ...during] = await Promise.all([
    author.post(`${next['@id']}/approve`, {}),
    ...late.map((person) => sign(client.as(person), on)),
  ])
  expect(approved?.status).toBe(200)
  for (const { status } of during) expect([201, 400, 409]).toContain(status)
  const kept = 6 + during.filter(({ status }) => status === 201).length
  expect(await counts()).toEqual([kept, kept])
  expect((await verifyEvidence(portal.engine, client.id)).broken).toEqual([])
})

test('two people with the same name can both sign', async () => {
  const on = await current()
  const namesakes = await Promise.all(
    ['one', 'two'].map(async (username) =>
      client.as(await client.user({ roles: ['ROLE_EMPLOYEE'], name: 'John Smith', username: `john.${username}` })),
    ),
  )
  for (const john of namesakes) expect((await sign(john, on, { name: 'John Smith' })).status).toBe(201)
  for (const from of ['Acme Ltd', 'Brown & Sons'])
    expect((await sign(worker, on, { name: `John Smith, ${from}`, visitor: true })).status).toBe(201)
  const which = await sign(author, on, { name: 'John Smith', method: 'on behalf' })
  expect(refusal(which)[1]).toMatch(/^There are several people called John Smith/)
  const chosen = await sign(author, on, { name: 'john.two', method: 'on behalf' })
  expect(chosen.body).toMatchObject({ name: 'John Smith', byName: 'Ada Admin' })
})

test("an employee can't sign under another name, and gets a message", async () => {
  const on = await current()
  const refused = [
    403,
    'You can only sign for yourself. To sign on behalf of others, ask your administrator for permission.',
  ]
  expect(refusal(await sign(worker, on, { name: 'Ada Admin' }))).toEqual(refused)
  expect(refusal(await sign(worker, on, { name: 'Ada Admin', mine: true }))).toEqual(refused)
  expect(refusal(await sign(worker, on, { name: 'Ada Admin', method: 'on behalf' }))).toEqual(refused)
  expect(refusal(await sign(worker, on, { name: 'Pat', method: 'on behalf', visitor: true }))).toEqual(refused)
  expect(refusal(await sign(author, on, { name: 'Will Worker' }))).toEqual([
    422,
    'You are Ada Admin. Please choose whether you are signing on behalf of Will Worker or Will Worker is signing as a visitor',
  ])
})

test('a permitted user can sign on behalf of a person, both names are stored, and that person is still asked to sign', async () => {
  const on = await current()
  const signed = await sign(foreman, on, { name: 'will worker', method: 'on behalf', byName: 'Somebody Else', strokes })
  expect(signed.status).toBe(201)
  expect(signed.body).toMatchObject({ name: 'Will Worker', user: will.id, byName: 'Fay Foreman', mine: false })
  const listed = (await worker.get(`${SIGNATURES}?document=${documentOf(on)}`)).body['hydra:member']
  expect(listed).toMatchObject([{ name: 'Will Worker', method: 'on behalf', byName: 'Fay Foreman' }])
  expect((await author.get(`${SIGNATURES}/export.csv?document=${documentOf(on)}`)).text).toMatch(
    /Will Worker,on behalf,.*Fay Foreman/,
  )
  expect((await worker.get('/api/safety/documents/to_sign')).text).toContain(on['@id'].split('/').at(-1))
  expect((await sign(foreman, on, { name: will.username, method: 'on behalf' })).status).toBe(422)
  expect(refusal(await sign(foreman, on, { name: 'Fay Foreman', method: 'on behalf' }))[1]).toBe(
    'That is you. Please sign for yourself',
  )
  expect((await sign(worker, on)).body).toMatchObject({ mine: true })
  const outsider = await sign(foreman, on, { name: 'Sid', method: 'on behalf' })
  expect(outsider.body).toMatchObject({ name: 'Sid', user: null, visitor: true, byName: 'Fay Foreman' })
})

test("a name without an account is stored as a visitor's, and a visitor can't use an account holder's name", async () => {
  const on = await current()
  expect((await sign(worker, on, { name: 'Vic', visitor: true, method: 'finger', strokes })).body).toMatchObject({
    name: 'Vic',
    visitor: true,
    user: null,
    mine: false,
    byName: 'Will Worker',
  })
  for (const name of ['Ada Admin', 'ada  admin', 'ＡＤＡ Admin', 'A\u200Bda\u00AD \u202EAdmin', will.username])
    expect(refusal(await sign(worker, on, { name, visitor: true }))).toEqual([
      422,
      `${name} has an account here and must sign under it. If this is a visitor with the same name, please add their company`,
    ])
  for (const name of ['', '\u3164\u2060'])
    expect((await sign(worker, on, { name, visitor: true })).body.violations[0].propertyPath).toBe('name')
})

test("a visitor's name can sign a revision only once, and a second person with that name must add their company", async () => {
  const on = await current()
  const vic = (name: string, more = {}) => sign(worker, on, { name, visitor: true, ...more })
  expect((await vic('Vic Ward')).status).toBe(201)
  const again = 'has already signed. If this is another person with the same name, please add their company'
  for (const name of ['Vic Ward', 'vic  ward', 'Vic\u200B Ward'])
    expect(refusal(await vic(name))).toEqual([422, `${name} ${again}`])
  expect(refusal(await sign(foreman, on, { name: 'Vic Ward', method: 'on behalf' }))[0]).toBe(422)
  expect((await vic('Vic Ward, Acme Roofing')).status).toBe(201)
  const atOnce = await Promise.all([vic('Pat Lane'), vic('Pat Lane'), vic('pat lane')])
  expect(atOnce.map((a) => a.status).toSorted()).toEqual([201, 422, 422])
  expect((await author.get(on['@id'])).body.signatures).toBe(3)
  await author.post(`${on['@id']}/revise`, { reason: 'New ladder' })
  const other = await current()
  expect((await sign(worker, other, { name: 'Vic Ward', visitor: true })).status).toBe(201)
})

test('nobody can sign while impersonating, regardless of roles', async () => {
  const on = await current()
  const staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
  for (const username of [will.username, (await author.get('/api/security/user_check')).body.username]) {
    const visit = await staff.get(`/api/security/user/switch?username=${username}&client=${client.id}`)
    const visitor = portal.bearing(visit.body.token)
    expect((await sign(visitor, on)).status).toBe(403)
    expect((await visitor.post('/api/security/user/write', { reason: 'They asked for help' })).status).toBe(200)
    for (const more of [{}, { name: 'Vic', visitor: true }, { name: 'Pat', method: 'on behalf' }, { mine: true }]) {
      const answer = await sign(visitor, on, more)
      expect([answer.body.code, ...refusal(answer)]).toEqual([
        'in_person',
        403,
        'You can’t do this while you are working as another person. Switch back to your own account first.',
      ])
    }
  }
  expect((await author.get(on['@id'])).body.signatures).toBe(0)
})

test('a drawing is returned only with a single signature, only to its signatory and authors, and is stored nowhere else', async () => {
  const on = await current()
  const { body: signed } = await sign(worker, on, { method: 'finger', strokes })
  expect(signed.strokes).toEqual(strokes)
  const other = client.as(await client.user({ roles: ['ROLE_EMPLOYEE'] }))
  const at = signed['@id'] as string
  expect((await worker.get(at)).body.strokes).toEqual(strokes)
  expect((await author.get(at)).body.strokes).toEqual(strokes)
  expect((await other.get(at)).body).toMatchObject({ name: 'Will Worker', method: 'finger' })
  expect((await other.get(at)).body).not.toHaveProperty('strokes')
  const visit = await portal.provider
    .as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
    .get(`/api/security/user/switch?username=${will.username}&client=${client.id}`)
  expect((await portal.bearing(visit.body.token).get(at)).body).not.toHaveProperty('strokes')
  const list = `${SIGNATURES}?document=${documentOf(on)}`
  for (const who of [author, worker, other]) {
    expect((await who.get(list)).text).not.toContain('strokes')
    expect((await who.get(list.replace('?', '/export.csv?columns=name,strokes&'))).text).not.toMatch(/[[,]0\.8\b/)
    expect((await who.get(`/api/portal/search?q=Worker`)).text).not.toContain('strokes')
  }
  const told = await sql<{ verb: string; changes: object }>(
    "SELECT verb, changes FROM audit WHERE client_id = $1 AND type = 'Signature' AND row_id = $2 ORDER BY id",
    [client.id, signed.id],
  )
  expect(told.map((t) => t.verb)).toEqual(['create', 'look', 'look'])
  expect(JSON.stringify(told)).not.toMatch(/[[,]0\.8\b/)
})

test('the PDF states who signed for whom and who is a visitor, with the drawings that its reader may see', async () => {
  const on = await current()
  await sign(worker, on, { method: 'finger', strokes })
  await sign(foreman, on, { name: 'Ada Admin', method: 'on behalf' })
  await sign(worker, on, { name: 'Vic', visitor: true })
  const paper = async (who: TestApi) => {
    const { raw = Buffer.alloc(0) } = await who.get(`${on['@id']}/pdf`)
    return { drawn: raw.toString('latin1').includes('/Alt (Signature of Will Worker)'), text: await extractText(raw) }
  }
  const full = await paper(author)
  expect(full.drawn).toBe(true)
  expect(full.text).toMatch(/Ada Admin .*Signed on behalf by Fay Foreman/)
  expect(full.text).toMatch(/Vic .*Visitor, on the device of Will Worker/)
  expect((await paper(worker)).drawn).toBe(true)
  const other = await paper(client.as(await client.user({ roles: ['ROLE_EMPLOYEE'] })))
  expect([other.drawn, other.text]).toEqual([
    false,
    expect.stringContaining('Signed by hand. The drawing is stored, but not shown.'),
  ])
})

test('a drawing without a size is rejected, but one stored earlier is still printed', async () => {
  // Uses a separate company, because data written outside the portal is missing from the audit chain.
  const firm = await makeAssessments(portal)
  const on = await firm.current()
  const { width: _, ...flat } = strokes
  for (const odd of [flat, { ...strokes, height: 0 }, { ...strokes, width: 0, height: 0 }])
    expect(refusal(await sign(firm.worker, on, { method: 'finger', strokes: odd }))).toEqual([
      422,
      'The drawn signature is not valid. Please sign again',
    ])
  await sql(
    "INSERT INTO signature (client_id, document_id, place, user_id, signer_id, mine, name, method, strokes) VALUES ($1, $2, 1, $3, $3, true, 'Will Worker', 'finger', $4)",
    [
      firm.client.id,
      on.id,
      (await firm.worker.get('/api/security/user_check')).body.id,
      JSON.stringify({ ...strokes, width: 0, height: 0 }),
    ],
  )
  expect((await firm.worker.get(`${on['@id']}/pdf`)).status).toBe(200)
})

test('creating a drawn signature returns exactly the same JSON as reading it', async () => {
  const on = await current()
  const odd = {
    width: 300,
    strokes: strokes.strokes,
    about: { zz: 1e21, b: -0, ä: [null, { y: 1, x: 'ü' }] },
    height: 100,
  }
  const signed = await sign(worker, on, { method: 'finger', strokes: odd })
  const read = await worker.get(signed.body['@id'])
  expect(signed.body.strokes.strokes).toEqual(strokes.strokes)
  expect(JSON.stringify(signed.body)).toBe(JSON.stringify(read.body))
})

test('if the database changes a signature when storing it, the stored version is sealed', async () => {
  const on = await current()
  const owner = (text: string) => portal.db.tx('owner', (tx) => tx.script(text))
  await owner(
    `CREATE FUNCTION other_words() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.statement := 'Other words'; RETURN NEW; END $$;
     CREATE TRIGGER other_words BEFORE INSERT ON signature FOR EACH ROW EXECUTE FUNCTION other_words()`,
  )
  try {
    expect((await sign(worker, on, { method: 'finger', strokes })).status).toBe(201)
  } finally {
    await owner('DROP TRIGGER other_words ON signature; DROP FUNCTION other_words()')
  }
  const stored = await sql<{ statement: string }>(
    'SELECT statement FROM signature WHERE client_id = $1 AND document_id = $2',
    [client.id, on.id],
  )
  expect(stored).toEqual([{ statement: 'Other words' }])
  expect((await verifyEvidence(portal.engine, client.id)).broken).toEqual([])
})

test('the database and verification compute the same fingerprint of a chain entry, even with special characters in names', async () => {
  const names = ['O’Brien "Bo" \\ \t', 'Ünal 李 🙂', '\u2028', "'); --"]
  await portal.engine.inTenant(
    client.id,
    { actor: createSystemActor(client.id, 'test'), requestId: 'test' },
    async (c) => {
      for (const by of names) {
        const about = { event: 'tried', subjectType: 'Empty', subjectId: 1, at: c.now, by }
        appendToChain(c.work, client.id, { ...about, subject: { by, list: [null, 1.5, { b: undefined, a: '"' }] } })
      }
      return () => undefined
    },
  )
  const links = await readChainLinksAfter(portal.db.read, client.id, 0, 1000)
  expect(links.filter(({ event }) => event === 'tried').map(({ by }) => by)).toEqual(names)
  let end = CHAIN_START
  for (const link of links) {
    expect(findChainLinkError(link, end)).toBeUndefined()
    end = link
  }
})

test('saving a signature takes three database round trips', async () => {
  const on = await current()
  const actor: Actor = {
    userId: will.id,
    clientId: client.id,
    username: will.username,
    name: 'Will Worker',
    roles: ['ROLE_EMPLOYEE'],
    scopes: [],
    packs: { safety: 'active' },
  }
  const trips: string[][] = []
  let owed = 0
  const note = async <T>(text: string, answer: Promise<T>): Promise<T> => {
    if (owed++ === 0) trips.push([])
    trips
      .at(-1)
      ?.push(
        /chain_add|INSERT INTO signature|max\(place\)|FROM sign_off_person|to_jsonb|FROM document\w*/.exec(text)?.[0] ??
          text,
      )
    return answer.finally(() => owed--)
  }
  await portal.engine.inTenant(client.id, { actor, requestId: 'test' }, async (c) => {
    const { tx } = c.work
    const sent = { ...tx }
    vi.spyOn(tx, 'arrays').mockImplementation((query, values) => note(query.text, sent.arrays(query, values)))
    vi.spyOn(tx, 'commitWith').mockImplementation((query, values) => note(query.text, sent.commitWith(query, values)))
    await c.create(signature, { document: on.id, method: 'typed' })
    return () => undefined
  })
  expect(trips).toEqual([
    // The document is locked, then read.
    ['FROM document', 'FROM document', 'max(place)', 'FROM document_reference', 'FROM sign_off_person'],
    ['INSERT INTO signature', 'to_jsonb'],
    ['chain_add'],
  ])
})
