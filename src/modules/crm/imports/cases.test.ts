import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type TestApi, testPortal } from '#test/support/portal.ts'
import { makeUploadForm } from '#test/support/uploads.ts'

const portal = await testPortal()

async function office(): Promise<TestApi> {
  const client = await portal.client()
  return client.as(await client.user({ roles: ['ROLE_STAFF', 'ROLE_LEADS_ADMIN'] }))
}

const upload = (api: TestApi, content: string | Buffer, name: string) =>
  api.send('POST', '/api/crm/imports', makeUploadForm(content, name))

async function bring(api: TestApi, content: string | Buffer, name = 'leads.csv') {
  const up = await upload(api, content, name)
  expect(up.status, up.text).toBe(201)
  const started = await api.post(`${up.body['@id']}/start`, {})
  expect(started.status, started.text).toBe(200)
  await portal.drain()
  const batch = (await api.get(up.body['@id'])).body
  const leads = (await api.get('/api/crm/contacts?retired=false&itemsPerPage=100&order[companyName]=asc')).body
  const lines = (await api.get(`/api/crm/import_lines?importBatch=${batch.id}&itemsPerPage=100`)).body
  return { up: up.body, batch, leads: leads['hydra:member'], lines: lines['hydra:member'] }
}

const caseOf = (name: string) => readFileSync(join(import.meta.dirname, 'cases', name))
const E = (o: object) => expect.objectContaining(o)

describe('lists in the formats that programs export', () => {
  test.each<[string, object[], (readonly [outcome: string, reason: string])[]]>([
    [
      'point-nought.csv',
      [
        { companyName: 'Float One Ltd', companyNumber: '06734419', phone: '01632960123' },
        { companyName: 'Float Two Ltd', companyNumber: '12345678', phone: '07700900123' },
      ],
      [],
    ],
    ['cut-short.csv', [], ['4,47701E+11', '4.47701E+11', '1.23457E+07', '7,7009E+09'].map((n) => ['refused', n])],
    [
      'unseen-characters.csv',
      [
        { companyName: 'Unseen One', email: 'ann@unseen.example' },
        { companyName: 'Unseen Two', email: 'bob@unseen.example' },
      ],
      [['duplicate', 'Same e-mail address as an earlier row of this file (line 3)']],
    ],
    [
      'one-number.csv',
      [{ companyName: 'Spelling 0', mobile: '07700 900471' }],
      Array.from({ length: 8 }, () => ['duplicate', '(line 2)'] as const),
    ],
    ['title-above.csv', [{ companyName: 'Titled Ltd', phone: '01632 960203', city: 'Leeds' }], []],
    ['quotes-behind-a-blank.csv', [{ companyName: 'Padded Ltd', phone: '01632 960202', city: 'Leeds' }], []],
    [
      'google-contacts.csv',
      [{ companyName: 'Google Case Ltd', name: 'Ann Field', phone: '01632 960204', email: 'ann@google-case.example' }],
      [],
    ],
    ['said-with-words.csv', [{ companyName: 'Words Ltd', companyNumber: '06734420' }], []],
  ])('the list %s produces the expected leads and report', async (name, leads, lines) => {
    const got = await bring(await office(), caseOf(name), name)
    expect(got.leads).toEqual(leads.map(E))
    const reported = got.lines.filter((l: { reason: string }) => !/^No (telephone|phone)/.test(l.reason))
    expect(reported).toEqual(lines.map(([outcome, reason]) => E({ outcome, reason: expect.stringContaining(reason) })))
  })

  test('an invalid e-mail address rejects only a lead that can’t be called, and the report says so', async () => {
    const api = await office()
    const { leads, lines } = await bring(api, caseOf('dots.csv'))
    expect(leads).toEqual([E({ companyName: 'Dot One', email: 'ann@dot.example' })])
    expect(lines).toEqual([
      E({ line: 2, outcome: 'incomplete', reason: 'No phone number: the lead can’t be called' }),
      E({ line: 3, outcome: 'refused', reason: expect.stringContaining('Please enter an e-mail address') }),
    ])
    const callable = await bring(api, 'Company,Phone,Email\nDot Three,01632 960330,bob@dot..example\n')
    expect(callable.leads).toContainEqual(E({ companyName: 'Dot Three', phone: '01632 960330', email: null }))
    const reason = 'Email: not an e-mail address, so it was left out'
    expect(callable.lines).toEqual([E({ outcome: 'incomplete', reason: `${reason} (“bob@dot..example”)` })])
    expect(callable.batch.report).toEqual([{ outcome: 'incomplete', reason, rows: 1 }])
  })

  test('a column mapping is reused for the same headings with different capitals', async () => {
    const api = await office()
    const { up } = await bring(api, caseOf('remembered-1.csv'))
    expect(up.mapping).toEqual({
      Company: 'companyName',
      Phone: 'phone',
      'Company Number': 'companyNumber',
      'E-Mail': 'email',
    })
    const second = await bring(api, caseOf('remembered-2.csv'))
    expect(second.leads).toEqual([
      E({ companyName: 'Capital One Ltd', companyNumber: '06734421', email: 'one@capitals.example' }),
      E({ companyName: 'Capital Two Ltd', companyNumber: '06734422', email: 'two@capitals.example' }),
    ])
  })
})

