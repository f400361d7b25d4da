import type { Currency } from '#kernel/money.ts'
import { iriOf, type RowOf, type ValuesOf } from '#kernel/resource.ts'
import { contact } from '#modules/crm/contacts/contact.ts'
import { noteOnContact } from '#modules/crm/contacts/note.server.ts'
import type { Behaviour } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/types.ts'
import type { coupon } from '../catalogue/coupon.ts'
import type { CouponTerms } from '../catalogue/coupon-rules.ts'
import { type LineValues, sumOf } from '../lines/lines.server.ts'
import type { Lists } from '../lines/lines.ts'
import { type QuoteRow, type QuoteValues, quote } from './quote.ts'

/** A coupon's terms, as a quote keeps them. */
function termsOf(row: RowOf<typeof coupon>): CouponTerms {
  const { id: _id, clientId: _clientId, createdAt: _createdAt, ...terms } = row
  return terms
}

export type QuoteActions = NonNullable<Behaviour<typeof quote>['actions']>

/** What the record keeps of its totals. */
export function totalsOf(
  quote: { readonly currency: Currency; readonly taxPercent: number },
  lines: Lists<LineValues>,
  terms: RowOf<typeof coupon> | undefined,
): QuoteValues {
  const totals = sumOf(quote, lines, terms ?? null)
  if (!totals) return {}
  const { lines: _, ...sums } = totals
  return { total: sums.gross, totals: sums, couponTerms: terms ? termsOf(terms) : null }
}

/** What a quote offers, its lines as they are, without its own history: what a new one takes over from it. */
export const takenFrom = ({
  customer,
  contact,
  company,
  coupon,
  currency,
  taxPercent,
  billingCycleAnchor,
  prorate,
  sendEmail,
  emailTo,
  message,
  terms,
  plans,
  skus,
  additionalItems,
}: QuoteRow): QuoteValues => ({
  customer,
  contact,
  company,
  coupon,
  currency,
  taxPercent,
  billingCycleAnchor,
  prorate,
  sendEmail,
  emailTo,
  message,
  terms,
  plans,
  skus,
  additionalItems,
})

/**
 * A note in the timeline of the quote's contact: under its owner, signed by the member of staff who acts; what the customer or the clock
 * has done is nobody's note.
 */
export async function tellContact(c: Context, row: QuoteRow, notes: string): Promise<void> {
  if (row.contact !== null) await noteOnContact(c, row.contact, { notes, user: row.owner, about: iriOf(quote, row.id) })
}

/** The quote's history has one reminder more. */
export const noteReminder = (c: Context, row: QuoteRow) =>
  c.set(quote, row, { remindedAt: [...(row.remindedAt ?? []), c.now.toString({ smallestUnit: 'second' })] }, 'remind')

/** The lead that a quote was made for, as it stands since the quote was sent or signed. */
export async function settleLead(
  c: Context,
  row: QuoteRow,
  set: ValuesOf<typeof contact>,
  verb: string,
): Promise<void> {
  if (row.contact === null) return
  const unit = c.withoutPermissionCheck('a lead stands as its quote does')
  await unit.set(contact, await unit.lock(contact, row.contact), set, verb)
}
