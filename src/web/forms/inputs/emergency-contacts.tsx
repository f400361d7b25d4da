import '@mantine/core/styles/Fieldset.layer.css'
import { Fieldset, Group, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import css from '../../dates/halves.module.css'

export interface EmergencyContact {
  readonly name: string
  readonly number: string
}

/** Number of slots, each for a name and a telephone number (specification, section 9). */
const EMERGENCY_SLOTS = 3

interface Props {
  readonly value: readonly EmergencyContact[]
  readonly onChange: (value: EmergencyContact[]) => void
  readonly readOnly?: boolean
  /** Error messages by slot: `errors[0]?.number`. */
  /** Renders the input for a name, if it is not a text input. */
  readonly nameInput?: (slot: number) => ReactNode
  readonly errors?: readonly ({ readonly name?: string; readonly number?: string } | undefined)[]
}

const EMPTY: EmergencyContact = { name: '', number: '' }

/** Inputs for the people to call in an emergency. */
export function EmergencyContacts({ value, onChange, readOnly = false, errors = [], nameInput }: Props) {
  const slots = Array.from({ length: EMERGENCY_SLOTS }, (_, i) => value[i] ?? EMPTY)
  const set = (at: number, change: Partial<EmergencyContact>) =>
    onChange(slots.map((slot, i) => (i === at ? { ...slot, ...change } : slot)))
  return (
    <>
      {slots.map((slot, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the slots are fixed
        <Fieldset key={i} legend={`Emergency contact ${i + 1}`} variant="unstyled" mb="sm">
          <Group grow align="flex-start" className={css.halves}>
            {nameInput?.(i) ?? (
              <TextInput
                label="Full Name"
                autoComplete="off"
                value={slot.name}
                readOnly={readOnly}
                variant={readOnly ? 'filled' : 'default'}
                error={errors[i]?.name}
                onChange={(e) => set(i, { name: e.currentTarget.value })}
              />
            )}
            <TextInput
              label="Phone Number"
              type="tel"
              inputMode="numeric"
              autoComplete="off"
              value={slot.number}
              readOnly={readOnly}
              variant={readOnly ? 'filled' : 'default'}
              error={errors[i]?.number}
              onChange={(e) => set(i, { number: e.currentTarget.value.replace(/[^\d+ ]/g, '') })}
            />
          </Group>
        </Fieldset>
      ))}
    </>
  )
}
