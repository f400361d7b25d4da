import { expect, test } from 'vitest'
import { makeAssessments, makeHazards } from '#test/support/assessments.ts'
import { type TestApi, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const ACTIONS = '/api/safety/corrective_actions'
const EMPLOYEES = '/api/employees/employees'

/** A company with an employee who has an account, Callum Fraser, and one who has none, Dev Shah. */
async function company() {
  const w = await makeAssessments(portal)
  const account = await w.client.user({ roles: ['ROLE_EMPLOYEE'], name: 'Callum Fraser', email: 'c@fraser.example' })
  const hire = async (forename: string, surname: string, more: object = {}): Promise<{ '@id': string; id: number }> =>
    (await w.author.post(EMPLOYEES, { forename, surname, ...more })).body
  const callum = await hire('Callum', 'Fraser', { user: account.iri })
  const dev = await hire('Dev', 'Shah')
  const raise = async (more: object) => (await w.author.post(ACTIONS, { description: 'Mend the step', ...more })).body
  const read = async (iri: string) => {
    const { employee, owner, managerName, email } = (await w.author.get(iri)).body
    return { employee, owner, managerName, email }
  }
  return { ...w, account, hire, callum, dev, raise, read }
}

test('choosing an employee as owner also sets their account, and choosing an account sets its employee', async () => {
  const { account, callum, raise, read } = await company()
  const both = { employee: callum.id, owner: account.id, managerName: 'Callum Fraser', email: 'c@fraser.example' }
  for (const more of [{ employee: callum.id }, { owner: account.id }, { employee: callum.id, owner: account.id }])
    expect(await read((await raise(more))['@id'])).toEqual(both)
})

test('an employee without an account remains the owner until the name is changed to another person’s', async () => {
  const { author, dev, callum, raise, read } = await company()
  const { '@id': iri } = await raise({ employee: dev.id, email: 'dev@shah.example' })
  const stored = { employee: dev.id, owner: null, managerName: 'Dev Shah', email: 'dev@shah.example' }
  expect(await read(iri)).toEqual(stored)
  await author.put(dev['@id'], { surname: 'Patel' })
  await author.put(iri, { deadline: '2030-01-31' })
  expect(await read(iri)).toEqual(stored)
  await author.put(iri, { managerName: 'Contractor' })
  expect(await read(iri)).toEqual({ ...stored, employee: null, managerName: 'Contractor' })
  await author.put(iri, { employee: callum.id })
  expect(await read(iri)).toMatchObject({ employee: callum.id, managerName: 'Callum Fraser' })
})

test('no route accepts an employee of another company, a leaver or another person’s account as the owner', async () => {
  const { author, client, dev, callum, hire, raise, read, inForce, draft } = await company()
  const other = await company()
  const leaver = await hire('Lee', 'Gone')
  await author.put(leaver['@id'], { retired: true })
  const stranger = await client.user({ roles: ['ROLE_EMPLOYEE'] })
  const { '@id': iri } = await raise({ managerName: 'Contractor' })
  const [head, control] = makeHazards()
  const planned = { plannedFor: '2030-01-31', responsible: 'Site manager', implemented: 'no' }
  const made = await inForce(await draft({ controls: [head, { ...control, ...planned }] }))
  const attempts = async (by: TestApi, values: object) => [
    await by.post(ACTIONS, { description: 'Mend', managerName: 'X', ...values }),
    await by.put(iri, { ...values }),
    await by.patch(iri, { ...values }),
    await by.post(`${made.controls[1]['@id']}/raise-action`, { description: 'Mend', ...values }),
  ]
  for (const values of [
    { employee: other.dev.id },
    { employee: leaver.id },
    { employee: callum.id, owner: stranger.id },
    { employee: dev.id, owner: stranger.id },
  ])
    for (const { status } of await attempts(author, values)) expect([values, status]).toEqual([values, 422])
  expect(await read(iri)).toMatchObject({ employee: null, owner: null, managerName: 'Contractor' })
})

test('the open actions of a leaver without an account are reassigned to the successor', async () => {
  const { author, account, callum, dev, raise, read } = await company()
  const { '@id': iri } = await raise({ employee: dev.id })
  const { status } = await author.post(`${dev['@id']}/end-employment`, {
    leavingDate: portal.engine.clock.now().toString().slice(0, 10),
    leavingReason: 'resigned',
    successor: callum['@id'],
  })
  expect(status).toBe(200)
  expect(await read(iri)).toMatchObject({ employee: callum.id, owner: account.id, managerName: 'Callum Fraser' })
})
