import { Alert, Anchor, Button, Group, Title } from '@mantine/core'
import { IconArrowBackUp, IconDownload, IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { z } from 'zod'
import type { RecordOf } from '#kernel/resource.ts'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import { downloadImportReport, formatCount, type LeadImportRecord, useImportAction } from './data.web.ts'
import css from './imports.module.css'
import { importLine } from './line.ts'

/** Row counts of an import and, after an undo, the numbers of leads removed and retained. */
export function ImportRowCounts({ batch }: { readonly batch: LeadImportRecord }) {
  const undone = (batch.rowsRemoved ?? 0) + (batch.rowsKept ?? 0) > 0 || batch.state === 'undone'
  const figures: [string, number | null][] = [
    ['rows read', batch.rowsRead],
    [batch.dryRun ? 'would be added' : 'added', batch.rowsAdded],
    ['duplicates', batch.rowsDuplicate],
    ['refused', batch.rowsRefused],
    ...(undone
      ? ([
          ['removed', batch.rowsRemoved],
          ['kept', batch.rowsKept],
        ] as [string, number | null][])
      : []),
  ]
  return (
    <dl className={css.figures}>
      {figures.map(([name, n]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{formatCount(n)}</dd>
        </div>
      ))}
    </dl>
  )
}

export const ImportReportReasons = ({ batch }: { readonly batch: LeadImportRecord }) =>
  batch.report.length > 0 && (
    <ul className={css.reasons}>
      {batch.report.map((r) => (
        <li key={r.outcome + r.reason}>
          {formatCount(r.rows)} × {r.reason}
          {r.outcome === 'added' && ' (added anyway)'}
        </li>
      ))}
    </ul>
  )

function messageFor(b: LeadImportRecord): string | undefined {
  if (b.error) return b.error
  if (b.state === 'undone')
    return b.rowsKept
      ? 'This import has been undone. Leads that somebody has worked on were not removed.'
      : 'This import has been undone. All leads that it added have been removed.'
  if (b.state !== 'cancelled') return undefined
  return b.rowsAdded && !b.dryRun
    ? 'This import was stopped. Leads added so far remain until you undo the import.'
    : 'This file was discarded. Nothing was added.'
}

/** Result of an import: the row counts, the rows that were not added, and an undo button. */
export function ImportResult({ batch }: { readonly batch: LeadImportRecord }) {
  const act = useImportAction(batch.id)
  const [dialog, ask] = useConfirm()
  const [saving, setSaving] = useState(false)
  const send = (verb: 'start' | 'undo') =>
    act.mutate({ verb }, { onError: (e) => toast.failed(errorSentence(e), () => send(verb)) })
  const undo = async () => {
    const sure = await ask({
      title: 'Undo this import?',
      question: `The ${formatCount(batch.rowsAdded)} leads added by this import will be removed, except leads that somebody has since worked on or changed.`,
      action: 'Undo import',
      cancel: 'Cancel',
      meaning: 'stop',
    })
    if (sure) send('undo')
  }
  const save = async () => {
    setSaving(true)
    await downloadImportReport(batch).catch((e: unknown) => toast.failed(e, () => void save()))
    setSaving(false)
  }
  const told = messageFor(batch)
  const added = (batch.rowsAdded ?? 0) > 0 && !batch.dryRun
  const listed =
    (batch.rowsDuplicate ?? 0) + (batch.rowsRefused ?? 0) + (batch.rowsKept ?? 0) > 0 || batch.report.length > 0
  return (
    <div className={css.stage}>
      {told && (
        <Alert color={batch.state === 'failed' ? 'red' : 'signal'} role={batch.state === 'failed' ? 'alert' : 'status'}>
          {told}
        </Alert>
      )}
      <ImportRowCounts batch={batch} />
      <ImportReportReasons batch={batch} />
      <Group gap="sm">
        {batch.state === 'failed' && (
          <Button leftSection={<IconPlayerPlay size={16} aria-hidden />} onClick={() => send('start')}>
            Resume
          </Button>
        )}
        {batch.state === 'finished' && (
          <Button component={Link} to={`/crm/contact/list?import=${batch.id}`}>
            View imported leads
          </Button>
        )}
        {listed && (
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            loading={saving}
            onClick={() => void save()}
          >
            Download the report
          </Button>
        )}
        {added && batch.state !== 'undone' && (
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
      {listed && <Lines batch={batch} />}
      {dialog}
    </div>
  )
}

const LINE_LIST = listUrlSchema({
  outcome: z.enum(['', 'duplicate', 'added', 'incomplete', 'updated', 'refused', 'kept']).default(''),
})
type ImportLineRecord = RecordOf<typeof importLine>

function Lines({ batch }: { readonly batch: LeadImportRecord }) {
  const [state, set] = useUrlState(LINE_LIST)
  return (
    <section aria-label="Rows to review">
      <Title order={2} size="h3" mb="sm">
        Rows to review
      </Title>
      <DataList
        resource={importLine}
        label="Rows"
        state={state}
        onState={set}
        params={{ importBatch: batch.id }}
        filters={['outcome']}
        columns={[
          { key: 'company', title: 'Company or person', render: (l: ImportLineRecord) => l.company || '—' },
          {
            key: 'line',
            title: 'Line',
            width: 90,
            render: (l: ImportLineRecord) => (l.line ? formatCount(l.line) : '—'),
          },
          { key: 'outcome', title: 'Result' },
          'reason',
          { key: 'contact', title: 'Lead', render: (l: ImportLineRecord) => <LeadLink line={l} /> },
        ]}
        empty={<EmptyState title="All rows were added" />}
      />
    </section>
  )
}

function LeadLink({ line }: { readonly line: ImportLineRecord }) {
  const lead = line.contact as unknown as { id: number; companyName: string | null; name: string | null } | null
  if (!lead) return '—'
  return (
    <Anchor component={Link} to={`/crm/contact/view/${lead.id}`}>
      {lead.companyName || lead.name || `Lead ${lead.id}`}
    </Anchor>
  )
}
