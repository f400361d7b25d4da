import type { FormSchema } from '#kernel/forms/schema.ts'
import type { DocumentKind } from '../types/kind.ts'

/** Returns a document type that uses the given form for display, input, completion and comparison. */
export const documentTypeWithForm = (kind: DocumentKind, schema: FormSchema): DocumentKind => ({ ...kind, schema })
