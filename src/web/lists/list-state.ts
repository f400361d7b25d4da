import { z } from 'zod'

/** Returns the schema of a list's URL parameters: page, order (`-name`), search text, and the list's filters. */
export const listUrlSchema = <S extends z.ZodRawShape>(filters: S) =>
  z.object({
    page: z.coerce.number().int().min(1).default(1),
    order: z
      .string()
      .regex(/^-?[\w.]*$/)
      .default(''),
    q: z.string().max(200).default(''),
    ...filters,
  })

/** Schema of a day in the URL, such as `2026-11-28`; empty for none. */
export const dayParameterSchema = z
  .string()
  .regex(/^(\d{4}-\d\d-\d\d)?$/)
  .default('')

export interface ListState {
  readonly page: number
  readonly order: string
  readonly q: string
}

/** Schema of the filter that hides retired records by default. '' shows both active and retired records. */
export const retiredFilterSchema = z.enum(['', 'true', 'false']).default('false')
