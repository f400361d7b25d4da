import { Box } from '@mantine/core'
import type { FieldProps } from '#web/forms/schema/parts.ts'
import { idOf, written } from '#web/forms/store/path.ts'
import { useValue } from '#web/forms/store/use-value-store.ts'
import { StillRight } from '#web/ui/still-right.tsx'
import { namesIn, stillRight } from '../types/origin.ts'

/** Asks about an answer that came with a copy, until somebody says that it holds here, or says something else. */
export function ConfirmNote({ parts, field, path }: FieldProps) {
  const { store } = parts
  const names = namesIn(useValue(store, ['unconfirmed']))
  if (!names.includes(field.name)) return null
  return (
    <Box mt={6} data-confirm>
      <StillRight
        name={field.label}
        question={stillRight(store.values())}
        onConfirm={(pressed) => {
          focusAfter(pressed, idOf(parts, written(path)))
          store.set(
            ['unconfirmed'],
            names.filter((name) => name !== field.name),
          )
        }}
      />
    </Box>
  )
}

/** The next question takes the focus, or the field that was asked about: Enter by Enter, a step is confirmed. */
function focusAfter(pressed: HTMLElement, field: string): void {
  const asked = [...document.querySelectorAll<HTMLElement>('[data-confirm] button')]
  const next = asked[asked.indexOf(pressed) + 1]
  const to = next ?? document.getElementById(field)?.querySelector<HTMLElement>('input, textarea, [contenteditable]')
  to?.scrollIntoView({ block: 'nearest' })
  to?.focus()
}
