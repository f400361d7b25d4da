import { fieldsIn } from '#kernel/forms/fields-in.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { documentTypeWithForm } from '../forms/kind-in.ts'
import { answersByForm, type RecordForm } from '../forms/record-form.ts'
import type { ComparisonRules } from '../types/compared.ts'
import type { DocumentKind } from '../types/kind.ts'
import { compareRevisions, type RevisionDifference } from './differences.ts'

interface Written {
  readonly record: Values
  readonly form: RecordForm
}

/** Compares two revisions, each by its own form. */
export function compareByForm(
  { kind, compare }: { readonly kind: DocumentKind; readonly compare?: ComparisonRules },
  before: Written,
  after: Written,
): RevisionDifference[] {
  const both = documentTypeWithForm(kind, joinForms(before.form.schema, after.form.schema))
  return compareRevisions(
    both,
    answersByForm(before.form, before.record),
    answersByForm(after.form, after.record),
    compare,
  )
}

/** Joins the fields of both forms: the later form's first, then those only in the earlier one. */
function joinForms(before: FormSchema, after: FormSchema): FormSchema {
  const names = new Set(fieldsIn(after).map((f) => f.name))
  const fields = fieldsIn(before).filter((f) => !names.has(f.name))
  return { ...after, steps: [...after.steps, { name: 'former', title: '', groups: [{ fields }] }] }
}
