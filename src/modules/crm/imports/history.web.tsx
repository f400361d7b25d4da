import { Title } from '@mantine/core'
import type { RecordOf } from '#kernel/resource.ts'
import { DataList } from '#web/lists/data-list.tsx'
import { listSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import type { ColourMeaning } from '#web/theme/meaning.ts'
import { EmptyState } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { IMPORT_STATES, importBatch } from '../contacts/import-batch.ts'
import { formatCount } from './data.web.ts'

const LIST = listSchema({})
const MEANINGS: Readonly<Record<string, ColourMeaning>> = {
  finished: 'safe',
  failed: 'stop',
  running: 'info',
  undoing: 'info',
  waiting: 'attention',
  checked: 'attention',
}
type Row = RecordOf<typeof importBatch>

export const ImportStateChip = ({ state }: { readonly state: string | null }) => (
  <StatusChip meaning={MEANINGS[state ?? ''] ?? 'plain'}>
    {IMPORT_STATES.find((s) => s.value === state)?.label ?? ''}
  </StatusChip>
)

/** Earlier imports. */
export function ImportHistory() {
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
