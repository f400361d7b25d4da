import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { detectDelimiter, readCsvRows } from '#server/files/csv.ts'
import { detectEncoding, type TextEncoding } from '#server/files/text.ts'
import { MAX_BLOCKING_MS, measureLongestBlock, measureThreadTime } from '#test/support/effort.ts'
import { inspectImportFile } from './inspect.server.ts'

const folder = mkdtempSync(join(tmpdir(), 'import-reader-'))
afterAll(() => rmSync(folder, { recursive: true }))

let count = 0
function file(content: string | Buffer): string {
  const path = join(folder, `${++count}.csv`)
  writeFileSync(path, content)
  return path
}

const bytes = (text: string, encoding: TextEncoding, bom: boolean): Buffer => {
  const marked = bom ? `\ufeff${text}` : text
  if (encoding === 'utf-16le') return Buffer.from(marked, 'utf16le')
  if (encoding === 'utf-16be') return Buffer.from(marked, 'utf16le').swap16()
  if (encoding === 'windows-1252') return Buffer.from(text, 'latin1')
  return Buffer.from(marked, 'utf8')
}

async function read(path: string) {
  const encoding = await detectEncoding(path)
  const found = await inspectImportFile(path, encoding)
  const all: string[][] = []
  for await (const row of readCsvRows(path, found.format)) all.push([...row.cells])
  return { ...found, encoding, all: all.slice(1) }
}

const quoted = (cell: string, delimiter: string, end: string) =>
  cell.includes(delimiter) || /["\r\n]/.test(cell) || cell.includes(end) ? `"${cell.replaceAll('"', '""')}"` : cell

describe('parsing an import file', () => {
  test('a table written in any encoding with any delimiter is parsed back unchanged', async () => {
    // Excludes a single blank cell, because its line would be blank. From 0xa0 upwards, Windows-1252 is the same as
    // Latin-1.
    const cell = fc.string({ unit: fc.constantFrom(...'abcXYZ 019,;|"\n\t£é\u00a0&<>=+@\''.split('')), maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(',', ';', '\t', '|'),
        fc.constantFrom<[TextEncoding, boolean]>(
          ['utf-8', false],
          ['utf-8', true],
          ['utf-16le', true],
          ['utf-16be', true],
          ['windows-1252', false],
        ),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 8 }),
        async (delimiter, [encoding, bom], end, rows) => {
          const filled = rows.filter((r) => r.some((c) => c.trim() !== ''))
          fc.pre(filled.length > 0)
          const text = [['Company', 'Contact £', 'Notes'], ...rows]
            .map((r) => r.map((c) => quoted(c, delimiter, end)).join(delimiter))
            .join(end)
          const got = await read(file(bytes(text, encoding, bom)))
          expect(got.columns).toEqual(['Company', 'Contact £', 'Notes'])
          expect(got.format.delimiter).toBe(delimiter)
          expect(got.encoding).toBe(encoding)
          // A text such as `"| "` looks like blanks between values, which the parser removes.
          const shown = (rows: string[][]) =>
            got.format.padded ? rows.map((cells) => cells.map((value) => value.trim())) : rows
          expect(shown(got.all)).toEqual(shown(filled))
          expect(got.rows).toBe(filled.length)
        },
      ),
      { numRuns: 150 },
    )
  })

  test('a parsed row has the number of the line on which it starts', async () => {
    const path = file('Company,Notes\n\nA,"one\ntwo"\nB,x\n\n\nC,y\n')
    const { format } = await read(path)
    const lines: number[] = []
    for await (const row of readCsvRows(path, format)) lines.push(row.line)
    expect(lines).toEqual([1, 3, 5, 8])
  })

  test('rows with missing or extra cells, stray quotation marks and mixed line endings are accepted', async () => {
    const { all } = await read(file('Company,Phone\r\nA\nB,1,2\r\nThe "Best" Ltd,"x" y\n'))
    expect(all).toEqual([['A'], ['B', '1', '2'], ['The "Best" Ltd', '"x" y']])
  })

  test('parsed headings are unique and never blank', async () => {
    expect((await read(file('Phone,,Phone\n1,2,3\n'))).columns).toEqual(['Phone', 'Column 2', 'Phone (2)'])
  })

  test("a spreadsheet's “sep=” line at the start sets the delimiter", () =>
    expect(detectDelimiter('sep=;\r\nCompany;Phone\r\n')).toEqual({ delimiter: ';', skip: 1 }))

  test.each([
    ['List of leads 2026\nPrinted 20/11/2026\nCompany;Phone;Town\nAcme;01632 960203;Leeds\n', 3],
    ['"A title\nof two lines",,\n,,\nCompany,Phone,Town\nAcme,01632 960203,Leeds\n', 4],
    ['Register,2026,\nFirma,Rufnummer,Ort\nCompany,Phone,Town\nAcme,01632 960203,Leeds\n', 3],
  ])('titles above the headings of %j are not treated as rows', async (content, line) => {
    const { columns, rows, format } = await read(file(content))
    expect([columns, rows]).toEqual([['Company', 'Phone', 'Town'], 1])
    const lines: number[] = []
    for await (const row of readCsvRows(join(folder, `${count}.csv`), format)) lines.push(row.line)
    expect(lines[0]).toBe(line)
  })

  test('a first row with a single known heading is not treated as a title', async () => {
    expect((await read(file('Company\nSmith, Jones\nField, Hill\n'))).columns).toEqual(['Company'])
  })

  test.each([
    ['\u001a', 'utf-8'],
    ['\r\n\u001a', 'utf-8'],
    ['\u001a\u0000\u0000', 'utf-8'],
    ['\u001a', 'utf-16le'],
  ] as const)('the end-of-file character %j of DOS (%s) is not treated as a row', async (end, encoding) => {
    const text = `Company,Phone\r\nAcme,01632 960203${end}`
    expect((await read(file(bytes(text, encoding, true)))).all).toEqual([['Acme', '01632 960203']])
  })

  test.each([
    ['Company ; Phone\n"Padded; Co" ; "01632 960202"\n', [['Padded; Co', '01632 960202']]],
    ['Company, Phone\n"The ""Best"" Ltd", "01632 960202"\n', [['The "Best" Ltd', '01632 960202']]],
    ['Company\t Phone\nAcme\t "01632 960202"\n', [['Acme', '01632 960202']]],
  ])('spaces around quoted values are not part of them in %j', async (content, rows) =>
    expect((await read(file(content))).all).toEqual(rows),
  )

  test('UTF-16 is detected without a byte order mark', async () => {
    expect((await read(file(bytes('Company;Phone\nA;1\n', 'utf-16le', false)))).all).toEqual([['A', '1']])
  })
})

