import type { FormSchema } from '#kernel/forms/schema.ts'
import type { DocumentKind } from '../types/kind.ts'

/** A kind as a form of it has it: what is drawn, asked for, completed and compared goes by that form. */
export const kindIn = (kind: DocumentKind, schema: FormSchema): DocumentKind => ({ ...kind, schema })
