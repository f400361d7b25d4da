import { open } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { type CsvError, parse } from 'csv-parse'
import { createTurnGiver } from '../slices.ts'
import { importFileProblem, readTextChunks, type TextEncoding } from './text.ts'

/** Format of a CSV file: how the file is split into rows and values. */
export interface CsvFormat {
  readonly encoding: TextEncoding
  readonly delimiter: string
  /** Number of lines before the headings, such as the line `sep=;` written by a spreadsheet. */
  readonly skip: number
  /** Whether blanks surround quoted values: `"Acme" ; "Leeds"`. */
  readonly padded?: boolean
  /** Number of rows above the headings, such as a title. These rows are not yielded. */
  readonly above?: number
}

/** A row with its cells, its first line number, the bytes read so far and (in UTF-8) the position of the next row. */
export interface CsvRow {
  readonly cells: readonly string[]
  readonly line: number
  readonly bytes: number
  readonly next: CsvPosition
}

/** Position between two rows in a UTF-8 file: the byte offset, and the number of the line that begins there. */
export interface CsvPosition {
  readonly byte: number
  readonly line: number
}

const DELIMITERS = [',', ';', '\t', '|'] as const
const LINE_ENDS = ['\r\n', '\n', '\r']
/** Maximum length of a row. A longer row indicates an unclosed quotation mark. */
const MAX_ROW_LENGTH = 1024 * 1024
const SNIFFED_ROWS = 60

/** Counts how often a character occurs outside quotation marks, for each of the first rows. */
function perRow(text: string, sign: string): number[] {
  const counts: number[] = []
  let n = 0
  let filled = false
  let quoted = false
  for (let i = 0; i < text.length && counts.length < SNIFFED_ROWS; i++) {
    const c = text[i]
    if (c === '"') quoted = !quoted
    else if (!quoted && (c === '\n' || c === '\r')) {
      if (filled) counts.push(n)
      n = 0
      filled = false
      continue
    } else if (!quoted && c === sign) n++
    filled = true
  }
  if (filled && counts.length === 0) counts.push(n)
  return counts
}

/** Share of the rows below a title that must have the same number of delimiters. */
const ALIKE_BELOW_TITLE = 0.5
/** Blanks between a delimiter and a quotation mark. */
const PADDED = { ',': /, +"|" +,/, ';': /; +"|" +;/, '\t': /\t +"|" +\t/, '|': /[|] +"|" +[|]/ }

/**
 * Detects the delimiter, and whether blanks surround quoted values. A first line such as `sep=;` states the delimiter.
 * Otherwise, it is the one that gives the most rows the same number of columns as the headings, which are the first row
 * or, below a title, the first row with delimiters.
 */
export function detectDelimiter(text: string): Pick<CsvFormat, 'delimiter' | 'skip' | 'padded'> {
  const told = /^sep=(.)\r?\n/i.exec(text)
  if (told) return { delimiter: told[1] as string, skip: 1 }
  const counts = DELIMITERS.map((delimiter) => ({ delimiter, rows: perRow(text, delimiter) }))
  const rowCount = Math.max(...counts.map(({ rows }) => rows.length))
  const first = Array.from({ length: rowCount }, (_, row) => row).find((row) => counts.some(({ rows }) => rows[row]))
  let best: { delimiter: (typeof DELIMITERS)[number]; score: number } = { delimiter: ',', score: 0 }
  for (const { delimiter, rows: all } of counts) {
    const [heading = 0, ...rows] = all.slice(first)
    const alike = rows.length ? rows.filter((n) => n === heading).length / rows.length : 1
    const score = heading === 0 || (first && alike < ALIKE_BELOW_TITLE) ? 0 : (alike + 0.01) * Math.log2(heading + 2)
    if (score > best.score) best = { delimiter, score }
  }
  const { delimiter } = best
  return { delimiter, skip: 0, ...(PADDED[delimiter].test(text) ? { padded: true } : {}) }
}

