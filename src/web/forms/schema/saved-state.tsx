import { Button, Group, Text } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconCloudOff, IconGitMerge, IconLoader2 } from '@tabler/icons-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { session } from '../../api/session.ts'
import { formatIsoAsUkDateTime } from '../../dates/uk-dates.ts'
import { draftStore } from '../../offline/drafts.ts'
import { ownerKeyOf } from '../../offline/owner.ts'
import type { Autosave, AutosaveState } from './autosave.ts'
import { type AutosaveSettings, createAutosave } from './autosave.ts'
import css from './saved-state.module.css'

/**
 * Saves changed fields of a form within two seconds of typing. Show the status with `SaveStatus`, and render
 * `ConflictDialog` and `RestoredDraftNotice` next to the form. `key` identifies the record (`risk-assessment/12`). When
 * another record is opened, the component needs another React `key`.
 */
export function useAutosave({ key, ...settings }: Omit<AutosaveSettings, 'drafts'>): Autosave {
  const [autosave] = useState(() => createAutosave({ ...settings, key: `${owner()}/${key}`, drafts: draftStore }))
  useEffect(() => {
    const stop = autosave.start()
    // If saving failed because the session had ended, the input is sent after the person has signed in again.
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

/** Returns the owner of the draft: the signed-in person and, during an impersonation, the person behind it. */
function owner(): string {
  const now = session.get()
  return ownerKeyOf(now.kind === 'in' ? now.me : undefined)
}

export const useAutosaveState = (autosave: Autosave): AutosaveState =>
  useSyncExternalStore(autosave.subscribe, autosave.state)

/**
 * Status that shows whether input is safe: `Saved 12:03`, `Saving…`, `Offline: stored on this device`, or the error
 * with a button to try again.
 */
export function SaveStatus({ autosave }: { readonly autosave: Autosave }) {
  const state = useAutosaveState(autosave)
  const Icon = ICONS[state.kind]
  return (
    <Group gap="xs" className={css.state} data-kind={state.kind}>
      <Group gap={6} role="status" wrap="nowrap">
        <Icon size={16} aria-hidden />
        <Text size="sm" component="span">
          {wordsFor(state)}
        </Text>
      </Group>
      {state.kind === 'failed' && (
        <Button size="compact-sm" variant="default" onClick={() => void autosave.flush()}>
          Retry
        </Button>
      )}
    </Group>
  )
}

const ICONS = {
  saved: IconCheck,
  saving: IconLoader2,
  offline: IconCloudOff,
  failed: IconAlertTriangle,
  conflict: IconGitMerge,
} as const

function wordsFor(state: AutosaveState): string {
  switch (state.kind) {
    case 'saved':
      return state.at === null ? 'Saved' : `Saved ${formatIsoAsUkDateTime(new Date(state.at).toISOString()).slice(-5)}`
    case 'saving':
      return 'Saving…'
    case 'offline':
      return 'Offline: stored on this device'
    case 'failed':
      return `Not saved: ${state.message}`
    case 'conflict':
      return 'Somebody else has changed this too'
  }
}
