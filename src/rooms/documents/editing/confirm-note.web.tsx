import { Button } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import type { FieldProps } from '#web/forms/schema/parts.ts'
import { idOf, written } from '#web/forms/store/path.ts'
import { useValue } from '#web/forms/store/use-value-store.ts'
import { namesIn, stillRight } from '../kinds/origin.ts'
import css from './confirm-note.module.css'

/** Asks about an answer that came with a copy, until somebody says that it holds here, or says something else. */
export function ConfirmNote({ parts, field, path }: FieldProps) {
  const { store } = parts
  const names = namesIn(useValue(store, ['unconfirmed']))
  if (!names.includes(field.name)) return null
  return (
    <div className={css.note}>
      <IconCopy size={16} aria-hidden />
      <span>{stillRight(store.values())}</span>
      <Button
        size="compact-md"
        variant="default"
        leftSection={<IconCheck size={16} aria-hidden />}
        data-confirm
        aria-label={`Still right: ${field.label}`}
        onClick={(e) => {
          focusAfter(e.currentTarget, idOf(parts, written(path)))
          store.set(
            ['unconfirmed'],
            names.filter((name) => name !== field.name),
          )
        }}
      >
        Still right
      </Button>
    </div>
  )
}

/** The next question takes the focus, or the field that was asked about: Enter by Enter, a step is confirmed. */
function focusAfter(pressed: HTMLElement, field: string): void {
  const asked = [...document.querySelectorAll<HTMLElement>('button[data-confirm]')]
  const next = asked[asked.indexOf(pressed) + 1]
  const to = next ?? document.getElementById(field)?.querySelector<HTMLElement>('input, textarea, [contenteditable]')
  to?.scrollIntoView({ block: 'nearest' })
  to?.focus()
}
