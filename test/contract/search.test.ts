import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { toSearchForm } from '#kernel/text/search.ts'
import { type TestApi, type TestClient, testPortal } from '#test/support/portal.ts'
import { scaleRunCount } from '#test/support/scope.ts'

const portal = await testPortal()
let client: TestClient
let api: TestApi

/** Names that are stored in every list. */
const STORED = [
  'Siân Ŵyn',
  'O’Hara Roofing',
  "O'Brien & Sons",
  'Łukasz Żak',
  'Smith-Jones Ltd',
  'Café Zoë',
  'Søren Ærø Straße',
  'A.B.C. Electrical',
  'M & S Plumbing',
  'Manning Asphalt',
  'Unit 4, LS1 1AA',
  'Non-slip Floors 50%',
] as const

/** Texts typed into a list's search, and the stored names that each finds. */
const QUERIES: readonly (readonly [typed: string, ...found: (typeof STORED)[number][]])[] = [
  ['sian wyn', 'Siân Ŵyn'],
  ['SIÂN', 'Siân Ŵyn'],
  ['wyn sian', 'Siân Ŵyn'],
  ["O'Hara", 'O’Hara Roofing'],
  ['ohara', 'O’Hara Roofing'],
  ['O`HARA', 'O’Hara Roofing'],
  ['O’Brien', "O'Brien & Sons"],
  ['obrien and sons', "O'Brien & Sons"],
  ['obrien & sons', "O'Brien & Sons"],
  ['lukasz zak', 'Łukasz Żak'],
  ['Łukasz', 'Łukasz Żak'],
  ['smith jones', 'Smith-Jones Ltd'],
  ['smith–jones', 'Smith-Jones Ltd'],
  ['SmithJones', 'Smith-Jones Ltd'],
  ['cafe zoe', 'Café Zoë'],
  ['CAFE\u0301', 'Café Zoë'],
  ['soren aero', 'Søren Ærø Straße'],
  ['STRASSE', 'Søren Ærø Straße'],
  ['abc', 'A.B.C. Electrical'],
  ['A.B.C', 'A.B.C. Electrical'],
  ['M&S', 'M & S Plumbing'],
  ['gas'],
  ['LS11AA', 'Unit 4, LS1 1AA'],
  ['ls1 1aa', 'Unit 4, LS1 1AA'],
  ['unit4', 'Unit 4, LS1 1AA'],
  ['nonslip', 'Non-slip Floors 50%'],
  ['non slip', 'Non-slip Floors 50%'],
  ['floors 50 %', 'Non-slip Floors 50%'],
]
/** Searches that find nothing, and must not fail. */
const ODD = [
  "'",
  '%',
  '_',
  '\\',
  '- …',
  'x'.repeat(5000),
  '🔥',
  '\u0301',
  '\\%_',
  "';--",
  '(((',
  '\u0000zzzz',
  '&',
  '&&&',
]

interface SearchedList {
  readonly url: string
  /** Field that contains the stored name. */
  readonly field: string
  /** SQL that stores a name, $2, for the client $1. $3 is a unique number. */
  readonly sql: string
  /** The parameter that searches, if it is not `q`. */
  readonly by?: string
  /** Queries that a list of whole words or of single values treats differently. */
  readonly except?: readonly string[]
}