const countBreaks = (cells: readonly string[]): number =>
  cells.reduce((n, c) => (/[\r\n]/.test(c) ? n + (c.match(/\r\n|\n|\r/g)?.length ?? 0) : n), 0)

/**
 * Returns the length of the UTF-8 byte order mark in bytes; 0 if there is none. The mark is not part of the decoded
 * text.
 */
async function markBytes(path: string): Promise<number> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(3), 0, 3, 0)
    return buffer.equals(Buffer.from([0xef, 0xbb, 0xbf])) ? 3 : 0
  } finally {
    await file.close()
  }
}

/** Number of characters that are parsed at once. */
const SLICE = 2048
const HIGH_SURROGATE = /[\ud800-\udbff]/

/**
 * Yields texts in slices, so that other requests have turns in between: the parser takes long over rows that are
 * shorter than the first one. Throws 422 for a line that is longer than a row may be.
 */
async function* sliceText(texts: AsyncIterable<string>): AsyncGenerator<string> {
  const giveTurn = createTurnGiver()
  let lineLength = 0
  for await (const text of texts)
    for (let at = 0, end = 0; at < text.length; at = end) {
      end = Math.min(at + SLICE, text.length)
      if (end < text.length && HIGH_SURROGATE.test(text[end - 1] as string)) end++
      const slice = text.slice(at, end)
      const lastBreak = Math.max(slice.lastIndexOf('\n'), slice.lastIndexOf('\r'))
      lineLength = lastBreak < 0 ? lineLength + slice.length : slice.length - lastBreak
      if (lineLength > MAX_ROW_LENGTH)
        throw importFileProblem(
          `The file has a line of more than ${MAX_ROW_LENGTH.toLocaleString('en-GB')} characters. Please check that the file is a list.`,
        )
      const turn = giveTurn()
      if (turn) await turn
      yield slice
    }
}

/**
 * Yields a file's rows, starting with the headings, or the rows after a position. Skips blank lines. The file is
 * streamed. Throws 422 if a quotation mark is never closed.
 */
export async function* readCsvRows(path: string, format: CsvFormat, from?: CsvPosition): AsyncGenerator<CsvRow> {
  const before = from ?? { byte: 0, line: 1 }
  const offset = before.byte || (await markBytes(path))
  let bytes = before.byte
  const onBytes = (n: number) => {
    bytes += n
  }
  const source = Readable.from(sliceText(readTextChunks(path, format.encoding, onBytes, before.byte)))
  const options = {
    // More would be parsed at once, without a turn for other requests.
    writableHighWaterMark: SLICE,
    delimiter: format.delimiter,
    record_delimiter: LINE_ENDS,
    from_line: from ? 1 : format.skip + 1,
    trim: format.padded ?? false,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    max_record_size: MAX_ROW_LENGTH,
  }
  const parser = parse(options)
  // An error in either stream destroys the other stream and is thrown by the loop below.
  pipeline(source, parser, () => {})
  type Parsed = AsyncIterable<{ record: string[]; info: { lines: number; bytes: number } }>
  let last = before.line
  let above = from ? 0 : (format.above ?? 0)
  try {
    for await (const { record, info } of parser as Parsed) {
      const line = before.line - 1 + info.lines - countBreaks(record)
      last = before.line + info.lines
      if (above-- > 0) continue
      yield { cells: record, line, bytes, next: { byte: offset + info.bytes, line: last } }
    }
  } catch (e) {
    if ((e as CsvError).code === 'CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE')
      throw importFileProblem(
        `There is text after a closing quotation mark (") on or below line ${last.toLocaleString('en-GB')}. Please correct the file and upload it again.`,
      )
    if ((e as CsvError).code === 'CSV_QUOTE_NOT_CLOSED' || (e as CsvError).code === 'CSV_MAX_RECORD_SIZE')
      throw importFileProblem(
        `The quotation mark (") that opens on or after line ${last.toLocaleString('en-GB')} is never closed. Please correct the file and upload it again.`,
      )
    throw e
  }
}
