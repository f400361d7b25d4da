import decodeQR from 'qr/decode.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { renderPages } from '#test/pdf/pages.ts'
import { extractResponseText } from '#test/pdf/words.ts'
import {
  attendanceProblem,
  expectOk,
  findAttendee,
  makeAttendances,
  type PresentedTalkBody,
  SAMPLE_STROKES,
} from '#test/support/attendances.ts'
import { type TestPortal, testPortal } from '#test/support/portal.ts'

let portal: TestPortal
let world: Awaited<ReturnType<typeof makeAttendances>>
let of: { '@id': string; id: number }

beforeAll(async () => {
  portal = await testPortal()
  world = await makeAttendances(portal)
  of = await world.talk()
})

const drawing = (end = 0.8) => ({
  width: 300,
  height: 100,
  strokes: [
    [
      [0.1, 0.1],
      [0.9, end],
    ],
  ],
})
const urlOf = (address: string) => `/api/safety/shared_talks/${address.split('/talk/')[1]}`
const linkOf = (record: { '@id': string }) => `${record['@id']}/link`
/** Creates a link to a record, and returns its URL in the API. */
const makeLink = async (record: { '@id': string }, as = world.worker) =>
  urlOf(expectOk(await as.post(linkOf(record), {})).link.address)
const opened = async (record: { '@id': string }) => {
  const at = await makeLink(record)
  expectOk(await portal.anonymous.post(`${at}/opened`, {}))
  return at
}
const send = (at: string, more: Record<string, unknown> = {}) =>
  portal.anonymous.post(`${at}/sign`, { strokes: drawing(), talk: of.id, read: true, ...more })
const visitor = (name: string, more: Record<string, unknown> = {}) => ({
  name,
  company: 'Ladders Ltd',
  trade: 'Roofer',
  ...more,
})
const listed = (record: PresentedTalkBody, name: string) => ({ attendee: findAttendee(record, name).id, name })

