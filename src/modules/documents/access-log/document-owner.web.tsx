import { client } from '#modules/portal/clients/client.ts'
import { useLinkedRecordName } from '#web/forms/use-choices.ts'
import { linkedRecordIri, linkedRecordName } from '#web/forms/values.ts'
import css from '../types/documents.module.css'

export function DocumentOwner({ record }: { readonly record: { readonly client: unknown } }) {
  const iri = linkedRecordIri(record.client)
  const name = useLinkedRecordName(client, iri, linkedRecordName(client, record.client))
  // Placeholder as wide as a typical name, so that the columns don't move when the name loads.
  return name ?? <span className={css.coming}>…</span>
}
