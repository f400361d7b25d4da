import { Button, Group, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { fromUnixSeconds, now, toUnixSeconds } from '#kernel/time.ts'
import { ukNationForPostcode } from '#kernel/working-days.ts'
import { ShortcutKeys } from '#web/ui/keys/shortcut.tsx'
import type { LeadRecord } from '../contacts/data.web.ts'
import type { OutcomeRecord } from '../outcomes/data.web.ts'
import { decideOutcome } from '../outcomes/decide.ts'
import { parseCallbackDate, suggestCallbackDates, UNREADABLE_DATE_MESSAGE } from './callback-date.web.ts'
import css from './calling.module.css'
import { formatCallbackTime } from './outcome-words.web.ts'

interface Props {
  readonly outcome: OutcomeRecord
  readonly lead: Pick<LeadRecord, 'postcode'>
  readonly busy: boolean
  /** Text typed so far; restored when the caller returns to the field. */
  readonly typed: string
  readonly onType: (typed: string) => void
  readonly onCancel: () => void
  /** Receives the chosen date in Unix seconds, or `undefined` for the outcome's default date. */
  readonly onChoose: (date: number | undefined) => void
}

/** Form that asks for the callback date. Enter accepts the proposed date; a suggestion or typed text replaces it. */
export function CallbackDateForm({ outcome, lead, busy, typed, onType, onCancel, onChoose }: Props) {
  const [asked] = useState(now)
  const [tried, setTried] = useState(false)
  const nation = ukNationForPostcode(lead.postcode)
  const usual = decideOutcome(outcome, asked, undefined, nation).expiry
  const read = typed.trim() ? parseCallbackDate(typed, asked) : undefined
  const past = read && read.epochMilliseconds < asked.epochMilliseconds
  const wrong = !typed.trim()
    ? undefined
    : !read
      ? UNREADABLE_DATE_MESSAGE
      : past
        ? 'This date is in the past.'
        : undefined
  // Date that Enter would accept: the typed date or, if nothing is typed, the default.
  const takes = read ?? (usual ? fromUnixSeconds(usual) : undefined)
  const submit = () => {
    setTried(true)
    if (!wrong && !busy) onChoose(read && toUnixSeconds(read))
  }
  return (
    <form
      className={css.ask}
      onSubmit={(e) => {
        e.preventDefault()
        submit()
      }}
      onKeyDown={(e) => {
        if (e.key !== 'Escape') return
        e.stopPropagation()
        e.preventDefault()
        onCancel()
      }}
    >
      <Text fw={650}>{outcome.text}: choose a date</Text>
      <TextInput
        label="Call back"
        autoFocus
        data-autofocus
        autoComplete="off"
        placeholder={usual ? formatCallbackTime(fromUnixSeconds(usual)) : 'DD/MM/YYYY HH:mm'}
        value={typed}
        error={tried || past ? wrong : undefined}
        description={
          wrong ? 'Enter a valid date to continue' : `Press Enter for ${takes ? formatCallbackTime(takes) : 'no date'}`
        }
        onChange={(e) => {
          onType(e.currentTarget.value)
          setTried(false)
        }}
      />
      <Group gap="xs">
        {suggestCallbackDates(asked, nation).map((s) => (
          <Button
            key={s.label}
            size="xs"
            variant="default"
            disabled={busy}
            title={formatCallbackTime(s.at)}
            onClick={() => onChoose(toUnixSeconds(s.at))}
          >
            {s.label}
          </Button>
        ))}
      </Group>
      <Group gap="xs">
        <Button type="submit" loading={busy} rightSection={<ShortcutKeys keys="Enter" />}>
          Save
        </Button>
        <Button variant="subtle" rightSection={<ShortcutKeys keys="Escape" />} onClick={onCancel}>
          Cancel
        </Button>
      </Group>
    </form>
  )
}