const LISTS: readonly SearchedList[] = [
  {
    url: '/api/crm/contacts?',
    field: 'companyName',
    sql: 'INSERT INTO contact (client_id, company_name) VALUES ($1, $2)',
  },
  { url: '/api/crm/contacts?', field: 'companyName', by: 'companyName', sql: '' },
  {
    url: '/api/crm/people?',
    field: 'name',
    sql: 'WITH c AS (INSERT INTO contact (client_id) VALUES ($1) RETURNING id) INSERT INTO contact_person (client_id, contact_id, name) SELECT $1, id, $2 FROM c',
  },
  {
    url: '/api/crm/do_not_call?',
    field: 'reason',
    sql: "INSERT INTO do_not_call (client_id, number, reason) VALUES ($1, '+441632961' || $3::text, $2)",
  },
  {
    url: '/api/crm/staff?',
    field: 'name',
    by: 'name',
    sql: "INSERT INTO staff (client_id, username, name) VALUES ($1, 'zzz' || $3::text, $2)",
  },
  {
    url: '/api/portal/users?',
    field: 'name',
    by: 'name',
    sql: "INSERT INTO user_account (client_id, username, name) VALUES ($1, 'zzz' || $3::text, $2)",
  },
  {
    url: '/api/financial/customers?',
    field: 'companyName',
    sql: "INSERT INTO customer (client_id, email, metadata) VALUES ($1, 'zzz' || $3::text || '@customer.example', jsonb_build_object('company_name', $2::text))",
  },
  { url: '/api/financial/customers?', field: 'companyName', by: 'companyName', sql: '' },
  {
    url: '/api/financial/invoices?',
    field: 'company',
    sql: 'WITH c AS (SELECT min(id) AS id FROM customer WHERE client_id = $1) INSERT INTO invoice (client_id, customer_id, company) SELECT $1, id, $2 FROM c',
  },
  {
    url: '/api/financial/quotes?',
    field: 'company',
    sql: 'WITH c AS (SELECT min(id) AS id FROM customer WHERE client_id = $1) INSERT INTO quote (client_id, customer_id, tax_percent, company, number) SELECT $1, id, 20, $2, $3::int FROM c',
  },
  {
    url: '/api/safety/substances?client=own&',
    field: 'name',
    sql: "INSERT INTO substance (client_id, name, form) VALUES ($1, $2, 'liquid')",
  },
  {
    url: '/api/safety/hazards?client=own&',
    field: 'name',
    sql: "WITH g AS (SELECT min(id) AS id FROM hazard_group WHERE client_id = 0) INSERT INTO hazard (client_id, group_id, name, description) SELECT $1, id, $2, '' FROM g",
  },
  {
    url: '/api/safety/ppes?client=own&',
    field: 'name',
    by: 'name',
    sql: "INSERT INTO ppe (client_id, name, image) VALUES ($1, $2, '')",
  },
  {
    url: '/api/safety/tasks?client=own&',
    field: 'title',
    sql: "INSERT INTO task (client_id, title, text) VALUES ($1, $2, '')",
  },
  {
    url: '/api/safety/custom_forms?client=own&',
    field: 'title',
    sql: 'INSERT INTO custom_form (client_id, title) VALUES ($1, $2)',
  },
  {
    url: '/api/safety/corrective_actions?',
    field: 'description',
    sql: "INSERT INTO corrective_action (client_id, number, description, manager_name) VALUES ($1, 'zzz' || $3::text, $2, '')",
  },
  {
    url: '/api/employees/employees?',
    field: 'surname',
    sql: "INSERT INTO employee (client_id, forename, surname) VALUES ($1, '', $2)",
  },
  {
    url: '/api/safety/documents?isTemplate=false&',
    field: 'title',
    sql: "INSERT INTO document (client_id, kind, number, title) VALUES ($1, 'risk_assessment', 'RA-' || 'zzz' || $3::text, $2)",
    except: ['unit4'],
  },
  { url: '/api/safety/documents?isTemplate=false&', field: 'title', by: 'title', sql: '' },
]

beforeAll(async () => {
  client = await portal.client({ company: 'Searched Ltd' })
  api = client.as(
    await client.user({ roles: ['ROLE_CLIENT_ADMIN', 'ROLE_STAFF', 'ROLE_LEADS_ADMIN', 'ROLE_FINANCE'], name: 'Zzz' }),
  )
  await portal.db.tx('system', async (tx) => {
    for (const { sql } of LISTS)
      if (sql)
        for (const [n, name] of STORED.entries())
          await tx.rows(sql, [client.id, name, ...(sql.includes('$3') ? [100 + n] : [])])
  })
})

