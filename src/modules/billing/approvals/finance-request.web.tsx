import { Anchor, Title } from '@mantine/core'
import { Link } from 'react-router'
import { isActionAllowedOnRecord } from '#kernel/can.ts'
import { formatMoney } from '#kernel/money.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { useActor } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import page from '#web/ui/page.module.css'
import { PersonName } from '#web/ui/people/person-name.tsx'
import css from '../billing.module.css'
import { useBillingUrls } from '../billing-urls.web.ts'
import type { customer } from '../customers/customer.ts'
import type { invoice } from '../invoices/invoice.ts'
import { TwoPersonApprovalActions } from '../payments/second-person.web.tsx'
import { FINANCE_ROLES } from '../rights.ts'
import { FINANCE_REQUEST_NOUNS, financeRequest, nameFinanceRequest } from './finance-request.ts'

/** A request that awaits approval, with the actions of its requester or a second person. */
export function FinanceRequestRow({ of }: { readonly of: RecordOf<typeof financeRequest> }) {
  const actor = useActor()
  const places = useBillingUrls()
  const amount = formatMoney(of.amount, of.currency)
  const company = of.customer.companyName ?? 'a customer'
  const number = of.invoice?.number ?? ''
  const { question, action } = {
    balance: { question: `${amount} will be credited to ${company}.`, action: `Credit ${amount}` },
    writeOff: { question: `${amount} of ${number} will be written off as bad debt.`, action: `Write off ${amount}` },
    void: { question: `${number} will be void: its ${amount} will no longer be owed.`, action: 'Void' },
    credit: { question: `A credit note of ${amount} for ${number} will be issued.`, action: `Credit ${amount}` },
  }[of.kind]
  return (
    <li className={css.row}>
      <span>
        <Anchor
          component={Link}
          to={of.invoice ? places.invoice(of.invoice.id) : places.customer(of.customer.id)}
          inherit
        >
          {nameFinanceRequest(of.kind, of.invoice)}
        </Anchor>
        , {company}: <strong className={css.money}>{amount}</strong>
        {of.invoice ? '' : ' credit'}. Reason: “{of.reason}”. Requested by <PersonName username={of.author} /> on{' '}
        <DateTimeText at={of.createdAt} day />
      </span>
      {hasRole(actor, FINANCE_ROLES) && (
        <TwoPersonApprovalActions
          of={of}
          what={FINANCE_REQUEST_NOUNS[of.kind]}
          isSecond={isActionAllowedOnRecord(actor, 'approve', financeRequest, of)}
          question={`${question} Reason: ${of.reason}`}
          action={action}
        />
      )}
    </li>
  )
}

type PanelRecord = RecordOf<typeof customer> | RecordOf<typeof invoice>

/** Panel with the waiting requests about a customer or an invoice; nothing if there are none. */
export default function WaitingFinanceRequestsPanel({ record }: { readonly record: PanelRecord }) {
  const about = 'number' in record ? { invoice: record.id } : { customer: record.id }
  const rows = useList(financeRequest, { ...about, state: 'waiting' }).data?.['hydra:member'] ?? []
  if (!rows.length) return null
  return (
    <section className={page.card} aria-labelledby="awaiting">
      <Title order={2} size="h4" id="awaiting">
        Awaiting approval
      </Title>
      <ul className={css.list}>
        {rows.map((one) => (
          <FinanceRequestRow key={one.id} of={one} />
        ))}
      </ul>
    </section>
  )
}
