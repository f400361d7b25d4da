import { expect, onTestFinished, test } from 'vitest'
import { moveClock } from '#server/engine/clock.ts'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { EQUIPMENT as AT, createEquipmentCompany } from '#test/support/equipment.ts'
import { testPortal } from '#test/support/portal.ts'
import { expectSuccess } from '#test/support/sign-offs.ts'
import { MINIMAL_PDF, makeUploadForm } from '#test/support/uploads.ts'

const portal = await testPortal()
const w = await createEquipmentCompany(portal)
const { manager, holder, admin, day, item, check, fitnessOf, category } = w
const pathsOf = (body: { violations?: { propertyPath: string }[] }) => body.violations?.map((one) => one.propertyPath)
const require = w.require
const listOf = async (url: string) => expectSuccess(await admin.get(url))['hydra:member']

test('a failed check takes the item out of service, raises an action for the holder and notifies them', async () => {
  const of = await item({ holder: w.holderIri })
  const required = await require(of)
  expectSuccess(await check(of, { requiredCheck: required['@id'] }))
  expect(await fitnessOf(of)).toBe('fit')
  const failed = { requiredCheck: required['@id'], result: 'failed' }
  expect(pathsOf((await check(of, failed, holder)).body)).toEqual(['defects'])
  const made = expectSuccess(await check(of, { ...failed, defects: 'Brake slips', immediateDanger: true }, holder))
  expect(made).toMatchObject({ author: w.holderAccount.username, examiner: 'Hal Holder', immediateDanger: true })
  expect(await fitnessOf(of)).toBe('out of service')
  const actions = await listOf(`${AT.actions}?source=${encodeURIComponent(of['@id'])}`)
  expect(actions).toMatchObject([
    {
      managerName: 'Hal Holder',
      sourceTitle: of.number,
      sourcePart: 'Inspection',
      description: expect.stringContaining('Brake slips'),
      notes: expect.stringContaining('LOLER 1998 reg 10'),
    },
  ])
  const { 'hydra:member': notices } = expectSuccess(await holder.get('/api/portal/notices'))
  expect(notices).toContainEqual(expect.objectContaining({ kind: 'equipment.failed', about: made.id }))
})

test('only a passed check by a person who manages the equipment returns an item to service', async () => {
  const of = await item()
  const required = await require(of)
  const ofCheck = { requiredCheck: required['@id'] }
  const failed = expectSuccess(await check(of, { ...ofCheck, result: 'failed', defects: 'Cracked' }))
  expect((await check(of, ofCheck, holder)).status).toBe(403)
  expect((await manager.patch(of['@id'], { fitness: 'fit' })).body.fitness).toBe('out of service')
  expect((await manager.patch(required['@id'], { retired: true })).status).toBe(409)
  const correction = { ...ofCheck, replaces: failed['@id'], reason: 'Wrong item' }
  expect((await check(of, { ...correction, result: 'void' })).status).toBe(409)
  expect((await check(of, correction)).status).toBe(409)
  expect((await check(of, { ...correction, result: 'failed', defects: 'Cracked', checkedOn: day(-9) })).status).toBe(
    409,
  )
  expect((await manager.post(`${of['@id']}/hire`, { hiredFrom: day(0) })).status).toBe(409)
  expectSuccess(await manager.post(`${of['@id']}/put-in-store`, {}))
  expect((await manager.post(`${of['@id']}/put-in-use`, {})).status).toBe(409)
  expect((await check(of, { checkedOn: day(-1) })).status).toBe(201)
  expect(await fitnessOf(of)).toBe('out of service')
  expectSuccess(await check(of, ofCheck))
  expect(await fitnessOf(of)).toBe('fit')
  expectSuccess(await manager.post(`${of['@id']}/put-in-use`, {}))
})

test('a defect between two checks takes the item out of service until a check after its repair', async () => {
  const of = await item()
  expect(await fitnessOf(of)).toBe('no checks')
  expectSuccess(await check(of, { result: 'failed', defects: 'Guard is missing' }, holder))
  expect(await fitnessOf(of)).toBe('out of service')
  const required = await require(of)
  expectSuccess(await check(of, { requiredCheck: required['@id'] }))
  expect(await fitnessOf(of)).toBe('out of service')
  expectSuccess(await check(of))
  expect(await fitnessOf(of)).toBe('fit')
})

test('a check before the purchase or in the future is refused, and two checks on one day are both stored', async () => {
  const of = await item({ purchasedOn: day(-10) })
  expect(pathsOf((await check(of, { checkedOn: day(-11) })).body)).toEqual(['checkedOn'])
  expect(pathsOf((await check(of, { checkedOn: day(1) })).body)).toEqual(['checkedOn'])
  expectSuccess(await check(of))
  expectSuccess(await check(of))
  expect(await listOf(`${AT.checks}?item=${of.id}`)).toHaveLength(2)
  expect(pathsOf((await manager.patch(of['@id'], { purchasedOn: day(0) })).body)).toBeUndefined()
  expectSuccess(await check(of, { checkedOn: day(0) }))
  expect(pathsOf((await manager.patch(of['@id'], { purchasedOn: day(1) })).body)).toContain('purchasedOn')
})

