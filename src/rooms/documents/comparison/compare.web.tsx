import { Button } from '@mantine/core'
import { useMemo } from 'react'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import type { KindParts } from '../kinds/kind.web.ts'
import { type DocumentRecord, useRecord } from '../kinds/record.web.ts'
import { Changes } from './changes.web.tsx'
import { differences } from './differences.ts'

interface Props {
  readonly parts: KindParts
  readonly before: DocumentRecord
  readonly after: DocumentRecord
  readonly onClose: () => void
}

/** Two revisions side by side: only what is not the same, with the words that went on the left and those that came on the right. */
export default function Compare({ parts, before, after, onClose }: Props) {
  const { kind, compare } = parts
  const old = useRecord(kind, String(before.id))
  const now = useRecord(kind, String(after.id))
  const found = useMemo(
    () => old.record && now.record && differences(kind, old.record, now.record, compare),
    [kind, compare, old.record, now.record],
  )
  const error = old.error ?? now.error
  return (
    <Dialog
      opened
      onClose={onClose}
      title={`${after.documentNumber}: revision ${before.revision} and revision ${after.revision}`}
    >
      {error ? (
        <ErrorState
          error={error}
          onRetry={() => {
            void old.refetch()
            void now.refetch()
          }}
        />
      ) : !found ? (
        <LoadingRows rows={6} />
      ) : found.length === 0 ? (
        <EmptyState title="Nothing has changed">Both revisions say the same.</EmptyState>
      ) : (
        <Changes sides={[`Revision ${before.revision}`, `Revision ${after.revision}`]} found={found} />
      )}
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  )
}
