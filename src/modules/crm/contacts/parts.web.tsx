import { IconPhoneOff } from '@tabler/icons-react'
import { idAtEnd } from '#kernel/iri.ts'
import { ukDateTime } from '#kernel/time.ts'
import { Relative } from '#web/dates/relative.tsx'
import { readInstant } from '#web/dates/temporal.ts'
import { useNow } from '#web/dates/use-now.ts'
import { PhoneLink } from '#web/ui/phone-link.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { type Outcome, useOutcomes } from '../outcomes/data.web.ts'
import { lookOf } from './categories.web.ts'
import { type Lead, leadName } from './data.web.ts'
import css from './parts.module.css'

/** When to call: the callback date, or the date before which the lead is not due. */
export function DueCell({ lead }: { readonly lead: Pick<Lead, 'callbackDate' | 'expiry'> }) {
  const now = useNow()
  if (lead.callbackDate !== null) return <Relative at={lead.callbackDate} due="callback" />
  if (lead.expiry === null || lead.expiry * 1000 <= now.epochMilliseconds) return <span className={css.faint}>—</span>
  return (
    <span className={css.faint} title={`Not before ${ukDateTime(readInstant(lead.expiry))}`}>
      not before <Relative at={lead.expiry} />
    </span>
  )
}

/** Outcome of the last call as chosen; the lead's result may differ. */
export const resultWords = (
  { outcome, lastResult }: Pick<Lead, 'outcome' | 'lastResult'>,
  outcomes: ReadonlyMap<number, Pick<Outcome, 'text'>>,
): string => outcomes.get(idAtEnd(outcome) ?? 0)?.text ?? lastResult?.text ?? 'New'

/** Status of the lead: signed leads are customers, whatever the last outcome. */
export function ResultChip({ lead }: { readonly lead: Pick<Lead, 'outcome' | 'lastResult' | 'wonAt'> }) {
  const outcomes = useOutcomes()
  if (lead.wonAt) return <StatusChip meaning="safe">Customer, signed</StatusChip>
  const look = lookOf(lead.lastResult?.category ?? 'NEW')
  return (
    <StatusChip {...(look && { icon: look.icon, hue: look.hue })} title={look?.words ?? ''}>
      {resultWords(lead, outcomes)}
    </StatusChip>
  )
}

/** A number that must not be called, shown without a link. */
export const DoNotCall = ({ number }: { readonly number: string | null }) => (
  <span className={css.barred}>
    <IconPhoneOff size={15} aria-hidden /> Do not call
    {number && <span className={css.faint}> {number}</span>}
  </span>
)

interface Rung {
  readonly lead: Pick<Lead, 'phone' | 'mobile' | 'doNotCall' | 'id' | 'name' | 'companyName'>
  /** Reason why the lead can't be called at the moment. */
  readonly barred?: string | undefined
}

/** The lead's number as a one-click call link, if calling is allowed. */
export function LeadTelephone({ lead, barred }: Rung) {
  const number = lead.phone || lead.mobile
  if (lead.doNotCall) return <DoNotCall number={number} />
  return (
    <span data-rung>
      <PhoneLink number={number} who={leadName(lead)} barred={barred} />
    </span>
  )
}
