import { Alert, Anchor, Button, Group, Text, Title } from '@mantine/core'
import { IconArrowBackUp, IconDownload, IconPlayerPlay } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { z } from 'zod'
import { labelOf } from '#kernel/fields.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { listQueryOptions } from '#web/api/resources.ts'
import { useLinkedRecordName } from '#web/forms/use-choices.ts'
import { ImportFigures } from '#web/imports/figures.tsx'
import shared from '#web/imports/imports.module.css'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import table from '#web/ui/table.module.css'
import { errorSentence, toast } from '#web/ui/toast.ts'
import { contact } from '../contacts/contact.ts'
import { businessType } from '../contacts/import-batch.ts'
import { IMPORT_FIELDS } from './columns.ts'
import { downloadImportReport, formatCount, type LeadImportRecord, useImportAction } from './data.web.ts'
import css from './imports.module.css'
import { importLine } from './line.ts'

/** Row counts of an import and, after an undo, the numbers of leads removed and retained. */
export function ImportRowCounts({ batch }: { readonly batch: LeadImportRecord }) {
  const undone = (batch.rowsRemoved ?? 0) + (batch.rowsKept ?? 0) > 0 || batch.state === 'undone'
  const figures: [string, number | null][] = [
    ['rows read', batch.rowsRead],
    [batch.dryRun ? 'would be added' : 'added', batch.rowsAdded],
    ...(batch.rowsUpdated
      ? ([[batch.dryRun ? 'would be updated' : 'updated', batch.rowsUpdated]] as [string, number | null][])
      : []),
    ['duplicates', batch.rowsDuplicate],
    ['rejected', batch.rowsRefused],
    ...(undone
      ? ([
          ['removed', batch.rowsRemoved],
          ['kept', batch.rowsKept],
        ] as [string, number | null][])
      : []),
  ]
  return <ImportFigures figures={figures} />
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

const SAMPLE = 10

/** Table of the first leads that an import changes, with their values before and after. */
export function ChangedLeadsSample({ batch }: { readonly batch: LeadImportRecord }) {
  const query = { importBatch: batch.id, outcome: 'updated', itemsPerPage: SAMPLE }
  const found = useQuery({ ...listQueryOptions(importLine, query), enabled: (batch.rowsUpdated ?? 0) > 0 })
  const lines = found.data?.['hydra:member'] ?? []
  if (!lines.length) return null
  return (
    <>
      <Text size="sm" mt="sm">
        {lines.length < (batch.rowsUpdated ?? 0)
          ? `Changes of the first ${lines.length} of ${formatCount(batch.rowsUpdated)} leads:`
          : 'Changes:'}
      </Text>
      <table className={`${table.table} ${css.changes}`} aria-label="Changes of existing leads">
        <thead>
          <tr>
            <th scope="col">Lead</th>
            <th scope="col">Field</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {lines.flatMap((line) =>
            sortChanges(line.changes as LeadChangeValues).map(([field, [before, after]], at) => (
              <tr key={`${line.id} ${field}`}>
                <th scope="row">{at === 0 ? <LeadLink line={line} /> : null}</th>
                <td>{labelOf(field, contact.fields[field as keyof typeof contact.fields])}</td>
                <td>
                  <ChangedValue field={field} value={before} />
                </td>
                <td>
                  <ChangedValue field={field} value={after} />
                </td>
              </tr>
            )),
          )}
        </tbody>
      </table>
    </>
  )
}

type LeadChangeValues = Readonly<
  Record<string, readonly [before: string | number | null, after: string | number | null]>
>

const FIELD_ORDER = Object.keys(IMPORT_FIELDS)
/** Returns changes in the order in which fields are shown. */
const sortChanges = (changes: LeadChangeValues) =>
  Object.entries(changes).toSorted(([a], [b]) => FIELD_ORDER.indexOf(a) - FIELD_ORDER.indexOf(b))

function ChangedValue({ field, value }: { readonly field: string; readonly value: string | number | null }) {
  const isType = field === 'businessType' && value !== null
  const name = useLinkedRecordName(
    isType ? businessType : undefined,
    isType ? `${businessType.url}/${value}` : null,
    undefined,
  )
  return isType ? (name ?? '…') : value === null || value === '' ? 'Blank' : value
}

function messageFor(b: LeadImportRecord): string | undefined {
  if (b.error) return b.error
  if (b.state === 'undone')
    return b.rowsKept
      ? 'This import has been undone. Leads that have been worked on, and values that have been changed, were left as they are.'
      : 'This import has been undone. All leads that it added have been removed, and all values that it changed restored.'
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
      question: `The ${formatCount(batch.rowsAdded)} leads added by this import will be removed, except leads that somebody has since worked on or changed.${batch.rowsUpdated ? ` Values of the ${formatCount(batch.rowsUpdated)} updated leads will be restored, unless somebody has since changed them.` : ''}`,
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
  const added = (batch.rowsAdded ?? 0) + (batch.rowsUpdated ?? 0) > 0 && !batch.dryRun
  const listed =
    (batch.rowsDuplicate ?? 0) + (batch.rowsUpdated ?? 0) + (batch.rowsRefused ?? 0) + (batch.rowsKept ?? 0) > 0 ||
    batch.report.length > 0
  return (
    <div className={shared.stage}>
      {told && (
        <Alert color={batch.state === 'failed' ? 'red' : 'signal'} role={batch.state === 'failed' ? 'alert' : 'status'}>
          {told}
        </Alert>
      )}
      <ImportRowCounts batch={batch} />
      <ImportReportReasons batch={batch} />
      {!batch.dryRun && <ChangedLeadsSample batch={batch} />}
      <Group gap="sm">
        {batch.state === 'failed' && (
          <Button leftSection={<IconPlayerPlay size={16} aria-hidden />} onClick={() => send('start')}>
            Resume
          </Button>
        )}
        {batch.state === 'finished' && (batch.rowsAdded ?? 0) > 0 && (
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
