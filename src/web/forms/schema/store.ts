import { useState } from 'react'
import { calculateFormCompletion, type FormCompletion, type RecordCompletionChecks } from '#kernel/forms/completion.ts'
import { initialFormValues } from '#kernel/forms/fields-in.ts'
import { formCompletionProblems } from '#kernel/forms/problems.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'
import { type Values, type VisibleForm, visibleForm } from '#kernel/forms/visible.ts'
import { createValueStore, type DerivedFormState, type ValueStore } from '../store/value-store.ts'

/** State derived from the values of a form that has steps, conditions and rows. */
interface Derived extends DerivedFormState {
  readonly visible: VisibleForm
  readonly completion: FormCompletion
}

/** Store for the values of a form that a schema describes. */
export interface FormStore extends ValueStore<Derived> {
  readonly schema: FormSchema
}

/**
 * Function that returns all problems that prevent the completion of a record. They replace the problems found with the
 * schema alone.
 */
export type RecordChecker = (values: Values) => Required<RecordCompletionChecks>

export const createFormStore = (schema: FormSchema, record: Values = {}, judge?: RecordChecker): FormStore => ({
  schema,
  ...createValueStore(initialFormValues(schema, record), (values) => {
    const judged = judge?.(values) ?? { problems: formCompletionProblems(schema, values), asked: {} }
    return {
      visible: visibleForm(schema, values),
      completion: calculateFormCompletion(schema, values, judged),
      problems: judged.problems,
    }
  }),
})

/**
 * Creates the store for a form and the record that the form opens. To open another record later, change the `key` of
 * the surrounding component.
 */
export function useFormStore(schema: FormSchema, record?: Values, judge?: RecordChecker): FormStore {
  return useState(() => createFormStore(schema, record, judge))[0]
}
