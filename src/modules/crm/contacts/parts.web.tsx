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

/** When to ring: the callback, else the day before which nobody should. */
export function DueCell({ lead }: { readonly lead: Pick<Lead, 'callbackDate' | 'expiry'> }) {
  const now = useNow()
  if (lead.callbackDate !== null) return <Relative at={lead.callbackDate} due="callback" />
  if (lead.expiry === null || lead.expiry * 1000 <= now.epochMilliseconds) return <span className={css.faint}>—</span>
  return (
    <span className={css.faint} title={`Not before ${ukDateTime(readInstant(lead.expiry))}`}>
      rests, <Relative at={lead.expiry} />
    </span>
  )
}

/** How the last conversation ended, in the words that were chosen for it: the result that it leaves the lead with may be another. */
export const resultWords = (
  { outcome, lastResult }: Pick<Lead, 'outcome' | 'lastResult'>,
  outcomes: ReadonlyMap<number, Pick<Outcome, 'text'>>,
): string => outcomes.get(idAtEnd(outcome) ?? 0)?.text ?? lastResult?.text ?? 'New'

/** How the lead stands: whoever has signed is a customer, whatever was said before. */
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

/** A number that must not be rung is no link. */
export const DoNotCall = ({ number }: { readonly number: string | null }) => (
  <span className={css.barred}>
    <IconPhoneOff size={15} aria-hidden /> Do not call
    {number && <span className={css.faint}> {number}</span>}
  </span>
)

interface Rung {
  readonly lead: Pick<Lead, 'phone' | 'mobile' | 'doNotCall' | 'id' | 'name' | 'companyName'>
  /** Why nobody rings it just now. */
  readonly barred?: string | undefined
}

/** The number that a lead is rung on in one press, where it may be rung. */
export function LeadTelephone({ lead, barred }: Rung) {
  const number = lead.phone || lead.mobile
  if (lead.doNotCall) return <DoNotCall number={number} />
  return (
    <span data-rung>
      <PhoneLink number={number} who={leadName(lead)} barred={barred} />
    </span>
  )
}
