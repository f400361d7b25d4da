import type { Work } from '#server/data/work.ts'

export interface QuoteRules {
  readonly validDays: number
  readonly firstReminder: number
  readonly secondReminder: number
  readonly terms: string
}

/** How quotes are kept by this client; what nobody has settled is as a new record has it. */
export async function settingsOf({ tx, clientId }: Pick<Work, 'tx' | 'clientId'>): Promise<QuoteRules> {
  const [row] = await tx.rows<QuoteRules>(
    'SELECT valid_days AS "validDays", first_reminder AS "firstReminder", second_reminder AS "secondReminder", terms FROM quote_settings WHERE client_id = $1',
    [clientId],
  )
  return row ?? { validDays: 30, firstReminder: 7, secondReminder: 1, terms: '' }
}
