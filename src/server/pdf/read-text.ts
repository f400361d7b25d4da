import { PDFiumModule } from '@hyzyla/pdfium'

/** Reason why a PDF's text can't be read. */
export type UnreadablePdfText =
  | { readonly unreadable: 'encrypted' | 'broken' }
  | { readonly unreadable: 'pages' | 'characters'; readonly count: number; readonly limit: number }

/** Piece of a line's text, or the cell of a table, with its position from the left of the page in points. */
export interface PdfCell {
  readonly text: string
  readonly left: number
  readonly right: number
  /** Whether the cell is on the same line as the cell before. */
  readonly isBeside: boolean
}

/** Text of a PDF, page by page, in the order in which the file has it. */
interface PdfText {
  readonly pages: readonly (readonly PdfCell[])[]
}

/** Returns the text of cells. A tab separates the cells of a line. */
export const textOfCells = (cells: readonly PdfCell[]): string =>
  cells.map(({ text, isBeside }, i) => (i === 0 ? text : `${isBeside ? '\t' : '\n'}${text}`)).join('')

interface PdfTextLimits {
  readonly pages: number
  readonly characters: number
  /** Reads up to the limits instead of refusing a longer file. */
  readonly partly?: true
}

/** Gap between two cells of a table, in heights of their letters. */
const CELL_GAP = 1.4

/** Functions of PDFium that the package's types do not declare. */
interface Pdfium {
  readonly wasmExports: { readonly malloc: (bytes: number) => number; readonly free: (at: number) => void }
  readonly HEAPU8: Uint8Array
  readonly HEAPF64: Float64Array
  readonly _FPDF_InitLibraryWithConfig: (config: object) => void
  readonly _FPDF_LoadMemDocument: (at: number, bytes: number, password: number) => number
  readonly _FPDF_GetLastError: () => number
  readonly _FPDF_GetPageCount: (document: number) => number
  readonly _FPDF_LoadPage: (document: number, page: number) => number
  readonly _FPDF_ClosePage: (page: number) => void
  readonly _FPDF_CloseDocument: (document: number) => void
  readonly _FPDFText_LoadPage: (page: number) => number
  readonly _FPDFText_ClosePage: (text: number) => void
  readonly _FPDFText_CountChars: (text: number) => number
  readonly _FPDFText_GetUnicode: (text: number, index: number) => number
  readonly _FPDFText_GetCharBox: (
    text: number,
    index: number,
    left: number,
    right: number,
    bottom: number,
    top: number,
  ) => number
}

const PASSWORD_ERRORS = [4, 5]
const BYTES_PER_NUMBER = 8
const pdfium = (await PDFiumModule({})) as unknown as Pdfium
pdfium._FPDF_InitLibraryWithConfig({ version: 2, m_pIsolate: null, m_pUserFontPaths: null, m_v8EmbedderSlot: 0 })
const box = pdfium.wasmExports.malloc(4 * BYTES_PER_NUMBER)

interface Box {
  readonly left: number
  readonly right: number
  readonly height: number
}

function boxOf(text: number, index: number): Box | undefined {
  const at = (n: number) => box + n * BYTES_PER_NUMBER
  if (!pdfium._FPDFText_GetCharBox(text, index, at(0), at(1), at(2), at(3))) return undefined
  const [left = 0, right = 0, bottom = 0, top = 0] = pdfium.HEAPF64.subarray(
    box / BYTES_PER_NUMBER,
    box / BYTES_PER_NUMBER + 4,
  )
  return { left, right, height: top - bottom }
}

/** Returns the cells of a page. A cell ends at the end of a line, or at a wide gap between two letters. */
function readPage(text: number, count: number): PdfCell[] {
  const cells: PdfCell[] = []
  let cell = ''
  let [left, right] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  let isBeside = false
  let last: Box | undefined
  let tallest = 0
  const end = (isNextBeside: boolean) => {
    if (cell.trim()) {
      cells.push({ text: cell.trimEnd(), left, right, isBeside })
      isBeside = isNextBeside
    } else isBeside &&= isNextBeside
    cell = ''
    left = Number.POSITIVE_INFINITY
    right = Number.NEGATIVE_INFINITY
  }
  for (let i = 0; i < count; i++) {
    const code = pdfium._FPDFText_GetUnicode(text, i)
    const letter = code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
    if (letter === '\r' || letter === '\n') {
      end(false)
      last = undefined
      tallest = 0
      continue
    }
    if (letter !== ' ') {
      const own = boxOf(text, i)
      tallest = Math.max(tallest, own?.height ?? 0)
      if (last && own && own.left - last.right > CELL_GAP * tallest) end(true)
      else if (last && own && own.right < last.left - CELL_GAP * tallest) end(false)
      last = own ?? last
      left = Math.min(left, own?.left ?? left)
      right = Math.max(right, own?.right ?? right)
    }
    cell += letter
  }
  end(false)
  return cells
}

/**
 * Reads the text of a PDF. Only for worker processes: it ends the process if PDFium fails, because its memory may then
 * be damaged.
 */
export function readPdfText(bytes: Buffer, limits: PdfTextLimits): PdfText | UnreadablePdfText {
  try {
    const file = pdfium.wasmExports.malloc(bytes.length)
    if (!file) throw new RangeError('There is no memory for the file')
    pdfium.HEAPU8.set(bytes, file)
    const document = pdfium._FPDF_LoadMemDocument(file, bytes.length, 0)
    const isLocked = !document && PASSWORD_ERRORS.includes(pdfium._FPDF_GetLastError())
    const text = document
      ? readDocument(document, limits)
      : { unreadable: isLocked ? ('encrypted' as const) : ('broken' as const) }
    if (document) pdfium._FPDF_CloseDocument(document)
    pdfium.wasmExports.free(file)
    return text
  } catch (e) {
    process.kill(process.pid, 'SIGABRT')
    throw e
  }
}

function readDocument(document: number, limits: PdfTextLimits): PdfText | UnreadablePdfText {
  const pages = pdfium._FPDF_GetPageCount(document)
  if (pages < 1) return { unreadable: 'broken' }
  if (pages > limits.pages && !limits.partly) return { unreadable: 'pages', count: pages, limit: limits.pages }
  const texts: PdfCell[][] = []
  let characters = 0
  for (let i = 0; i < Math.min(pages, limits.pages); i++) {
    const page = pdfium._FPDF_LoadPage(document, i)
    if (!page && limits.partly) continue
    if (!page) return { unreadable: 'broken' }
    const text = pdfium._FPDFText_LoadPage(page)
    const count = text ? pdfium._FPDFText_CountChars(text) : 0
    characters += count
    if (characters > limits.characters) {
      if (limits.partly) {
        pdfium._FPDFText_ClosePage(text)
        pdfium._FPDF_ClosePage(page)
        break
      }
      return { unreadable: 'characters', count: characters, limit: limits.characters }
    }
    texts.push(readPage(text, count))
    pdfium._FPDFText_ClosePage(text)
    pdfium._FPDF_ClosePage(page)
  }
  return { pages: texts }
}
