import { expect, test } from 'vitest'
import { testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const FORMS = '/api/safety/custom_forms'
const ANSWERS = '/api/safety/custom_form_answers'
const EMPLOYEES = '/api/employees/employees'

const field = (name: string, kind: string, more: object = {}) => ({ name, kind, label: name.toUpperCase(), ...more })
const schemaOf = (...fields: object[]) => ({ steps: [{ name: 's', title: 'Questions', groups: [{ fields }] }] })

async function company() {
  const client = await portal.client({ packs: ['safety', 'employees'] })
  const author = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  const hire = async (surname: string) => (await author.post(EMPLOYEES, { forename: 'Ann', surname })).body
  const publish = async (...fields: object[]) => {
    const made = await author.post(FORMS, { title: 'Van check', schema: schemaOf(...fields) })
    expect(made.status, made.text).toBe(201)
    return (await author.post(`${made.body['@id']}/publish`, {})).body
  }
  return { client, author, hire, publish }
}

const DRIVER = field('driver', 'person')
const CREW = field('crew', 'rows', { fields: [field('mate', 'person')] })

test('a completed form names employees of the company, in fields and rows, and no others', async () => {
  const { author, hire, publish } = await company()
  const ann = await hire('Carter')
  const form = await publish(DRIVER, CREW)
  const send = (answers: object) => author.post(ANSWERS, { form: form['@id'], version: form.current, answers })
  const answers = {
    driver: '',
    driverEmployee: ann.id,
    crew: [{ mate: 'A. Carter', mateEmployee: ann.id }, { mate: 'Joe' }],
  }
  const sent = await send(answers)
  expect(sent.status, sent.text).toBe(201)
  expect(sent.body.answers).toEqual({ ...answers, driver: 'Ann Carter' })
  const typed = await send({ driver: 'Contractor' })
  expect(typed.body.answers).toEqual({ driver: 'Contractor' })
  const stranger = await (await company()).hire('Stranger')
  for (const refused of [
    { driver: 'X', driverEmployee: stranger.id },
    { crew: [{ mate: 'X', mateEmployee: stranger.id }] },
    { driver: 'X', driverEmployee: 'Ann' },
  ]) {
    const { status, body } = await send(refused)
    expect([status, body.violations?.[0].propertyPath]).toEqual([422, expect.stringMatching(/^answers\..*Employee$/)])
  }
})

test('by link a person is a typed name, and no employee is named', async () => {
  const { author, hire, publish } = await company()
  const ann = await hire('Carter')
  const form = await publish(DRIVER)
  const { link } = (await author.post(`${form['@id']}/link`, {})).body
  const url = `/api/safety/shared_forms/${String(link.address).split('/form/')[1]}`
  const opened = (await portal.anonymous.get(url)).body.form
  expect(opened.schema.steps[0].groups[0].fields).toMatchObject([{ name: 'driver', kind: 'text' }])
  const send = (answers: object, key: string) =>
    portal.anonymous.post(`${url}/answers`, { name: 'Lena Link', company: 'L', version: opened.version, answers, key })
  expect((await send({ driver: 'Ann Carter', driverEmployee: ann.id }, 'a key 1')).status).toBe(422)
  const sent = await send({ driver: 'Ann Carter' }, 'a key 2')
  expect(sent.status, sent.text).toBe(200)
})

test('a form does not store another answer where it stores the employee of a name', async () => {
  const { author } = await company()
  const { status, body } = await author.post(FORMS, {
    title: 'Van check',
    schema: schemaOf(DRIVER, field('driverEmployee', 'number')),
  })
  expect([status, body.violations?.[0].message]).toEqual([422, expect.stringContaining('Choose another name')])
})
