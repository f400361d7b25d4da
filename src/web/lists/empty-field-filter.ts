import { z } from 'zod'
import type { FilterSpec } from './filters.ts'

/** What a record says nothing of, in the address of a list: the name of a field. */
export const emptyFieldState = z.string().regex(/^\w*$/).default('')

/** Records that say nothing of a field: the fields to choose from, and what they are called. */
export const emptyFieldFilter = (fields: Readonly<Record<string, string>>): FilterSpec => ({
  key: 'notSaid',
  label: 'Not said',
  options: Object.entries(fields).map(([name, label]) => ({
    value: name,
    label,
    asks: { notSaid: '', [name]: '', [`exists[${name}]`]: 'false' },
  })),
})
