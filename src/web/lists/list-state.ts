import { z } from 'zod'

/** Schema of a list's address: page, order (`-name`), search text, and the filters of the list. */
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

export interface ListState {
  readonly page: number
  readonly order: string
  readonly q: string
}

/** Filter that hides retired records by default; '' shows both. */
export const retiredFilterSchema = z.enum(['', 'true', 'false']).default('false')
