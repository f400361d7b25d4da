import { showMoment } from '#web/dates/uk-dates.ts'
import type { DocumentRecord } from '../kinds/record.web.ts'
import { useOwnSignatures } from './own-signatures.web.ts'

/** When the person who looks at a revision signed it, or somebody did on their behalf; nothing where nobody has. */
export function SignedOn({ record }: { readonly record: DocumentRecord }) {
  const { own, behalf } = useOwnSignatures(record)
  if (own) return <strong>{`You signed on ${showMoment(own.signedAt)}.`}</strong>
  return behalf ? `${behalf.byName} signed on your behalf on ${showMoment(behalf.signedAt)}.` : null
}
