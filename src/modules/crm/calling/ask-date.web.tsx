import { Button, Group, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { fromUnix, now, unix } from '#kernel/time.ts'
import { nationOf } from '#kernel/working-days.ts'
import { Shortcut } from '#web/ui/keys/shortcut.tsx'
import type { Lead } from '../contacts/data.web.ts'
import type { Outcome } from '../outcomes/data.web.ts'
import { decide } from '../outcomes/decide.ts'
import { parseCallback, suggestions, UNREADABLE } from './callback-date.web.ts'
import css from './calling.module.css'
import { momentOf } from './outcome-words.web.ts'

interface Props {
  readonly outcome: Outcome
  readonly lead: Pick<Lead, 'postcode'>
  readonly busy: boolean
  /** Text typed so far; restored when the caller returns to the field. */
  readonly typed: string
  readonly onType: (typed: string) => void
  readonly onCancel: () => void
  /** Unix seconds; `undefined` uses the outcome's default date. */
  readonly onChoose: (date: number | undefined) => void
}

/** Asks for the callback date: Enter accepts the proposed date; a suggestion or typed text replaces it. */
export function AskDate({ outcome, lead, busy, typed, onType, onCancel, onChoose }: Props) {
  const [asked] = useState(now)
  const [tried, setTried] = useState(false)
  const nation = nationOf(lead.postcode)
  const usual = decide(outcome, asked, undefined, nation).expiry
  const read = typed.trim() ? parseCallback(typed, asked) : undefined
  const past = read && read.epochMilliseconds < asked.epochMilliseconds
  const wrong = !typed.trim() ? undefined : !read ? UNREADABLE : past ? 'This date is in the past.' : undefined
  // Date that Enter would accept, from what has been typed.
  const takes = read ?? (usual ? fromUnix(usual) : undefined)
  const submit = () => {
    setTried(true)
    if (!wrong && !busy) onChoose(read && unix(read))
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
      <Text fw={650}>{outcome.text}: when?</Text>
      <TextInput
        label="Call back"
        autoFocus
        data-autofocus
        autoComplete="off"
        placeholder={usual ? momentOf(fromUnix(usual)) : 'DD/MM/YYYY HH:mm'}
        value={typed}
        error={tried || past ? wrong : undefined}
        description={
          wrong ? 'Enter a valid date to continue' : `Press Enter for ${takes ? momentOf(takes) : 'no date'}`
        }
        onChange={(e) => {
          onType(e.currentTarget.value)
          setTried(false)
        }}
      />
      <Group gap="xs">
        {suggestions(asked, nation).map((s) => (
          <Button
            key={s.label}
            size="xs"
            variant="default"
            disabled={busy}
            title={momentOf(s.at)}
            onClick={() => onChoose(unix(s.at))}
          >
            {s.label}
          </Button>
        ))}
      </Group>
      <Group gap="xs">
        <Button type="submit" loading={busy} rightSection={<Shortcut keys="Enter" />}>
          Save
        </Button>
        <Button variant="subtle" rightSection={<Shortcut keys="Escape" />} onClick={onCancel}>
          Cancel
        </Button>
      </Group>
    </form>
  )
}
