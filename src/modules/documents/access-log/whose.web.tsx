import { client } from '#modules/portal/clients/client.ts'
import { useNameOf } from '#web/forms/use-choices.ts'
import { iriOfLink, nameOfLink } from '#web/forms/values.ts'
import css from '../types/documents.module.css'

/** The company that a document is of. */
export function Whose({ record }: { readonly record: { readonly client: unknown } }) {
  const iri = iriOfLink(record.client)
  const name = useNameOf(client, iri, nameOfLink(client, record.client))
  // As wide as most are, so that the columns beside it stay where they are when it comes.
  return name ?? <span className={css.coming}>…</span>
}
