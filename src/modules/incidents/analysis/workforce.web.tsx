import '@mantine/core/styles/Combobox.layer.css'
import { Button, Select } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { can } from '#kernel/can.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { useActor } from '#web/api/me.ts'
import { fieldInputLabel } from '#web/forms/labels.ts'
import { type CustomInput, ResourceForm } from '#web/forms/resource-form.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { offeredMonths } from './filters.web.tsx'
import { formatMonth } from './months.ts'
import { workforceMonth } from './workforce-month.ts'

const LIST = listUrlSchema({})
type Row = RecordOf<typeof workforceMonth>

const MonthInput: CustomInput = ({ name, field, id, value, onChange, onBlur, error }) => (
  <Select
    {...(id ? { id } : {})}
    label={fieldInputLabel(name, field)}
    data={offeredMonths()}
    searchable
    value={typeof value === 'string' && value ? value.slice(0, 7) : null}
    error={error}
    {...(onBlur ? { onBlur } : {})}
    onChange={(month) => onChange(month ? `${month}-01` : null)}
  />
)

/** Hours worked and people employed in each month, for the rates of the analysis. */
export default function WorkforceMonths() {
  const actor = useActor()
  const [state, set] = useUrlState(LIST)
  const [open, setOpen] = useState<Row | 'new'>()
  const close = () => setOpen(undefined)
  const isEditor = can(actor, 'create', workforceMonth)
  return (
    <Page
      title="Hours and employees"
      about="Hours worked and people employed in each month, by the whole company. The analysis needs them for its rates."
      actions={
        isEditor && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen('new')}>
            Add month
          </Button>
        )
      }
    >
      <DataList
        resource={workforceMonth}
        label="Months"
        state={state}
        onState={set}
        search={false}
        columns={[
          { key: 'month', link: true, render: (row: Row) => formatMonth(row.month.slice(0, 7)) },
          { key: 'hours', align: 'right' },
          { key: 'headcount', align: 'right' },
        ]}
        {...(isEditor ? { onOpen: setOpen } : {})}
        empty={
          <EmptyState title="No months yet">Add the hours worked and the number of employees of each month.</EmptyState>
        }
      />
      <Dialog opened={open !== undefined} onClose={close} title={open === 'new' ? 'Add month' : 'Edit month'}>
        <ResourceForm
          resource={workforceMonth}
          inputs={{ month: MonthInput }}
          {...(open && open !== 'new' ? { record: open } : {})}
          onCancel={close}
          onSaved={close}
        />
      </Dialog>
    </Page>
  )
}
