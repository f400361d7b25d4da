import type { ReactNode } from 'react'
import { formatMoney } from '#kernel/money.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { lastMinuteOfDay } from '#kernel/time.ts'
import { queryString } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { type WaitingWork, WaitingWorkRow, WaitingWorkSections } from '#web/dashboard/waiting.tsx'
import { RelativeTimeText } from '#web/dates/relative.tsx'
import { joinMoment, londonToday } from '#web/dates/uk-dates.ts'
import { quote } from './quote.ts'

type Quote = RecordOf<typeof quote>

const SHOWN = 6
const SOON_DAYS = 7
const LATELY_DAYS = 14

/** My quotes that expire soon, and those recently decided. */
export function MyQuotes() {
  const actor = useActor()
  const today = Temporal.PlainDate.from(londonToday())
  const mine = { 'owner.user': actor.userId, itemsPerPage: SHOWN }
  const end = lastMinuteOfDay(today.add({ days: SOON_DAYS })).toString()
  const since = joinMoment(today.subtract({ days: LATELY_DAYS }).toString(), '00:00')
  const owner = (rows: readonly Quote[]) => (rows[0]?.owner as { id?: number } | null | undefined)?.id
  const lists: WaitingWork<Quote>[] = [
    {
      title: 'My quotes expiring soon',
      url: `${quote.url}${queryString({ ...mine, state: 'open', 'expiresAt[before]': end, 'order[expiresAt]': 'asc' })}`,
      more: (rows) => [
        { label: 'Open quotes', to: `/crm/quotes${queryString({ state: 'open', owner: owner(rows) })}` },
      ],
      row: (q) => (
        <QuoteRow of={q}>
          <RelativeTimeText at={q.expiresAt} due />
        </QuoteRow>
      ),
    },
    {
      title: 'My recently decided quotes',
      url: `${quote.url}${queryString({ ...mine, state: ['accepted', 'declined'], 'decidedAt[after]': since, 'order[decidedAt]': 'desc' })}`,
      more: (rows) => [{ label: 'My quotes', to: `/crm/quotes${queryString({ owner: owner(rows) })}` }],
      row: (q) => (
        <QuoteRow of={q}>
          {q.state === 'accepted' ? 'Accepted ' : 'Declined '}
          <RelativeTimeText at={q.decidedAt} />
        </QuoteRow>
      ),
    },
  ]
  return <WaitingWorkSections lists={lists} />
}

const QuoteRow = ({ of, children }: { readonly of: Quote; readonly children: ReactNode }) => (
  <WaitingWorkRow
    to={`/crm/quote/${of.id}`}
    title={of.company || of.reference || `Quote ${of.id}`}
    detail={[
      of.reference,
      formatMoney(of.total ?? 0, of.currency ?? 'GBP'),
      of.state === 'declined' && of.reason && `“${of.reason}”`,
    ]
      .filter(Boolean)
      .join(', ')}
  >
    {children}
  </WaitingWorkRow>
)
