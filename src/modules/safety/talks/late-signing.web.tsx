import { Button, Text, TextInput } from '@mantine/core'
import { IconSignature } from '@tabler/icons-react'
import { useState } from 'react'
import { useActor } from '#web/api/me.ts'
import type { ListedAttendee, TalkSigner } from './presented-data.web.ts'
import css from './talks.module.css'

interface Props {
  readonly people: readonly ListedAttendee[]
  readonly onSign: (person: TalkSigner) => void
}

/** Form for people who attended but were not listed when the record was closed. They sign late, for themselves. */
export function LateSigningSection({ people, onSign }: Props) {
  const me = useActor()
  const [name, setName] = useState('')
  const [wrong, setWrong] = useState<string>()
  if (me.original) return null
  const mine = people.some((p) => p.user === me.userId && p.signer === me.userId && p.signedAt)
  const submit = () => {
    if (!name.trim()) return setWrong('Please enter the name of the person who attended')
    setWrong(undefined)
    setName('')
    onSign({ name: name.trim(), user: null, visitor: true })
  }
  return (
    <form
      className={css.late}
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        submit()
      }}
    >
      <h3>Other people who attended</h3>
      <Text size="sm">
        The record is closed. While the talk is in force, people who attended but have not signed can sign late for
        themselves. Late signatures are marked with the time.
      </Text>
      {!mine && (
        <Button
          className={css.target ?? ''}
          leftSection={<IconSignature size={16} aria-hidden />}
          onClick={() => onSign({ name: me.name, user: me.userId, visitor: false })}
        >
          I attended
        </Button>
      )}
      <div className={css.add}>
        <TextInput
          label="Name of the visitor"
          description="For a person without an account here. Colleagues sign late under their own account."
          maxLength={255}
          value={name}
          error={wrong}
          onChange={(e) => setName(e.currentTarget.value)}
        />
        <Button type="submit" variant="default" className={css.target ?? ''}>
          Sign late
        </Button>
      </div>
    </form>
  )
}
