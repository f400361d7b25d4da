import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { z } from 'zod'
import { can } from '#kernel/can.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { useActor } from '#web/api/me.ts'
import { londonToday } from '#web/dates/uk-dates.ts'
import { createMoneyInput } from '#web/forms/inputs/money-input.tsx'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema, retiredFilterSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { weekFilterSchema, weekOptions } from '#web/lists/weeks.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { dayRangeParams } from '../counted/columns.web.tsx'
import { MoneyCell } from '../money.web.tsx'
import { sourceCost } from './reports.ts'

const LIST = listUrlSchema({
  when: weekFilterSchema,
  cameFrom: z.string().regex(/^\d*$/).default(''),
  retired: retiredFilterSchema,
})
type Cost = RecordOf<typeof sourceCost>
const FIELDS = ['cameFrom', 'day', 'amount', 'what', 'notes'] as const

/** Page with the amounts paid for lead sources, by date. */
export default function SourceCostsPage() {
  const actor = useActor()
  const [state, set] = useUrlState(LIST)
  const [open, setOpen] = useState<Cost | 'new'>()
  const close = () => setOpen(undefined)
  const mayAdd = can(actor, 'create', sourceCost)
  return (
    <Page
      title="Source costs"
      back={{ to: '/cms/analysis/salesources/money', label: 'Income and cost by source' }}
      actions={
        mayAdd && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen('new')}>
            New cost
          </Button>
        )
      }
    >
      <DataList
        resource={sourceCost}
        label="Source costs"
        state={state}
        onState={set}
        search={false}
        params={dayRangeParams('day', state.when)}
        filters={[{ key: 'when', label: 'Payment date', options: weekOptions(state.when) }, 'cameFrom', 'retired']}
        empty={
          <EmptyState title="No costs yet">
            Record what you pay for lists, advertisements or trade fairs here, to compare the cost of each source with
            its leads and sales.
          </EmptyState>
        }
        columns={[
          { key: 'what', title: 'Description', link: true },
          { key: 'cameFrom', title: 'Source', tight: true },
          { key: 'day', title: 'Payment date', tight: true, render: (c: Cost) => formatIsoDateAsUk(c.day) },
          { key: 'amount', title: 'Amount', render: (c: Cost) => <MoneyCell pence={c.amount} currency="GBP" /> },
          { key: 'author', title: 'Entered by', wide: true, render: (c: Cost) => <PersonName username={c.author} /> },
        ]}
        {...(mayAdd ? { onOpen: setOpen } : {})}
      />
      <Dialog opened={open !== undefined} onClose={close} title={open === 'new' ? 'New cost' : 'Cost'}>
        <ResourceForm
          resource={sourceCost}
          fields={[...FIELDS]}
          inputs={{ amount: createMoneyInput() }}
          {...(open && open !== 'new' ? { record: open } : { defaults: { day: londonToday() } })}
          onCancel={close}
          onSaved={close}
        />
      </Dialog>
    </Page>
  )
}
