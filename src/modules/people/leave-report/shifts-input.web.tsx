import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { CustomInput } from '#web/forms/resource-form.tsx'
import { type CycleDays, MAX_CYCLE_DAYS, type Shift } from '../leave-rules/work-pattern.ts'

const DAYS_PER_WEEK = 7
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const USUAL_SHIFT: Shift = { from: '09:00', until: '17:30', breakMinutes: 30 }
const USUAL_WEEK: CycleDays = WEEKDAYS.map((_, n) => (n < 5 ? [USUAL_SHIFT] : []))

const nameOf = (day: number, length: number): string =>
  length === DAYS_PER_WEEK
    ? (WEEKDAYS[day] ?? '')
    : length % DAYS_PER_WEEK === 0
      ? `Week ${Math.floor(day / DAYS_PER_WEEK) + 1}, ${WEEKDAYS[day % DAYS_PER_WEEK]}`
      : `Day ${day + 1}`

const LENGTHS = Array.from({ length: MAX_CYCLE_DAYS }, (_, n) => n + 1).map((days) => ({
  value: String(days),
  label: days % DAYS_PER_WEEK ? `${days} days` : `${days / DAYS_PER_WEEK} ${days === DAYS_PER_WEEK ? 'week' : 'weeks'}`,
}))

/** Shifts of each day in a cycle. A new pattern starts with a usual week, which is changed before it is saved. */
export const ShiftsInput: CustomInput = ({ value, onChange, error }) => {
  const days = (Array.isArray(value) && value.length ? value : USUAL_WEEK) as CycleDays
  const setDay = (n: number, shifts: readonly Shift[]) => onChange(days.map((day, at) => (at === n ? shifts : day)))
  return (
    <fieldset style={{ border: 0, padding: 0, margin: 0 }}>
      <legend>Shifts</legend>
      <Stack gap="sm">
        <NativeSelect
          label="Length of the cycle"
          data={LENGTHS}
          value={String(days.length)}
          onChange={(e) => {
            const length = Number(e.currentTarget.value)
            onChange(Array.from({ length }, (_, n) => days[n] ?? days[n % DAYS_PER_WEEK] ?? []))
          }}
        />
        <Text size="sm" c="dimmed">
          A shift that ends at or before its start ends on the next day. The unpaid break is in the middle.
        </Text>
        {days.map((shifts, n) => (
          <DayShifts
            // biome-ignore lint/suspicious/noArrayIndexKey: a day of the cycle is its place
            key={n}
            name={nameOf(n, days.length)}
            shifts={shifts}
            onChange={(changed) => setDay(n, changed)}
          />
        ))}
        {error && (
          <Text role="alert" size="sm" c="var(--mantine-color-error)">
            {error}
          </Text>
        )}
        {!(Array.isArray(value) && value.length) && (
          <Group>
            <Button variant="default" onClick={() => onChange(USUAL_WEEK)}>
              Use these shifts
            </Button>
          </Group>
        )}
      </Stack>
    </fieldset>
  )
}

interface DayProps {
  readonly name: string
  readonly shifts: readonly Shift[]
  readonly onChange: (shifts: readonly Shift[]) => void
}

function DayShifts({ name, shifts, onChange }: DayProps) {
  const change = (n: number, values: Partial<Shift>) =>
    onChange(shifts.map((shift, at) => (at === n ? { ...shift, ...values } : shift)))
  return (
    <fieldset style={{ border: 0, padding: 0, margin: 0 }}>
      <legend>{name}</legend>
      <Stack gap="xs">
        {shifts.map((shift, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: shifts have no other identity while they are entered
          <Group key={n} gap="sm" align="flex-end">
            <TextInput
              type="time"
              label="From"
              value={shift.from}
              onChange={(e) => change(n, { from: e.currentTarget.value })}
            />
            <TextInput
              type="time"
              label="Until"
              value={shift.until}
              onChange={(e) => change(n, { until: e.currentTarget.value })}
            />
            <TextInput
              label="Break (minutes)"
              inputMode="numeric"
              value={String(shift.breakMinutes)}
              onChange={(e) => change(n, { breakMinutes: Number(e.currentTarget.value.replaceAll(/\D/g, '')) })}
            />
            <Button
              variant="subtle"
              aria-label={`Remove the shift of ${name}`}
              onClick={() => onChange(shifts.filter((_, at) => at !== n))}
            >
              <IconTrash size={18} aria-hidden />
            </Button>
          </Group>
        ))}
        <Group>
          <Button
            variant="subtle"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => onChange([...shifts, USUAL_SHIFT])}
          >
            {shifts.length ? 'Add shift' : 'Free. Add shift'}
          </Button>
        </Group>
      </Stack>
    </fieldset>
  )
}
