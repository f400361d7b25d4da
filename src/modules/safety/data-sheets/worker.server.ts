import { readFile } from 'node:fs/promises'
import { type PdfCell, readPdfText, type UnreadablePdfText } from '#server/pdf/read-text.ts'
import { serveTasks } from '#server/processes/serve-orders.ts'
import { readPageLines } from './sheet-columns.ts'
import type { PdfLine } from './sheet-lines.ts'
import { type DataSheetReading, readDataSheet } from './sheet-values.ts'

/** Job that reads a data sheet's PDF. */
export interface DataSheetJob {
  readonly path: string
}

/** Reason why a PDF can't be read as a data sheet. */
export type UnreadablePdf = UnreadablePdfText | { readonly unreadable: 'pictures' | 'letters' }

/** `pictures`: the pages without text. */
export type DataSheetJobResult =
  | (DataSheetReading & { readonly pages: number; readonly pictures: readonly number[] })
  | UnreadablePdf

const MAX_PAGES = 60
const MAX_CHARACTERS = 700_000
/** Minimum number of characters on a page of text. A scan can have a few, for example in a stamp. */
const MIN_PAGE_CHARACTERS = 40
/** Share of unknown letters above which a text can't be read. */
const MAX_UNKNOWN_SHARE = 0.2

async function read({ path }: DataSheetJob): Promise<DataSheetJobResult> {
  const text = readPdfText(await readFile(path), { pages: MAX_PAGES, characters: MAX_CHARACTERS })
  return 'unreadable' in text ? text : readTexts(text.pages)
}

function readTexts(found: readonly (readonly PdfCell[])[]): DataSheetJobResult {
  const pages = found.length
  const letters = found.map((cells) => cells.map(({ text }) => text.replace(/\s/g, '')).join(''))
  const all = letters.join('')
  if (all.length < MIN_PAGE_CHARACTERS * pages) return { unreadable: 'pictures' }
  const pictures = letters.flatMap((text, i) => (text.length < MIN_PAGE_CHARACTERS ? [i + 1] : []))
  const unknown = all.match(/[\ufffd\p{Co}]/gu)?.length ?? 0
  if (unknown > MAX_UNKNOWN_SHARE * all.length) return { unreadable: 'letters' }
  const lines = found.flatMap((cells, i) => readPageLines(cells).map((text): PdfLine => ({ page: i + 1, text })))
  return { ...readDataSheet(lines), pages, pictures }
}

serveTasks(read)
