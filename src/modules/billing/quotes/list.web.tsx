import { Alert, Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { z } from 'zod'
import { can } from '#kernel/can.ts'
import { formatMoney } from '#kernel/money.ts'
import { toText } from '#kernel/text.ts'
import { useActor } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { createMoneyInput } from '#web/forms/inputs/money-input.tsx'
import { RichText } from '#web/forms/inputs/rich-text.tsx'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { weekFilterSchema, weekOptions, weekParams } from '#web/lists/weeks.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import css from '../billing.module.css'
import { useBillingUrls, useIsProviderStaff } from '../billing-urls.web.ts'
import { quoteSettings } from '../emails/settings.ts'
import { RaisedLimitsNotice } from '../raised-limits.web.tsx'
import { QuoteChip } from './chip.web.tsx'
import { quote } from './quote.ts'

const LIST = listUrlSchema({
  state: z.enum(['', 'draft', 'open', 'accepted', 'declined', 'expired', 'cancelled']).default(''),
  owner: z.string().regex(/^\d*$/).default(''),
  sent: weekFilterSchema,
  decided: weekFilterSchema,
})

export default function QuotesPage() {
  const [state, set] = useUrlState(LIST)
  const places = useBillingUrls()
  const isStaff = useIsProviderStaff()
  const add = (
    <Button component={Link} to={places.newQuote} leftSection={<IconPlus size={16} aria-hidden />}>
      New quote
    </Button>
  )
  return (
    <Page
      title="Quotes"
      actions={
        <>
          <SettingsButton />
          {add}
        </>
      }
    >
      <DataList
        resource={quote}
        label="Quotes"
        state={state}
        onState={set}
        search="Search by number, company or e-mail"
        params={{ ...weekParams('sentAt', state.sent), ...weekParams('decidedAt', state.decided) }}
        filters={[
          'state',
          ...(isStaff ? ['owner' as const] : []),
          { key: 'sent', label: 'Sent', options: weekOptions(state.sent) },
          { key: 'decided', label: 'Decided', options: weekOptions(state.decided) },
        ]}
        empty={
          <EmptyState title="No quotes yet">Choose “New quote”, choose the customer, and then add lines.</EmptyState>
        }
        columns={[
          'reference',
          { key: 'company', title: 'Customer', render: (q) => q.company || '—' },
          { key: 'state', title: 'Status', tight: true, render: (q) => <QuoteChip of={q} /> },
          {
            key: 'total',
            title: 'Total',
            render: (q) => <span className={css.money}>{formatMoney(q.total, q.currency)}</span>,
          },
          { key: 'expiresAt', title: 'Valid until', render: (q) => <DateTimeText at={q.expiresAt} day /> },
          ...(isStaff ? [{ key: 'owner', title: 'Owner', wide: true } as const] : []),
          {
            key: 'sentAt',
            title: 'Made live',
            wide: true,
            inCard: false,
            render: (q) => <DateTimeText at={q.sentAt} day />,
          },
        ]}
        href={(q) => places.quote(q.id)}
      />
    </Page>
  )
}

function SettingsButton() {
  const actor = useActor()
  const [opened, setOpened] = useState(false)
  const known = useList(quoteSettings, {}, { enabled: opened }).data?.['hydra:member']
  const rules = known?.[0]
  if (!can(actor, 'update', quoteSettings)) return null
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>
        Settings
      </Button>
      <Dialog opened={opened && !!known} onClose={() => setOpened(false)} title="Quote settings">
        {known && !rules && (
          <Alert color="blue" title="No limit yet" mb="md">
            Until you save these settings, discounts need no approval. After that, a discount above either limit waits
            under Approvals until another person with the right “Invoicing and finance” has approved it. At least two
            people need this right.
          </Alert>
        )}
        {rules && <RaisedLimitsNotice resource={quoteSettings} settings={rules} />}
        {known && (
          <ResourceForm
            resource={quoteSettings}
            {...(rules ? { record: rules } : {})}
            wide={['terms']}
            inputs={{
              discountLimitAmount: createMoneyInput(),
              terms: ({ value, onChange }) => (
                <RichText label="Default terms" value={toText(value)} onChange={onChange} />
              ),
            }}
            onCancel={() => setOpened(false)}
            onSaved={() => setOpened(false)}
          />
        )}
      </Dialog>
    </>
  )
}
