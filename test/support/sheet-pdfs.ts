import { buffer } from 'node:stream/consumers'
import { deflateSync } from 'node:zlib'
import PDFDocument from 'pdfkit'
import { makePicture } from './uploads.ts'

const CELL_WIDTH = 150
const LINES_PER_PAGE = 44
const LINE_HEIGHT = 16

/** Makes a PDF from lines of text. Three spaces separate the cells of a table. The last pages can be empty. */
export async function makeSheetPdf(
  text: string,
  options: PDFKit.PDFDocumentOptions = {},
  emptyPages = 0,
): Promise<Buffer> {
  const pdf = new PDFDocument({ size: 'A4', margin: 40, autoFirstPage: false, ...options })
  for (const [i, line] of text.split('\n').entries()) {
    if (i % LINES_PER_PAGE === 0) pdf.addPage().fontSize(9)
    for (const [n, cell] of line.split('   ').entries())
      pdf.text(cell, 40 + n * CELL_WIDTH, 40 + (i % LINES_PER_PAGE) * LINE_HEIGHT, { lineBreak: false })
  }
  for (let i = 0; i < emptyPages; i++) pdf.addPage()
  pdf.end()
  return buffer(pdf)
}

/** Makes a PDF whose pages are pictures, as a scanner makes them. */
export async function makeScannedPdf(pages: number): Promise<Buffer> {
  const picture = await makePicture(60, 80).jpeg().toBuffer()
  const pdf = new PDFDocument({ size: 'A4', autoFirstPage: false })
  for (let i = 0; i < pages; i++) pdf.addPage().image(picture, 0, 0, { width: 500 })
  pdf.end()
  return buffer(pdf)
}

/** Makes a PDF of one page with so many text instructions that reading it takes longer than the time limit. */
export function makeSlowPdf(): Buffer {
  const text = deflateSync('BT /F1 1 Tf (aaaaaaaa) Tj ET\n'.repeat(8_000_000))
  const font = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>'
  const head = `%PDF-1.7
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1${font}>>>>>>endobj
4 0 obj<</Length ${text.length}/Filter/FlateDecode>>stream\n`
  return Buffer.concat([Buffer.from(head), text, Buffer.from('\nendstream endobj\ntrailer<</Root 1 0 R>>\n%%EOF')])
}

/** Makes a PDF of one page in two columns, whose file has the lines of both columns in turn, below a common line. */
export async function makeTwoColumnPdf(above: string, left: string, right: string): Promise<Buffer> {
  const pdf = new PDFDocument({ size: 'A4', margin: 30 }).fontSize(6)
  pdf.text(above, 30, 30, { lineBreak: false })
  const columns = [left.split('\n'), right.split('\n')]
  for (let i = 0; i < Math.max(...columns.map((lines) => lines.length)); i++)
    for (const [n, lines] of columns.entries())
      for (const [k, cell] of (lines[i] ?? '').split('   ').entries())
        if (cell) pdf.text(cell, 30 + n * 275 + k * 70, 45 + i * 9, { lineBreak: false })
  pdf.end()
  return buffer(pdf)
}
