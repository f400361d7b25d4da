import { hash } from 'node:crypto'
import { iriOf } from '#kernel/resource.ts'
import type { Route } from '#server/engine/route.ts'
import type { Context, Reader } from '#server/engine/types.ts'
import { coupon } from '../catalogue/coupon.ts'
import { loadSupplier } from '../print/supplier.server.ts'
import { SELLING_ROLES } from '../rights.ts'
import { copyableValuesOf, savedTotalsOf } from './facts.server.ts'
import { type QuoteRow, type QuoteValues, quote } from './quote.ts'

type Whose = Pick<Context, 'engine' | 'clientId'>

/** Totals, coupon and seller of a quote if it were sent now. */
export async function currentQuoteValues(c: Reader, of: Whose, row: QuoteRow): Promise<QuoteValues> {
  const terms = row.coupon === null ? undefined : await c.get(coupon, row.coupon)
  return { ...savedTotalsOf(row, row, terms), supplier: await loadSupplier(c, of) }
}

/** Fingerprint of a quote as it would be sent now; proves which preview the user saw. */
export function quoteFingerprint(row: QuoteRow, today: QuoteValues): string {
  // The number of times a coupon was used is not part of the offer.
  const { timesRedeemed: _, ...terms } = today.couponTerms ?? {}
  const whole = { ...copyableValuesOf(row), expiresAt: row.expiresAt, owner: row.owner, ...today, couponTerms: terms }
  return hash('sha256', JSON.stringify(whole), 'base64url')
}

/** `GET quotes/{id}/preview`: the quote as it would be sent now, with the fingerprint that `send` takes. */
export const quotePreviewRoute: Route = {
  method: 'GET',
  path: `${quote.url}/{id}/preview`,
  title: 'Preview a quote as it would be sent now; `send` takes its fingerprint',
  allow: SELLING_ROLES,
  handle: async ({ engine, actor, me, params }) => {
    const id = await engine.idOf(quote, actor, params.id)
    await engine.one(quote, actor, id)
    return engine.readIn(me.clientId, 'preview a quote', async (c) => {
      const row = await c.get(quote, id)
      const today = row ? await currentQuoteValues(c, { engine, clientId: me.clientId }, row) : {}
      return {
        '@id': `${iriOf(quote, id)}/preview`,
        '@type': 'QuotePreview',
        total: today.total ?? 0,
        totals: today.totals ?? null,
        couponTerms: today.couponTerms ?? null,
        supplier: today.supplier ?? null,
        fingerprint: row ? quoteFingerprint(row, today) : '',
      }
    })
  },
}
