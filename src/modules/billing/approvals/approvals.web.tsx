import { Anchor, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { isActionAllowedOnRecord } from '#kernel/can.ts'
import { formatMoney } from '#kernel/money.ts'
import { useActor } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { DashboardSections } from '#web/dashboard/sections.tsx'
import { DateTimeText } from '#web/dates/relative.tsx'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { SimultaneousReveal } from '#web/ui/reveal-together.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import css from '../billing.module.css'
import { useBillingUrls } from '../billing-urls.web.ts'
import { refund } from '../payments/charge.ts'
import { RefundApprovalActions, TwoPersonApprovalActions } from '../payments/second-person.web.tsx'
import { discountApproval } from '../quotes/quote.ts'
import { financeRequest } from './finance-request.ts'
import { FinanceRequestRow } from './finance-request.web.tsx'

const MAX_APPROVALS = 100
const WAITING = { state: 'waiting', 'order[id]': 'asc', itemsPerPage: MAX_APPROVALS } as const

/** Requests that need a second person's approval: quote discounts, refunds, balance changes, write-offs, voids and credit notes, oldest first. */
export default function ApprovalsPage() {
  return (
    <Page title="Approvals" about="Requests above the approval limit. You can’t approve your own requests.">
      <SimultaneousReveal waiting={<LoadingRows rows={6} />}>
        <DashboardSections>
          <Discounts />
          <Refunds />
          <BalanceChangesAndWriteOffs />
        </DashboardSections>
      </SimultaneousReveal>
    </Page>
  )
}

interface WaitingProps {
  readonly id: string
  readonly title: string
  readonly none: string
  readonly list: { readonly isError: boolean; readonly error: Error | null; readonly refetch: () => unknown }
  readonly rows: readonly ReactNode[] | undefined
}

const Waiting = ({ id, title, none, list, rows }: WaitingProps) => (
  <section className={page.card} aria-labelledby={id}>
    <Title order={2} size="h4" id={id}>
      {title}
    </Title>
    {list.isError && !rows ? (
      <ErrorState error={list.error} onRetry={() => void list.refetch()} />
    ) : !rows ? (
      <LoadingRows rows={3} />
    ) : rows.length === 0 ? (
      <Text size="sm">{none}</Text>
    ) : (
      <ul className={css.list}>{rows}</ul>
    )}
  </section>
)

function Discounts() {
  const actor = useActor()
  const places = useBillingUrls()
  const list = useList(discountApproval, WAITING)
  const rows = list.data?.['hydra:member'].map((one) => {
    const off = formatMoney(one.discount, one.currency)
    const percent = Math.round((one.discount / one.subtotal) * 1000) / 10
    return (
      <li key={one.id} className={css.row}>
        <span>
          <Anchor component={Link} to={places.quote(one.quote.id)} inherit>
            {one.quote.reference}
          </Anchor>
          , {one.quote.company || one.customer.companyName}: <strong className={css.money}>{off}</strong> off{' '}
          {formatMoney(one.subtotal, one.currency)} ({percent}%){one.couponWords && `, ${one.couponWords}`}. “
          {one.reason}”, requested by <PersonName username={one.author} /> on <DateTimeText at={one.createdAt} day />
        </span>
        <TwoPersonApprovalActions
          of={one}
          what="discount"
          isSecond={isActionAllowedOnRecord(actor, 'approve', discountApproval, one)}
          question={`${one.quote.state === 'draft' ? one.quote.reference : `The subscription sold with ${one.quote.reference}`} can then be ${one.quote.state === 'draft' ? 'sent' : 'changed'} with a discount of ${off}${one.couponWords ? `: ${one.couponWords}` : ''}.`}
          action={`Approve discount of ${off}`}
        />
      </li>
    )
  })
  return <Waiting id="discounts" title="Discounts" none="No discounts to approve" list={list} rows={rows} />
}

function Refunds() {
  const places = useBillingUrls()
  const list = useList(refund, WAITING)
  const rows = list.data?.['hydra:member'].map((one) => (
    <li key={one.id} className={css.row}>
      <span>
        <Anchor component={Link} to={places.charge(one.charge.id)} inherit>
          Refund {one.id}
        </Anchor>
        , {one.customer.companyName ?? 'a customer'}:{' '}
        <strong className={css.money}>{formatMoney(one.amount, one.currency)}</strong>. “{one.reason}”, requested by{' '}
        <PersonName username={one.createdBy} /> on <DateTimeText at={one.createdAt} day />
      </span>
      <RefundApprovalActions of={one} />
    </li>
  ))
  return <Waiting id="refunds" title="Refunds" none="No refunds to approve" list={list} rows={rows} />
}

function BalanceChangesAndWriteOffs() {
  const list = useList(financeRequest, WAITING)
  const rows = list.data?.['hydra:member'].map((one) => <FinanceRequestRow key={one.id} of={one} />)
  return (
    <Waiting
      id="requests"
      title="Balance changes, write-offs, voids and credit notes"
      none="No balance changes, write-offs, voids or credit notes to approve"
      list={list}
      rows={rows}
    />
  )
}
