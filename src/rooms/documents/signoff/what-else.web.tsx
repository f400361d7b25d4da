import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { DocumentKind } from '../kinds/kind.ts'
import type { DocumentRecord } from '../kinds/record.web.ts'
import { placeOfAsked, useOwnAsked } from './own-asked.web.ts'

interface Props {
  readonly kind: DocumentKind
  readonly record: DocumentRecord
}

/** Behind a signature: the way to what else waits for it. */
export function WhatElse({ kind, record }: Props) {
  const left = useOwnAsked().data?.['hydra:member'].filter((a) => a.document?.id !== record.id)
  const next = left?.find((a) => a.document?.kind === kind.kind)
  if (!left) return null
  return (
    <Text>
      {left.length === 0 ? 'Nothing else waits for your signature. ' : `${left.length} more to sign. `}
      {next ? (
        <Anchor component={Link} to={placeOfAsked([kind], next)}>
          {`Next: ${next.document?.title || next.document?.documentNumber}`}
        </Anchor>
      ) : (
        <Anchor component={Link} to="/dashboard">
          Back to the dashboard
        </Anchor>
      )}
    </Text>
  )
}
