import { useEffect, useState, useSyncExternalStore } from 'react'
import { session } from '../../api/session.ts'
import { draftStore } from '../../offline/drafts.ts'
import { ownerKeyOf } from '../../offline/owner.ts'
import { type Autosave, type AutosaveSettings, type AutosaveState, createAutosave } from './autosave.ts'

/**
 * Saves changed fields of a form within two seconds of typing. Show the state with `SaveStatus`, and render
 * `ConflictDialog` and `RestoredDraftNotice` next to the form. `key` identifies the record (`risk-assessment/12`); another
 * record needs another React `key`.
 */
export function useAutosave({ key, ...settings }: Omit<AutosaveSettings, 'drafts'>): Autosave {
  const [autosave] = useState(() => createAutosave({ ...settings, key: `${owner()}/${key}`, drafts: draftStore }))
  useEffect(() => {
    const stop = autosave.start()
    // Unsaved input is sent after signing in again.
    const back = session.subscribe(() => {
      if (session.get().kind === 'in' && autosave.state().kind === 'failed') void autosave.flush()
    })
    return () => {
      back()
      stop()
    }
  }, [autosave])
  return autosave
}

/** The owner of the draft: the signed-in person, and the person behind an impersonation. */
function owner(): string {
  const now = session.get()
  return ownerKeyOf(now.kind === 'in' ? now.me : undefined)
}

export const useAutosaveState = (autosave: Autosave): AutosaveState =>
  useSyncExternalStore(autosave.subscribe, autosave.state)
