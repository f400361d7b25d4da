import { z } from 'zod'

/** What every list keeps in the address: the page, the order (`-name`) and the words searched for; and filters of its own. */
export const listSchema = <S extends z.ZodRawShape>(filters: S) =>
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

/** Leaves out what is retired unless told otherwise; '' shows both. */
export const retiredFilter = z.enum(['', 'true', 'false']).default('false')
