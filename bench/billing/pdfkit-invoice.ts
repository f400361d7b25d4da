import { readFileSync } from 'node:fs'
import PDFDocument from 'pdfkit'
import type { FinancialDocument } from '#modules/billing/print/financial-document.ts'

const font = (of: string) => readFileSync(new URL(import.meta.resolve(`@expo-google-fonts/source-sans-3/${of}`)))
const regular = font('400Regular/SourceSans3_400Regular.ttf')
const bold = font('700Bold/SourceSans3_700Bold.ttf')

/**
 * Renders the content of `sheet.typ` with pdfkit, as a tagged PDF. The layout is simpler, but the content is complete.
 */
export function renderInvoiceWithPdfkit(sheet: FinancialDocument): Promise<Buffer> {
  const title = `${sheet.kind} ${sheet.number} for ${sheet.buyer.name}`
  const doc = new PDFDocument({
    size: 'A4',
    margin: 51,
    tagged: true,
    pdfVersion: '1.7',
    subset: 'PDF/UA',
    lang: 'en-GB',
    displayTitle: true,
    info: { Title: title },
  } as unknown as PDFKit.PDFDocumentOptions)
  const done = new Promise<Buffer>((resolve) => {
    const parts: Buffer[] = []
    doc.on('data', (p: Buffer) => parts.push(p)).on('end', () => resolve(Buffer.concat(parts)))
  })
  doc.registerFont('regular', regular)
  doc.registerFont('bold', bold)
  const whole = doc.struct('Document')
  doc.addStructure(whole)
  const line = (tag: string, size: number, words: string, name = 'regular') => {
    if (words) whole.add(doc.struct(tag, {}, () => void doc.font(name).fontSize(size).text(words, 51)))
  }
  line('H1', 18, `${sheet.kind} ${sheet.number}`, 'bold')
  for (const who of [sheet.supplier, sheet.buyer]) {
    line('P', 11, who.name, 'bold')
    for (const words of who.lines) line('P', 10, words)
    doc.moveDown()
  }
  for (const [what, words] of sheet.facts) line('P', 10, `${what}: ${words}`)
  doc.moveDown()
  const width = (doc.page.width - 102) / (sheet.columns.length + 2)
  const table = doc.struct('Table')
  whole.add(table)
  for (const [r, cells] of [sheet.columns, ...sheet.rows.map((row) => row.cells)].entries()) {
    const top = doc.y
    const row = doc.struct('TR')
    table.add(row)
    doc.font(r ? 'regular' : 'bold').fontSize(10)
    for (const [k, words] of cells.entries())
      row.add(
        doc.struct(r ? 'TD' : 'TH', {}, () => {
          doc.text(words, 51 + (k ? (k + 2) * width : 0), top, {
            width: k ? width : 3 * width,
            align: k ? 'right' : 'left',
          })
        }),
      )
    const { under } = sheet.rows[r - 1] ?? { under: '' }
    if (under) line('P', 8, under)
    doc.moveDown(0.5)
  }
  for (const [what, words] of [...sheet.sums, ...sheet.totals]) line('P', 11, `${what}: ${words}`, 'bold')
  for (const words of sheet.notes) line('P', 9, words)
  whole.end()
  doc.end()
  return done
}
