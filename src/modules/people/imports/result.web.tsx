import { Alert, Anchor, Button, Group, Title } from '@mantine/core'
import { IconArrowBackUp, IconPlayerPlay } from '@tabler/icons-react'
import { Link } from 'react-router'
import { z } from 'zod'
import type { RecordOf } from '#kernel/resource.ts'
import { formatInteger } from '#kernel/text.ts'
import { ImportFigures } from '#web/imports/figures.tsx'
import css from '#web/imports/imports.module.css'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { employeePath, PEOPLE_PATHS } from '../nav.ts'
import { type EmployeeImportRecord, useImportAction } from './data.web.ts'
import { employeeImportLine } from './import.ts'

/** Numbers of rows by their result. */
export function ImportCounts({ one }: { readonly one: EmployeeImportRecord }) {
  const isTrial = one.dryRun === true
  return (
    <ImportFigures
      figures={[
        ['rows', one.rowsTotal],
        [isTrial ? 'would be added' : 'added', one.added],
        [isTrial ? 'would be changed' : 'changed', one.updated],
        ['unchanged', one.unchanged],
        ['rejected', one.refused],
        ...(one.state === 'undone' ? [['undone', one.undone] as const] : []),
      ]}
    />
  )
}

const messageFor = ({ state, error }: EmployeeImportRecord): string | undefined => {
  if (error) return error
  if (state === 'undone')
    return 'This import has been undone. Employees whose records have been changed or used since are listed below.'
  return state === 'stopped'
    ? 'This import was stopped. Employees added so far remain until you undo the import.'
    : undefined
}

/** Result of an import: its counts, the rows to review, and an undo. */
export function ImportResult({ one }: { readonly one: EmployeeImportRecord }) {
  const act = useImportAction(one)
  const [dialog, ask] = useConfirm()
  const send = (verb: 'resume' | 'undo') =>
    act.mutate({ verb }, { onError: (error) => toast.failed(error, () => send(verb)) })
  const undo = async () => {
    const isSure = await ask({
      title: 'Undo this import?',
      question: `The ${formatInteger(one.added ?? 0)} employees that were added are removed, and the details of the ${formatInteger(one.updated ?? 0)} that were changed are restored. Records that were changed or used since are left as they are.`,
      action: 'Undo import',
      cancel: 'Cancel',
      meaning: 'stop',
    })
    if (isSure) send('undo')
  }
  const message = messageFor(one)
  const isWritten = (one.added ?? 0) + (one.updated ?? 0) > 0
  return (
    <div className={css.stage}>
      {message && (
        <Alert color={one.error ? 'red' : 'signal'} role={one.error ? 'alert' : 'status'}>
          {message}
        </Alert>
      )}
      <ImportCounts one={one} />
      <Group gap="sm">
        {one.state === 'stopped' && (
          <Button leftSection={<IconPlayerPlay size={16} aria-hidden />} onClick={() => send('resume')}>
            Resume
          </Button>
        )}
        {one.state === 'imported' && (
          <Button component={Link} to={PEOPLE_PATHS.list}>
            View employees
          </Button>
        )}
        {isWritten && one.state !== 'undone' && (
          <Button
            variant="default"
            leftSection={<IconArrowBackUp size={16} aria-hidden />}
            loading={act.isPending}
            onClick={() => void undo()}
          >
            Undo this import
          </Button>
        )}
      </Group>
      <ImportRows one={one} />
      {dialog}
    </div>
  )
}

const LIST = listUrlSchema({ outcome: z.enum(['', 'refused', 'incomplete', 'updated', 'kept']).default('') })
type Line = RecordOf<typeof employeeImportLine>

/** Rows that were rejected, are incomplete or change an employee, with the reason of each. */
export function ImportRows({ one }: { readonly one: EmployeeImportRecord }) {
  const [state, set] = useUrlState(LIST)
  return (
    <section aria-label="Rows to review">
      <Title order={2} size="h3" mb="sm">
        Rows to review
      </Title>
      <DataList
        resource={employeeImportLine}
        label="Rows"
        state={state}
        onState={set}
        search={false}
        params={{ batch: one.id }}
        filters={['outcome']}
        columns={[
          { key: 'line', width: 80, render: ({ line }: Line) => line || '—' },
          { key: 'name', render: ({ name }: Line) => name || '—' },
          'outcome',
          'reason',
          { key: 'employee', title: 'Employee', render: ({ employee }: Line) => <EmployeeLink employee={employee} /> },
        ]}
        empty={<EmptyState title="No rows to review" />}
      />
    </section>
  )
}

function EmployeeLink({ employee }: { readonly employee: unknown }) {
  const of = employee as { readonly id: number; readonly name: string } | null
  return of ? (
    <Anchor component={Link} to={employeePath(of.id)}>
      {of.name}
    </Anchor>
  ) : (
    '—'
  )
}
