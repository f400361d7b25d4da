import { afterEach, beforeAll, expect, test } from 'vitest'
import { mondayOf } from '#kernel/weeks.ts'
import { moveClock } from '#server/engine/clock.ts'
import { attendanceProblem, expectOk, makeAttendances } from '#test/support/attendances.ts'
import { type TestApi, type TestPortal, testPortal } from '#test/support/portal.ts'

const PLANS = '/api/safety/scheduled_talks'
const PRESENTED = '/api/safety/toolbox_talk_presenteds'

let portal: TestPortal
let world: Awaited<ReturnType<typeof makeAttendances>>

beforeAll(async () => {
  portal = await testPortal()
})
afterEach(() => moveClock(portal.engine, 0))

const today = () => portal.engine.clock.now().toZonedDateTimeISO('Europe/London').toPlainDate()
const monday = () => mondayOf(today())
const fresh = async () => {
  world = await makeAttendances(portal)
  const talk = await world.talk()
  const plan = (more: object = {}) =>
    world.admin.post(PLANS, { talk: talk['@id'], week: today().toString(), presenter: 'Will Worker', ...more })
  const present = (more: object = {}) =>
    world.worker.post(PRESENTED, { talk: talk['@id'], presenter: 'Will Worker', date: today().toString(), ...more })
  const now = async (of: { '@id': string }) => {
    await portal.drain()
    return expectOk(await world.admin.get(of['@id']))
  }
  return { ...world, talk, plan, present, now }
}

/** Returns a user's notifications about planned talks. */
const told = async (who: TestApi) => {
  await portal.drain()
  const { 'hydra:member': all } = expectOk(await who.get('/api/portal/notices/inbox')) as {
    'hydra:member': { kind: string; words: string; ended: boolean; read: boolean }[]
  }
  return all.filter((n) => n.kind === 'talk.planned').map(({ words, ended, read }) => [words, ended, read])
}

test('a talk is scheduled for the Monday of the chosen week and its presenter is notified', async () => {
  const { plan, worker, other } = await fresh()
  const made = expectOk(await plan({ place: 'Kelham Works' }))
  expect(made).toMatchObject({ title: 'Ladders', week: monday().toString(), presenter: 'Will Worker', presented: null })
  const day = monday().toString().split('-').reverse().join('/')
  expect(await told(worker)).toEqual([[`Present “Ladders” in the week of ${day}: Kelham Works`, false, false]])
  expect(await told(other)).toEqual([])
})

test("a talk can't be scheduled twice, in the past, more than a year ahead, or while the talk is not in force", async () => {
  const { admin, plan } = await fresh()
  expect(attendanceProblem(await plan({ week: monday().subtract({ days: 1 }).toString() }))).toEqual([
    422,
    'This week is in the past. Please choose another week',
  ])
  expect(attendanceProblem(await plan({ week: monday().add({ weeks: 54 }).toString() }))[0]).toBe(422)
  for (const week of ['', null, 'soon', '0000-00-00']) expect([400, 422]).toContain((await plan({ week })).status)
  expect(attendanceProblem(await plan({ presenter: '…' }))).toEqual([422, 'Please enter a person’s name'])
  expect((await plan({ presenter: '' })).status).toBe(422)
  const draft = expectOk(await admin.post('/api/safety/toolbox_talks', { title: 'Draft', points: [{ text: 'One' }] }))
  expect(attendanceProblem(await plan({ talk: draft['@id'] }))).toEqual([
    409,
    'This talk is not in force. Please choose a talk that is in force.',
  ])
  expectOk(await plan({ place: 'Yard' }))
  expect((await plan({ place: ' yard', presenter: 'WILL WORKER' })).status).toBe(409)
  const second = expectOk(await plan({ place: 'Gate' }))
  expect((await admin.put(second['@id'], { place: 'Yard' })).status).toBe(409)
  expectOk(await admin.put(second['@id'], { retired: true }))
  expectOk(await plan({ place: 'Gate' }))
  expect((await admin.put(second['@id'], { retired: false })).status).toBe(409)
  expect((await admin.put(second['@id'], { presented: `${PRESENTED}/1`, user: 1 })).body).toMatchObject({
    presented: null,
  })
})

test("only document authors can schedule talks, and other companies can't see scheduled talks", async () => {
  const { plan, worker, talk } = await fresh()
  const made = expectOk(await plan())
  const body = { talk: talk['@id'], week: today().toString(), presenter: 'Will Worker' }
  expect((await worker.post(PLANS, body)).status).toBe(403)
  expect((await worker.put(made['@id'], { place: 'Elsewhere' })).status).toBe(403)
  expect((await worker.get(`${PLANS}/suggested`)).status).toBe(403)
  expect((await worker.get(made['@id'])).status).toBe(200)
  const stranger = await makeAttendances(portal)
  expect((await stranger.admin.get(made['@id'])).status).toBe(404)
  expect((await stranger.admin.put(made['@id'], { place: 'Ours' })).status).toBe(404)
  expect((await stranger.admin.post(PLANS, body)).status).toBe(400)
  expect(expectOk(await stranger.admin.get(PLANS))['hydra:totalItems']).toBe(0)
})

