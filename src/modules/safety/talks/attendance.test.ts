import { describe, expect, test } from 'vitest'
import { extractResponseText } from '#test/pdf/words.ts'
import {
  type AttendeeBody,
  attendanceProblem,
  expectOk,
  findAttendee,
  makeAttendances,
  SAMPLE_STROKES,
} from '#test/support/attendances.ts'
import { daysAgo } from '#test/support/days.ts'
import { type TestApi, testPortal } from '#test/support/portal.ts'

const PRESENTED = '/api/safety/toolbox_talk_presenteds'
const TO_SIGN = '/api/safety/documents/to_sign'
const signedAt = '2026-11-20T08:00:00Z'

const portal = await testPortal()
const {
  client,
  admin,
  worker,
  other,
  foreman,
  talk,
  present,
  now,
  sign: signRow,
  join,
  close,
} = await makeAttendances(portal)

/** Signs a row by sending back the complete list, as API clients that manage the record can do. */
const sign = async (who: TestApi, record: { '@id': string }, name: string, more: Record<string, unknown> = {}) => {
  const { attendees } = expectOk(await who.get(record['@id']))
  const signed = { method: 'typed', signedAt, ...more }
  return who.put(record['@id'], {
    attendees: attendees.map((row: AttendeeBody) => (row.name === name ? { ...row, ...signed } : row)),
  })
}

const drawn = { method: 'finger', strokes: SAMPLE_STROKES }

test("attendees with an account sign by hand on the presenter's device, and the record names the owner of the device", async () => {
  const record = await present(await talk(), 'Olga Other', 'Fay Foreman', 'Ada Admin')
  expectOk(await signRow(worker, record, 'Olga Other', drawn))
  expectOk(await sign(worker, record, 'Fay Foreman', drawn))
  const signed = await now(record)
  expect(signed.signed).toBe(2)
  for (const name of ['Olga Other', 'Fay Foreman'])
    expect(findAttendee(signed, name)).toMatchObject({ method: 'finger', visitor: false, byName: 'Will Worker' })
  // Only a drawing counts, because the presenter could type any name.
  for (const typed of [await signRow(worker, record, 'Ada Admin'), await sign(worker, record, 'Ada Admin')])
    expect(attendanceProblem(typed)).toEqual([
      422,
      'Ada Admin has an account. On your device, they sign by hand. Please ask them to draw their signature',
    ])
  // Each person has one signature, on any device.
  for (const again of [await signRow(other, record, 'Olga Other'), await join(other, record)])
    expect([409, 422]).toContain(again.status)
  expectOk(await signRow(admin, record, 'Ada Admin'))
  expect((await join(worker, record, { name: 'Ada Admin', ...drawn })).status).toBe(403)
})

test("only the person who manages an open record can collect colleagues' signatures on their device", async () => {
  const of = await talk()
  const record = await present(of, 'Olga Other', 'Will Worker')
  expect(attendanceProblem(await signRow(foreman, record, 'Olga Other', drawn))).toEqual([
    403,
    'Olga Other has an account. They can sign under it, or by hand on the device of the person who manages the record of Will Worker’s talk.',
  ])
  expectOk(await signRow(worker, record, 'Will Worker', drawn))
  expectOk(
    await worker.post(`${record['@id']}/absent`, {
      attendee: findAttendee(record, 'Olga Other')['@id'],
      absence: 'Late',
    }),
  )
  expectOk(await close(record))
  expect(attendanceProblem(await signRow(worker, record, 'Olga Other', drawn))).toEqual([
    409,
    'This record is closed. Olga Other can only sign late under their own account.',
  ])
  expectOk(await signRow(other, record, 'Olga Other'))
})

