import { type Collection, callApi } from './client.ts'

interface User {
  readonly documentNumber: string
  readonly revision: number
}

const MAX_NAMED = 3

/**
 * Describes where a record is used: `It is used by RA-0003 revision 2 and 4 others.` Returns an empty string if nothing
 * refers to the record.
 */
export function describeRecordUses(users: readonly User[], total: number): string {
  if (!users.length) return ''
  const named = users.slice(0, MAX_NAMED).map((d) => `${d.documentNumber} revision ${d.revision}`)
  const others = total - named.length
  const last = others > 0 ? [`${others} ${others === 1 ? 'other' : 'others'}`] : []
  return `It is used by ${new Intl.ListFormat('en-GB').format([...named, ...last])}.`
}

/**
 * Loads the sentence about the documents that refer to a document or file, for the question asked before the document
 * or file is retired. Only documents that the reader may see are named.
 */
export async function loadRecordUsageSentence(iri: string): Promise<string> {
  // If this request fails, the person must still be able to continue.
  const found = await callApi<Collection<User>>('GET', `${iri}/where_used?itemsPerPage=${MAX_NAMED}`).catch(
    () => undefined,
  )
  return found ? describeRecordUses(found['hydra:member'], found['hydra:totalItems'] ?? 0) : ''
}
