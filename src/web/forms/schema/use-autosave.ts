import { useEffect, useState, useSyncExternalStore } from 'react'
import { session } from '../../api/session.ts'
import { drafts } from '../../offline/drafts.ts'
import { ownerOf } from '../../offline/owner.ts'
import { type Autosave, type AutosaveSettings, createAutosave, type SaveState } from './autosave.ts'

/**
 * Saves a form as it is typed: within two seconds, only what has changed. Show it with `SavedState`, and render
 * `ConflictDialog` and `RestoredDraft` beside the form. `key` names the record ("risk-assessment/12"); another record needs
 * another `key` on the component around it.
 */
export function useAutosave({ key, ...settings }: Omit<AutosaveSettings, 'drafts'>): Autosave {
  const [autosave] = useState(() => createAutosave({ ...settings, key: `${owner()}/${key}`, drafts }))
  useEffect(() => {
    const stop = autosave.start()
    // Signed in again: what could not be saved meanwhile is sent.
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

/** A draft is the person's who typed it: as whom, and really. */
function owner(): string {
  const now = session.get()
  return ownerOf(now.kind === 'in' ? now.me : undefined)
}

export const useSaveState = (autosave: Autosave): SaveState => useSyncExternalStore(autosave.subscribe, autosave.state)
