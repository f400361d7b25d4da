import { readLetterhead, readLogo } from '#modules/portal/letterhead/letterhead.server.ts'
import { RouteResponse } from '#server/engine/route.ts'
import type { Engine } from '#server/engine/types.ts'
import { renderPdf } from '#server/pdf/render.ts'
import { type PdfLimiter, readOrRenderQuotePdf } from './pdf.server.ts'
import type { FinancialDocument } from './sheet.ts'

const TEMPLATE = new URL('./sheet.typ', import.meta.url)

const titleOf = ({ kind, number, buyer }: FinancialDocument) =>
  [kind, number, buyer.name && `for ${buyer.name}`].filter(Boolean).join(' ')

/** Print job of a document, without a logo. */
export const financialDocumentJob = (sheet: FinancialDocument) => ({
  template: TEMPLATE,
  title: titleOf(sheet),
  data: { ...sheet, title: titleOf(sheet) },
})

/** PDF of a document. Issued ones are cached by content; others are rendered each time. */
export async function renderFinancialDocument(
  engine: Engine,
  client: number,
  sheet: FinancialDocument,
  kept: boolean,
  inTurn: PdfLimiter = (make) => make(),
): Promise<Buffer> {
  const logo = await readLogo(engine, await readLetterhead(engine, client))
  const job = financialDocumentJob(sheet)
  const whole = { ...job, client, data: { ...job.data, ...(logo ? { logo } : {}) } }
  return kept ? readOrRenderQuotePdf(engine, whole, 'sheet', inTurn) : inTurn(() => renderPdf(whole))
}

/** `INV-00012.pdf` */
export const financialDocumentFileName = ({ kind, number }: FinancialDocument): string =>
  `${(number || kind).replaceAll(/[^\w-]+/g, '-')}.pdf`

export const financialDocumentResponse = async (
  engine: Engine,
  client: number,
  sheet: FinancialDocument,
  kept: boolean,
): Promise<RouteResponse> =>
  new RouteResponse(200, await renderFinancialDocument(engine, client, sheet, kept), {
    'content-type': 'application/pdf',
    'content-disposition': `inline; filename="${financialDocumentFileName(sheet)}"`,
  })
