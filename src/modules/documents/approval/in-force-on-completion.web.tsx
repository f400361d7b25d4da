import { Text } from '@mantine/core'
import page from '#web/ui/page.module.css'
import { audienceLabel } from '../types/audience.ts'
import { allowsOneInForcePerClient } from '../types/in-force.ts'
import type { DocumentKind } from '../types/kind.ts'
import { type DocumentRecord, usePreviousRevision } from '../types/record.web.ts'

interface Props {
  readonly kind: DocumentKind
  readonly record: DocumentRecord
}

/**
 * Notice for document types without approval: completing the draft puts it in force. Names the document's readers and
 * the revision that it replaces.
 */
export function InForceOnCompletionNotice({ kind, record }: Props) {
  const former = usePreviousRevision(kind, record)
  const replaced = allowsOneInForcePerClient(kind, record)
    ? ` It will replace any other ${kind.noun} that is in force.`
    : former?.current
      ? ` It will replace revision ${former.revision}.`
      : ''
  return (
    <section className={page.card} aria-labelledby="at-once">
      <h2 id="at-once">No approval needed</h2>
      <Text>{`This document will come into force as soon as it is complete, for these readers: ${audienceLabel(record.audience)}.${replaced}`}</Text>
    </section>
  )
}
