import type { Violation } from '#kernel/errors.ts'
import { hasAnswer } from '#kernel/forms/has-answer.ts'
import type { FormField } from '#kernel/forms/schema.ts'
import { type Values, visibleForm } from '#kernel/forms/visible.ts'
import { formatCountWithNoun } from '#kernel/text.ts'
import { findMissingContent } from '../types/completing.ts'
import type { DocumentKind } from '../types/kind.ts'
import { referencesIn } from '../types/reference.ts'
import { documentUploads } from '../types/upload-fields.ts'

export interface EmptyStepFields {
  readonly step: string
  readonly title: string
  readonly fields: readonly { readonly name: string; readonly label: string }[]
}

/** Problems that prevent completion, and optional parts that are empty. */
export interface CompletionCheck {
  readonly missing: readonly Violation[]
  readonly unconfirmed: readonly Violation[]
  readonly empty: readonly EmptyStepFields[]
}

export function checkCompletion(kind: DocumentKind, record: Values): CompletionCheck {
  const problems = findMissingContent(kind, record)
  return {
    missing: problems.filter((v) => v.code !== 'unconfirmed'),
    unconfirmed: problems.filter((v) => v.code === 'unconfirmed'),
    empty: visibleForm(kind.schema, record).steps.flatMap(({ step, groups }) => {
      const fields = groups.flatMap((g) => g.fields).filter((f) => !f.required && !isFilled(f, record))
      return fields.length
        ? [{ step: step.name, title: step.title, fields: fields.map(({ name, label }) => ({ name, label })) }]
        : []
    }),
  }
}

const isFilled = (field: FormField, record: Values): boolean =>
  [field.name, ...(field.also ?? [])].some((name) => hasAnswer(field, record[name]))

/** Returns texts that state the numbers of files and references that are sealed with a record's content. */
export function describeSealedAttachments(kind: DocumentKind, record: Values): string[] {
  const files = documentUploads(kind, record)
  const references = referencesIn(kind.references, record).flatMap(({ rows }) => rows)
  return [
    ...formatCountWithNoun(files.length, 'picture or file', 'pictures and files'),
    ...formatCountWithNoun(references.length, 'reference to a document or file', 'references to documents and files'),
  ]
}
