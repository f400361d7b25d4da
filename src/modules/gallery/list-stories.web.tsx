import { ActionIcon } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { client } from '#modules/portal/clients/client.ts'
import { ApiError } from '#web/api/client.ts'
import { ErrorSummary } from '#web/forms/error-summary.tsx'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { useRowSelection } from '#web/lists/choosing/use-selection.ts'
import { buildColumns } from '#web/lists/columns/columns.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema, retiredFilterSchema } from '#web/lists/list-state.ts'
import { ListView } from '#web/lists/list-view.tsx'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { EmptyState } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { type GalleryStories, Story } from './story.web.tsx'

const LIST = listUrlSchema({ retired: retiredFilterSchema })
interface Sample {
  readonly id: number
  readonly company: string
  readonly city: string
}
const ROWS: readonly Sample[] = [
  { id: 1, company: 'Brick & Sons', city: 'Leeds' },
  { id: 2, company: 'Kindly Care', city: 'York' },
]

export const stories: GalleryStories = {
  list: (
    <>
      <Story title="Selected rows and row buttons">
        <Rows rows={ROWS} />
      </Story>
      <Story title="Empty">
        <Rows label="No samples" rows={[]} />
      </Story>
      <Story title="Failed">
        <Rows
          label="Lost samples"
          rows={undefined}
          error={new ApiError(500, 'Something went wrong on our side. Please try again.')}
        />
      </Story>
      {/* This story comes last because its height depends on the server's records. */}
      <Story title="List of the server's records">
        <Clients />
      </Story>
    </>
  ),
  form: (
    <Story title="A new client">
      <ResourceForm
        resource={client}
        fields={['company', 'regcompno', 'city', 'postcode', 'contactname', 'contactemail', 'retired']}
        action="Create client"
        onCancel={toast.canceled}
      />
    </Story>
  ),
  'error-summary': (
    <>
      <Story title="Fields to correct">
        <ErrorSummary
          attempt={0}
          errors={[
            { id: 'none', label: 'Company', message: 'Field required, please enter text' },
            { id: 'other', label: 'E-mail', message: 'Please enter an e-mail address such as name@company.co.uk' },
          ]}
        />
      </Story>
      <Story title="Saving failed">
        <ErrorSummary
          attempt={0}
          retry={() => toast.saved('the list')}
          errors={[{ message: 'The connection was lost. What you typed is still here; please try again.' }]}
        />
      </Story>
    </>
  ),
}

function Clients() {
  const [state, set] = useUrlState(LIST)
  return (
    <DataList
      resource={client}
      label="Clients"
      state={state}
      onState={set}
      size={3}
      filters={['retired', 'reseller']}
      columns={['company', 'city', 'contactname', 'contacttel', { key: 'contactemail', wide: true }]}
      href={(c) => `/cms/clients?client=${c.id}`}
    />
  )
}

function Rows({
  label = 'Samples',
  rows,
  error,
}: {
  readonly label?: string
  readonly rows: readonly Sample[] | undefined
  readonly error?: unknown
}) {
  const chosen = useRowSelection<Sample>(rows ?? [], (r) => String(r.id), '')
  const [order, setOrder] = useState('company')
  return (
    <ListView<Sample>
      label={label}
      keys={false}
      rows={rows}
      error={error}
      onRetry={() => undefined}
      empty={<EmptyState title="No samples yet" />}
      narrowed={false}
      columns={buildColumns<Sample>(client, ['company', 'city'])}
      idOf={(r) => String(r.id)}
      nameOf={(r) => r.company}
      order={order}
      onOrder={setOrder}
      onOpen={() => toast.opened()}
      chosen={chosen}
      rowActions={(r) => (
        <ActionIcon size={36} variant="subtle" aria-label={`Delete ${r.company}`} onClick={toast.canceled}>
          <IconTrash size={18} aria-hidden />
        </ActionIcon>
      )}
    />
  )
}
