import { Button, Group, Text } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconCloudOff, IconGitMerge, IconLoader2 } from '@tabler/icons-react'
import { formatIsoAsUkDateTime } from '../../dates/uk-dates.ts'
import type { Autosave, AutosaveState } from './autosave.ts'
import css from './saved-state.module.css'
import { useAutosaveState } from './use-autosave.ts'

/**
 * Shows whether input is safe: `Saved 12:03`, `Saving…`, `Offline: stored on this device`, or the failure with a retry.
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
