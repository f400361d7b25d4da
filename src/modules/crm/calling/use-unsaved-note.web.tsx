import type { ReactNode } from 'react'
import { useUnsaved } from '#web/ui/unsaved.tsx'
import type { SETTLED } from './start-calling.web.ts'

const NOTE: Parameters<typeof useUnsaved>[1] = {
  title: 'Your note is not saved',
  question: 'It stays here as a draft, in this browser tab only, until you come back to the lead and add it.',
  action: 'Leave it as a draft',
  meaning: 'attention',
  lets: ({ state }) => (state as Partial<typeof SETTLED> | null)?.settled === true,
}

/** Says that a note is not saved before its lead is left; what was typed stays as a draft. Render what it returns. */
export const useUnsavedNote = (dirty: boolean): ReactNode => useUnsaved(dirty, NOTE)
