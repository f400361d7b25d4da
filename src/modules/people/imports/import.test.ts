import { writeXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import { type TestApi, type TestClient, testPortal } from '#test/support/portal.ts'
import { makeUploadForm } from '#test/support/uploads.ts'

const portal = await testPortal()
const IMPORTS = '/api/employees/imports'
const EMPLOYEES = '/api/employees/employees'

async function company(roles: readonly string[] = ['ROLE_HR']): Promise<{ client: TestClient; hr: TestApi }> {
  const client = await portal.client({ packs: ['employees', 'safety'] })
  return { client, hr: client.as(await client.user({ roles: [...roles] })) }
}

const upload = (hr: TestApi, content: string | Buffer, name = 'people.csv') =>
  hr.send('POST', IMPORTS, makeUploadForm(content, name))

/** Uploads a file, runs its import, and returns its final state. */
async function bring(hr: TestApi, content: string | Buffer, body: Record<string, unknown> = {}) {
  const sent = await upload(hr, content)
  expect(sent.status, sent.text).toBe(201)
  const started = await hr.post(`${sent.body['@id']}/start`, body)
  expect(started.status, started.text).toBe(200)
  await portal.drain()
  return (await hr.get(sent.body['@id'])).body
}

const counts = (one: Record<string, unknown>) => [one.state, one.added, one.updated, one.unchanged, one.refused]
const lines = async (hr: TestApi, of: { id: number }) =>
  (await hr.get(`/api/employees/import_lines?batch=${of.id}&itemsPerPage=100`)).body['hydra:member'] as readonly {
    line: number
    outcome: string
    reason: string
  }[]
const people = async (hr: TestApi) =>
  (await hr.get(`${EMPLOYEES}?itemsPerPage=100`)).body['hydra:member'] as readonly Record<string, unknown>[]
const undo = async (hr: TestApi, one: { run: string }) => {
  const { status, text } = await hr.post(`${one.run}/undo`)
  expect(status, text).toBe(200)
  await portal.drain()
}

test('a file is compared first, imported with managers in any order, does nothing again, and is undone', async () => {
  const { client, hr } = await company()
  await hr.post('/api/employees/departments', { name: 'Workshop' })
  const file = `\ufeffForename;Surname;Date of birth;Start date;Line manager;Department;Job title
Cy;Low;1/2/80;1/2/26;Ann Top;workshop;Fitter
Ann;Top;29/02/1964;46054;;;Manager
Bo;Wrong;29/2/1965;;;;`
  const checked = await bring(hr, file, { dryRun: true })
  expect(counts(checked)).toEqual(['checked', 2, 0, 0, 1])
  expect(await people(hr)).toEqual([])

  expect((await hr.post(`${checked['@id']}/start`, {})).status).toBe(200)
  await portal.drain()
  const imported = (await hr.get(checked['@id'])).body
  expect(counts(imported)).toEqual(['imported', 2, 0, 0, 1])
  expect(imported.sample).toEqual([])
  expect(await lines(hr, imported)).toMatchObject([
    { line: 4, outcome: 'refused', reason: expect.stringContaining('29 February') },
  ])
  const [top, low] = await people(hr)
  expect([top?.name, top?.extCStartDate]).toEqual(['Ann Top', '2026-02-01'])
  expect(low).toMatchObject({ name: 'Cy Low', manager: top?.['@id'], extCStartDate: '2026-02-01' })
  const jobs = (await hr.get(`/api/employees/jobs?employee=${String(low?.id)}`)).body['hydra:member']
  expect(jobs).toMatchObject([{ event: 'start', from: '2026-02-01', manager: { name: 'Ann Top' } }])

  expect(counts(await bring(hr, file))).toEqual(['imported', 0, 0, 2, 1])
  const changed = await bring(hr, file.replace('Fitter', 'Welder').replace('Bo;Wrong;29/2/1965', 'Bo;Right;'), {
    existing: 'replace',
  })
  expect(counts(changed)).toEqual(['imported', 1, 1, 1, 0])
  await undo(hr, changed)
  expect((await people(hr)).map(({ name, jobtitlename }) => [name, jobtitlename])).toEqual([
    ['Ann Top', 'Manager'],
    ['Cy Low', 'Fitter'],
  ])
  await hr.patch(String(top?.['@id']), { jobtitlename: 'Director' })
  await undo(hr, imported)
  expect((await people(hr)).map(({ name }) => name)).toEqual(['Ann Top'])
  expect((await lines(hr, imported)).filter(({ outcome }) => outcome === 'kept')).toHaveLength(1)
  expect((await hr.get(imported['@id'])).body.state).toBe('undone')

  const colleague = client.as(await client.user({ roles: ['ROLE_HR'] }))
  expect((await colleague.get(imported['@id'])).status).toBe(404)
  expect((await hr.delete(imported['@id'])).status).toBe(409)
  expect((await hr.delete((await upload(hr, file)).body['@id'])).status).toBe(204)
})

test('an import that is undone retains the employees that a document names in its rows', async () => {
  const { hr } = await company(['ROLE_HR', 'ROLE_CLIENT_ADMIN'])
  const imported = await bring(hr, 'Forename;Surname\nAnn;Named\nBea;Free\n')
  const ann = (await people(hr)).find(({ surname }) => surname === 'Named')
  const row = { function: 'First aider', person: 'Ann Named', employee: ann?.id, responsibilities: 'First aid box' }
  const policy = await hr.post('/api/safety/policies', { title: 'Policy', organisation: [row] })
  expect(policy.status, policy.text).toBe(201)
  await undo(hr, imported)
  expect((await people(hr)).map(({ name }) => name)).toEqual(['Ann Named'])
  expect(await lines(hr, imported)).toMatchObject([
    { outcome: 'kept', reason: expect.stringContaining('Other records') },
  ])
})

test('a workbook with dates, numbers and private details needs the role for private details', async () => {
  const { client, hr } = await company()
  const bytes = Buffer.from(
    await writeXlsx({
      sheets: [
        {
          name: 'People',
          rows: [
            ['Company list'],
            ['Full name', 'DOB', 'Payroll no', 'Mobile', 'NI number', 'Sort code', 'Account number', 'Account name'],
            [
              'Ann Carter',
              new Date('1980-02-29T00:00:00Z'),
              7,
              7700900123,
              'AB 12 34 56 C',
              89999,
              66374958,
              'A Carter',
            ],
          ],
          columns: [{}, { numFmt: 'dd/mm/yyyy' }],
        },
      ],
    }),
  )
  const sent = await upload(hr, bytes, 'people.xlsx')
  expect(sent.body.mapping).not.toHaveProperty('NI number')
  const given = { ...sent.body.mapping, 'NI number': 'nationalInsuranceNumber' }
  expect((await hr.post(`${sent.body['@id']}/start`, { mapping: given })).status).toBe(422)

  const privateHr = client.as(await client.user({ roles: ['ROLE_HR', 'ROLE_HR_PRIVATE'] }))
  const done = await bring(privateHr, bytes)
  expect(counts(done)).toEqual(['imported', 1, 0, 0, 0])
  const [one] = await people(privateHr)
  expect((await privateHr.get(String(one?.['@id']))).body).toMatchObject({
    name: 'Ann Carter',
    dob: '1980-02-29',
    payroll: '7',
    mobile: '07700900123',
    nationalInsuranceNumber: 'AB123456C',
    sortCode: '089999',
    accountNumber: '66374958',
  })
})

test('of 1,000 rows 960 right ones are added, and each of the 40 wrong ones is reported with its number', async () => {
  const { hr } = await company()
  const wrong = ['30/2/1990', 'x@', 'Nobody Here', '1/13/2020']
  const rows = Array.from({ length: 1000 }, (_, n) => {
    const manager = n ? `p${Math.floor(n / 50) * 2}@x.example` : ''
    const values = [`${(n % 28) + 1}/2/1990`, `p${n}@x.example`, manager, '1/2/2020']
    if (n % 25 === 24) values[Math.floor(n / 25) % 4] = wrong[Math.floor(n / 25) % 4] ?? ''
    return [`Person${n}`, 'Test', ...values].join(',')
  })
  const done = await bring(hr, `Forename,Surname,Date of birth,E-mail,Manager,Start date\n${rows.join('\n')}`)
  expect(counts(done)).toEqual(['imported', 960, 0, 0, 40])
  const refused = (await lines(hr, done)).filter(({ outcome }) => outcome === 'refused')
  expect(refused.map(({ line }) => line)).toEqual(Array.from({ length: 40 }, (_, n) => n * 25 + 26))
  for (const { reason } of refused) expect(reason).toMatch(/^[A-Z].{20,}/)
})

test('files that are no list of people are refused with a sentence, and others may not import', async () => {
  const { client, hr } = await company()
  const refusal = async (content: string | Buffer) => (await upload(hr, content)).body.violations?.[0].message
  expect(await refusal('')).toContain('empty')
  expect(await refusal('Forename,Surname\n')).toContain('no rows')
  expect(await refusal('Ann,ann@x.example\nBob,bob@x.example')).toContain('headings')
  expect(await refusal(Buffer.from('PK\u0003\u0004nonsense'))).toContain('workbook')
  const author = client.as(await client.user({ roles: ['ROLE_SAFETY_AUTHOR'] }))
  expect((await upload(author, 'Name\nAnn Carter')).status).toBe(403)
})
