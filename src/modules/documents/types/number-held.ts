/**
 * Locks a document's number (or its type, with one in force per client) before any revision: changes to what is in
 * force affect other revisions of the number.
 */
export const DOCUMENT_NUMBER_LOCK = { call: 'number_held', of: ['client_id', 'kind', 'number', 'per_client'] } as const
