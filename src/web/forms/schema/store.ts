import { useState } from 'react'
import { type Completion, completion } from '#kernel/forms/completion.ts'
import { formProblems } from '#kernel/forms/problems.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'
import { startValues } from '#kernel/forms/start.ts'
import { type Values, type Visible, visible } from '#kernel/forms/visible.ts'
import { type Checked, createValueStore, type ValueStore } from '../store/value-store.ts'

/** What follows from the values of a form with steps, conditions and rows. */
interface Derived extends Checked {
  readonly visible: Visible
  readonly completion: Completion
}

/** What is typed into a form that a schema describes. */
export interface FormStore extends ValueStore<Derived> {
  readonly schema: FormSchema
}

export const createFormStore = (schema: FormSchema, record: Values = {}): FormStore => ({
  schema,
  ...createValueStore(startValues(schema, record), (values) => ({
    visible: visible(schema, values),
    completion: completion(schema, values),
    problems: formProblems(schema, values),
  })),
})

/** A store for a form and the record it is opened with; a record opened later needs a `key` on the component around it. */
export function useFormStore(schema: FormSchema, record?: Values): FormStore {
  return useState(() => createFormStore(schema, record))[0]
}
