import { Alert, Anchor } from '@mantine/core'
import { IconCircleX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { DocumentKind } from '../kinds/kind.ts'
import { type DocumentRecord, revisionsOptions } from '../kinds/record.web.ts'

interface Props {
  readonly kind: DocumentKind
  readonly record: DocumentRecord
}

/** Why the revision that a draft follows was rejected, for whoever puts it right; nothing where it was not. */
export function RejectedBefore({ kind, record }: Props) {
  const revisions = useQuery({ ...revisionsOptions(kind, record.id), enabled: record.revision > 1 })
  const former = revisions.data?.['hydra:member'].find((r) => r.revision < record.revision)
  if (former?.state !== 'rejected') return null
  return (
    <Alert color="red" icon={<IconCircleX aria-hidden />} title={`Revision ${former.revision} was rejected`}>
      {`“${former.decisionNote ?? 'No reason was given.'}” `}
      <Anchor component={Link} to={`${kind.screens.list}/view/${former.id}`} inherit c="inherit">
        {`Read revision ${former.revision}`}
      </Anchor>
    </Alert>
  )
}
