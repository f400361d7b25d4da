import { useActor } from '#web/api/me.ts'
import { formatIsoAsUkDateTime } from '#web/dates/uk-dates.ts'
import type { DocumentRecord } from '../types/record.web.ts'
import { useOwnSignatures } from './own-signatures.web.ts'

/**
 * Time at which the user signed a revision or someone signed on their behalf. Renders nothing if neither has happened.
 */
export function OwnSignatureTime({ record }: { readonly record: DocumentRecord }) {
  const { name, original } = useActor()
  const { own, behalf } = useOwnSignatures(record)
  if (own) return <strong>{`${original ? name : 'You'} signed on ${formatIsoAsUkDateTime(own.signedAt)}.`}</strong>
  if (!behalf) return null
  return `${behalf.byName} signed on ${original ? `${name}’s` : 'your'} behalf on ${formatIsoAsUkDateTime(behalf.signedAt)}.`
}
