import { expect, test } from 'vitest'
import { ASSESSMENTS_URL, makeAssessments, makeCompleteAssessment, makeHazards } from '#test/support/assessments.ts'
import { type TestApi, testPortal } from '#test/support/portal.ts'

const EMPLOYEES = '/api/employees/employees'
const portal = await testPortal()

const hire = async (by: TestApi, surname: string): Promise<{ '@id': string; id: number }> =>
  (await by.post(EMPLOYEES, { forename: 'Ann', surname })).body

type Line = { '@id': string; responsibility: number; responsible: string }
const people = (lines: readonly Line[]) => lines.map((l) => [l.responsibility, l.responsible])

const naming = (responsibility: number, more: object = {}) => {
  const [head, control] = makeHazards()
  return [{ ...head, responsibility, ...more }, control]
}

test('a line that names an employee stores the employee’s current name, and the sealed name survives a change of name and retirement', async () => {
  const { author, draft, inForce } = await makeAssessments(portal)
  const ann = await hire(author, 'Carter')
  const made = await draft({ controls: naming(ann.id) })
  expect(people(made.controls)[0]).toEqual([ann.id, 'Ann Carter'])
  const current = await inForce(made)

  await author.put(ann['@id'], { surname: 'Baker' })
  await author.put(ann['@id'], { retired: true })
  expect(people((await author.get(current['@id'])).body.controls)[0]).toEqual([ann.id, 'Ann Carter'])
  // The next revision and a copy retain the reference, although the employee has left.
  const revised = await author.post(`${current['@id']}/revise`, {})
  expect([revised.status, people(revised.body.controls)[0]]).toEqual([200, [ann.id, 'Ann Carter']])
  const { '@id': _, ...model } = (await author.get(`${current['@id']}/copy`)).body
  const copied = await author.post(ASSESSMENTS_URL, model)
  expect([copied.status, people(copied.body.controls)[0]]).toEqual([201, [ann.id, 'Ann Carter']])
})

test('the reference to an employee is removed when the name is changed to another person’s, and other text is stored as typed', async () => {
  const { author, draft } = await makeAssessments(portal)
  const [ann, bea] = [await hire(author, 'Carter'), await hire(author, 'Dale')]
  const made = await draft({ controls: naming(ann.id, { responsible: 'A. Carter' }) })
  const [head] = made.controls as Line[]
  const put = async (values: Record<string, unknown>) =>
    people([(await author.put(String(head?.['@id']), values)).body])[0]
  expect(people(made.controls)[0]).toEqual([ann.id, 'A. Carter'])
  expect(await put({ responsible: 'ann  carter' })).toEqual([ann.id, 'ann  carter'])
  expect(await put({ responsibility: bea.id })).toEqual([bea.id, 'Ann Dale'])
  expect(await put({ responsible: 'Site manager' })).toEqual([0, 'Site manager'])
  expect(await put({ responsibility: ann.id })).toEqual([ann.id, 'Site manager'])
  expect(await put({ responsible: '' })).toEqual([0, ''])
})

test('no route stores an employee who belongs to another company or has left', async () => {
  const { author, draft } = await makeAssessments(portal)
  const other = await makeAssessments(portal)
  const stranger = await hire(other.author, 'Stranger')
  const leaver = await hire(author, 'Leaver')
  await author.put(leaver['@id'], { retired: true })
  const made = await draft()
  const [first, second] = made.controls
  for (const { id } of [stranger, leaver])
    for (const refused of [
      await author.post(ASSESSMENTS_URL, makeCompleteAssessment({ controls: naming(id) })),
      await author.put(made['@id'], { controls: [{ ...first, responsibility: id }, second] }),
      await author.patch(made['@id'], { controls: [{ ...first, responsibility: id }, second] }),
      await author.put(made['@id'], { controls: [first, second, ...naming(id)] }),
      await author.put(first['@id'], { responsibility: id }),
      await author.patch(first['@id'], { responsibility: id }),
      await author.post('/api/safety/risk_items', { document: made['@id'], hazardName: 'Noise', responsibility: id }),
    ])
      expect([refused.status, refused.body.violations?.[0].propertyPath]).toEqual([
        422,
        expect.stringMatching(/responsibility$/),
      ])
  expect(people((await author.get(made['@id'])).body.controls)).toEqual([
    [0, ''],
    [0, ''],
  ])
})

test('a copy for another company refers to none of the first company’s employees', async () => {
  const { author, draft } = await makeAssessments(portal)
  const ann = await hire(author, 'Carter')
  const made = await draft({ controls: naming(ann.id) })
  const other = await portal.client()
  const staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_SAFETY_ADMIN'] }))
  const model = await staff.get(`${made['@id']}/${other.id}/copyTo`)
  expect([model.status, people(model.body.controls)[0]]).toEqual([200, [0, 'Ann Carter']])
})
