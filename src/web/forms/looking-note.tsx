import { Text } from '@mantine/core'
import { mayChange } from '../api/changes.ts'
import { useMe } from '../api/me.ts'

/** Beside the button of a form, for whoever works as a client's person and only looks so far: what saving asks. */
export function LookingNote() {
  if (mayChange(useMe()) === 'yes') return null
  return (
    <Text size="sm" c="dimmed" role="note">
      You are looking only: saving asks you why first.
    </Text>
  )
}
