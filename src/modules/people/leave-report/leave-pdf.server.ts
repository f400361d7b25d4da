import { create as disposition } from 'content-disposition'
import { readLetterhead, readLogo } from '#modules/portal/letterhead/letterhead.server.ts'
import { type RouteContext, RouteResponse } from '#server/engine/route.ts'
import type { DocumentFrame } from '#server/pdf/furniture.ts'
import { renderPdf } from '#server/pdf/render.ts'

interface TableHead {
  readonly label: string
  readonly number: boolean
}

/** Title, facts and tables of a PDF about leave. */
export interface LeaveTables {
  readonly title: string
  /** True for landscape pages. */
  readonly wide: boolean
  readonly facts: readonly { readonly label: string; readonly value: string }[]
  readonly tables: readonly {
    readonly title: string
    readonly heads: readonly TableHead[]
    readonly rows: readonly (readonly string[])[]
  }[]
  readonly notes: readonly string[]
}

interface PrintedLeave extends LeaveTables {
  readonly clientId: number
  readonly sender: Pick<DocumentFrame, 'brand' | 'client'>
  /** Day of printing, and the person who printed it. */
  readonly printed: string
  readonly by: string
}

export const textHead = (label: string): TableHead => ({ label, number: false })
export const numberHead = (label: string): TableHead => ({ label, number: true })

export const renderLeaveTables = ({ clientId, ...data }: PrintedLeave): Promise<Buffer> =>
  renderPdf({
    template: new URL('./leave-tables.typ', import.meta.url),
    client: clientId,
    title: data.title,
    data,
  })

/** Renders tables about leave as a tagged PDF with the company's letterhead. */
export async function leavePdfResponse(c: RouteContext, name: string, tables: LeaveTables): Promise<RouteResponse> {
  const letterhead = await readLetterhead(c.engine, c.me.clientId)
  const { client: own, brand } = letterhead
  const logo = await readLogo(c.engine, letterhead)
  const pdf = await renderLeaveTables({
    ...tables,
    clientId: c.me.clientId,
    sender: { brand, client: { ...own, name: own.name || brand.name, logo } },
    printed: c.now.toString(),
    by: c.me.name,
  })
  return new RouteResponse(200, pdf, {
    'content-type': 'application/pdf',
    'content-disposition': disposition(name, { type: 'inline' }),
  })
}