describe('the holder of a talk’s link', () => {
  test('the holder of a talk’s link can read the talk, and sees the names of the people who have yet to sign and nothing else about them', async () => {
    const record = await world.present(of, 'Olga Other', 'Vic', 'Absent Ann')
    expectOk(await world.sign(world.other, record, 'Olga Other'))
    const absent = { attendee: findAttendee(record, 'Absent Ann')['@id'], absence: 'Off sick' }
    expectOk(await world.worker.post(`${record['@id']}/absent`, absent))
    const at = await makeLink(record)
    const { body, text } = await portal.anonymous.get(at)
    expect(body).toMatchObject({ sentence: '', talk: { title: 'Ladders', presenter: 'Will Worker', id: of.id } })
    expect(body.talk.people).toEqual([{ id: findAttendee(record, 'Vic').id, name: 'Vic' }])
    expect(text).not.toMatch(/Olga|Absent|sick|hash|sealed|username/)
    const part = expectOk(await portal.anonymous.get(`${at}/parts/${of.id}`))
    expect(part.record.points).toEqual([expect.objectContaining({ text: 'Check the feet' })])
    expect((await portal.anonymous.get(record['@id'])).status).toBe(401)
  })

  test('the holder of a talk’s link signs as a listed visitor or as a new one, and the record states that they signed by link', async () => {
    const record = await world.present(of, 'Vic')
    const at = await opened(record)
    expect(expectOk(await send(at, listed(record, 'Vic')))).toMatchObject({ name: 'Vic', signedAt: expect.any(String) })
    expectOk(await send(at, visitor('Nora New')))
    const now = await world.now(record)
    expect(now.signed).toBe(2)
    expect(findAttendee(now, 'Vic')).toMatchObject({ byLink: true, method: 'finger', visitor: true, signer: null })
    expect(findAttendee(now, 'Nora New')).toMatchObject({
      byLink: true,
      visitor: true,
      user: null,
      signer: null,
      byName: null,
      company: 'Ladders Ltd',
      trade: 'Roofer',
    })
    expect(expectOk(await world.worker.get(linkOf(record))).link).toMatchObject({ signed: 2, maxSignatures: 100 })
    // The presenter, who doesn't know the visitor's company, can't list the same person again.
    const add = (more: object) => world.worker.post(`${record['@id']}/people`, { names: ['nora new'], ...more })
    expect(attendanceProblem(await add({}))).toEqual([422, expect.stringContaining('is already on the list')])
    expect(expectOk(await add({ listed: true })).attendees).toEqual([{ '@id': findAttendee(now, 'Nora New')['@id'] }])
  })

  test('the holder of a talk’s link never signs as an account, and doesn’t sign the talk document', async () => {
    const talk = await world.talk('Manual handling')
    const record = await world.present(talk, 'Olga Other')
    const at = await opened(record)
    expectOk(await send(at, { ...listed(record, 'Olga Other'), talk: talk.id }))
    const row = findAttendee(await world.now(record), 'Olga Other')
    expect(row).toMatchObject({ byLink: true, visitor: false, signer: null, byName: null, user: expect.any(Number) })
    const signatures = expectOk(
      await world.other.get(`/api/safety/signatures?document=/api/safety/documents/${talk.id}`),
    )
    expect(signatures['hydra:member']).toEqual([])
    expectOk(await world.join(world.other, record))
    const hers = (await world.now(record)).attendees.filter(({ name }) => name === 'Olga Other')
    expect(hers.map(({ byLink, signer }) => [byLink, signer !== null])).toEqual([
      [true, false],
      [false, true],
    ])
    expect(attendanceProblem(await world.join(world.other, record))).toEqual([422, 'Olga Other has already signed.'])
    const notices = expectOk(await world.other.get('/api/portal/notices/inbox'))['hydra:member']
    expect(notices.map((one: { words: string }) => one.words)).toContain(
      '“Manual handling” was signed by link in your name. If that was not you, speak to Will Worker',
    )
  })

  test('a signature by link can be neither claimed nor removed by the author of the record', async () => {
    const record = await world.present(of, 'Vic', 'Pat')
    const at = await opened(record)
    expectOk(await send(at, listed(record, 'Vic')))
    const { attendees } = await world.now(record)
    const [vic, pat] = [findAttendee({ attendees }, 'Vic'), findAttendee({ attendees }, 'Pat')]
    expect((await world.worker.post(`${record['@id']}/strike`, { attendee: vic['@id'] })).status).toBe(409)
    expect((await world.worker.put(record['@id'], { attendees: [pat] })).status).toBe(409)
    await world.worker.put(record['@id'], { attendees: [vic, { ...pat, byLink: true }] })
    const now = await world.now(record)
    expect(findAttendee(now, 'Vic')).toMatchObject({ byLink: true, signedAt: vic.signedAt })
    expect(findAttendee(now, 'Pat')).toMatchObject({ byLink: false, signedAt: null })
  })

  test('a person signs by link only once: a repeated request changes nothing, and another drawing is refused', async () => {
    const record = await world.present(of, 'Vic')
    const at = await opened(record)
    const first = expectOk(await send(at, listed(record, 'Vic')))
    expect(expectOk(await send(at, listed(record, 'Vic')))).toEqual(first)
    const guest = expectOk(await send(at, visitor('Nora New')))
    expect(expectOk(await send(at, visitor('Nora New')))).toEqual(guest)
    for (const more of [{ company: 'Other Ltd' }, { trade: '' }])
      expect((await send(at, visitor('Nora New', more))).status).toBe(409)
    expect(attendanceProblem(await send(at, { ...listed(record, 'Vic'), strokes: drawing(0.5) }))).toEqual([
      409,
      expect.stringMatching(/^The list has changed.*has signed/),
    ])
    expect(attendanceProblem(await send(at, visitor('Nora  NEW', { strokes: drawing(0.5) })))).toEqual([
      422,
      expect.stringContaining('already in use'),
    ])
    expect((await world.now(record)).signed).toBe(2)
  })

  test('the holder of a talk’s link can sign only for a person on this list who has neither signed nor been marked absent', async () => {
    const record = await world.present(of, 'Olga Other', 'Vic', 'Ann')
    const elsewhere = await world.present(of, 'Zoe')
    expectOk(await world.sign(world.other, record, 'Olga Other'))
    const absent = { attendee: findAttendee(record, 'Ann')['@id'], absence: 'Off sick' }
    expectOk(await world.worker.post(`${record['@id']}/absent`, absent))
    const at = await opened(record)
    for (const given of [
      listed(record, 'Olga Other'),
      listed(record, 'Ann'),
      listed(elsewhere, 'Zoe'),
      { attendee: findAttendee(record, 'Vic').id, name: 'Somebody else' },
      { attendee: 999_999, name: 'Vic' },
    ]) {
      const answer = await send(at, given)
      expect([given, answer.status]).toEqual([given, 409])
      expect(answer.text).not.toMatch(/Olga|Ann|Zoe/)
    }
    expect((await world.now(record)).signed).toBe(1)
    expect((await world.now(elsewhere)).signed).toBe(0)
  })

  test('a new visitor can’t use the name of an account or of anybody on the list', async () => {
    const record = await world.present(of, 'Vic')
    const at = await opened(record)
    for (const name of ['Fay Foreman', 'fay  foreman', 'Vic', 'Will Worker'])
      expect([name, attendanceProblem(await send(at, visitor(name)))]).toEqual([
        name,
        [422, expect.stringContaining('This name is already in use')],
      ])
    expectOk(await send(at, visitor('Fay Foreman (Ladders Ltd)')))
  })

  test('a signature by link is refused with a name of 5,000 letters, without a name, without a company or with an empty drawing', async () => {
    const record = await world.present(of)
    const at = await opened(record)
    for (const [given, said] of [
      [visitor('N'.repeat(91)), 'at most 90 characters'],
      [visitor('Nora', { company: 'L'.repeat(5000) }), 'at most 100 characters'],
      [visitor('  '), 'Please enter your full name'],
      [visitor('123'), 'Please enter your full name'],
      [visitor('Nora', { company: ' ' }), 'Please enter your company'],
      [visitor('Nora', { strokes: null }), 'Please sign in the box'],
      [visitor('Nora', { strokes: { strokes: 'x' } }), 'not valid'],
      [visitor('Nora', { strokes: { ...SAMPLE_STROKES, strokes: [] } }), 'Please sign in the box'],
    ] as const)
      expect([given.name.slice(0, 9), attendanceProblem(await send(at, given))]).toEqual([
        given.name.slice(0, 9),
        [422, expect.stringContaining(said)],
      ])
    expect((await world.now(record)).attendees).toEqual([])
  })

  test('a visitor’s name that contains HTML is printed as plain text', async () => {
    const record = await world.present(of)
    const at = await opened(record)
    const name = '<img src=x onerror=alert(1)> & <b>Nora</b>'
    expect(expectOk(await send(at, visitor(name))).name).toBe(name)
    expect(findAttendee(await world.now(record), name)).toMatchObject({ byLink: true })
    const printed = await extractResponseText(await world.worker.get(`${of['@id']}/pdf?presented=${record.id}`))
    for (const words of [name, 'Visitor, on the signer’s own device, by link', 'Roofer, Ladders Ltd'])
      expect(printed).toContain(words)
  })

  test('a signature by link is accepted only after the talk was opened and read, and only for the revision that was read', async () => {
    const record = await world.present(of, 'Vic')
    const at = await makeLink(record)
    expect(attendanceProblem(await send(at, listed(record, 'Vic')))).toEqual([
      409,
      'Please open the talk and read it before you sign.',
    ])
    expectOk(await portal.anonymous.post(`${at}/opened`, {}))
    expect(attendanceProblem(await send(at, { ...listed(record, 'Vic'), read: false }))).toEqual([
      409,
      'Please read the talk to the end before you sign.',
    ])
    const another = await world.talk('Vibration')
    expectOk(await world.worker.put(record['@id'], { talk: another['@id'] }))
    expect(attendanceProblem(await send(at, listed(record, 'Vic')))).toEqual([
      409,
      expect.stringContaining('Another talk has been chosen'),
    ])
  })

  test('if two people choose the same name at once, one signs and the other is refused', async () => {
    const record = await world.present(of, 'Vic')
    const at = await opened(record)
    const answers = await Promise.all(
      [0.3, 0.6].map((end) => send(at, { ...listed(record, 'Vic'), strokes: drawing(end) })),
    )
    expect(answers.map((one) => one.status).toSorted((a, b) => a - b)).toEqual([200, 409])
    const guests = await Promise.all([0.3, 0.6].map((end) => send(at, visitor('Nora', { strokes: drawing(end) }))))
    expect(guests.map((one) => one.status).toSorted((a, b) => a - b)).toEqual([200, 422])
    expect((await world.now(record)).signed).toBe(2)
  })

  test('the holder of a talk’s link is asked to use their own account if signed in to the company’s portal', async () => {
    const record = await world.present(of, 'Olga Other')
    const at = await opened(record)
    const given = { ...listed(record, 'Olga Other'), strokes: drawing(), talk: of.id, read: true }
    expect(attendanceProblem(await world.other.post(`${at}/sign`, given))).toEqual([
      409,
      'You are signed in to the portal. Please sign the talk under your own account.',
    ])
  })

  test('every guessed, altered or foreign link to a talk gets the same error', async () => {
    const record = await world.present(of, 'Vic')
    const at = await opened(record)
    const [clientId, id, ...rest] = at.split('/').at(-1)?.split('-') ?? []
    const secret = rest.join('-')
    const foreign = await makeAttendances(portal)
    const theirs = await foreign.present(await foreign.talk(), 'Vic')
    const stranger = expectOk(await foreign.worker.post(linkOf(theirs), {})).link.address
    const [theirClient, theirId] = stranger.split('/talk/')[1].split('-')
    for (const guess of [
      `${clientId}-${id}-${'A'.repeat(32)}`,
      `${clientId}-${Number(id) + 999}-${secret}`,
      `${theirClient}-${theirId}-${secret}`,
      `0-${id}-${secret}`,
      'x',
    ]) {
      for (const then of ['', `/parts/${of.id}`, '/parts', '/logo', '/files/1'])
        expect([guess, (await portal.anonymous.get(`/api/safety/shared_talks/${guess}${then}`)).status]).toEqual([
          guess,
          404,
        ])
      expect((await send(`/api/safety/shared_talks/${guess}`, listed(record, 'Vic'))).status).toBe(404)
    }
    const foreignRow = { attendee: findAttendee(theirs, 'Vic').id, name: 'Vic' }
    expect((await send(at, foreignRow)).status).toBe(409)
    expect((await portal.anonymous.get(`${at}/parts/${theirs.id}`)).status).toBe(404)
  })
})

