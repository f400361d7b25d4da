import { Anchor, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
import { Link } from 'react-router'
import { formatMoney, formatPounds } from '#kernel/money.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { type Actor, hasRole } from '#kernel/roles.ts'
import { formatInteger } from '#kernel/text.ts'
import { lastMinuteOfDay } from '#kernel/time.ts'
import { contact } from '#modules/crm/contacts/contact.ts'
import { LeadTelephone } from '#modules/crm/contacts/contact-parts.web.tsx'
import { useCallBlockReason } from '#modules/crm/contacts/use-held-leads.web.ts'
import type { Collection } from '#web/api/client.ts'
import { queryString } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { type ChartCell, FigureLink } from '#web/charts/chart.tsx'
import { KeyFigures } from '#web/charts/key-figures.tsx'
import { DashboardSection } from '#web/dashboard/section.tsx'
import { type PendingWorkList, PendingWorkRow, PendingWorkSections } from '#web/dashboard/waiting.tsx'
import { DateTimeText, RelativeTimeText } from '#web/dates/relative.tsx'
import { joinDateAndTime, londonToday } from '#web/dates/uk-dates.ts'
import type { ModuleDashboard } from '#web/shell/manifest/dashboard.ts'
import { useIsPhone } from '#web/ui/is-phone.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { plan } from './catalogue/plan.ts'
import { billingNav } from './nav.ts'
import { quote } from './quotes/quote.ts'
import {
  acceptedQuotesUrl,
  callListUrl,
  countCallsToday,
  getCallCount,
  getQuoteCount,
  getSterlingQuotePence,
  type SalesFigures,
  type SalesStaffMember,
  sentQuotesUrl,
  sumFiguresByWeek,
} from './sales-figures/figures.ts'
import css from './sales-figures/overview.module.css'
import { SalesCharts, useSalesFigures } from './sales-figures/sales-pictures.web.tsx'

const DiscountsToApprove = lazyComponent(async () => ({
  default: (await import('./quotes/discount-approval.web.tsx')).DiscountsToApprove,
}))

interface Props {
  readonly figures: SalesFigures
  readonly whose: number | 'all'
  readonly canOpen: boolean
}

function WeeklySalesNumbers({ figures: f, whose, canOpen }: Props) {
  const [before = '', week = ''] = f.weeks.slice(-2)
  const number = (
    label: string,
    weeks: readonly number[],
    at: (of: number | 'all', week: string) => string,
    format: (n: number) => string = formatInteger,
  ) => ({
    label,
    format,
    cell: { value: weeks.at(-1) ?? 0, to: canOpen ? at(whose, week) : undefined },
    beside: (
      <>
        Last week{' '}
        <FigureLink
          cell={{ value: weeks.at(-2) ?? 0, to: canOpen ? at(whose, before) : undefined }}
          name={`${label.replace(' this week', '')} last week`}
          format={format}
        />
      </>
    ),
  })
  return (
    <KeyFigures
      all={[
        number('Calls this week', sumFiguresByWeek(f.weeks, f.calls, whose, getCallCount), callListUrl),
        number('Quotes sent', sumFiguresByWeek(f.weeks, f.sent, whose, getQuoteCount), sentQuotesUrl),
        number('Quotes accepted', sumFiguresByWeek(f.weeks, f.accepted, whose, getQuoteCount), acceptedQuotesUrl),
        number(
          'Value accepted',
          sumFiguresByWeek(f.weeks, f.accepted, whose, getSterlingQuotePence),
          acceptedQuotesUrl,
          formatPounds,
        ),
      ]}
    />
  )
}

function MySalesDay() {
  const figures = useSalesFigures()
  const actor = useActor()
  const promised = useNextPromise(actor.userId)
  const me = figures.data?.people.find((p) => p.user === actor.userId)
  return (
    <DashboardSection
      title="My day"
      loading={figures.isPending || promised.isPending}
      error={figures.data ? null : figures.error}
      onRetry={() => void figures.refetch()}
    >
      {figures.data && (
        <Stack gap="lg">
          <div className={css.day}>
            <Made figures={figures.data} me={me} />
            <NextPromise lead={promised.data?.['hydra:member'][0]} />
          </div>
          {me && <WeeklySalesNumbers figures={figures.data} whose={me.id} canOpen />}
        </Stack>
      )}
    </DashboardSection>
  )
}

/** The seller's own figures by week, as charts below the tasks. */
function MySalesWeeks() {
  const actor = useActor()
  const { data } = useSalesFigures()
  const me = data?.people.find((p) => p.user === actor.userId)
  if (!data || !me) return null
  return (
    <DashboardSection title="My weeks" loading={false} error={null} onRetry={() => undefined}>
      <SalesCharts figures={data} whose={me.id} isAll={false} />
    </DashboardSection>
  )
}

/** Progress towards the daily target, such as `12 of 40 calls`. */
function Made({ figures, me }: { readonly figures: SalesFigures; readonly me: SalesStaffMember | undefined }) {
  const made = me ? countCallsToday(figures, me.id) : 0
  const aim = me?.callsPerDay ?? 0
  return (
    <section aria-label="Calls today">
      <h3>Calls today</h3>
      <span className={css.done}>
        <FigureLink cell={{ value: made, to: me && callListUrl(me.id, 'today') }} name="calls today" />
        {aim > 0 && ` of ${aim}`} calls
      </span>
      {aim > 0 && (
        <div className={css.bar} aria-hidden>
          <div className={css.made} style={{ width: `${Math.min(100, (made / aim) * 100)}%` }} />
        </div>
      )}
      <Text size="sm" c="dimmed" mt={4}>
        {aim === 0 || made >= aim ? 'You have reached today’s target.' : `${aim - made} left.`}
      </Text>
    </section>
  )
}

type Lead = RecordOf<typeof contact>

/** Fetches the lead with the user's earliest callback, which may be overdue. */
function useNextPromise(userId: number) {
  const asked = {
    'owner.user': userId,
    'exists[callbackDate]': true,
    retired: false,
    'order[callbackDate]': 'asc',
    itemsPerPage: 1,
    partial: true,
  }
  const url = `${contact.url}${queryString(asked)}`
  return useQuery({ queryKey: [url], ...urlQueryOptions<Collection<Lead>>(url) })
}

function NextPromise({ lead }: { readonly lead: Lead | undefined }) {
  const held = useCallBlockReason(lead ? [lead.id] : [])
  return (
    <section aria-label="Next callback">
      <h3>Next callback</h3>
      {lead ? (
        <>
          <Anchor component={Link} to={`/crm/contact/view/${lead.id}`} fw={600} display="block">
            {[lead.name, lead.companyName].filter(Boolean).join(', ') || `Lead ${lead.id}`}
          </Anchor>
          <Text size="sm" c="dimmed">
            <DateTimeText at={lead.callbackDate} />, <RelativeTimeText at={lead.callbackDate} due="callback" />
          </Text>
          <LeadTelephone lead={lead} barred={held(lead)} />
        </>
      ) : (
        <Text c="dimmed">No callbacks planned.</Text>
      )}
    </section>
  )
}

const COLUMNS = ['Today', 'Calls', 'Last week', 'Quotes sent', 'Accepted', 'Value accepted', 'Value last week']

interface TeamCell extends ChartCell {
  readonly format?: (n: number) => string
  readonly after?: string
}

function SalesTeamTable({ figures: f }: { readonly figures: SalesFigures }) {
  const phone = useIsPhone()
  const [before = '', week = ''] = f.weeks.slice(-2)
  const cellsOf = (p: SalesStaffMember): TeamCell[] => {
    const made = sumFiguresByWeek(f.weeks, f.calls, p.id, getCallCount)
    const earned = sumFiguresByWeek(f.weeks, f.accepted, p.id, getSterlingQuotePence)
    const now = (all: readonly number[]) => all.at(-1) ?? 0
    const then = (all: readonly number[]) => all.at(-2) ?? 0
    return [
      { value: countCallsToday(f, p.id), to: callListUrl(p.id, 'today'), after: ` of ${p.callsPerDay}` },
      { value: now(made), to: callListUrl(p.id, week) },
      { value: then(made), to: callListUrl(p.id, before) },
      { value: now(sumFiguresByWeek(f.weeks, f.sent, p.id, getQuoteCount)), to: sentQuotesUrl(p.id, week) },
      { value: now(sumFiguresByWeek(f.weeks, f.accepted, p.id, getQuoteCount)), to: acceptedQuotesUrl(p.id, week) },
      { value: now(earned), to: acceptedQuotesUrl(p.id, week), format: formatPounds },
      { value: then(earned), to: acceptedQuotesUrl(p.id, before), format: formatPounds },
    ]
  }
  const draw = (p: SalesStaffMember) =>
    cellsOf(p).map(({ format, after, ...cell }, n) => ({
      label: COLUMNS[n] ?? '',
      shown: (
        <>
          <FigureLink cell={cell} name={`${COLUMNS[n]}, ${p.name}`} {...(format ? { format } : {})} />
          {after}
        </>
      ),
    }))
  return phone ? (
    <ul className={css.people} aria-label="Team">
      {f.people.map((p) => (
        <li key={p.id}>
          <h3>{p.name}</h3>
          <dl>
            {draw(p).map(({ label, shown }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{shown}</dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  ) : (
    <table className={css.team}>
      <caption>The team this week</caption>
      <thead>
        <tr>
          <th scope="col">Person</th>
          {COLUMNS.map((label) => (
            <th key={label} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {f.people.map((p) => (
          <tr key={p.id}>
            <th scope="row">{p.name}</th>
            {draw(p).map(({ label, shown }) => (
              <td key={label}>{shown}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type Quote = RecordOf<typeof quote>

const SHOWN_ROWS = 6
const SOON_DAYS = 7
const LATELY_DAYS = 14

/** The user's quotes that expire soon or were decided recently. */
function MyQuotes() {
  const actor = useActor()
  const today = Temporal.PlainDate.from(londonToday())
  const mine = { 'owner.user': actor.userId, itemsPerPage: SHOWN_ROWS }
  const end = lastMinuteOfDay(today.add({ days: SOON_DAYS })).toString()
  const since = joinDateAndTime(today.subtract({ days: LATELY_DAYS }).toString(), '00:00')
  const owner = (rows: readonly Quote[]) => (rows[0]?.owner as { id?: number } | null | undefined)?.id
  const lists: PendingWorkList<Quote>[] = [
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
      title: 'My recently accepted or declined quotes',
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
  return <PendingWorkSections lists={lists} />
}

const QuoteRow = ({ of, children }: { readonly of: Quote; readonly children: ReactNode }) => (
  <PendingWorkRow
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
  </PendingWorkRow>
)

function TeamSalesOverview() {
  const actor = useActor()
  const isAll = hasRole(actor, 'ROLE_LEADS_ADMIN')
  const figures = useSalesFigures()
  return (
    <DashboardSection
      title="Team activity"
      loading={figures.isPending}
      error={figures.data ? null : figures.error}
      onRetry={() => void figures.refetch()}
      empty={figures.data?.people.length === 0 && 'No salespeople yet.'}
    >
      {figures.data && (
        <Stack gap="lg">
          <WeeklySalesNumbers figures={figures.data} whose="all" canOpen={isAll} />
          <SalesCharts figures={figures.data} whose="all" isAll={isAll} />
          <SalesTeamTable figures={figures.data} />
        </Stack>
      )}
    </DashboardSection>
  )
}

const sells = (actor: Actor) => hasRole(actor, 'ROLE_STAFF')
/**
 * Returns whether the user is a seller who sees other people's work. Lead administrators see the work of all staff;
 * team leaders see their team's.
 */
const leads = (actor: Actor) => sells(actor) && (hasRole(actor, 'ROLE_LEADS_ADMIN') || (actor.team ?? []).length > 0)
const callsOnly = (actor: Actor) => sells(actor) && !hasRole(actor, 'ROLE_LEADS_ADMIN')

export default {
  parts: [
    { order: 4, isFor: leads, draw: () => <TeamSalesOverview /> },
    { order: 5, isFor: callsOnly, draw: () => <MySalesDay /> },
    {
      order: 3,
      isFor: (actor) => sells(actor) && hasRole(actor, 'ROLE_FINANCE'),
      draw: () => (
        <Suspense>
          <DiscountsToApprove />
        </Suspense>
      ),
    },
    { order: 30, isFor: sells, draw: () => <MyQuotes /> },
    { order: 35, isFor: callsOnly, draw: () => <MySalesWeeks /> },
  ],
  firstSteps: [
    {
      order: 10,
      isFor: (actor) => hasRole(actor, 'ROLE_BILLING_ADMIN'),
      title: 'Add your products',
      about: 'Add products with a monthly, yearly or unit price. You build quotes from these products.',
      icon: billingNav.catalogue.icon,
      to: billingNav.catalogue.path,
      done: () => ({ url: plan.url, from: 1 }),
    },
  ],
} satisfies ModuleDashboard