test('a check never changes: a correction is a further one with a reason', async () => {
  const of = await item()
  const first = expectSuccess(await check(of))
  expect((await manager.patch(first['@id'], { result: 'failed' })).status).toBe(405)
  const correction = { result: 'failed', defects: 'Overlooked crack', replaces: first['@id'] }
  expect(pathsOf((await check(of, correction)).body)).toEqual(['reason'])
  expect((await check(of, { ...correction, reason: 'Overlooked' }, holder)).status).toBe(403)
  expectSuccess(await check(of, { ...correction, reason: 'Overlooked' }))
  expect((await check(of, { ...correction, reason: 'Again' })).status).toBe(409)
  expect(expectSuccess(await manager.get(first['@id'])).replaced).toBe(true)
  expect(await fitnessOf(of)).toBe('out of service')
})

test('an external report has its file and the particulars of LOLER, and its next day counts if it is earlier', async () => {
  const of = await item({ category: category('Lifting accessory') })
  const [required] = await listOf(`${AT.required}?item=${of.id}`)
  expect(required).toMatchObject({ every: 6, unit: 'months', nextOn: day(0) })
  const report = { requiredCheck: required['@id'], source: 'report' }
  expect(pathsOf((await check(of, report)).body)).toEqual(['report'])
  const file = expectSuccess(
    await manager.send('POST', `${of['@id']}/files`, makeUploadForm(MINIMAL_PDF, 'report.pdf')),
  )
  const other = await item()
  expect(pathsOf((await check(other, { source: 'report', report: file['@id'] })).body)).toEqual(['report'])
  expect(pathsOf((await check(of, { ...report, report: file['@id'] })).body)).toEqual([
    'employer',
    'premises',
    'examination',
    'examiner',
    'examinerAddress',
    'qualification',
    'authenticator',
    'reportedOn',
    'nextBy',
  ])
  const particulars = {
    employer: 'Brick and Beam, Leeds',
    premises: 'Yard',
    examination: '6 months',
    examiner: 'Ian Surveyor',
    examinerAddress: 'Hull',
    qualification: 'Engineer surveyor',
    authenticator: 'Ian Surveyor',
    reportedOn: day(0),
    nextBy: day(90),
  }
  const stored = expectSuccess(await check(of, { ...report, ...particulars, report: file['@id'] }))
  expect(stored.keepUntil).toBe(Temporal.PlainDate.from(day(0)).add({ years: 2 }).toString())
  expect(expectSuccess(await manager.get(required['@id'])).nextOn).toBe(day(90))
  expect((await check(of, { ...report, ...particulars, report: file['@id'] }, holder)).status).toBe(403)
})

test('a check becomes due and then overdue, and reminds holder and manager once each time', async () => {
  onTestFinished(() => moveClock(portal.engine, 0))
  const mine = await createEquipmentCompany(portal)
  const of = await mine.item({ holder: mine.holderIri })
  const required = await mine.require(of, { every: 3 })
  expectSuccess(await mine.check(of, { requiredCheck: required['@id'] }))
  const remind = async () => {
    for (const _ of [1, 2]) await portal.runSchedule('equipment.due')
    return portal.db.tx('system', (tx) =>
      tx.rows<{ user: number; since: string }>(
        `SELECT user_id::int AS "user", since::text FROM notice WHERE client_id = $1 AND kind = 'equipment.due' ORDER BY user_id`,
        [mine.client.id],
      ),
    )
  }
  expect(await remind()).toEqual([])
  const people = [mine.managerAccount.id, mine.holderAccount.id].toSorted((a, b) => a - b)
  await moveClock(portal.engine, 80)
  expect(await mine.fitnessOf(of)).toBe('due')
  const due = await remind()
  expect(due.map(({ user }) => user)).toEqual(people)
  await moveClock(portal.engine, 100)
  expect(await mine.fitnessOf(of)).toBe('overdue')
  const overdue = await remind()
  expect(overdue.map(({ user }) => user)).toEqual(people)
  expect(overdue[0]?.since).not.toBe(due[0]?.since)
})

test('verification names a check that was changed in the database, because every check is sealed', async () => {
  const of = await item()
  const { id } = expectSuccess(await check(of))
  expect((await verifyEvidence(portal.engine, w.client.id)).broken).toEqual([])
  await portal.db.tx('owner', async (tx) => {
    await tx.rows('ALTER TABLE equipment_check DISABLE TRIGGER append_only')
    await tx.rows('UPDATE equipment_check SET checked_on = checked_on - 1 WHERE id = $1', [id])
    await tx.rows('ALTER TABLE equipment_check ENABLE TRIGGER append_only')
  })
  const { broken } = await verifyEvidence(portal.engine, w.client.id)
  expect(JSON.stringify(broken)).toContain(`equipment check ${id}`)
})