test("a visitor's company and trade are recorded beside the name and printed in the register", async () => {
  const record = await present(await talk(), 'Vic', 'Olga Other')
  const employer = { company: 'Apex Access Ltd', trade: 'Scaffolder' }
  expectOk(await signRow(worker, record, 'Vic', { ...drawn, ...employer }))
  // A colleague's company is the owner of the record.
  expectOk(await signRow(worker, record, 'Olga Other', { ...drawn, ...employer }))
  expectOk(await worker.post(`${record['@id']}/people`, { names: ['Pat'], company: 'Agency Ltd', trade: 'Labourer' }))
  const after = await now(record)
  expect(findAttendee(after, 'Vic')).toMatchObject(employer)
  expect(findAttendee(after, 'Olga Other')).toMatchObject({ company: '', trade: '' })
  expect(findAttendee(after, 'Pat')).toMatchObject({ company: 'Agency Ltd', trade: 'Labourer' })
  const paper = await extractResponseText(await worker.get(`${after.talk}/pdf?presented=${record.id}`))
  expect(paper).toMatch(/Vic Scaffolder, Apex Access Ltd/)
  expect(paper).toMatch(/Pat Labourer, Agency Ltd/)
  expect(paper).toMatch(/Olga Other .*On the device of Will Worker/)
})

test('attendees with an account are recognised by name, and nobody else can sign as them', async () => {
  const record = await present(await talk(), 'olga  other', 'Vic')
  expect(record.attendees).toMatchObject([
    { visitor: false, user: expect.any(Number) },
    { visitor: true, user: null },
  ])
  expect(attendanceProblem(await sign(worker, record, 'olga  other'))).toEqual([
    422,
    'olga  other has an account. On your device, they sign by hand. Please ask them to draw their signature',
  ])
  expect(attendanceProblem(await sign(worker, record, 'olga  other', { method: 'on behalf', byName: 'Vic' }))).toEqual([
    403,
    'You can only sign for yourself. To sign on behalf of others, ask your administrator for permission.',
  ])
  expectOk(await signRow(other, record, 'olga  other'))
  expect(findAttendee(await now(record), 'Olga Other')).toMatchObject({ byName: null, visitor: false })
})

test("a visitor can sign on an attendee's device and is marked as a visitor", async () => {
  const record = await present(await talk(), 'Vic')
  const signed = expectOk(await sign(worker, record, 'Vic', { method: 'finger', strokes: SAMPLE_STROKES }))
  expect(findAttendee(signed, 'Vic')).toMatchObject({ visitor: true, user: null, signer: null, byName: 'Will Worker' })
})

test('a user with permission can sign on behalf of another attendee, and both names are saved', async () => {
  const record = await present(await talk(), 'Olga Other', 'Vic')
  expectOk(await signRow(foreman, record, 'Olga Other', { method: 'on behalf', byName: 'Vic' }))
  expect(findAttendee(await now(record), 'Olga Other')).toMatchObject({ method: 'on behalf', byName: 'Fay Foreman' })
  expectOk(await signRow(foreman, record, 'Vic', { method: 'on behalf' }))
  expect(findAttendee(await now(record), 'Vic')).toMatchObject({ visitor: true, byName: 'Fay Foreman' })
})

test(`signing as an attendee removes the talk from the "To sign" list, but a signature on the attendee's behalf doesn't`, async () => {
  const of = await talk('Vibration')
  const titles = async (who: TestApi) =>
    expectOk(await who.get(TO_SIGN))['hydra:member'].map((d: { title: string }) => d.title) as string[]
  const record = await present(of, 'Will Worker', 'Olga Other')
  expectOk(await sign(worker, record, 'Will Worker'))
  expectOk(await signRow(foreman, record, 'Olga Other', { method: 'on behalf' }))
  expect(await titles(worker)).not.toContain('Vibration')
  expect(await titles(other)).toContain('Vibration')
  const signatures = expectOk(await admin.get(`/api/safety/signatures?document=/api/safety/documents/${of.id}`))
  expect(signatures['hydra:member']).toMatchObject([
    { name: 'Will Worker', mine: true, statement: 'I have heard and understood this toolbox talk.' },
  ])
  // If a talk is presented again, attendees sign the new record, but not the talk itself again.
  expectOk(await sign(worker, await present(of, 'Will Worker'), 'Will Worker'))
  expect(expectOk(await admin.get(of['@id'])).signatures).toBe(1)
})

