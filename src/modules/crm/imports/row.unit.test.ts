import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseImportCell } from '#kernel/text/import-cells.ts'
import { escapeCsvFormula } from '#kernel/text.ts'
import { MAX_BLOCKING_MS, measureThreadTime } from '#test/support/effort.ts'
import { checkColumnMapping, columnHeadingsKey, guessColumnMapping } from './columns.ts'
import { businessTypeForSicCode } from './lists.server.ts'
import { AddedRowIndex, buildLeadMatchKeys, createImportRowParser } from './row.ts'

describe('import file cells', () => {
  test.each([
    ['  Acme\u0000 Ltd ', 'Acme Ltd'],
    ["'=1+1", '=1+1'],
    ["'+44 1632 960001", '+44 1632 960001'],
    ["'01632 960001", '01632 960001'],
    ['="00123456"', '00123456'],
    ["'A' Cleaning Company", "'A' Cleaning Company"],
    ["'45 Aid Society Limited", "'45 Aid Society Limited"],
    ["'2=1(UK)'", "'2=1(UK)'"],
    ['=HYPERLINK("http://x")', '=HYPERLINK("http://x")'],
  ])('the cell %j is parsed as %j', (raw, text) => expect(parseImportCell(raw)).toBe(text))

  test.each([
    ['=1+1', "'=1+1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['-2+3', "'-2+3"],
    ['＝1+1', "'＝1+1"],
    ['\u00a0=1', "'\u00a0=1"],
    ['+1+1', "'+1+1"],
    ['+44 (0)1632 960001', '+44 (0)1632 960001'],
    ['Acme', 'Acme'],
  ])('the cell text %j is exported as %j', (text, safe) => expect(escapeCsvFormula(text)).toBe(safe))

  test('cells escaped against formulas are parsed back unchanged', () => {
    const texts = fc.string({ unit: fc.constantFrom(...'=+-@\'"a1 '.split('')) }).map(parseImportCell)
    const back = fc.property(texts, (s) => s.startsWith("'") || parseImportCell(escapeCsvFormula(s)) === s)
    expect(fc.check(back).counterexample).toBeNull()
  })
})

describe('numbers that a spreadsheet has changed', () => {
  const parse = createImportRowParser(['Company', 'Company number', 'Phone'], {
    Company: 'companyName',
    'Company number': 'companyNumber',
    Phone: 'phone',
  })

  test.each([
    ['6734419.0', '1632960123.0', '06734419', '01632960123'],
    ['12345678.0', '7700900123.0', '12345678', '07700900123'],
    ['Company No. 06734420', '', '06734420', null],
    ['Reg no: SC123456', '', 'SC123456', null],
    ['06734420', '0', '06734420', '0'],
  ])(
    "the company number %j and telephone number %j are imported without the spreadsheet's additions",
    (number, phone, stored, called) =>
      expect(parse(['Acme Ltd', number, phone]).lead).toMatchObject({ companyNumber: stored, phone: called }),
  )

  test.each([
    ['', '4,47701E+11'],
    ['', '4.47701E+11'],
    ['1.23457E+07', ''],
    ['1,23457E+07', ''],
    ['123457E2', ''],
  ])('the company number %j and telephone number %j have lost digits, so the row is refused', (number, phone) =>
    expect(parse(['Acme Ltd', number, phone]).wrong).toMatch(/has cut off/),
  )
})

describe('import file columns', () => {
  const guess = (...columns: string[]) => guessColumnMapping(columns, [])

  test('columns are recognised by many alternative headings', () => {
    expect(guess('Organisation', 'First Name', 'SURNAME', 'Tel.', 'Mobile No', 'E-Mail Address', 'Post Code')).toEqual({
      Organisation: 'companyName',
      'First Name': 'firstName',
      SURNAME: 'lastName',
      'Tel.': 'phone',
      'Mobile No': 'mobile',
      'E-Mail Address': 'email',
      'Post Code': 'postcode',
    })
  })
  test('two columns are never mapped to the same field', () =>
    expect(guess('Phone', 'Telephone')).toEqual({ Phone: 'phone' }))
  test('columns with an unknown heading are recognised by their values', () =>
    expect(
      guessColumnMapping(
        ['A', 'B', 'C', 'D'],
        [
          ['x@y.example', '07700 900123', 'LS1 1AA', '+44 1632 960123'],
          ['', '+447700900124', 'EC1V 9AV', '01632 960124'],
        ],
      ),
    ).toEqual({ A: 'email', B: 'mobile', C: 'postcode', D: 'phone' }))
  test('column mappings from requests are validated', () => {
    expect(checkColumnMapping({ A: 'companyName', B: '' }, ['A', 'B'])).toEqual({
      mapping: { A: 'companyName' },
      wrong: [],
    })
    for (const given of [{ X: 'phone' }, { A: 'sex' }, { A: 'phone', B: 'phone' }, { A: 'city' }, {}, null, 'x'])
      expect(checkColumnMapping(given, ['A', 'B']).wrong).toHaveLength(1)
  })
  test('files with the same headings have the same signature', () =>
    expect(columnHeadingsKey(['Company Name', 'E-mail'])).toBe(columnHeadingsKey(['company_name', 'EMail'])))
})

describe('import file rows', () => {
  const read = createImportRowParser(['No', 'First', 'Last', 'Tel', 'Where', 'N1', 'N2'], {
    No: 'companyNumber',
    First: 'firstName',
    Last: 'lastName',
    Tel: 'phone',
    Where: 'address1',
    N1: 'notes',
    N2: 'notes',
  })
  test("values of an imported row are normalised to the format of the lead's fields", () =>
    expect(read(['8209948', 'Ann', 'Lee', '1632960123', 'Unit 1\nMill Road', 'one', 'two']).lead).toMatchObject({
      companyNumber: '08209948',
      name: 'Ann Lee',
      phone: '01632960123',
      address1: 'Unit 1, Mill Road',
      notes: 'one\ntwo',
    }))
  test('rows with arbitrary content never cause an exception', () =>
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 9 }), (cells) => {
        const { lead, wrong } = read(cells)
        buildLeadMatchKeys(lead)
        expect(wrong === undefined || wrong.length > 0).toBe(true)
      }),
    ))
})

