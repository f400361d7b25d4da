import type { Violation } from '#kernel/errors.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { lastMinuteOfDay, londonDate } from '#kernel/time.ts'
import type { FormError } from '#web/forms/error-summary.tsx'
import { linkedRecordIri } from '#web/forms/values.ts'
import { type CouponTerms, findCouponRejectionReason } from '../catalogue/coupon-rules.ts'
import type { plan, sku } from '../catalogue/plan.ts'
import type { PricedLineRecord } from '../lines/line-vat.ts'
import {
  mapQuoteLineLists,
  QUOTE_LINE_LIST_NAMES,
  type QuoteLineListName,
  type QuoteLineLists,
} from '../lines/lines.ts'
import type { QuoteRecord } from '../quotes/data.web.ts'

/** A line in the form, which may be incomplete. */
export interface QuoteDraftLine extends Partial<Omit<PricedLineRecord, 'description' | 'quantity' | 'unitAmount'>> {
  /** Key of the line in this form. */
  readonly key: string
  readonly description: string
  readonly quantity: number | null
  /** Pence. */
  readonly unitAmount: number | null
}
export type QuoteDraftLines = QuoteLineLists<QuoteDraftLine>

export interface QuoteDraft extends QuoteDraftLines {
  readonly customer: unknown
  readonly coupon: unknown
  readonly discountPercent: number | null
  /** Pence. */
  readonly discountAmount: number | null
  readonly discountDuration: QuoteRecord['discountDuration']
  readonly discountPeriods: number | null
  readonly taxPercent: number | null
  readonly ownedBy: string
  readonly owner: unknown
  readonly billingCycleAnchor: string | null
  readonly prorate: boolean
  readonly sendEmail: boolean
  readonly emailTo: string
  readonly message: string
  readonly expiresAt: string | null
  readonly terms: string
}

let count = 0
/** Returns a line key that is unique even across reloads, because unsaved input may be restored. */
export const newQuoteLineKey = () => `line-${Date.now().toString(36)}-${++count}`

export type QuoteArticle = RecordOf<typeof plan> | RecordOf<typeof sku>

/** Returns a new line for a plan or SKU at today's price. */
export const newQuoteLine = (it: QuoteArticle): Omit<QuoteDraftLine, 'plan' | 'sku'> => ({
  key: newQuoteLineKey(),
  description: it.name,
  quantity: 1,
  unitAmount: it.amount,
  currency: it.currency,
  ...(it.taxRate ? { taxPercent: it.taxRate.percent } : {}),
  ...('interval' in it ? { interval: it.interval, intervalCount: it.intervalCount } : {}),
})

export const EMPTY_QUOTE_DRAFT: QuoteDraft = {
  customer: null,
  coupon: null,
  discountPercent: null,
  discountAmount: null,
  discountDuration: 'once',
  discountPeriods: null,
  taxPercent: 20,
  ownedBy: '',
  owner: null,
  billingCycleAnchor: null,
  prorate: true,
  sendEmail: true,
  emailTo: '',
  message: '',
  expiresAt: null,
  terms: '',
  plans: [],
  skus: [],
  additionalItems: [],
}

const dayOf = (at: string | null | undefined) => (at ? londonDate(Temporal.Instant.from(at)).toString() : null)
const endOf = (day: string | null) => (day ? lastMinuteOfDay(Temporal.PlainDate.from(day)).toString() : null)

export const toQuoteDraft = (q: QuoteRecord): QuoteDraft => ({
  customer: q.customer,
  coupon: q.coupon,
  discountPercent: q.discountPercent,
  discountAmount: q.discountAmount,
  discountDuration: q.discountDuration,
  discountPeriods: q.discountPeriods,
  taxPercent: q.taxPercent,
  ownedBy: q.ownedBy,
  owner: q.owner,
  billingCycleAnchor: q.billingCycleAnchor === null ? null : dayOf(new Date(q.billingCycleAnchor * 1000).toISOString()),
  prorate: q.prorate,
  sendEmail: q.sendEmail,
  emailTo: q.emailTo,
  message: q.message,
  expiresAt: dayOf(q.expiresAt),
  terms: q.terms,
  ...mapQuoteLineLists((list) => q[list].map((line) => ({ ...line, key: line['@id'] }))),
})

const bodyOfLine = ({ plan, sku, ...line }: QuoteDraftLine) => ({
  ...(line['@id'] ? { '@id': line['@id'] } : {}),
  plan: linkedRecordIri(plan),
  sku: linkedRecordIri(sku),
  description: line.description,
  quantity: line.quantity,
  unitAmount: line.unitAmount,
  discountPercent: line.discountPercent ?? null,
  ...(line['@id'] || line.taxPercent !== undefined ? { taxPercent: line.taxPercent ?? null } : {}),
  discountable: line.discountable !== false,
})

export const toQuoteBody = (d: QuoteDraft, isNew: boolean): Record<string, unknown> => ({
  customer: linkedRecordIri(d.customer),
  coupon: linkedRecordIri(d.coupon),
  discountPercent: d.discountPercent,
  discountAmount: d.discountAmount,
  discountDuration: d.discountDuration,
  discountPeriods: d.discountDuration === 'periods' ? d.discountPeriods : null,
  taxPercent: d.taxPercent,
  ownedBy: linkedRecordIri(d.owner) ?? d.ownedBy,
  billingCycleAnchor: d.billingCycleAnchor,
  prorate: d.prorate,
  sendEmail: d.sendEmail,
  emailTo: d.emailTo.trim(),
  message: d.message,
  expiresAt: endOf(d.expiresAt),
  // If a new quote has no terms, they are omitted, so that the default terms apply.
  ...(isNew && !d.terms ? {} : { terms: d.terms }),
  ...mapQuoteLineLists((list) => d[list].map(bodyOfLine)),
})

