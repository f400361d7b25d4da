import type { FormSchema } from '#kernel/forms/schema.ts'
import type { DocumentKind } from '../types/kind.ts'

/** Returns a document type with the given form, which then governs display, input, completion and comparison. */
export const documentTypeWithForm = (kind: DocumentKind, schema: FormSchema): DocumentKind => ({ ...kind, schema })
