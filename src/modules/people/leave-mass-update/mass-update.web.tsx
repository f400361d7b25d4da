import { Alert, Button, Group, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { iriOf } from '#kernel/resource.ts'
import { callApi } from '#web/api/client.ts'
import { useList } from '#web/api/resources.ts'
import { DateField } from '#web/dates/date-field.tsx'
import { type BatchJobRecord, followBatchJob, requestJobUndo } from '#web/lists/extras/runs.ts'
import { RowsTable } from '#web/lists/rows-table.tsx'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { showUndoToast, toast } from '#web/ui/toast.ts'
import { department } from '../employees/employee.ts'
import { formatLeave } from '../leave-report/report.ts'
import { MASS_UPDATE_URL, type MassUpdateRow, massUpdateFields } from './mass-update.ts'

interface Draft {
  readonly kind: string
  readonly department: string
  readonly firstDay: string
  readonly lastDay: string
  readonly year: string
  readonly days: string
  readonly reason: string
}

const EMPTY: Draft = { kind: 'shutdown', department: '', firstDay: '', lastDay: '', year: '', days: '', reason: '' }

const bodyOf = ({ kind, department: of, firstDay, lastDay, year, days, reason }: Draft) => ({
  kind,
  department: of ? iriOf(department, Number(of)) : null,
  reason,
  ...(kind === 'shutdown'
    ? { firstDay: firstDay || null, lastDay: lastDay || null }
    : { year: year || null, days: Number(days.replace(',', '.')) || null }),
})

/** Books a shutdown, or adjusts the allowance, for many employees: first a preview, then a batch job that can be undone. */
export default function MassUpdatePage() {
  const departments = useList(department, { retired: 'false' })
  const [draft, setDraft] = useState(EMPTY)
  const preview = useMutation({
    mutationFn: () =>
      callApi<{ readonly rows: readonly MassUpdateRow[] }>('POST', `${MASS_UPDATE_URL}/preview`, bodyOf(draft)),
    onError: (error) => toast.failed(error),
  })
  const start = useMutation({
    mutationFn: async () => {
      const { run } = await callApi<{ readonly run: string }>('POST', MASS_UPDATE_URL, bodyOf(draft))
      const follow = (job: BatchJobRecord) => followBatchJob(job, () => undefined)
      return { over: await follow(await callApi<BatchJobRecord>('GET', run)), follow }
    },
    onSuccess: ({ over, follow }) => {
      preview.reset()
      const message = `Leave of ${over.done ?? 0} employees updated`
      if (over.refused)
        toast.info(`${message}; ${over.refused} were left out. “Background jobs” shows the reasons.`, 'attention')
      else
        showUndoToast({
          message,
          undo: () =>
            requestJobUndo(over)
              .then(follow)
              .then(() => undefined),
        })
    },
    onError: (error) => toast.failed(error),
  })
  const change = (values: Partial<Draft>) => {
    setDraft((now) => ({ ...now, ...values }))
    preview.reset()
  }
  const rows = preview.data?.rows
  const count = rows?.filter(({ problem }) => !problem).length ?? 0
  return (
    <Page
      title="Update many employees"
      about="Nothing is changed before you have seen the preview. The update runs in the background and can be undone."
    >
      <Stack gap="lg">
        <form
          className={page.card}
          noValidate
          onSubmit={(e) => {
            e.preventDefault()
            preview.mutate()
          }}
        >
          <Stack gap="sm">
            <NativeSelect
              label="Update"
              data={[...(massUpdateFields.kind.options ?? [])].map(({ value, label }) => ({
                value: String(value),
                label,
              }))}
              value={draft.kind}
              onChange={(e) => change({ kind: e.currentTarget.value })}
            />
            <NativeSelect
              label="Department"
              data={[
                { value: '', label: 'Whole company' },
                ...(departments.data?.['hydra:member'] ?? []).map(({ id, name }) => ({
                  value: String(id),
                  label: name,
                })),
              ]}
              value={draft.department}
              onChange={(e) => change({ department: e.currentTarget.value })}
            />
            {draft.kind === 'shutdown' ? (
              <Group align="flex-start">
                <DateField
                  label="First day"
                  value={draft.firstDay}
                  onChange={(day) => change({ firstDay: day ?? '' })}
                />
                <DateField label="Last day" value={draft.lastDay} onChange={(day) => change({ lastDay: day ?? '' })} />
              </Group>
            ) : (
              <Group align="flex-start">
                <DateField
                  label="First day of the leave year"
                  value={draft.year}
                  onChange={(day) => change({ year: day ?? '' })}
                />
                <TextInput
                  label="Days"
                  description="Negative to deduct"
                  inputMode="decimal"
                  value={draft.days}
                  onChange={(e) => change({ days: e.currentTarget.value })}
                />
              </Group>
            )}
            <Textarea
              label="Reason"
              required
              maxLength={2000}
              value={draft.reason}
              onChange={(e) => change({ reason: e.currentTarget.value })}
            />
            <Group>
              <Button type="submit" variant={rows ? 'default' : 'filled'} loading={preview.isPending}>
                Preview
              </Button>
            </Group>
          </Stack>
        </form>
        {rows && (
          <section className={page.card} aria-labelledby="preview">
            <h2 id="preview">Preview</h2>
            <Text aria-live="polite">
              {count} of {rows.length} employees would be changed.
            </Text>
            <RowsTable
              label="Employees"
              search
              empty="No employee has this name."
              heads={['Employee', 'Balance now', 'Balance after', 'Left out because']}
              rows={rows.map((row) => ({
                key: row.employee,
                words: row.name,
                cells: [
                  row.name,
                  formatLeave(row.before, 'days', row.dayMinutes),
                  row.problem ? '' : formatLeave(row.after, 'days', row.dayMinutes),
                  row.problem,
                ],
              }))}
            />
            {count ? (
              <Group>
                <Button loading={start.isPending} onClick={() => start.mutate()}>
                  Update {count} {count === 1 ? 'employee' : 'employees'}
                </Button>
              </Group>
            ) : (
              <Alert>No employee would be changed.</Alert>
            )}
          </section>
        )}
      </Stack>
    </Page>
  )
}
