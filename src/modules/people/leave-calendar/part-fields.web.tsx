import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { DateField } from '#web/dates/date-field.tsx'
import { PORTIONS, type Portion } from '../leave-rules/request-part.ts'
import type { DraftPart } from './request-draft.ts'

interface PartProps {
  readonly part: DraftPart
  readonly number: number
  readonly errorAt: (field: string) => string | undefined
  readonly onChange: (values: Partial<DraftPart>) => void
  readonly onRemove?: () => void
}

/** Dates of one part of a request. */
export function PartFields({ part, number, errorAt, onChange, onRemove }: PartProps) {
  const { firstDay, lastDay, portion, from, until } = part
  const isWhole = portion === 'day'
  return (
    <fieldset style={{ border: 0, padding: 0, margin: 0 }}>
      <legend>{number === 1 ? 'Dates' : `Dates ${number}`}</legend>
      <Group align="flex-start" gap="sm">
        <NativeSelect
          label="Length"
          data={[...PORTIONS]}
          value={portion}
          onChange={(e) =>
            onChange({ portion: e.currentTarget.value as Portion, lastDay: firstDay, from: '', until: '' })
          }
        />
        <DateField
          label={isWhole ? 'First day' : 'Day'}
          value={firstDay}
          error={errorAt('firstDay')}
          onChange={(day) => onChange({ firstDay: day ?? '', ...(isWhole && lastDay ? {} : { lastDay: day ?? '' }) })}
        />
        {isWhole && (
          <DateField
            label="Last day"
            value={lastDay}
            error={errorAt('lastDay')}
            onChange={(day) => onChange({ lastDay: day ?? '' })}
          />
        )}
        {portion === 'hours' && (
          <>
            <TextInput
              type="time"
              label="From"
              value={from}
              error={errorAt('from')}
              onChange={(e) => onChange({ from: e.currentTarget.value })}
            />
            <TextInput
              type="time"
              label="Until"
              value={until}
              error={errorAt('until')}
              onChange={(e) => onChange({ until: e.currentTarget.value })}
            />
          </>
        )}
        {onRemove && (
          <Button variant="subtle" aria-label={`Remove dates ${number}`} onClick={onRemove} mt={24}>
            <IconTrash size={18} aria-hidden />
          </Button>
        )}
      </Group>
    </fieldset>
  )
}
