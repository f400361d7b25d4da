import { Alert, Anchor } from '@mantine/core'
import { IconCircleX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { Link } from 'react-router'
import { oneOptions } from '#web/api/resources.ts'
import type { DocumentKind } from '../kinds/kind.ts'
import type { KindParts } from '../kinds/kind.web.ts'
import { type DocumentRecord, useRevisions } from '../kinds/record.web.ts'

const WhatChanges = lazy(() => import('../life/what-changes.web.tsx'))

interface Props {
  readonly kind: DocumentKind
  readonly record: DocumentRecord
  /** Where the draft stands as it is stored: what it says otherwise since is told too. */
  readonly since?: KindParts
}

/** Why the revision that a draft follows was rejected, for whoever puts it right; nothing where it was not. */
export function RejectedBefore({ kind, record, since }: Props) {
  const revisions = useRevisions(kind, record)
  const former = revisions.data?.['hydra:member'].find((r) => r.revision < record.revision)
  if (former?.state !== 'rejected') return null
  return (
    <Alert color="red" icon={<IconCircleX aria-hidden />} title={`Revision ${former.revision} was rejected`}>
      {`“${former.decisionNote ?? 'No reason was given.'}” `}
      <Anchor component={Link} to={`${kind.screens.list}/view/${former.id}`} inherit c="inherit">
        {`Read revision ${former.revision}`}
      </Anchor>
      {since && <Since parts={since} before={former} after={record} />}
    </Alert>
  )
}

interface SinceProps {
  readonly parts: KindParts
  readonly before: DocumentRecord
  readonly after: DocumentRecord
}

function Since({ parts, before, after }: SinceProps) {
  const queries = useQueryClient()
  const { resource } = parts.kind
  // The editor saves beside what pages know of the draft.
  useEffect(() => void queries.invalidateQueries(oneOptions(resource, String(after.id))), [queries, resource, after.id])
  return (
    <Suspense>
      <WhatChanges parts={parts} before={before} after={after} same="Nothing has changed since." />
    </Suspense>
  )
}
