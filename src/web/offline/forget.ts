import { forgetRecent, forgetTab, type Person } from './owner.ts'

/** Removes every cached answer from this browser. */
export const forgetCache = async (): Promise<void> => {
  await import('./cache-store.ts').then(({ clearCache }) => clearCache()).catch(() => undefined)
}

/** Removes a person's input, recent records and cached answers from this browser. Their queued requests stay. */
export async function forgetPerson(person: Person | undefined): Promise<void> {
  forgetTab()
  forgetRecent()
  await forgetCache()
  if (person) await import('./drafts.ts').then(({ removeDraftsOf }) => removeDraftsOf(person)).catch(() => undefined)
}
