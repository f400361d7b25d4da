import { expect, test } from 'vitest'
import { EQUIPMENT as AT, createEquipmentCompany } from '#test/support/equipment.ts'
import { testPortal } from '#test/support/portal.ts'
import { expectSuccess } from '#test/support/sign-offs.ts'
import { MINIMAL_PDF, makeUploadForm } from '#test/support/uploads.ts'

const portal = await testPortal()
const w = await createEquipmentCompany(portal)
const { manager, holder, day, item, check, fitnessOf, category } = w
const pathsOf = (body: { violations?: { propertyPath: string }[] }) => body.violations?.map((one) => one.propertyPath)
const signed = (name: string) => ({ name, method: 'typed', strokes: [], width: 0, height: 0 })
const refuseRequired = async (values: Record<string, unknown>) =>
  pathsOf((await manager.post(AT.required, { name: 'Check', unit: 'months', startsOn: day(0), ...values })).body)

test('an item gets the next number or its own, and only the people who manage the equipment add items', async () => {
  const own = await item({ number: 'EQ-0001' })
  expect(own).toMatchObject({ number: 'EQ-0001', lifecycle: 'in use', fitness: 'no checks' })
  expect((await item()).number).toBe('EQ-0002')
  const twice = await manager.post(AT.items, { name: 'Twin', number: 'eq-0001' })
  expect([twice.status, pathsOf(twice.body)]).toEqual([422, ['number']])
  expect((await holder.post(AT.items, { name: 'Mine' })).status).toBe(403)
  const stranger = await createEquipmentCompany(portal)
  expect((await stranger.manager.get(own['@id'])).status).toBe(404)
  expect((await item({ hiredFrom: day(-2), hiredUntil: day(5) })).lifecycle).toBe('on hire')
  const part = await item({ parent: own['@id'] })
  expect(pathsOf((await manager.patch(own['@id'], { parent: part['@id'] })).body)).toEqual(['parent'])
})

test('an interval longer than the law allows needs the examination scheme, and a shorter one does not', async () => {
  const crane = await item({ category: category('Lifting equipment for loads') })
  const of = { item: crane['@id'], category: category('Lifting equipment for loads') }
  expect(await refuseRequired({ ...of, every: 13 })).toEqual(['every'])
  expect(await refuseRequired({ ...of, every: 366, unit: 'days' })).toEqual(['every'])
  expect(await refuseRequired({ ...of, every: 500, unit: 'hours' })).toEqual(['every'])
  expect(await refuseRequired({ ...of, every: 12, startsOn: day(500) })).toEqual(['startsOn'])
  expect(await refuseRequired({ ...of, every: 500, unit: 'hours', counted: 'calendar' })).toEqual(['counted'])
  const upload = async (to: { readonly '@id': string }) =>
    expectSuccess(await manager.send('POST', `${to['@id']}/files`, makeUploadForm(MINIMAL_PDF, 'scheme.pdf')))['@id']
  expect(await refuseRequired({ ...of, every: 24, scheme: await upload(await item()) })).toEqual(['scheme'])
  const long = await w.require(crane, { ...of, every: 24, scheme: await upload(crane) })
  expect((await manager.patch(long['@id'], { scheme: null })).status).toBe(422)
  const short = await w.require(crane, { ...of, every: 3 })
  expect((await manager.patch(short['@id'], { every: 13 })).status).toBe(422)
  expect((await manager.patch(short['@id'], { category: null })).status).toBe(409)
})

test('the next check is never later than the interval after the last one, on any calendar', async () => {
  const rows = await portal.db.tx('system', (tx) =>
    tx.rows<{ bad: number; feb: string; cal: string }>(
      `SELECT count(*) FILTER (WHERE next IS NULL OR next <= last OR next > (last + step)::date OR next > latest)::int AS bad,
        equipment_next_on(1, 'months', 'last check', '2026-01-31', '2027-01-31', NULL)::text AS feb,
        equipment_next_on(1, 'months', 'calendar', '2026-01-31', '2027-03-01', NULL)::text AS cal
      FROM (SELECT every, last, step, latest, equipment_next_on(every, unit, counted, starts, last, latest) AS next
        FROM (VALUES ('days'), ('months')) u (unit), (VALUES ('last check'), ('calendar')) c (counted),
          (VALUES (1), (3), (6), (7), (12), (14)) e (every), generate_series(0, 800, 33) shift, generate_series(0, 500, 27) gap,
          LATERAL (SELECT '2024-01-31'::date + shift AS starts, '2024-01-31'::date + shift + gap AS last,
            CASE unit WHEN 'days' THEN make_interval(days => every) ELSE make_interval(months => every) END AS step,
            CASE WHEN shift % 2 = 0 THEN '2024-01-31'::date + shift + gap + 20 END AS latest) d) n`,
    ),
  )
  expect(rows).toEqual([{ bad: 0, feb: '2027-02-28', cal: '2027-03-31' }])
})

