import { letterheadOf, readLogo } from '#modules/portal/letterhead/letterhead.server.ts'
import { RouteAnswer } from '#server/engine/route.ts'
import type { Engine } from '#server/engine/types.ts'
import { renderPdf } from '#server/pdf/render.ts'
import { type InTurn, readOrMake } from './pdf.server.ts'
import type { Sheet } from './sheet.ts'

const TEMPLATE = new URL('./sheet.typ', import.meta.url)

const titleOf = ({ kind, number, buyer }: Sheet) =>
  [kind, number, buyer.name && `for ${buyer.name}`].filter(Boolean).join(' ')

/** Print job of a document, without a logo. */
export const sheetJob = (sheet: Sheet) => ({
  template: TEMPLATE,
  title: titleOf(sheet),
  data: { ...sheet, title: titleOf(sheet) },
})

/** PDF of a document. Issued ones are cached by content; others are rendered each time. */
export async function sheetPdf(
  engine: Engine,
  client: number,
  sheet: Sheet,
  kept: boolean,
  inTurn: InTurn = (make) => make(),
): Promise<Buffer> {
  const logo = await readLogo(engine, await letterheadOf(engine, client))
  const job = sheetJob(sheet)
  const whole = { ...job, client, data: { ...job.data, ...(logo ? { logo } : {}) } }
  return kept ? readOrMake(engine, whole, 'sheet', inTurn) : inTurn(() => renderPdf(whole))
}

/** `INV-00012.pdf` */
export const sheetName = ({ kind, number }: Sheet): string => `${(number || kind).replaceAll(/[^\w-]+/g, '-')}.pdf`

export const sheetAnswer = async (engine: Engine, client: number, sheet: Sheet, kept: boolean): Promise<RouteAnswer> =>
  new RouteAnswer(200, await sheetPdf(engine, client, sheet, kept), {
    'content-type': 'application/pdf',
    'content-disposition': `inline; filename="${sheetName(sheet)}"`,
  })
