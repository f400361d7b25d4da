import { IconPhoneOff } from '@tabler/icons-react'
import { idFromAnyIri } from '#kernel/iri.ts'
import { formatUkDateTime } from '#kernel/time.ts'
import { RelativeTimeText } from '#web/dates/relative.tsx'
import { parseInstant } from '#web/dates/temporal.ts'
import { useNow } from '#web/dates/use-now.ts'
import { PhoneLink } from '#web/ui/phone-link.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { type OutcomeRecord, useOutcomes } from '../outcomes/data.web.ts'
import { leadCategoryStyle } from './categories.web.ts'
import { type LeadRecord, leadName } from './data.web.ts'
import css from './parts.module.css'

/** When to call: the callback date, or the date before which the lead is not due. */
export function LeadDueCell({ lead }: { readonly lead: Pick<LeadRecord, 'callbackDate' | 'expiry'> }) {
  const now = useNow()
  if (lead.callbackDate !== null) return <RelativeTimeText at={lead.callbackDate} due="callback" />
  if (lead.expiry === null || lead.expiry * 1000 <= now.epochMilliseconds) return <span className={css.faint}>—</span>
  return (
    <span className={css.faint} title={`Not before ${formatUkDateTime(parseInstant(lead.expiry))}`}>
      not before <RelativeTimeText at={lead.expiry} />
    </span>
  )
}

/** Outcome chosen for the last call; the lead's result may differ. */
export const leadResultText = (
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
      {leadResultText(lead, outcomes)}
    </StatusChip>
  )
}

/** A number that must not be called, shown without a link. */
export const DoNotCallNumberText = ({ number }: { readonly number: string | null }) => (
  <span className={css.barred}>
    <IconPhoneOff size={15} aria-hidden /> Do not call
    {number && <span className={css.faint}> {number}</span>}
  </span>
)

interface Rung {
  readonly lead: Pick<LeadRecord, 'phone' | 'mobile' | 'doNotCall' | 'id' | 'name' | 'companyName'>
  /** Reason why the lead can't be called at the moment. */
  readonly barred?: string | undefined
}

/** The lead's number as a one-click call link, if calling is allowed. */
export function LeadTelephone({ lead, barred }: Rung) {
  const number = lead.phone || lead.mobile
  if (lead.doNotCall) return <DoNotCallNumberText number={number} />
  return (
    <span data-rung>
      <PhoneLink number={number} who={leadName(lead)} barred={barred} />
    </span>
  )
}
