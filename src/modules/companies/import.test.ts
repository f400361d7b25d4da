import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { BatchJob, BatchJobObserver } from '#server/engine/schedule.ts'
import { testPortal } from '#test/support/portal.ts'
import { findInterruptedImport, importCompanyRegisterFile, readImportRejections } from './command.server.ts'
import { type CompanyRegisterFile, openCompanyRegisterFile } from './import-run.server.ts'

const HEAD =
  'CompanyName, CompanyNumber,RegAddress.AddressLine1, RegAddress.AddressLine2,RegAddress.PostTown,RegAddress.County,RegAddress.Country,RegAddress.PostCode,CompanyCategory,CompanyStatus,DissolutionDate,IncorporationDate,SICCode.SicText_1,SICCode.SicText_2,URI'
const { db, engine } = await testPortal()
const folder = mkdtempSync(join(tmpdir(), 'companies-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
const fileOf = (text: string | Buffer): string => {
  const path = join(folder, `${++files}.csv`)
  writeFileSync(path, text)
  return path
}
const line = (number: string, name: string, city = 'LEEDS') =>
  `"${name}","${number}","1 HIGH ST","","${city}","","","LS1 1AA","Private Limited Company","Active","","11/09/2012","62012 - Business and domestic software development","","http://business.data.gov.uk/id/company/${number}"`

/** Imports or resumes a file, with three rows per transaction. */
const goOn = async (file: CompanyRegisterFile, watch: BatchJobObserver = {}) =>
  importCompanyRegisterFile(engine, file, await findInterruptedImport(db, file), watch, 3)
const bring = async (text: string | Buffer) => goOn(await openCompanyRegisterFile(fileOf(text)))
const counts = ({ tally, refused }: BatchJob) => [tally.added, tally.changed, tally.unchanged, refused]
const stored = (number: string) =>
  db
    .tx('system', (tx) => tx.rows<Record<string, unknown>>('SELECT * FROM company WHERE number = $1', [number]))
    .then((rows) => rows[0])

describe("the public register's file", () => {
  test('a register file is parsed despite a byte order mark, spaces in headings, quotation marks, commas and line breaks in cells', async () => {
    const text = `\ufeff${HEAD}\r\n${line('10000001', 'ACME ""ROOFS"", LTD')}\r\n\r\n${line('SC100002', 'TWO\nLINES LTD')}\r\n${line('10000003', 'BACK\\SLASH\tTAB LTD')}`
    expect(counts(await bring(text))).toEqual([3, 0, 0, 0])
    expect(await stored('10000001')).toMatchObject({
      name: 'ACME "ROOFS", LTD',
      address1: '1 HIGH ST',
      city: 'LEEDS',
      postcode: 'LS1 1AA',
      category: 'Private Limited Company',
      sic_codes: ['62012'],
      incorporated: '2012-09-11',
      dissolved: null,
      active: true,
    })
    expect(await stored('SC100002')).toMatchObject({ name: 'TWO LINES LTD' })
    expect(await stored('10000003')).toMatchObject({ name: 'BACK\\SLASH TAB LTD' })
  })

  test('importing a register file again updates only the companies that have changed', async () => {
    const ids = async () => [(await stored('20000001'))?.id, (await stored('20000002'))?.id]
    const first = [HEAD, line('20000001', 'FIRST LTD'), line('20000002', 'SECOND LTD')]
    expect(counts(await bring(first.join('\n')))).toEqual([2, 0, 0, 0])
    const before = await ids()
    const second = [
      HEAD,
      line('20000001', 'FIRST LTD', 'YORK'),
      line('20000002', 'SECOND LTD'),
      line('20000003', 'THIRD LTD'),
    ]
    expect(counts(await bring(second.join('\n')))).toEqual([1, 1, 1, 0])
    expect(await ids()).toEqual(before)
    expect((await stored('20000001'))?.city).toBe('YORK')
    expect(counts(await bring(second.join('\n')))).toEqual([0, 0, 3, 0])
  })

  test('if a company number occurs several times in a register file, the last row is stored', async () => {
    const rows = [
      line('30000001', 'A LTD'),
      line('30000001', 'B LTD'),
      line('30000002', 'C LTD'),
      line('30000001', 'D LTD'),
    ]
    await bring([HEAD, ...rows].join('\n'))
    expect((await stored('30000001'))?.name).toBe('D LTD')
  })

  test('invalid rows are rejected with their line and reason, and incomplete rows are imported as far as possible', async () => {
    const rows = [
      'SHORT LTD,40000001',
      'NO NUMBER LTD,,1 HIGH ST',
      ',40000003,1 HIGH ST',
      'ODD NUMBER LTD,4000-04',
      `${line('40000005', 'LONG LTD')},more,cells`,
      line('40000006', 'BAD DATE LTD').replace('11/09/2012', '31/02/2012'),
      line('40000007', 'GOOD LTD'),
    ]
    const done = await bring([HEAD, ...rows].join('\n'))
    expect(counts(done)).toEqual([2, 0, 0, 5])
    expect((await readImportRejections(db, done, 10)).first).toEqual([
      { line: 3, reason: 'The company number is missing' },
      { line: 4, reason: 'The company name is missing' },
      { line: 5, reason: 'The company number must consist of eight letters and digits' },
      { line: 6, reason: 'The row has 17 values for 15 columns' },
      { line: 7, reason: 'The incorporation date is not valid' },
    ])
    expect(await stored('40000001')).toMatchObject({ name: 'SHORT LTD', city: '', incorporated: null })
  })

  test.each([
    ['a,b\n1,2', /headings of the register/],
    ['', /empty/],
    [Buffer.from('PK\u0003\u0004xxxxxxxx'), /zip file/],
    [Buffer.from(`${HEAD}\n${line('50000001', 'CAFÉ LTD')}`, 'latin1'), /not encoded as UTF-8/],
    [`${HEAD}\n"NEVER CLOSED LTD,50000002`, /never closed/],
  ])('an unreadable register file is rejected with an error message (%#)', async (text, message) => {
    await expect(bring(text)).rejects.toThrow(message)
  })
})

describe('an interrupted import', () => {
  test('an interrupted import resumes after its last committed transaction', async () => {
    const rows = Array.from({ length: 10 }, (_, i) => line(`6000000${i}`, i % 2 ? `ÉTÉ ${i} LTD` : `TWO\r\nLINES ${i}`))
    const file = await openCompanyRegisterFile(fileOf(`\ufeff${[HEAD, ...rows].join('\r\n')}`))
    expect(await findInterruptedImport(db, file)).toBeUndefined()
    let steps = 0
    const stopped = await goOn(file, { onStep: () => ++steps, shouldStop: () => steps === 2 })
    expect(stopped.state).toBe('stopped')
    expect((await findInterruptedImport(db, file))?.read).toBe(6)
    const done = await goOn(file)
    expect([done.state, ...counts(done)]).toEqual(['done', 10, 0, 0, 0])
    expect(await findInterruptedImport(db, file)).toBeUndefined()
  })

  test('an interrupted import resumes even if its file has been moved', async () => {
    const rows = Array.from({ length: 6 }, (_, i) => line(`6100000${i}`, `MOVED ${i} LTD`))
    const text = [HEAD, ...rows].join('\n')
    const here = fileOf(text)
    await goOn(await openCompanyRegisterFile(here), { shouldStop: () => true })
    rmSync(here)
    expect(counts(await bring(text))).toEqual([6, 0, 0, 0])
  })

  test('a second process that starts the same import is rejected with a message', async () => {
    const rows = Array.from({ length: 30 }, (_, i) => line(String(62_000_000 + i), `ONCE ${i} LTD`))
    const file = await openCompanyRegisterFile(fileOf([HEAD, ...rows].join('\n')))
    let second: Promise<string> | undefined
    const done = await goOn(file, {
      onStep: () => {
        second ??= goOn(file).then(
          () => 'done too',
          (e: Error) => e.message,
        )
      },
    })
    expect(await second).toMatch(/^Another import of this file is in progress/)
    expect(counts(done)).toEqual([30, 0, 0, 0])
  })
})
