import { z } from 'zod'
import type { FilterSpec } from './filters.ts'

/** Name of the field that has to be empty, in the address of a list. */
export const emptyFieldFilterSchema = z.string().regex(/^\w*$/).default('')

/** Filter for records with an empty field: the fields to choose from, with their labels. */
export const emptyFieldFilter = (fields: Readonly<Record<string, string>>): FilterSpec => ({
  key: 'notSaid',
  label: 'Not stated',
  options: Object.entries(fields).map(([name, label]) => ({
    value: name,
    label,
    asks: { notSaid: '', [name]: '', [`exists[${name}]`]: 'false' },
  })),
})
