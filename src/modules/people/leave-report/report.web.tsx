import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconDownload, IconFileTypePdf } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { fetchFile, saveToDisk } from '#web/api/file.ts'
import { openPdf } from '#web/api/pdf.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { formatIsoAsUkDate, londonToday } from '#web/dates/uk-dates.ts'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { RowsTable } from '#web/lists/rows-table.tsx'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { useIsPhone } from '#web/ui/is-phone.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { formatLeave, type LeaveReport, REPORT_COLUMNS, REPORT_URL } from './report.ts'
import { SicknessList } from './sickness-list.web.tsx'

const LedgerDialog = lazyComponent(() => import('./ledger-dialog.web.tsx'))

const STATE = listUrlSchema({
  year: z
    .string()
    .regex(/^(\d{4}-\d{2}-\d{2})?$/)
    .default(''),
  employee: z.string().regex(/^\d*$/).default(''),
})

const moveYears = (day: string, years: number): string => Temporal.PlainDate.from(day).add({ years }).toString()

/** Leave and sickness of a leave year. Each employee opens the rows of the ledger, with their formulas. */
export default function LeaveReportPage() {
  const [state, set] = useUrlState(STATE)
  const day = state.year || londonToday()
  const asked = new URLSearchParams({ year: day })
  const url = `${REPORT_URL}?${asked}`
  const answer = useQuery({ queryKey: [url], ...urlQueryOptions<LeaveReport>(url), refetchOnMount: 'always' })
  const file = useMutation({
    mutationFn: async () => {
      const { bytes, name } = await fetchFile(`${REPORT_URL}/export.csv?${asked}`)
      saveToDisk(bytes, name ?? 'leave-report.csv')
    },
    onError: (error) => toast.failed(error),
  })
  const pdf = useMutation({
    mutationFn: () => openPdf(`${REPORT_URL}/export.pdf?${asked}`),
    onError: (error) => toast.failed(error),
  })
  const report = answer.data
  const chosen = report?.rows.find(({ employee }) => String(employee) === state.employee)
  return (
    <Page
      title="Leave report"
      about="The balance is the sum of the rows of the leave ledger. Requests waiting for approval are already deducted. Choose an employee to see the rows and their formulas."
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            loading={file.isPending}
            onClick={() => file.mutate()}
          >
            Download CSV
          </Button>
          <Button
            variant="default"
            leftSection={<IconFileTypePdf size={16} aria-hidden />}
            loading={pdf.isPending}
            onClick={() => pdf.mutate()}
          >
            View PDF
          </Button>
        </>
      }
    >
      <Stack gap="md">
        <Group gap="xs">
          <Button variant="default" aria-label="Previous leave year" onClick={() => set({ year: moveYears(day, -1) })}>
            <IconChevronLeft size={18} aria-hidden />
          </Button>
          <strong aria-live="polite">
            {report ? `${formatIsoAsUkDate(report.from)} to ${formatIsoAsUkDate(report.until)}` : 'Leave year'}
          </strong>
          <Button variant="default" aria-label="Next leave year" onClick={() => set({ year: moveYears(day, 1) })}>
            <IconChevronRight size={18} aria-hidden />
          </Button>
        </Group>
        {answer.isPending && <LoadingRows rows={6} />}
        {answer.isError && !report && <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />}
        {report &&
          (report.rows.length ? (
            <ReportTable report={report} onOpen={(employee) => set({ employee: String(employee) })} />
          ) : (
            <EmptyState title="No employees yet">
              Add employees, or ask human resources to link your account.
            </EmptyState>
          ))}
        <Text c="dimmed" size="sm">
          Bradford score: spells × spells × days of sickness in the 52 weeks up to today. It is a habit of employers and
          no law. Absences related to a disability or pregnancy are not counted.
        </Text>
        <SicknessList />
      </Stack>
      {chosen && report && (
        <LedgerDialog
          row={chosen}
          year={report.from}
          unit={report.unit}
          onClose={() => set({ employee: '' })}
          onChanged={() => void answer.refetch()}
        />
      )}
    </Page>
  )
}

interface TableProps {
  readonly report: LeaveReport
  readonly onOpen: (employee: number) => void
}

/** Columns on a phone; the dialog of an employee shows the rest. */
const PHONE_COLUMNS: readonly string[] = ['taken', 'booked', 'waiting', 'left']

function ReportTable({ report, onOpen }: TableProps) {
  const phone = useIsPhone()
  const columns = REPORT_COLUMNS.filter(({ name }) => !phone || PHONE_COLUMNS.includes(name))
  return (
    <RowsTable
      label="Leave by employee"
      search
      empty="No employee has this name."
      heads={['Employee', ...columns.map(({ label }) => label), 'Sick days', 'Bradford', 'Other leave']}
      rows={report.rows.map((row) => ({
        key: row.employee,
        words: `${row.name} ${row.department}`,
        cells: [
          <Anchor key="name" component="button" type="button" ta="start" onClick={() => onOpen(row.employee)}>
            {row.name}
          </Anchor>,
          ...columns.map(({ name, formula }) => (
            <span key={name} title={formula}>
              {row.counted ? formatLeave(row[name], report.unit, row.dayMinutes) : '—'}
            </span>
          )),
          row.sickDays,
          <span key="bradford" title={row.bradford.formula}>
            {row.bradford.score}
          </span>,
          row.otherDays,
        ],
      }))}
    />
  )
}