describe('a talk’s link', () => {
  test('only the record’s author and document authors can manage a talk’s link', async () => {
    const record = await world.present(of, 'Vic')
    for (const who of [world.other, world.foreman]) {
      expect((await who.get(linkOf(record))).status).toBe(403)
      expect((await who.post(linkOf(record), {})).status).toBe(403)
      expect((await who.delete(linkOf(record))).status).toBe(403)
    }
    expect(expectOk(await world.worker.get(linkOf(record))).link).toBeNull()
    const at = await makeLink(record)
    expect(await makeLink(record, world.admin)).toBe(at)
    const foreign = await makeAttendances(portal)
    for (const who of [foreign.admin, foreign.worker]) expect((await who.get(linkOf(record))).status).toBe(404)
  })

  test('a poster of a talk’s link can be printed while the link is active', async () => {
    const record = await world.present(of, 'Vic')
    const poster = `${record['@id']}/poster`
    expect(attendanceProblem(await world.worker.get(poster))).toEqual([409, expect.stringContaining('create one')])
    const { address } = expectOk(await world.worker.post(linkOf(record), {})).link
    const answer = await world.worker.get(poster)
    const [page] = await renderPages(answer.raw ?? Buffer.alloc(0), 150)
    expect(page && decodeQR(page.image)).toBe(address)
    const printed = await extractResponseText(answer)
    for (const words of ['Ladders', 'Presented by Will Worker', 'Scan to read and sign', 'works until the end of'])
      expect(printed).toContain(words)
    expect(printed.replaceAll(/\s/g, '')).toContain(address)
    expect((await world.other.get(poster)).status).toBe(403)
    expect(expectOk(await world.worker.delete(linkOf(record))).link).toBeNull()
    expect((await world.worker.get(poster)).status).toBe(409)
  })

  test('a talk’s link stops working with a clear message once it is withdrawn, expired or used up, or the talk can’t be signed', async () => {
    const change = (sql: string, at: string) =>
      portal.engine.db.tx('system', (tx) => tx.rows(sql, [Number(at.split('/').at(-1)?.split('-')[1])]))
    const ends = [
      ['withdrawn this link', (r) => world.worker.delete(linkOf(r))],
      ['has expired', (_, at) => change("UPDATE talk_link SET until = '2020-01-01' WHERE id = $1", at)],
      ['used for 100 signatures', (_, at) => change('UPDATE talk_link SET signed = 100 WHERE id = $1', at)],
      ['closed', (r) => world.worker.put(r['@id'], { complete: true, lateSignatures: true })],
      ['deleted', (r) => world.worker.put(r['@id'], { retired: true })],
    ] satisfies readonly (readonly [string, (r: PresentedTalkBody, at: string) => Promise<unknown>])[]
    for (const [said, end] of ends) {
      const record = await world.present(of, 'Vic')
      const at = await opened(record)
      await end(record, at)
      const { body } = await portal.anonymous.get(at)
      expect([said, body.talk, body.sentence]).toEqual([said, undefined, expect.stringContaining(said)])
      // The link is withdrawn between opening and signing: the refusal has the same message, and nothing is saved.
      expect(attendanceProblem(await send(at, listed(record, 'Vic')))).toEqual([410, body.sentence])
      expect((await portal.anonymous.get(`${at}/parts/${of.id}`)).status).toBe(410)
      expect((await world.now(record)).signed).toBe(0)
    }
  })

  test('a talk’s link stops working once the talk is replaced or withdrawn', async () => {
    const talk = await world.talk('Scaffolds')
    const record = await world.present(talk, 'Vic')
    const at = await opened(record)
    expectOk(await world.admin.post(`${talk['@id']}/withdraw`, { note: 'Wrong' }))
    expect((await portal.anonymous.get(at)).body.sentence).toMatch(/^This talk has been replaced or withdrawn/)
    expect((await send(at, { ...listed(record, 'Vic'), talk: talk.id })).status).toBe(410)
  })

  test('withdrawing a talk’s link loses no earlier signatures, and repeated requests still confirm them', async () => {
    const record = await world.present(of, 'Vic')
    const at = await opened(record)
    const receipt = expectOk(await send(at, listed(record, 'Vic')))
    expectOk(await world.worker.delete(linkOf(record)))
    expect(expectOk(await send(at, listed(record, 'Vic')))).toEqual(receipt)
    const next = await makeLink(record)
    expect(next).not.toBe(at)
    expect((await portal.anonymous.get(at)).body.sentence).toContain('withdrawn')
    expect((await portal.anonymous.get(next)).body.talk.people).toEqual([])
  })

  test('no link is created for a closed or deleted record, or for a talk that is no longer in force', async () => {
    const talk = await world.talk('Ropes')
    const [closed, retired, old] = [
      await world.present(of, 'Vic'),
      await world.present(of, 'Vic'),
      await world.present(talk, 'Vic'),
    ]
    expectOk(await world.worker.put(closed['@id'], { complete: true, lateSignatures: true }))
    expectOk(await world.worker.put(retired['@id'], { retired: true }))
    expectOk(await world.admin.post(`${talk['@id']}/withdraw`, { note: 'Wrong' }))
    for (const record of [closed, retired, old]) expect((await world.worker.post(linkOf(record), {})).status).toBe(409)
  })

  test('a signature by link is sealed as such when the record is closed', async () => {
    const record = await world.present(of, 'Vic')
    const at = await opened(record)
    expectOk(await send(at, listed(record, 'Vic')))
    expectOk(await world.close(record))
    const change = (tx: { rows: (sql: string, values: unknown[]) => Promise<unknown> }) =>
      tx.rows('UPDATE talk_attendee SET by_link = false WHERE presented_id = $1', [record.id])
    await expect(portal.engine.db.tx('system', change)).rejects.toThrow('a signature for a talk stands')
  })

  test('attempts to sign by link, and guesses of known names, are limited for each network', async () => {
    const record = await world.present(of)
    const at = await opened(record)
    const statuses = new Set<number>()
    for (let i = 0; i < 32; i++) statuses.add((await send(at, visitor('Fay Foreman'))).status)
    expect(statuses).toEqual(new Set([422, 429]))
    expect((await send(at, visitor('Nora New'))).status).toBe(429)
  })
})
