import { londonDate } from '#kernel/time.ts'
import { readLetterhead, readLogo } from '#modules/portal/letterhead/letterhead.server.ts'
import { RouteResponse } from '#server/engine/route.ts'
import type { Engine } from '#server/engine/types.ts'
import { renderPdf } from '#server/pdf/render.ts'

export interface PrintableLetter {
  /** Name and postal address, one item per line. The first line is also the title of the letter's PDF bookmark. */
  readonly addressee: string
  readonly subject: string
  readonly body: string
  /** Time of printing as an ISO instant. */
  readonly printedAt: string
}

/** Renders letters as one PDF on the client's letterhead. Each letter starts on a new page. */
export async function renderLettersPdf(
  engine: Engine,
  clientId: number,
  title: string,
  letters: readonly PrintableLetter[],
): Promise<Buffer> {
  const { client, brand } = await readLetterhead(engine, clientId)
  const { logo: stored, ...own } = client
  const logo = stored && (await readLogo(engine, { client, brand }))
  return renderPdf({
    template: new URL('./letter.typ', import.meta.url),
    client: clientId,
    title,
    data: {
      sender: { brand, client: { ...own, name: own.name || brand.name, ...(logo ? { logo } : {}) } },
      letters: letters.map(({ addressee, subject, body, printedAt }) => ({
        addressee,
        called: addressee.split('\n')[0] ?? '',
        subject,
        date: londonDate(Temporal.Instant.from(printedAt)).toString(),
        body: { html: body },
      })),
    },
  })
}

/** Builds a file name such as `Letter Autumn offer.pdf`. */
export const formatLetterFileName = (what: string, name: string): string =>
  `${what} ${name.replaceAll(/[^\p{L}\p{N} _-]+/gu, ' ').trim()}`.replaceAll(/ +/g, ' ').slice(0, 120).concat('.pdf')

/** Returns a response that shows a letter's PDF in the browser. */
export const createLetterPdfResponse = (pdf: Buffer, name: string): RouteResponse =>
  new RouteResponse(200, pdf, {
    'content-type': 'application/pdf',
    'content-disposition': `inline; filename="${name.replaceAll(/[^\x20-\x7e]+/g, '')}"`,
  })
