import { z } from 'zod'
import type { FilterSpec } from './filters.ts'

/** Schema of the `notSaid` parameter in a list's URL: the name of the field that has to be empty. */
export const emptyFieldFilterSchema = z.string().regex(/^\w*$/).default('')

/** Creates a filter for records with an empty field. `fields` contains the fields to choose from, with their labels. */
export const emptyFieldFilter = (fields: Readonly<Record<string, string>>): Exclude<FilterSpec, string> => ({
  key: 'notSaid',
  label: 'Not stated',
  options: Object.entries(fields).map(([name, label]) => ({
    value: name,
    label,
    asks: { notSaid: '', [name]: '', [`exists[${name}]`]: 'false' },
  })),
})