describe('legal forms and consents in import files', () => {
  const parse = createImportRowParser(['Company', 'Phone', 'Email', 'Form', 'Date', 'How', 'Wording'], {
    Company: 'companyName',
    Phone: 'phone',
    Email: 'email',
    Form: 'legalForm',
    Date: 'consentGivenOn',
    How: 'consentHow',
    Wording: 'consentEvidence',
  })
  const consent = ['2026-01-05', 'form', 'Yes please']

  test.each(['Limited', ''])('a row with a number and the legal form %j keeps its e-mail address and consent', (form) =>
    expect(parse(['Acme', '01632 960123', 'ann@acme.example', form, ...consent])).toMatchObject({
      lead: { email: 'ann@acme.example', consent: { givenOn: '2026-01-05' }, lacksEvidence: false },
      wrong: undefined,
      remark: undefined,
    }),
  )

  test.each([
    ['', null],
    ['Unincorporated association', 'unknown'],
    ['Unincorporated society', 'unknown'],
    ['Not a company', 'unknown'],
    ['Public house', 'unknown'],
    ['Private members’ club', 'unknown'],
    ['Society', 'unknown'],
    ['Charity', 'unknown'],
    ['Company', 'unknown'],
    ['Not limited', 'unknown'],
    ['Limited?? (was sole trader)', 'unknown'],
    ['SOLE TRADER', 'sole trader'],
    ['Sole trader (Scottish)', 'sole trader'],
    ['Self-employed', 'sole trader'],
    ['General partnership', 'partnership'],
    ['Limited Partnership', 'partnership'],
    ['Scottish partnership', 'scottish partnership'],
    ['L.L.P.', 'llp'],
    ['Limited liability partnership (LLP)', 'llp'],
    ['Public Limited Company', 'plc'],
    ['The Private Limited Company', 'limited'],
    ['Ltd.', 'limited'],
    ['PRI/LTD BY GUAR/NSC (Private, limited by guarantee, no share capital)', 'limited'],
    ["PRI/LBG/NSC (Private, Limited by guarantee, no share capital, use of 'Limited' exemption)", 'limited'],
    ['Community Interest Company', 'limited'],
    ['Local authority', 'public body'],
    ['Charitable Incorporated Organisation', 'other corporate'],
    ['Charity or other corporate body', 'other corporate'],
    ['Registered Society', 'other corporate'],
  ])('the legal form %j is imported as %j', (text, form) =>
    expect(parse(['Acme', '01632 960123', '', text]).lead.legalForm).toBe(form),
  )

  test.each(['bob@dot..example', `a@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(80)}.example`])(
    'a row whose e-mail address %j is left out has no consent, and its report says so',
    (address) =>
      expect(parse(['Acme', '01632 960123', address, '', ...consent])).toMatchObject({
        lead: { email: null, consent: null, lacksEvidence: true },
        wrong: undefined,
        remark: expect.stringContaining('not an e-mail address'),
      }),
  )
})