test('a scheduled talk with a limited audience needs a presenter from that audience and is visible only to the audience', async () => {
  const { admin, client, worker } = await fresh()
  const made = expectOk(
    await admin.post('/api/safety/toolbox_talks', {
      title: 'For authors',
      points: [{ text: 'One' }],
      audience: ['ROLE_SAFETY_AUTHOR', 'ROLE_CLIENT_ADMIN'],
    }),
  )
  expectOk(await admin.put(made['@id'], { complete: true, approved: true }))
  const plan = (presenter: string) => admin.post(PLANS, { talk: made['@id'], week: today().toString(), presenter })
  expect(attendanceProblem(await plan('Will Worker'))).toEqual([
    422,
    'Will Worker can’t read this talk. Please choose somebody in the talk’s audience',
  ])
  await client.user({ name: 'Alan Author', roles: ['ROLE_SAFETY_AUTHOR'] })
  const planned = expectOk(await plan('Alan Author'))
  expect((await worker.get(planned['@id'])).status).toBe(404)
  // Approvers can read all of the company's talks.
  const forAuthors = expectOk(
    await admin.post('/api/safety/toolbox_talks', {
      title: 'For authors alone',
      points: [{ text: 'One' }],
      audience: ['ROLE_SAFETY_AUTHOR'],
    }),
  )
  expectOk(await admin.put(forAuthors['@id'], { complete: true, approved: true }))
  const week = today().toString()
  expectOk(await admin.post(PLANS, { talk: forAuthors['@id'], week, presenter: 'Ada Admin' }))
})

test('presenting a talk by any route marks the scheduled talk as presented and stops its reminders', async () => {
  const { plan, present, now, worker, admin, other } = await fresh()
  const [gate, yard] = [
    expectOk(await plan({ place: 'Gate' })),
    expectOk(await plan({ place: 'Yard', presenter: 'Olga Other' })),
  ]
  const record = expectOk(await present({ place: 'gate ' }))
  expect(await now(gate)).toMatchObject({ presented: { id: record.id, complete: false } })
  expect(await now(yard)).toMatchObject({ presented: null })
  expect(await told(worker)).toMatchObject([[expect.any(String), true, true]])
  expect(await told(other)).toMatchObject([[expect.any(String), false, false]])
  // Once a planned talk has been presented, only its notes can be changed.
  expect((await admin.put(gate['@id'], { place: 'Yard' })).status).toBe(409)
  expect((await admin.put(gate['@id'], { retired: true })).status).toBe(409)
  expectOk(await admin.put(gate['@id'], { notes: 'In the rain' }))
  // Deleting the record reopens the planned talk.
  expectOk(await admin.put(record['@id'], { retired: true }))
  expect(await now(gate)).toMatchObject({ presented: null })
  expectOk(await admin.put(record['@id'], { retired: false }))
  expect(await now(gate)).toMatchObject({ presented: { id: record.id } })
})

test('a scheduled talk counts as presented on a later date, with a newer revision or by another presenter, but not with another talk or at another place', async () => {
  const { plan, now, admin, worker, talk, present } = await fresh()
  const planned = expectOk(await plan({ place: 'Gate' }))
  const another = await world.talk('Dust')
  const record = (of: string, more: object) =>
    admin.post(PRESENTED, { talk: of, presenter: 'Ann Other', date: today().toString(), ...more })
  expectOk(await record(another['@id'], { place: 'Gate' }))
  expectOk(await record(talk['@id'], { place: 'Yard' }))
  expect(await now(planned)).toMatchObject({ presented: null })
  const revised = expectOk(await admin.post(`${talk['@id']}/revise`, {}))
  expectOk(await admin.put(revised['@id'], { complete: true, approved: true, revisionReason: 'A point more' }))
  await moveClock(portal.engine, 8)
  const given = expectOk(await record(revised['@id'], { place: 'Gate' }))
  expect(await now(planned)).toMatchObject({ presented: { id: given.id } })
  // A replaced revision can’t be presented on a later day.
  expect((await present()).status).toBe(422)
  expect((await worker.get(planned['@id'])).status).toBe(200)
})

test('presenters are reminded on the Friday before the scheduled week, on its Monday, and on its Friday if the talk has not been presented', async () => {
  const { admin, plan, worker } = await fresh()
  const week = monday().add({ weeks: 2 })
  expectOk(await plan({ week: week.toString() }))
  const read = async () => {
    expectOk(await worker.post('/api/portal/notices/read_all', {}))
    return (await told(worker)).filter(([, , isRead]) => !isRead).length
  }
  const on = async (days: number) => {
    await moveClock(portal.engine, today().until(week).days + days)
    await portal.runSchedule('talk.planned')
    const unread = (await told(worker)).filter(([, , isRead]) => !isRead).length
    await read()
    await moveClock(portal.engine, 0)
    return unread
  }
  await read()
  const heard: number[] = []
  for (const days of [-4, -3, -2, 0, 1, 4, 5, 20]) heard.push(await on(days))
  expect(heard).toEqual([0, 1, 0, 1, 0, 1, 0, 0])
  const { 'hydra:member': all } = expectOk(await admin.get(`${PLANS}?exists[presented]=false`))
  expect(all).toHaveLength(1)
})

test('a talk is suggested until it has been scheduled or presented', async () => {
  const { admin, plan, present } = await fresh()
  const suggested = async () =>
    (expectOk(await admin.get(`${PLANS}/suggested`))['hydra:member'] as { title: string; why: string }[]).filter(
      ({ title }) => title === 'Ladders',
    )
  expect(await suggested()).toMatchObject([{ title: 'Ladders', why: 'Not presented yet.' }])
  expectOk(await plan())
  expect(await suggested()).toEqual([])
  expectOk(await present())
  expect(await suggested()).toEqual([])
})
