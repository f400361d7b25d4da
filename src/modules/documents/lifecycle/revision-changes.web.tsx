import { Text } from '@mantine/core'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { BundledDocumentChanges, useRevisionDifferences } from '../comparison/bundled-changes.web.tsx'
import { RevisionChanges } from '../comparison/changes.web.tsx'
import type { DocumentTypeComponents } from '../types/kind.web.ts'
import type { DocumentRecord } from '../types/record.web.ts'
import css from './what-changes.module.css'

interface Props {
  readonly parts: DocumentTypeComponents
  readonly before: DocumentRecord
  readonly after: DocumentRecord
  readonly same?: string
}

/** Changes since the revision in force, shown to the person who decides on the change category. */
export default function ChangesSinceRevision({ parts, before, after, same }: Props) {
  const { found, whole, error, refetch } = useRevisionDifferences(parts, before, after)
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!found) return <LoadingRows rows={2} />
  if (!found.length) return <Text mb="md">{same ?? `No differences from revision ${before.revision}.`}</Text>
  return (
    <details className={css.changes}>
      <summary>{`Changes since revision ${before.revision} (${found.length})`}</summary>
      <RevisionChanges sides={[`Revision ${before.revision}`, `Revision ${after.revision}`]} found={found} />
      {whole && <BundledDocumentChanges parts={parts} {...whole} />}
    </details>
  )
}
