import { useState } from 'react'
import { type Completion, completion, type RecordChecks } from '#kernel/forms/completion.ts'
import { formProblems } from '#kernel/forms/problems.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'
import { startValues } from '#kernel/forms/start.ts'
import { type Values, type Visible, visible } from '#kernel/forms/visible.ts'
import { createValueStore, type DerivedState, type ValueStore } from '../store/value-store.ts'

/** State derived from the values of a form with steps, conditions and rows. */
interface Derived extends DerivedState {
  readonly visible: Visible
  readonly completion: Completion
}

/** The values of a form described by a schema. */
export interface FormStore extends ValueStore<Derived> {
  readonly schema: FormSchema
}

/** Checks beyond those of the schema; their problems keep the record from being complete. */
export type Judge = (values: Values) => Required<RecordChecks>

export const createFormStore = (schema: FormSchema, record: Values = {}, judge?: Judge): FormStore => ({
  schema,
  ...createValueStore(startValues(schema, record), (values) => {
    const judged = judge?.(values) ?? { problems: formProblems(schema, values), asked: {} }
    return {
      visible: visible(schema, values),
      completion: completion(schema, values, judged),
      problems: judged.problems,
    }
  }),
})

/**
 * The store for a form and the record it is opened with; for a record opened later, give the surrounding component a
 * `key`.
 */
export function useFormStore(schema: FormSchema, record?: Values, judge?: Judge): FormStore {
  return useState(() => createFormStore(schema, record, judge))[0]
}