describe('rejected import files', () => {
  const sentence = (content: string | Buffer) =>
    read(file(content)).then(
      () => 'taken',
      (e: Error) => e.message,
    )

  test.each([
    ['', 'The file is empty. Please choose another file.'],
    ['\n\n \n', 'The file is empty.'],
    ['Company,Phone\n', 'has column headings but no rows'],
    ['Acme Ltd,01632 960123\nBeta Ltd,01632 960124\n', 'must contain the column headings'],
    ['1,2\n3,4\n', 'must contain the column headings'],
    ['Company\n"Acme\nBeta\n', 'on or after line 2 is never closed'],
    ['%PDF-1.7', 'PDF'],
    ['PK\u0003\u0004rest', 'save it as CSV'],
  ])('the import file %j is rejected', async (content, says) => expect(await sentence(content)).toContain(says))

  test('an import file with binary data is rejected', async () =>
    expect(await sentence(Buffer.from(Array.from({ length: 4000 }, (_, i) => (i * 7919) % 31)))).toContain(
      'not a text file',
    ))

  test('an import file with more than 100,000 rows is rejected', async () =>
    expect(await sentence(`Company\n${'Acme\n'.repeat(100_001)}`)).toContain('more than 100,000 rows'))
})

test.each([
  ['99,000 rows shorter than the headings', 'a\n'.repeat(99_000), 'accepted'],
  ['99,000 rows longer than the headings', 'a,b,c\n'.repeat(99_000), 'accepted'],
  ['a line of 10 million commas', ','.repeat(10_000_000), 'a line of more than 1,048,576 characters'],
  ['a million commas below the headings', `${','.repeat(1_000_000)}a\n`, 'accepted'],
])('a list of leads with %s is read without delaying other requests', async (_, rows, result) => {
  const path = file(`Company,Email\n${rows}`)
  let outcome = ''
  const blocked = await measureLongestBlock(async () => {
    outcome = await inspectImportFile(path, 'utf-8').then(
      () => 'accepted',
      (e: Error) => e.message,
    )
  })
  expect(outcome).toContain(result)
  expect(blocked).toBeLessThan(MAX_BLOCKING_MS)
})

test.each(['@', '1 ', '@ '])(
  'a heading of 400,000 characters, %j repeated, is rejected or parsed without delay',
  async (piece) => {
    const path = file(`Company,x${piece.repeat(400_000 / piece.length)}\nAcme,1\n`)
    const effort = await measureThreadTime(() => inspectImportFile(path, 'utf-8').catch(() => undefined))
    expect(effort).toBeLessThan(MAX_BLOCKING_MS)
  },
)