test('nobody can create or change a talk record, or sign a row, during impersonation', async () => {
  const of = await talk()
  const record = await present(of, 'Will Worker', 'Vic')
  const { username } = expectOk(await worker.get('/api/security/user_check'))
  const staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
  const visit = expectOk(await staff.get(`/api/security/user/switch?username=${username}&client=${client.id}`))
  const visitor = portal.bearing(visit.token)
  expectOk(await visitor.post('/api/security/user/write', { reason: 'They asked for help' }))
  const begun = await visitor.post(PRESENTED, {
    talk: of['@id'],
    presenter: 'Will Worker',
    date: daysAgo(6),
    attendees: [{ name: 'Vic', method: 'typed', signedAt }],
  })
  const others = [
    await sign(visitor, record, 'Will Worker'),
    await sign(visitor, record, 'Vic'),
    await visitor.put(record['@id'], { notes: 'Names are checked' }),
    await visitor.post(`${record['@id']}/people`, { people: [{ name: 'Nobody' }] }),
  ]
  for (const answer of [begun, ...others]) expect([answer.status, answer.body.code]).toEqual([403, 'in_person'])
})

test('an account can sign an attendance record only once, and late only while the talk is in force', async () => {
  const of = await talk()
  const record = await present(of, 'Will Worker', 'Vic')
  expectOk(await sign(worker, record, 'Will Worker'))
  const twice = await worker.put(record['@id'], {
    attendees: [
      ...expectOk(await worker.get(record['@id'])).attendees,
      { name: 'Will Worker', method: 'typed', signedAt },
    ],
  })
  expect(twice.status).toBe(422)
  const next = expectOk(await admin.post(`${of['@id']}/revise`, {}))
  expectOk(await admin.post(`${next['@id']}/complete`))
  expectOk(await admin.post(`${next['@id']}/approve`, {}))
  // Attendees of an open record heard the revision that was in force when the talk was held.
  expectOk(await sign(worker, record, 'Vic'))
  expectOk(await worker.put(record['@id'], { complete: true }))
  expect(attendanceProblem(await admin.post(`${record['@id']}/sign`, { method: 'typed' }))).toEqual([
    409,
    'This revision of the talk is no longer in force. Please present the current one.',
  ])
})