describe('the report of an import', () => {
  test("a report has its file's columns, and its corrected rows are imported with the stored mapping", async () => {
    const api = await office()
    const file =
      'Firm,Tel,Mail,Our ref\nAcme,01632 960301,,A-1\nBeta,4.47701E+11,,=B-2\nGamma,01632 960302,gamma@@x,"C\n3"\nDelta,,,D-4\n'
    const up = (await upload(api, file, 'firms.csv')).body
    const mapping = { Firm: 'companyName', Tel: 'phone', Mail: 'email' }
    await api.post(`${up['@id']}/start`, { mapping })
    await portal.drain()
    const report = (await api.get(`${up['@id']}/report.csv`)).text
    expect(report).toBe(
      [
        '\ufeffFirm,Tel,Mail,Our ref,Import line,Import result,Import reason,Import lead',
        `Beta,4.47701E+11,,'=B-2,3,Rejected,"Tel: a spreadsheet has cut off ""4.47701E+11"". Format the column as text in the spreadsheet and save the file again",`,
        'Gamma,01632 960302,gamma@@x,"C\n3",4,"Added, incomplete",Mail: not an e-mail address, so it was left out (“gamma@@x”),'.replace(
          /(Mail: .*”\))/,
          '"$1"',
        ),
        'Delta,,,D-4,6,"Added, incomplete",No phone number: the lead can’t be called,',
        '',
      ].join('\r\n'),
    )
    const again = await bring(api, report.replace('4.47701E+11,', '01632 960303,'), 'firms report.csv')
    expect(again.up.mapping).toEqual(mapping)
    expect([again.batch.rowsAdded, again.batch.rowsDuplicate]).toEqual([1, 2])
    expect(again.leads.map((l: { companyName: string }) => l.companyName)).toEqual(['Acme', 'Beta', 'Delta', 'Gamma'])
  })
})

describe('address books', () => {
  const OUTLOOK =
    'First Name,Middle Name,Last Name,Title,Suffix,E-mail Address,E-mail 2 Address,Home Phone,Business Phone,Business Phone 2,Mobile Phone,Business Fax,Job Title,Company,Business Street,Business City,Business State,Business Postal Code,Business Country/Region,Web Page,Notes'
  const GOOGLE =
    'First Name,Middle Name,Last Name,Phonetic First Name,Nickname,File As,Organization Name,Organization Title,Organization Department,Birthday,Notes,Photo,Labels,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value,Phone 2 - Label,Phone 2 - Value,Address 1 - Street,Address 1 - City,Address 1 - Region,Address 1 - Postal Code,Website 1 - Value'
  test.each([
    [
      'Outlook',
      `${OUTLOOK}\r\nAnn,,Field,Mrs,,ann@field.example,,01632 960310,01632 960311,,07700 900311,01632 960319,Buyer,Field Ltd,1 High Street,Leeds,,LS1 1AA,United Kingdom,field.example,Met in May\r\n`,
    ],
    [
      'Google',
      `${GOOGLE}\nAnn,,Field,,,,Field Ltd,Buyer,,,Met in May,,* myContacts,Work,ann@field.example ::: annie@field.example,Work,01632 960311,Mobile,07700 900311,1 High Street,Leeds,,LS1 1AA,field.example\n`,
    ],
  ])('a contact of %s becomes a lead with company, person, numbers and address', async (_, file) => {
    const { leads } = await bring(await office(), file)
    expect(leads).toEqual([
      E({
        companyName: 'Field Ltd',
        name: 'Ann Field',
        jobTitle: 'Buyer',
        email: 'ann@field.example',
        phone: '01632 960311',
        mobile: '07700 900311',
        address1: '1 High Street',
        city: 'Leeds',
        postcode: 'LS1 1AA',
        website: 'field.example',
      }),
    ])
  })
})

test('a duplicate search runs after each import and every night, without a notification', async () => {
  const client = await portal.client()
  const api = client.as(await client.user({ roles: ['ROLE_STAFF', 'ROLE_LEADS_ADMIN'] }))
  const pairs = async () => (await api.get('/api/crm/duplicate_pairs')).body['hydra:totalItems']
  await api.post('/api/crm/contacts', { companyName: 'Nightly Roofing Ltd', city: 'Derby' })
  await bring(api, 'Company,Town,Phone\nNightly Roofing,Derby,01632 960340\n')
  expect(await pairs()).toBe(1)
  await api.post('/api/crm/contacts', { companyName: 'Nightly Roofing Limited', city: 'Derby' })
  await portal.runSchedule('crm.find-duplicates')
  await portal.drain()
  expect(await pairs()).toBe(3)
  expect((await api.get('/api/portal/notices')).text).not.toContain('Search for duplicate')
})