test('a business type is found by the longest known prefix of its SIC code', () => {
  expect(businessTypeForSicCode('43220 - Plumbing, heat and air-conditioning installation')).toBe('Plumbing')
  expect(businessTypeForSicCode('81221 - Window cleaning services')).toBe('Window cleaning')
  expect(businessTypeForSicCode('81299')).toBe('Cleaning')
  for (const none of ['None Supplied', '2211 - Publishing of books', '99999 - Dormant Company', ''])
    expect(businessTypeForSicCode(none)).toBeUndefined()
})

test('every business type derived from a SIC code is an existing business type', () => {
  const reference = (name: string) =>
    JSON.parse(readFileSync(join(import.meta.dirname, '../../../../db/reference', name), 'utf8'))
  const known = (reference('business-types.json') as { name: string }[]).map((t) => t.name)
  expect(known).toEqual(expect.arrayContaining(Object.values(reference('sic-business-types.json'))))
})

describe("an imported lead's match keys", () => {
  const lead = (more: object) => buildLeadMatchKeys({ companyName: null, phone: null, mobile: null, ...more } as never)
  test('blank values and the e-mail address "no" have no match key', () => {
    const seen = new AddedRowIndex()
    seen.add(lead({ email: 'no', phone: '', companyNumber: '' }), 2)
    expect(seen.find(lead({ email: 'No', phone: '', companyNumber: '' }))).toBeUndefined()
  })
  test('a company name matches together with its postcode, or alone if the lead has no other match key', () => {
    const seen = new AddedRowIndex()
    seen.add(lead({ companyName: 'Acme Ltd', postcode: 'LS1 1AA', phone: '01632 960001' }), 2)
    seen.add(lead({ companyName: 'Beta Ltd' }), 3)
    expect(seen.find(lead({ companyName: 'ACME LTD', postcode: 'ls11aa' }))).toEqual({ same: 'companyName', line: 2 })
    expect(seen.find(lead({ companyName: 'Acme Ltd', postcode: 'LS2 2BB' }))).toBeUndefined()
    expect(seen.find(lead({ companyName: 'Beta Ltd' }))?.line).toBe(3)
    expect(seen.find(lead({ companyName: 'Beta Ltd', phone: '01632 960002' }))).toBeUndefined()
  })
})

test.each([' ', 'x ', '@', '.', '-', '\n ', ' \u00a0', '="'])(
  'a cell of a million characters, %j repeated, is parsed without delay',
  async (piece) => {
    const long = `x${piece.repeat(1_000_000 / piece.length)}x`
    const columns = ['company', 'address', 'email', 'phone', 'odd']
    const read = createImportRowParser(columns, {
      company: 'companyName',
      address: 'address1',
      email: 'email',
      phone: 'phone',
    })
    const effort = await measureThreadTime(() => {
      guessColumnMapping(columns, [[long, long, long, long, long]])
      return read([long, long, long, long])
    })
    expect(effort).toBeLessThan(MAX_BLOCKING_MS)
  },
)
