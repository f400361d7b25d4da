import { Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import type { RecordOf } from '#kernel/resource.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { ImportFileDropZone } from '#web/imports/file-drop-zone.tsx'
import { ImportPage } from '#web/imports/import-page.tsx'
import shared from '#web/imports/imports.module.css'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import type { ColourMeaning } from '#web/theme/meaning.ts'
import { Page } from '#web/ui/page.tsx'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { EmptyState, OfflineNotice } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { IMPORT_STATES, importBatch } from '../contacts/import-batch.ts'
import {
  formatCount,
  isImportInProgress,
  leadImportQueryOptions,
  refreshAfterImport,
  uploadImportFile,
} from './data.web.ts'
import css from './imports.module.css'
import { ImportResult } from './result.web.tsx'
import { ImportSetup } from './setup.web.tsx'
import '@mantine/core/styles/Progress.layer.css'
import { Button, Group, Progress, Text } from '@mantine/core'
import { IconPlayerStop } from '@tabler/icons-react'
import { toast } from '#web/ui/toast.ts'
import { type LeadImportRecord, useImportAction } from './data.web.ts'
import { ImportRowCounts } from './result.web.tsx'

const MAX_FILE_BYTES = 200 * 1024 * 1024
const LIST = listUrlSchema({})
const MEANINGS: Readonly<Record<string, ColourMeaning>> = {
  finished: 'safe',
  failed: 'stop',
  running: 'info',
  undoing: 'info',
  waiting: 'attention',
  checked: 'attention',
}
type Row = RecordOf<typeof importBatch>

const ImportStateChip = ({ state }: { readonly state: string | null }) => (
  <StatusChip meaning={MEANINGS[state ?? ''] ?? 'plain'}>
    {IMPORT_STATES.find((s) => s.value === state)?.label ?? ''}
  </StatusChip>
)

function ImportHistory() {
  const [state, set] = useUrlState(LIST)
  return (
    <section aria-label="Earlier imports">
      <Title order={2} size="h3" mb="sm">
        Earlier imports
      </Title>
      <DataList
        resource={importBatch}
        label="Imports"
        state={state}
        onState={set}
        search={false}
        columns={[
          'fileName',
          { key: 'state', tight: true, render: (b: Row) => <ImportStateChip state={b.state} /> },
          'createdAt',
          { key: 'author', wide: true },
          { key: 'rowsAdded', render: (b: Row) => formatCount(b.dryRun ? 0 : b.rowsAdded) },
          { key: 'rowsDuplicate', wide: true },
          { key: 'rowsRefused', wide: true },
        ]}
        href={(b) => `/crm/contact/import?batch=${b.id}`}
        empty={<EmptyState title="No imports yet" />}
      />
    </section>
  )
}

const OPEN = z.object({ batch: z.string().regex(/^\d*$/).default('') })

/**
 * Page that imports leads in steps: choose a file, map its columns, do a trial run, import. The import can be undone.
 */
export default function ImportLeadsPage() {
  const [open, setOpen] = useUrlState(OPEN, { steps: true })
  if (open.batch) return <One key={open.batch} id={open.batch} onBack={() => setOpen({ batch: '' })} />
  return (
    <Page title="Import leads">
      <OfflineNotice>You are offline. You can import a file when the connection is back.</OfflineNotice>
      <ImportFileDropZone
        kinds="a CSV file"
        accept=".csv,.tsv,.txt,text/csv"
        maxBytes={MAX_FILE_BYTES}
        about="Up to 100,000 rows and 200 MB. The file must contain column headings. No leads are added yet."
        upload={uploadImportFile}
        onSent={(batch) => setOpen({ batch: String(batch.id) })}
      />
      <ImportHistory />
    </Page>
  )
}

function One({ id, onBack }: { readonly id: string; readonly onBack: () => void }) {
  const queries = useQueryClient()
  const one = useQuery(leadImportQueryOptions(id))
  const batch = one.data
  const busy = isImportInProgress(batch)
  return (
    <ImportPage
      query={one}
      loaded={batch}
      isBusy={busy}
      onEnd={() => void refreshAfterImport(queries)}
      title="Import leads"
      beside={
        batch && (
          <>
            <ImportStateChip state={batch.state} />
            <span className={css.lead}>
              <DateTimeText at={batch.createdAt} /> by <PersonName username={batch.author} />
            </span>
          </>
        )
      }
      onBack={onBack}
    >
      {batch &&
        (busy ? (
          <ImportProgress batch={batch} />
        ) : batch.state === 'waiting' || batch.state === 'checked' ? (
          <ImportSetup key={batch.state} batch={batch} onCancelled={onBack} />
        ) : (
          <ImportResult batch={batch} />
        ))}
    </ImportPage>
  )
}

/** Progress of an import, or of its undo. */
function ImportProgress({ batch }: { readonly batch: LeadImportRecord }) {
  const act = useImportAction(batch.id)
  const undoing = batch.state === 'undoing'
  const total = (undoing ? batch.rowsAdded : batch.rowsTotal) ?? 0
  const done = (undoing ? (batch.rowsRemoved ?? 0) + (batch.rowsKept ?? 0) : batch.rowsRead) ?? 0
  const share = total ? Math.min(100, (done / total) * 100) : 0
  const doing = undoing ? 'Undoing the import' : batch.dryRun ? 'Trial run in progress' : 'Importing'
  return (
    <div className={shared.stage}>
      <Text role="status">
        {doing}: {formatCount(done)} of {formatCount(total)} {undoing ? 'leads' : 'rows'}
      </Text>
      <Progress value={share} size="lg" aria-label={doing} striped animated />
      {!undoing && <ImportRowCounts batch={batch} />}
      <Group>
        {!undoing && (
          <Button
            variant="default"
            leftSection={<IconPlayerStop size={16} aria-hidden />}
            loading={act.isPending}
            onClick={() => act.mutate({ verb: 'cancel' }, { onError: (e) => toast.failed(e) })}
          >
            Stop
          </Button>
        )}
        <Text size="sm" c="dimmed">
          You can leave this page; the import continues.
        </Text>
      </Group>
    </div>
  )
}
