import { fieldsIn } from '#kernel/forms/fields-in.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { kindIn } from '../forms/kind-in.ts'
import { answersBy, type RecordForm } from '../forms/record-form.ts'
import type { Compared } from '../types/compared.ts'
import type { DocumentKind } from '../types/kind.ts'
import { type Difference, differences } from './differences.ts'

interface Written {
  readonly record: Values
  readonly form: RecordForm
}

/** Compares two revisions, each by its own form. */
export function differencesByForm(
  { kind, compare }: { readonly kind: DocumentKind; readonly compare?: Compared },
  before: Written,
  after: Written,
): Difference[] {
  const both = kindIn(kind, joinForms(before.form.schema, after.form.schema))
  return differences(both, answersBy(before.form, before.record), answersBy(after.form, after.record), compare)
}

/** Joins the fields of both forms: the later form's first, then those only in the earlier one. */
function joinForms(before: FormSchema, after: FormSchema): FormSchema {
  const names = new Set(fieldsIn(after).map((f) => f.name))
  const fields = fieldsIn(before).filter((f) => !names.has(f.name))
  return { ...after, steps: [...after.steps, { name: 'former', title: '', groups: [{ fields }] }] }
}
