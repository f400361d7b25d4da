import '@mantine/core/styles/Progress.layer.css'
import { Button, Group, Progress, Text } from '@mantine/core'
import { IconPlayerStop } from '@tabler/icons-react'
import { toast } from '#web/ui/toast.ts'
import { formatCount, type LeadImportRecord, useImportAction } from './data.web.ts'
import css from './imports.module.css'
import { ImportRowCounts } from './result.web.tsx'

/** Progress of an import, or of its undo. */
export function ImportProgress({ batch }: { readonly batch: LeadImportRecord }) {
  const act = useImportAction(batch.id)
  const undoing = batch.state === 'undoing'
  const total = (undoing ? batch.rowsAdded : batch.rowsTotal) ?? 0
  const done = (undoing ? (batch.rowsRemoved ?? 0) + (batch.rowsKept ?? 0) : batch.rowsRead) ?? 0
  const share = total ? Math.min(100, (done / total) * 100) : 0
  const doing = undoing ? 'Undoing the import' : batch.dryRun ? 'Trial run in progress' : 'Importing'
  return (
    <div className={css.stage}>
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