/** Returns the lines to be totalled. A missing price or quantity is treated as zero. */
export const toQuoteTotalsLines = (d: QuoteDraft) =>
  mapQuoteLineLists((list) => d[list].map((l) => ({ ...l, quantity: l.quantity ?? 0, unitAmount: l.unitAmount ?? 0 })))

type Wrong = Partial<Record<(typeof OF_LINES)[number] | 'line', string>>

export function findQuoteLineErrors(violations: readonly Violation[], list: QuoteLineListName, index: number): Wrong {
  const of = violations.flatMap(({ propertyPath, message }) => {
    const [start, rest = ''] = propertyPath.split('].')
    return start?.replace(']', '') === `${list}[${index}` ? [[fieldOf(rest), message] as const] : []
  })
  return Object.fromEntries(
    Object.entries(Object.groupBy(of, ([field]) => field)).map(([field, said]) => [
      field,
      [...new Set(said.map(([, message]) => message))].join(' '),
    ]),
  )
}

export const quoteInputId = (field: string, line = 'quote'): string => `${line}-${field}`.replaceAll(/[^\w-]/g, '-')

const WITH_INPUT = [
  'customer',
  'coupon',
  'discountPercent',
  'discountAmount',
  'discountPeriods',
  'taxPercent',
  'expiresAt',
  'ownedBy',
  'emailTo',
  'message',
]
const OF_LINES = ['description', 'quantity', 'unitAmount', 'discountPercent', 'taxPercent'] as const
const fieldOf = (name: string) => OF_LINES.find((one) => one === name) ?? 'line'

/** Converts a violation into an error with a link to its input. Lines are numbered as they are shown on the quote. */
export function toQuoteFormError({ propertyPath, message }: Violation, draft: QuoteDraftLines): FormError {
  const m = /^(\w+)\[(\d+)\](?:\.(\w+))?/.exec(propertyPath)
  const lists: readonly string[] = QUOTE_LINE_LIST_NAMES
  const at = lists.indexOf(m?.[1] ?? '')
  const list = QUOTE_LINE_LIST_NAMES[at]
  const line = list && draft[list][Number(m?.[2])]
  if (list && line) {
    const before = QUOTE_LINE_LIST_NAMES.slice(0, at).reduce((sum, other) => sum + draft[other].length, 0)
    const known = fieldOf(m?.[3] ?? '')
    const field = known === 'line' ? 'description' : known
    const name = line.description ? `, ${line.description}` : ''
    return { id: quoteInputId(field, line.key), label: `Line ${before + Number(m?.[2]) + 1}${name}`, message }
  }
  return WITH_INPUT.includes(propertyPath) ? { id: quoteInputId(propertyPath), message } : { message }
}

export function moveQuoteDraftLine(
  lines: readonly QuoteDraftLine[],
  key: string,
  by: 1 | -1,
): readonly QuoteDraftLine[] {
  const at = lines.findIndex((l) => l.key === key)
  const to = at + by
  if (at < 0 || to < 0 || to >= lines.length) return lines
  const next = [...lines]
  next.splice(to, 0, ...next.splice(at, 1))
  return next
}

/** Merges the saved quote into the form. Input typed in the meantime is retained, and so are the lines' keys. */
export function mergeSavedQuote(now: QuoteDraft, sent: QuoteDraft, q: QuoteRecord): QuoteDraft {
  const answer = toQuoteDraft(q)
  const lines = mapQuoteLineLists((list) => {
    const places = new Map(sent[list].map((line, at) => [line.key, at]))
    return now[list].map((line): QuoteDraftLine => {
      const at = places.get(line.key) ?? -1
      const kept = answer[list][at]
      if (!kept) return line
      const isSame = sent[list][at] === line
      return { ...(isSame ? kept : { ...line, '@id': kept['@id'] }), key: line.key }
    })
  })
  return { ...(now === sent ? answer : now), customer: now.customer ?? answer.customer, ...lines }
}

/** Returns whether nothing has been typed since saving. The customer is ignored, because saving may have added one. */
export const isSameQuoteDraft = (now: QuoteDraft, sent: QuoteDraft): boolean =>
  now === sent ||
  (Object.keys(now) as (keyof QuoteDraft)[]).every((name) => name === 'customer' || now[name] === sent[name])

/**
 * Returns the reason why the coupon takes nothing off this quote; `undefined` if it applies, or if the quote has no
 * lines yet.
 */
export function findQuoteCouponProblem(
  terms: CouponTerms,
  draft: QuoteDraftLines,
  currency: string,
): string | undefined {
  if (!draft.plans.length && !draft.skus.length && !draft.additionalItems.length) return undefined
  const plans = draft.plans.flatMap(({ plan }) => linkedRecordIri(plan) ?? [])
  return findCouponRejectionReason(terms, { now: Temporal.Now.instant(), plans, currency, redeemed: true })
}