const find = async (list: Pick<SearchedList, 'url' | 'field' | 'by'>, typed: string): Promise<string[]> => {
  const { status, body, text } = await api.get(
    `${list.url}itemsPerPage=100&${new URLSearchParams({ [list.by ?? 'q']: typed })}`,
  )
  expect([status, status === 200 ? '' : text]).toEqual([200, ''])
  const names: string[] = body['hydra:member'].map((one: Record<string, string>) => one[list.field])
  return names.filter((name) => STORED.some((one) => one === name))
}

describe.each(LISTS)('the search of $url $by', (list) => {
  test('the search finds names without their capitals, accents, apostrophes, hyphens and spaces in postcodes', async () => {
    // A filter compares the words in order.
    const isOrdered = list.by !== undefined
    const queries = QUERIES.filter(([typed]) => !list.except?.includes(typed) && !(isOrdered && typed === 'wyn sian'))
    const wrong: string[] = []
    for (const [typed, ...expected] of queries) {
      const found = await find(list, typed)
      if (found.toSorted().join('|') !== expected.toSorted().join('|'))
        wrong.push(`${typed}: expected ${expected.join()}, found ${found.join()}`)
    }
    expect(wrong).toEqual([])
  })

  test('the search finds nothing for punctuation, and no text makes it fail', async () => {
    const found = await Promise.all(ODD.map((typed) => find(list, typed)))
    const isLiteral = (typed: string) => list.by && ["'", '%', '&'].includes(typed)
    expect(ODD.filter((typed, n) => found[n]?.length && !isLiteral(typed))).toEqual([])
  })
})

describe('numbers, addresses and postcodes', () => {
  const LEADS: readonly Record<string, string>[] = [
    { companyName: 'Mobile', mobile: '+44 (0)7700 900123' },
    { companyName: 'Two-Lines', phone: '01632 960001 or 01632 960002', email: 'Info@Two-Lines.example' },
    { companyName: 'French', phone: '0033 1 23 45 67 89', email: 'ann@bücher.example' },
    { companyName: 'Registered', companyNumber: '06734419', postcode: 'SW1A 2AA', city: 'Ynys Môn' },
    { companyName: 'Scottish', companyNumber: 'SC012345', postcode: 'EH11AA', name: 'D’Arcy Ní Bhriain' },
  ]
  beforeAll(async () => {
    const made = await Promise.all(LEADS.map((lead) => api.post('/api/crm/contacts', lead)))
    for (const { status, text } of made) if (status !== 201) throw new Error(text)
  })

  test.each([
    ['q=07700 900123', 'Mobile'],
    ['q=+44 7700 900123', 'Mobile'],
    ['q=7700900123', 'Mobile'],
    ['q=00447700900123', 'Mobile'],
    ['q=07700-900-123', 'Mobile'],
    ['q=(07700) 900123', 'Mobile'],
    ['q=900123', 'Mobile'],
    ['q=07700', 'Mobile'],
    ['q=Mobile 07700 900123', 'Mobile'],
    ['q=01632960002', 'Two-Lines'],
    ['q=+441632960001', 'Two-Lines'],
    ['q=+33 1 23 45 67 89', 'French'],
    ['q=0033123456789', 'French'],
    ['q=INFO@TWO-LINES.EXAMPLE', 'Two-Lines'],
    ['q=two-lines.example', 'Two-Lines'],
    ['q=@twolines', 'Two-Lines'],
    ['q=Ann@Bücher.example', 'French'],
    ['q=ann@BÜCHER.example', 'French'],
    ['q=06734419', 'Registered'],
    ['q=0673 4419', 'Registered'],
    ['q=6734419', 'Registered'],
    ['q=sw1a2aa', 'Registered'],
    ['q=SW1A 2AA', 'Registered'],
    ['q=ynys mon', 'Registered'],
    ['q=ynys-môn', 'Registered'],
    ['q=eh1 1aa', 'Scottish'],
    ['q=sc012345', 'Scottish'],
    ["q=d'arcy ni bhriain", 'Scottish'],
    ['q=darcy', 'Scottish'],
    ['phone=01632 960 002', 'Two-Lines'],
    ['phone=(01632) 960001', 'Two-Lines'],
    ['mobile=07700900123', 'Mobile'],
    ['mobile=00447700 900123', 'Mobile'],
    ['phone=+33 123456789', 'French'],
    ['phone=01632 960003', ''],
    ['email=info@two-lines.EXAMPLE', 'Two-Lines'],
    ['email=ANN@BÜCHER.example', 'French'],
    ['email=bücher.example', ''],
    ['name=ni bhriain', 'Scottish'],
    ['name=NÍ-BHRIAIN', 'Scottish'],
    ['name=D`Arcy', 'Scottish'],
    ['city=ynys mon', 'Registered'],
    ['city=mon', 'Registered'],
    ['postcode=sw1a2', 'Registered'],
    ['postcode=EH1 1', 'Scottish'],
    ['postcode=1AA', ''],
    ['companyName=two-lines', 'Two-Lines'],
    ['companyName=twolines', 'Two-Lines'],
    ['companyName[exact]=two-lines', ''],
    ['companyName[]=FRENCH&companyName[]=scóttish', 'French, Scottish'],
  ])('a search for ?%s returns the matching leads', async (query, expected) => {
    const url = `/api/crm/contacts?${new URLSearchParams(query.replaceAll('+', '%2B').replace(/#/g, '%23'))}`
    const { status, body } = await api.get(url)
    const names = body['hydra:member'].map((one: { companyName: string }) => one.companyName)
    expect([status, names.toSorted().join(', ')]).toEqual([200, expected])
  })

  test.each([
    ['companyNumber=sc12345', 'Scottish'],
    ['companyNumber=6734419', 'Registered'],
    ['mobile=07700 900123', 'Mobile'],
    ['email=INFO@two-lines.example', 'Two-Lines'],
    ['name=D’ARCY', 'Scottish'],
  ])('a search of leads by field finds the leads that match ?%s', async (query, expected) => {
    const { body } = await api.get(`/api/crm/contacts/search?${new URLSearchParams(query)}`)
    expect(body['hydra:member'].map((one: { companyName: string }) => one.companyName)).toEqual([expected])
  })
})

