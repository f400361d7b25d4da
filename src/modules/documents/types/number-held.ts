/**
 * The number of a document, or its kind where a client has one in force of it in all, is held before any of its revisions: what puts one
 * in force, replaces or withdraws it changes others of the same number.
 */
export const NUMBER_HELD = { call: 'number_held', of: ['client_id', 'kind', 'number', 'per_client'] } as const
