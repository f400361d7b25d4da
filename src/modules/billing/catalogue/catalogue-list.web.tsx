import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { can } from '#kernel/can.ts'
import type { RecordOf, Resource } from '#kernel/resource.ts'
import { useActor } from '#web/api/me.ts'
import { useApiRecord } from '#web/api/resources.ts'
import type { FieldInputProps } from '#web/forms/field-input.tsx'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import type { ValueStore } from '#web/forms/store/value-store.ts'
import type { ColumnSpec } from '#web/lists/columns/columns.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema, retiredFilterSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'

/** Specification of the list and edit form for one type of catalogue record. */
export interface CatalogueListSpec {
  readonly resource: Resource
  readonly label: string
  /** Singular name in lower case, such as "product". */
  readonly one: string
  // biome-ignore lint/suspicious/noExplicitAny: each shelf's rows are its resource's
  readonly columns: readonly ColumnSpec<any>[]
  readonly fields: readonly string[]
  readonly inputs?: Readonly<Record<string, (props: FieldInputProps) => ReactNode>>
  readonly wide?: readonly string[]
  /** Renders the price history, which is shown below the form. */
  readonly history?: (row: RecordOf<Resource>) => ReactNode
  /** Renders content above the fields of a saved record, from the values in the form. */
  readonly above?: (row: RecordOf<Resource>, store: ValueStore) => ReactNode
  /** Returns true if another step remains after saving, so that the dialog stays open. */
  readonly hasNextStep?: (before: RecordOf<Resource>, saved: RecordOf<Resource>) => boolean
}

const LIST = listUrlSchema({ retired: retiredFilterSchema })
const OPEN = z.object({
  open: z
    .string()
    .regex(/^(\d*|new)$/)
    .default(''),
})

/** A catalogue list with its edit dialog. */
export function CatalogueList({
  resource,
  label,
  one,
  columns,
  fields,
  inputs,
  wide,
  history,
  ...more
}: CatalogueListSpec) {
  const { above, hasNextStep } = more
  const actor = useActor()
  const [state, set] = useUrlState(LIST)
  const [{ open }, setOpen] = useUrlState(OPEN, { steps: true })
  const close = () => setOpen({ open: '' })
  const id = open && open !== 'new' ? open : undefined
  const held = useApiRecord(resource, id)
  const may = can(actor, 'update', resource)
  const isRetirable = 'retired' in resource.fields
  const form = (record?: RecordOf<Resource>) => (
    <ResourceForm
      resource={resource}
      fields={fields}
      action={record ? `Save ${one}` : `Create ${one}`}
      onCancel={close}
      onSaved={(saved) => (record && hasNextStep?.(record, saved) ? undefined : close())}
      {...(record ? { record } : {})}
      Above={({ store }) => (record && above ? above(record, store) : null)}
      {...(inputs ? { inputs } : {})}
      {...(wide ? { wide } : {})}
    />
  )
  return (
    <>
      <DataList
        resource={resource}
        label={label}
        state={state}
        onState={set}
        filters={isRetirable ? ['retired'] : []}
        columns={[
          ...columns,
          ...(isRetirable && state.retired !== 'false' ? [{ key: 'retired', title: 'Status' }] : []),
        ]}
        rowMuted={(r) => r.retired === true}
        onOpen={(r) => setOpen({ open: String(r.id) })}
        actions={
          may && (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen({ open: 'new' })}>
              New {one}
            </Button>
          )
        }
      />
      <Dialog
        opened={open !== ''}
        addressed
        onClose={close}
        title={id ? String(held.data?.[resource.title as 'id'] ?? one) : `New ${one}`}
        size="48rem"
      >
        {open === 'new' && form()}
        {id && held.isError && <ErrorState error={held.error} onRetry={() => void held.refetch()} />}
        {id && held.isPending && <LoadingRows rows={5} />}
        {id && held.data && (
          <div key={id}>
            {history?.(held.data)}
            {form(held.data)}
          </div>
        )}
      </Dialog>
    </>
  )
}
