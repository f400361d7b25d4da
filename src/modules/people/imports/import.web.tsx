import '@mantine/core/styles/Progress.layer.css'
import { Button, Group, Progress, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import type { RecordOf } from '#kernel/resource.ts'
import { formatInteger } from '#kernel/text.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { ImportFileDropZone } from '#web/imports/file-drop-zone.tsx'
import { ImportPage } from '#web/imports/import-page.tsx'
import css from '#web/imports/imports.module.css'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import type { ColourMeaning } from '#web/theme/meaning.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, OfflineNotice } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { toast } from '#web/ui/toast.ts'
import { PEOPLE_PATHS } from '../nav.ts'
import { useRefreshEmployees } from '../refresh.web.ts'
import {
  type EmployeeImportRecord,
  importQueryOptions,
  isImportInProgress,
  uploadImportFile,
  useImportAction,
} from './data.web.ts'
import { employeeImport, IMPORT_STATES } from './import.ts'
import { ImportResult } from './result.web.tsx'
import { ImportSetup } from './setup.web.tsx'

const LIST = listUrlSchema({})
const OPEN = z.object({ import: z.string().regex(/^\d*$/).default('') })
const MAX_FILE_BYTES = 20 * 1024 * 1024
const MEANINGS: Readonly<Record<string, ColourMeaning>> = {
  imported: 'safe',
  stopped: 'stop',
  running: 'info',
  undoing: 'info',
  waiting: 'attention',
  checked: 'attention',
}
type Row = RecordOf<typeof employeeImport>

const ImportStateChip = ({ state }: { readonly state: string }) => (
  <StatusChip meaning={MEANINGS[state] ?? 'plain'}>
    {IMPORT_STATES.find(({ value }) => value === state)?.label ?? ''}
  </StatusChip>
)

/** Imports employees in steps: choose a file, match its columns, do a trial run, import. The import can be undone. */
export default function ImportEmployees() {
  const [open, setOpen] = useUrlState(OPEN, { steps: true })
  if (open.import) return <OneImport key={open.import} id={open.import} onBack={() => setOpen({ import: '' })} />
  return (
    <Page title="Import employees">
      <OfflineNotice>You are offline. You can import a file when the connection is back.</OfflineNotice>
      <ImportFileDropZone
        kinds="a CSV file or an Excel workbook (.xlsx)"
        accept=".csv,.tsv,.txt,.xlsx,text/csv"
        maxBytes={MAX_FILE_BYTES}
        about="Up to 10,000 rows and 20 MB, with column headings; of a workbook, the first sheet. No employees are added yet."
        upload={uploadImportFile}
        onSent={({ id }) => setOpen({ import: String(id) })}
      />
      <EarlierImports />
    </Page>
  )
}

function EarlierImports() {
  const [state, set] = useUrlState(LIST)
  return (
    <section aria-label="Earlier imports">
      <Title order={2} size="h3" mb="sm">
        Your earlier imports
      </Title>
      <DataList
        resource={employeeImport}
        label="Imports"
        state={state}
        onState={set}
        search={false}
        columns={[
          'fileName',
          { key: 'state', tight: true, render: (one: Row) => <ImportStateChip state={one.state} /> },
          'createdAt',
          { key: 'added', render: (one: Row) => formatInteger(one.dryRun ? 0 : (one.added ?? 0)) },
          { key: 'updated', wide: true, render: (one: Row) => formatInteger(one.dryRun ? 0 : (one.updated ?? 0)) },
          { key: 'refused', wide: true, render: (one: Row) => formatInteger(one.refused ?? 0) },
        ]}
        href={({ id }) => `${PEOPLE_PATHS.imports}?import=${id}`}
        empty={<EmptyState title="No imports yet" />}
      />
    </section>
  )
}

function OneImport({ id, onBack }: { readonly id: string; readonly onBack: () => void }) {
  const refreshEmployees = useRefreshEmployees()
  const found = useQuery(importQueryOptions(id))
  const one = found.data
  const isBusy = isImportInProgress(one)
  return (
    <ImportPage
      query={found}
      loaded={one}
      isBusy={isBusy}
      onEnd={refreshEmployees}
      title="Import employees"
      beside={
        one && (
          <>
            <ImportStateChip state={one.state} />
            <DateTimeText at={one.createdAt} />
          </>
        )
      }
      onBack={onBack}
    >
      {one &&
        (isBusy ? (
          <ImportProgress one={one} />
        ) : one.state === 'waiting' || one.state === 'checked' ? (
          <ImportSetup key={one.state} one={one} onDiscarded={onBack} />
        ) : (
          <ImportResult one={one} />
        ))}
    </ImportPage>
  )
}

/** Progress of an import or of its undo. */
function ImportProgress({ one }: { readonly one: EmployeeImportRecord }) {
  const act = useImportAction(one)
  const isUndoing = one.state === 'undoing'
  const total = (isUndoing ? (one.added ?? 0) + (one.updated ?? 0) : one.rowsTotal) ?? 0
  const done = (isUndoing ? one.undone : one.rowsRead) ?? 0
  const doing = isUndoing ? 'Undoing the import' : one.dryRun ? 'Trial run in progress' : 'Importing'
  return (
    <div className={css.stage}>
      <Text role="status">
        {doing}: {formatInteger(done)} of {formatInteger(total)} rows
      </Text>
      <Progress value={total ? Math.min(100, (done / total) * 100) : 0} size="lg" aria-label={doing} striped animated />
      <Group>
        {!isUndoing && (
          <Button
            variant="default"
            loading={act.isPending}
            onClick={() => act.mutate({ verb: 'stop' }, { onError: (error) => toast.failed(error) })}
          >
            Stop
          </Button>
        )}
        <Text size="sm" c="dimmed">
          You can leave this page; the work continues.
        </Text>
      </Group>
    </div>
  )
}
