import type { Currency } from '#kernel/money.ts'
import { iriOf, type RowOf, type ValuesOf } from '#kernel/resource.ts'
import { contact } from '#modules/crm/contacts/contact.ts'
import { noteOnContact } from '#modules/crm/contacts/note.server.ts'
import type { Behaviour } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/types.ts'
import type { coupon } from '../catalogue/coupon.ts'
import type { CouponTerms } from '../catalogue/coupon-rules.ts'
import { type LineValues, lineTotalsOrThrow } from '../lines/lines.server.ts'
import type { QuoteLineLists } from '../lines/lines.ts'
import { type QuoteRow, type QuoteValues, quote } from './quote.ts'

/** Coupon terms as saved with a quote. */
function termsOf(row: RowOf<typeof coupon>): CouponTerms {
  const { id: _id, clientId: _clientId, createdAt: _createdAt, ...terms } = row
  return terms
}

export type QuoteActions = NonNullable<Behaviour<typeof quote>['actions']>

export function savedTotalsOf(
  quote: { readonly currency: Currency; readonly taxPercent: number },
  lines: QuoteLineLists<LineValues>,
  terms: RowOf<typeof coupon> | undefined,
): QuoteValues {
  const totals = lineTotalsOrThrow(quote, lines, terms ?? null)
  if (!totals) return {}
  const { lines: _, ...sums } = totals
  return { total: sums.gross, totals: sums, couponTerms: terms ? termsOf(terms) : null }
}

/** Content of a quote without its history, as copied to a new one. */
export const copyableValuesOf = ({
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
 * Adds a note to the timeline of the quote's contact, for its owner, signed by the acting member of staff; actions of
 * the customer or of a job have no author.
 */
export async function addContactNote(c: Context, row: QuoteRow, notes: string): Promise<void> {
  if (row.contact !== null) await noteOnContact(c, row.contact, { notes, user: row.owner, about: iriOf(quote, row.id) })
}

export const recordReminder = (c: Context, row: QuoteRow) =>
  c.set(quote, row, { remindedAt: [...(row.remindedAt ?? []), c.now.toString({ smallestUnit: 'second' })] }, 'remind')

/** Updates the quote's lead after sending or signing. */
export async function updateLeadOfQuote(
  c: Context,
  row: QuoteRow,
  set: ValuesOf<typeof contact>,
  verb: string,
): Promise<void> {
  if (row.contact === null) return
  const unit = c.withoutPermissionCheck('update a lead from its quote')
  await unit.set(contact, await unit.lock(contact, row.contact), set, verb)
}
