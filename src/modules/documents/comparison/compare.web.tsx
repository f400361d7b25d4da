import { Button } from '@mantine/core'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import type { DocumentTypeComponents } from '../types/kind.web.ts'
import type { DocumentRecord } from '../types/record.web.ts'
import { BundledDocumentChanges, useRevisionDifferences } from './bundled-changes.web.tsx'
import { RevisionChanges } from './changes.web.tsx'

interface Props {
  readonly parts: DocumentTypeComponents
  readonly before: DocumentRecord
  readonly after: DocumentRecord
  readonly onClose: () => void
}

/** Dialog with the differences between two revisions: removed text on the left, added text on the right. */
export default function RevisionComparison({ parts, before, after, onClose }: Props) {
  const { found, whole, error, refetch } = useRevisionDifferences(parts, before, after)
  return (
    <Dialog
      opened
      onClose={onClose}
      title={`${after.documentNumber}: revision ${before.revision} and revision ${after.revision}`}
    >
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : !found ? (
        <LoadingRows rows={6} />
      ) : found.length === 0 ? (
        <EmptyState title="No differences">Both revisions have the same content.</EmptyState>
      ) : (
        <>
          <RevisionChanges sides={[`Revision ${before.revision}`, `Revision ${after.revision}`]} found={found} />
          {whole && <BundledDocumentChanges parts={parts} {...whole} />}
        </>
      )}
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  )
}