test("signature drawings are returned only to authors and the drawing's signatory, and never in lists, exports or the audit log", async () => {
  const record = await present(await talk(), 'Will Worker', 'Olga Other')
  expectOk(await sign(worker, record, 'Will Worker', { method: 'finger', strokes: SAMPLE_STROKES }))
  // The drawing is preserved if a person who can't see it sends the list back.
  expectOk(await signRow(other, record, 'Olga Other', { method: 'finger', strokes: SAMPLE_STROKES }))
  /** Pattern that matches a coordinate of the drawing but can't match a time. */
  const INK = /[[,]0\.8\b/
  const inkOf = async (who: TestApi, name: string) =>
    findAttendee(expectOk(await who.get(record['@id'])), name)?.strokes
  expect(await inkOf(admin, 'Will Worker')).toEqual(SAMPLE_STROKES)
  expect(await inkOf(worker, 'Will Worker')).toEqual(SAMPLE_STROKES)
  expect(await inkOf(worker, 'Olga Other')).toBeUndefined()
  const lists = [PRESENTED, '/api/safety/toolbox_talk_attendees', '/api/safety/toolbox_talks_presented/list']
  for (const url of lists) {
    expect((await admin.get(url)).text).not.toContain('strokes')
    expect((await admin.get(`${url}/export.csv`)).text).not.toMatch(INK)
  }
  const row = findAttendee(expectOk(await worker.get(record['@id'])), 'Olga Other')
  expect(expectOk(await worker.get(row['@id']))).not.toHaveProperty('strokes')
  const told = await portal.db.tx('system', (tx) =>
    tx.rows<{ verb: string; changes: object }>(
      "SELECT verb, changes FROM audit WHERE client_id = $1 AND type = 'ToolboxTalkPresented' AND row_id = $2",
      [client.id, record.id],
    ),
  )
  expect(JSON.stringify(told)).toContain('confidential')
  expect(JSON.stringify(told)).not.toMatch(INK)
  expect(told.some(({ verb }) => verb === 'look')).toBe(true)
})

const NOTICES = '/api/portal/notices'
const OWN_ATTENDANCE_PATH = '/api/safety/toolbox_talk_attendees/mine'

interface NoticeBody {
  readonly kind: string
  readonly words: string
  readonly path: string
  readonly ended: boolean
}
/** Returns the user's notifications with this title, newest first. */
const told = async (who: TestApi, title: string): Promise<NoticeBody[]> =>
  expectOk(await who.get(`${NOTICES}/inbox`))['hydra:member'].filter(
    ({ kind, words }: NoticeBody) => kind === 'talk.sign' && words.includes(`“${title}”`),
  )
const waits = async (who: TestApi, title: string) => (await told(who, title)).some(({ ended }) => !ended)
const own = async (who: TestApi): Promise<string[]> =>
  expectOk(await who.get(OWN_ATTENDANCE_PATH))['hydra:member'].map(
    ({ presented }: { presented: { title: string; id: number } }) => `${presented.title} ${presented.id}`,
  )
const name = async (record: { '@id': string }, ...names: string[]) =>
  expectOk(await worker.post(`${record['@id']}/people`, { names }))

describe('notifications to attendees of a talk record', () => {
  test('attendees have an open notification with a link to the talk record until they sign', async () => {
    const record = await present(await talk('Dust'), 'Will Worker', 'Olga Other', 'Vic')
    expect(await told(other, 'Dust')).toEqual([
      expect.objectContaining({
        words: 'Sign that you attended “Dust”, presented by Will Worker',
        path: `/safety/toolbox-talks/presented/${record.id}`,
        ended: false,
      }),
    ])
    expect(await own(other)).toContain(`Dust ${record.id}`)
    const { waiting, waitsFor } = expectOk(await other.get(`${NOTICES}/summary`))
    expect([waiting.Documents > 0, waitsFor.Documents]).toEqual([true, `${waiting.Documents} to sign`])
    // The author of the list and people who are not listed get no notification.
    expect([await told(worker, 'Dust'), await told(foreman, 'Dust')]).toEqual([[], []])
    expect([await own(worker), await own(foreman)].map((all) => all.includes(`Dust ${record.id}`))).toEqual([
      true,
      false,
    ])
    expectOk(await signRow(other, record, 'Olga Other'))
    expect([await waits(other, 'Dust'), (await told(other, 'Dust')).length]).toEqual([false, 1])
    expect(await own(other)).not.toContain(`Dust ${record.id}`)
  })

  test('attendees added one at a time are each notified once', async () => {
    const record = await present(await talk('Noise'), 'Vic')
    expect(await told(foreman, 'Noise')).toEqual([])
    await name(record, 'Fay Foreman')
    const whole = await now(record)
    expectOk(
      await worker.put(record['@id'], {
        attendees: [...whole.attendees, { name: 'Olga Other' }],
        notes: 'At the gate',
      }),
    )
    expect([await waits(foreman, 'Noise'), await waits(other, 'Noise')]).toEqual([true, true])
    expect(await told(foreman, 'Noise')).toHaveLength(1)
  })

  test('the notification is removed when an attendee is marked absent or removed, and is sent again if that change is undone', async () => {
    const record = await present(await talk('Asbestos'), 'Olga Other', 'Fay Foreman')
    const absent = (attendee: string, absence: string) => worker.post(`${record['@id']}/absent`, { attendee, absence })
    expectOk(await absent(findAttendee(record, 'Olga Other')['@id'], 'On holiday'))
    expectOk(await worker.post(`${record['@id']}/strike`, { attendee: findAttendee(record, 'Fay Foreman')['@id'] }))
    expect([await waits(other, 'Asbestos'), await waits(foreman, 'Asbestos')]).toEqual([false, false])
    expect(await told(foreman, 'Asbestos')).toEqual([])
    const { attendees } = await now(record)
    expectOk(await worker.put(record['@id'], { attendees: attendees.map((row) => ({ ...row, absence: null })) }))
    expect(await waits(other, 'Asbestos')).toBe(true)
    await name(record, 'Fay Foreman')
    expect(await waits(foreman, 'Asbestos')).toBe(true)
  })

  test('the notification is removed when the record is deleted or closed, or the talk is no longer in force', async () => {
    const of = await talk('Fumes')
    const [deleted, withdrawn] = [await present(of, 'Olga Other'), await present(of, 'Fay Foreman')]
    const retired = (value: boolean) => admin.put(deleted['@id'], { retired: value })
    expectOk(await retired(true))
    expect([await waits(other, 'Fumes'), await own(other)]).toEqual([
      false,
      expect.not.arrayContaining([`Fumes ${deleted.id}`]),
    ])
    expectOk(await retired(false))
    expect(await waits(other, 'Fumes')).toBe(true)
    expectOk(await admin.post(`${of['@id']}/withdraw`, { note: 'Another supplier' }))
    expect([await waits(other, 'Fumes'), await waits(foreman, 'Fumes')]).toEqual([false, false])
    expect(await own(foreman)).not.toContain(`Fumes ${withdrawn.id}`)

    const closed = await present(await talk('Silica'), 'Will Worker', 'Olga Other')
    expectOk(await signRow(worker, closed, 'Will Worker'))
    expectOk(
      await worker.post(`${closed['@id']}/absent`, {
        attendee: findAttendee(closed, 'Olga Other')['@id'],
        absence: 'Ill',
      }),
    )
    expectOk(await close(closed))
    expect(await waits(worker, 'Silica')).toBe(false)
  })

  test('people marked absent are notified once the record is closed and can then sign late', async () => {
    const of = await talk('Lead')
    const record = await present(of, 'Will Worker', 'Olga Other')
    const away = findAttendee(record, 'Olga Other')
    expectOk(await worker.post(`${record['@id']}/absent`, { attendee: away['@id'], absence: 'On holiday' }))
    expect([await waits(other, 'Lead'), await own(other)]).toEqual([
      false,
      expect.not.arrayContaining([`Lead ${record.id}`]),
    ])
    expectOk(await signRow(worker, record, 'Will Worker'))
    expectOk(await close(record))
    expect(await told(other, 'Lead')).toEqual([
      expect.objectContaining({
        words: 'Read “Lead” and sign late: you were absent when Will Worker presented it',
        path: `/safety/toolbox-talks/presented/${record.id}`,
        ended: false,
      }),
    ])
    expect(await own(other)).toContain(`Lead ${record.id}`)
    expect(await waits(worker, 'Lead')).toBe(false)
    expectOk(await signRow(other, record, 'Olga Other'))
    expect([await waits(other, 'Lead'), await own(other)]).toEqual([
      false,
      expect.not.arrayContaining([`Lead ${record.id}`]),
    ])
  })

  test('the notification to sign late is removed when the absent person signs the talk elsewhere or the talk is no longer in force', async () => {
    const of = await talk('Cement')
    const missed = await present(of, 'Olga Other', 'Fay Foreman')
    for (const who of ['Olga Other', 'Fay Foreman'])
      expectOk(
        await worker.post(`${missed['@id']}/absent`, {
          attendee: findAttendee(missed, who)['@id'],
          absence: 'Off sick',
        }),
      )
    expectOk(await close(missed))
    expect([await waits(other, 'Cement'), await waits(foreman, 'Cement')]).toEqual([true, true])
    const again = await present(of, 'Olga Other')
    expectOk(await signRow(other, again, 'Olga Other'))
    expect([await waits(other, 'Cement'), await own(other)]).toEqual([
      false,
      expect.not.arrayContaining([`Cement ${missed.id}`]),
    ])
    expectOk(await admin.post(`${of['@id']}/withdraw`, { note: 'Another supplier' }))
    expect([await waits(foreman, 'Cement'), await own(foreman)]).toEqual([
      false,
      expect.not.arrayContaining([`Cement ${missed.id}`]),
    ])
  })
})
