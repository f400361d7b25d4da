import type { RecordOf } from '#kernel/resource.ts'
import type { ItemToSign } from '../types/to-sign.ts'
import { type DocumentTypeInfo, documentPath } from '../types/type-info.ts'
import type { signOffPerson } from './sign-off.ts'

/** Converts a signature requested from the user into an item to sign. */
export const documentToSign = (
  kinds: readonly DocumentTypeInfo[],
  { id, document, revision, due }: RecordOf<typeof signOffPerson>,
): ItemToSign => ({
  key: `paper ${id}`,
  document: document?.id,
  to: document ? documentPath(kinds, document) : '/dashboard',
  title: document?.title || `Untitled ${document?.documentNumber ?? ''}`,
  detail: `${document?.documentNumber ?? ''} revision ${document?.revision ?? ''}${
    revision === null ? '' : `, changed since you signed revision ${revision}`
  }`,
  by: due,
})
