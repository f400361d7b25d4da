import { Alert, Anchor } from '@mantine/core'
import { IconCircleX } from '@tabler/icons-react'
import { Link } from 'react-router'
import { DraftChanges } from '../lifecycle/draft-changes.web.tsx'
import type { DocumentKind } from '../types/kind.ts'
import type { DocumentTypeComponents } from '../types/kind.web.ts'
import { type DocumentRecord, useRevisions } from '../types/record.web.ts'

interface Props {
  readonly kind: DocumentKind
  readonly record: DocumentRecord
  /** Type components for the stored draft, used to show what has changed since the rejection. */
  readonly since?: DocumentTypeComponents
}

/**
 * Reason why the previous revision was rejected, with a link to that revision. Renders nothing if the previous revision
 * was not rejected.
 */
export function PreviousRejection({ kind, record, since }: Props) {
  const revisions = useRevisions(kind, record)
  const former = revisions.data?.['hydra:member'].find((r) => r.revision < record.revision)
  if (former?.state !== 'rejected') return null
  return (
    <Alert color="red" icon={<IconCircleX aria-hidden />} title={`Revision ${former.revision} was rejected`}>
      {`“${former.decisionNote ?? 'No reason was given.'}” `}
      <Anchor component={Link} to={`${kind.screens.list}/view/${former.id}`} inherit c="inherit">
        {`View revision ${former.revision}`}
      </Anchor>
      {since && (
        <DraftChanges parts={since} before={former} after={record} same="No changes since the rejected revision." />
      )}
    </Alert>
  )
}