test('a check by hours of use becomes overdue at its hours, which never decrease', async () => {
  const of = await item({ hoursUsed: 100 })
  const required = await w.require(of, { every: 50, unit: 'hours' })
  const ofCheck = { requiredCheck: required['@id'] }
  expect(pathsOf((await check(of, ofCheck)).body)).toEqual(['hours'])
  expectSuccess(await check(of, { ...ofCheck, hours: 120 }))
  expect(expectSuccess(await manager.get(of['@id']))).toMatchObject({ hoursUsed: 120, fitness: 'fit' })
  expect(pathsOf((await manager.patch(of['@id'], { hoursUsed: 110 })).body)).toEqual(['hoursUsed'])
  expectSuccess(await manager.patch(of['@id'], { hoursUsed: 165 }))
  expect(await fitnessOf(of)).toBe('due')
  expectSuccess(await manager.patch(of['@id'], { hoursUsed: 170 }))
  expect(await fitnessOf(of)).toBe('overdue')
})

test('site and holder change only by a hand-over that the receiver signs', async () => {
  const of = await item()
  expectSuccess(await manager.post(`${of['@id']}/put-in-store`, {}))
  expect((await manager.patch(of['@id'], { holder: w.holderIri })).status).toBe(409)
  const sent = { item: of['@id'], holder: w.holderIri }
  const refused = async (more: Record<string, unknown>) =>
    pathsOf((await manager.post(AT.handovers, { ...sent, ...more })).body)
  expect(await refused({})).toEqual(['signature'])
  expect(await refused({ signature: signed('Somebody Else') })).toEqual(['signature'])
  expect(await refused({ holder: null, signature: signed('Hal Holder') })).toEqual(['holder'])
  expect((await holder.post(AT.handovers, { ...sent, signature: signed('Hal Holder') })).status).toBe(403)
  const made = expectSuccess(await manager.post(AT.handovers, { ...sent, signature: signed('hal holder') }))
  expect(made).toMatchObject({ signedName: 'Hal Holder', fromHolder: null, author: w.managerAccount.username })
  expect(expectSuccess(await manager.get(of['@id']))).toMatchObject({
    holder: { name: 'Hal Holder' },
    lifecycle: 'in use',
  })
})

test('an item that is out of service, sold or scrapped is not handed over or hired', async () => {
  const [broken, sold] = [await item(), await item()]
  expectSuccess(await check(broken, { result: 'failed', defects: 'Bent' }))
  expect((await manager.post(`${sold['@id']}/sell`, {})).status).toBe(422)
  expectSuccess(await manager.post(`${sold['@id']}/sell`, { reason: 'Replaced' }))
  for (const one of [broken, sold]) {
    const sent = { item: one['@id'], holder: w.holderIri, signature: signed('Hal Holder') }
    expect((await manager.post(AT.handovers, sent)).status).toBe(409)
    expect((await manager.post(`${one['@id']}/hire`, { hiredFrom: day(0) })).status).toBe(409)
  }
  expect((await check(sold)).status).toBe(409)
  const bulk = await manager.post(`${AT.items}/bulk`, { action: 'putInStore', ids: [sold.id] })
  expect(bulk.status).not.toBe(500)
  expect(expectSuccess(await manager.get(sold['@id'])).lifecycle).toBe('sold')
  expectSuccess(await manager.post(`${sold['@id']}/take-back`, { reason: 'Sale cancelled' }))
})

test('a check that has a form is recorded together with it, and fails if the form fails', async () => {
  const { admin } = w
  const question = {
    name: 'brakes',
    label: 'Brakes work',
    kind: 'select',
    required: true,
    options: [
      { value: 'yes', label: 'Yes', points: 1 },
      { value: 'no', label: 'No', points: 0 },
    ],
  }
  const schema = {
    pass: 100,
    steps: [{ name: 'check', title: 'Check', groups: [{ fields: [question] }] }],
  }
  const form = expectSuccess(await admin.post('/api/safety/custom_forms', { title: 'Pre-use check', schema }))
  const { current } = expectSuccess(await admin.post(`${form['@id']}/publish`, {}))
  const of = await item()
  const sent = { item: of['@id'], name: 'Pre-use check', every: 1, unit: 'days', startsOn: day(0), form: form['@id'] }
  const required = expectSuccess(await admin.post(AT.required, sent))
  expect(pathsOf((await check(of, { requiredCheck: required['@id'] })).body)).toEqual(['answer'])
  const send = (brakes: string, result: string) =>
    holder.post(`${AT.checks}/with_form`, {
      item: of['@id'],
      requiredCheck: required['@id'],
      checkedOn: day(0),
      result,
      defects: result === 'failed' ? 'Brakes' : '',
      version: current,
      answers: { brakes },
    })
  expect(pathsOf((await send('no', 'passed')).body)).toEqual(['result'])
  const made = expectSuccess(await send('yes', 'passed'))
  expect(made.answer).toEqual(expect.stringContaining('/custom_form_answers/'))
  expect(await fitnessOf(of)).toBe('fit')
  const again = {
    item: of['@id'],
    requiredCheck: required['@id'],
    checkedOn: day(0),
    result: 'passed',
    answer: made.answer,
  }
  expect(pathsOf((await admin.post(AT.checks, again)).body)).toEqual(['answer'])
})
