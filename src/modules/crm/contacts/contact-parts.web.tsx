import {
  type Icon,
  IconDownload,
  IconFileInvoice,
  IconPackage,
  IconPhoneCalling,
  IconPhoneOff,
  IconPresentation,
  IconSparkles,
} from '@tabler/icons-react'
import { idFromAnyIri } from '#kernel/iri.ts'
import { formatUkDateTime } from '#kernel/time.ts'
import { RelativeTimeText } from '#web/dates/relative.tsx'
import { parseInstant } from '#web/dates/temporal.ts'
import { useNow } from '#web/dates/use-now.ts'
import type { Hue } from '#web/theme/meaning.ts'
import { PhoneLink } from '#web/ui/phone-link.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { type OutcomeRecord, useOutcomes } from '../outcomes/data.web.ts'
import { LEAD_CATEGORY_LABELS, type LeadCategory } from '../outcomes/outcome.ts'
import { formatLeadName, type LeadRecord } from './data.web.ts'
import css from './parts.module.css'

/** Label, icon and colour of a lead category. */
interface Look {
  readonly words: string
  readonly icon: Icon
  readonly hue: Hue
}

/** Labels, icons and colours of the lead categories. The codes are those of the API (specification, section 4). */
export const LEAD_CATEGORY_STYLES: Readonly<Record<LeadCategory, Look>> = {
  NEW: { words: LEAD_CATEGORY_LABELS.NEW, icon: IconSparkles, hue: 'blue' },
  PFP: { words: LEAD_CATEGORY_LABELS.PFP, icon: IconPackage, hue: 'brown' },
  DOWNL: { words: LEAD_CATEGORY_LABELS.DOWNL, icon: IconDownload, hue: 'slate' },
  DEMO: { words: LEAD_CATEGORY_LABELS.DEMO, icon: IconPresentation, hue: 'teal' },
  CB: { words: LEAD_CATEGORY_LABELS.CB, icon: IconPhoneCalling, hue: 'violet' },
  QUOTE: { words: LEAD_CATEGORY_LABELS.QUOTE, icon: IconFileInvoice, hue: 'plum' },
}

/** Returns the style of a category, or `undefined` for a category without a tab (lost, parked). */
export const leadCategoryStyle = (category: string): Look | undefined =>
  (LEAD_CATEGORY_STYLES as Readonly<Record<string, Look>>)[category]

/** Table cell that shows when to call: on the callback date, or not before the expiry date. */
export function LeadDueCell({ lead }: { readonly lead: Pick<LeadRecord, 'callbackDate' | 'expiry'> }) {
  const now = useNow()
  if (lead.callbackDate !== null) return <RelativeTimeText at={lead.callbackDate} due="callback" />
  if (lead.expiry === null || lead.expiry * 1000 <= now.epochMilliseconds) return <span className={css.faint}>—</span>
  return (
    <span className={css.faint} title={`Don’t call before ${formatUkDateTime(parseInstant(lead.expiry))}`}>
      not before <RelativeTimeText at={lead.expiry} />
    </span>
  )
}

/**
 * Returns the text of the outcome chosen for the last call, which may differ from the lead's result. Without an
 * outcome, returns the text of the result; for a lead without either, `New`.
 */
export const describeLeadResult = (
  { outcome, lastResult }: Pick<LeadRecord, 'outcome' | 'lastResult'>,
  outcomes: ReadonlyMap<number, Pick<OutcomeRecord, 'text'>>,
): string => outcomes.get(idFromAnyIri(outcome) ?? 0)?.text ?? lastResult?.text ?? 'New'

/** Status of the lead. A signed lead is a customer, even if the last outcome says otherwise. */
export function LeadResultChip({ lead }: { readonly lead: Pick<LeadRecord, 'outcome' | 'lastResult' | 'wonAt'> }) {
  const outcomes = useOutcomes()
  if (lead.wonAt) return <StatusChip meaning="safe">Customer, signed</StatusChip>
  const look = leadCategoryStyle(lead.lastResult?.category ?? 'NEW')
  return (
    <StatusChip {...(look && { icon: look.icon, hue: look.hue })} title={look?.words ?? ''}>
      {describeLeadResult(lead, outcomes)}
    </StatusChip>
  )
}

/** A telephone number that must not be called, shown without a call link. */
export const DoNotCallNumberText = ({ number }: { readonly number: string | null }) => (
  <span className={css.barred}>
    <IconPhoneOff size={15} aria-hidden /> Do not call
    {number && <span className={css.faint}> {number}</span>}
  </span>
)

interface Rung {
  readonly lead: Pick<LeadRecord, 'phone' | 'mobile' | 'doNotCall' | 'id' | 'name' | 'companyName'>
  /** Reason why the lead can't be called at the moment, if any. */
  readonly barred?: string | undefined
}

/** The lead's number as a one-click call link, if calling is allowed. */
export function LeadTelephone({ lead, barred }: Rung) {
  const number = lead.phone || lead.mobile
  if (lead.doNotCall) return <DoNotCallNumberText number={number} />
  return (
    <span data-rung>
      <PhoneLink number={number} who={formatLeadName(lead)} barred={barred} />
    </span>
  )
}