/**
 * Blocks with letters that gained a small form or a decomposition after Unicode 14, the edition of the oldest supported
 * database.
 */
const NEWER_LETTERS: readonly (readonly [first: number, last: number])[] = [
  [0x1c89, 0x1c8a],
  [0xa7c0, 0xa7ff],
  [0x10570, 0x105ff],
  [0x10d50, 0x10dff],
  [0x11300, 0x113ff],
  [0x16e00, 0x16fff],
  [0x1c000, 0x1dfff],
]
const isNewer = (code: number) => NEWER_LETTERS.some(([first, last]) => code >= first && code <= last)

test('the database returns the same search form as the program, for each character and for random texts', async () => {
  const characters: string[] = []
  for (let code = 1; code < 0x1_fb00; code++) {
    const character = String.fromCodePoint(code)
    if ((code < 0xd800 || code > 0xdfff) && !isNewer(code)) characters.push(`a${character}b ${character}1`)
  }
  const piece = fc.constantFrom(
    ...Array.from('aB9 .&-’\n\tÉßŁ\u0301\u200b'),
    '  ',
    ' 1',
    'LS1 1AA',
    'İ',
    'ﬁ',
    '½',
    '字',
    '🔥',
  )
  const random = fc.sample(
    fc.array(piece, { maxLength: 12 }).map((parts) => parts.join('')),
    scaleRunCount(20_000),
  )
  const texts = [...characters, ...random]
  const rows = await portal.db.tx('system', (tx) =>
    tx.rows<{ form: string }>(
      'SELECT search_form(t) AS form FROM unnest($1::text[]) WITH ORDINALITY u (t, n) ORDER BY n',
      [texts],
    ),
  )
  const wrong = texts.flatMap((text, n) => {
    const [ours, theirs] = [toSearchForm(text), rows[n]?.form]
    return ours === theirs ? [] : [{ text, ours, theirs }]
  })
  expect([rows.length, wrong]).toEqual([texts.length, []])
})
