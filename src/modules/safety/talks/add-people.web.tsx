import { Button, Text, Textarea } from '@mantine/core'
import { IconCheck, IconPlus, IconUserPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { isSamePersonName } from '#kernel/signature.ts'
import { createTextMatcher } from '#kernel/text/search.ts'
import { useSuggestedEmployees } from '#modules/documents/named-employees/suggestions.web.ts'
import { usePotentialSignatories } from '#modules/documents/signoff/people.web.ts'
import { findSimilarNames } from '#modules/identity/people/alike.ts'
import { useStoredInput } from '#web/forms/stored-input.tsx'
import { KeyHint } from '#web/ui/keys/shortcut.tsx'
import { errorSentence } from '#web/ui/toast.ts'
import css from './talks.module.css'

interface Props {
  /** IRI or placeholder of the talk record. Names that are not added yet are stored under it. */
  readonly record: string
  readonly taken: readonly string[]
  /** Adds people by name, or one employee who was chosen. */
  readonly onAdd: (names: readonly string[], employee?: number) => Promise<unknown>
}

/** Maximum number of suggestions shown. Other people are found by typing. */
const MAX_SUGGESTIONS = 24

interface NamesToAdd {
  readonly text: string
  /** Names that may belong to a colleague, until the presenter has chosen. */
  readonly doubted: readonly string[]
}

const NO_NAMES: NamesToAdd = { text: '', doubted: [] }

/** Form to add attendees by name. Names are typed or pasted, one per line. */
export function AddAttendeesForm({ record, taken, onAdd }: Props) {
  const { input, change } = useStoredInput(`names to add ${record}`, () => NO_NAMES)
  const { text, doubted } = input
  const setText = (next: string) => change((now) => ({ ...now, text: next }))
  const setDoubted = (next: (now: readonly string[]) => readonly string[]) =>
    change((now) => ({ ...now, doubted: next(now.doubted) }))
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const company = usePotentialSignatories().data?.['hydra:member'] ?? []
  const isTaken = (name: string) => taken.some((n) => n.toLowerCase() === name.toLowerCase())
  const isKnown = createTextMatcher(text)
  const known = company.filter(({ name }) => isKnown(name)).slice(0, MAX_SUGGESTIONS)
  const employees = useSuggestedEmployees(text, navigator.onLine).filter(
    ({ name }) => !company.some((one) => isSamePersonName(one.name, name)),
  )
  const send = async (names: readonly string[], employee?: number) => {
    setBusy(true)
    setFailure(undefined)
    try {
      if (names.length) await onAdd(names, employee)
      setText('')
      return true
    } catch (e) {
      setFailure(errorSentence(e))
      return false
    } finally {
      setBusy(false)
    }
  }
  const add = async (chosen = text) => {
    const names = [...new Set(chosen.split(/[\n;]/).map((n) => n.trim()))].filter((n) => n && !isTaken(n))
    if (!names.length)
      return setFailure(
        chosen.trim() ? 'This person is already on the list. Please enter another name' : 'Please enter a name',
      )
    const asked = names.filter((name) => findSimilarNames(name, company).length)
    if (await send(names.filter((name) => !asked.includes(name)))) setDoubted((all) => [...new Set([...all, ...asked])])
  }
  const settle = async (typed: string, name: string) => {
    if (isTaken(name) || (await send([name]))) setDoubted((all) => all.filter((one) => one !== typed))
  }
  return (
    <form
      className={css.add}
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        void add()
      }}
    >
      <Textarea
        label="Who is attending?"
        description={
          <>
            {company.length > 0 ? 'Choose people from the company below, or enter one' : 'One'} name per line
            <KeyHint>; press Enter to add</KeyHint>. People without an account sign as visitors.
          </>
        }
        autosize
        minRows={1}
        maxRows={12}
        value={text}
        error={failure}
        readOnly={busy}
        onChange={(e) => setText(e.currentTarget.value)}
        onKeyDown={(e) => {
          if (e.key !== 'Enter' || e.shiftKey || e.nativeEvent.isComposing) return
          e.preventDefault()
          void add()
        }}
      />
      <Button type="submit" variant="default" leftSection={<IconUserPlus size={16} aria-hidden />} loading={busy}>
        Add
      </Button>
      {doubted.map((typed) => (
        <fieldset key={typed} className={css.known} aria-label={`Who is ${typed}?`}>
          <Text size="sm" role="status">{`Is “${typed}” someone in your company?`}</Text>
          {findSimilarNames(typed, company).map(({ id, name }) => (
            <Button
              key={id}
              className={css.target ?? ''}
              disabled={busy}
              variant="default"
              onClick={() => void settle(typed, name)}
            >
              {`Yes, ${name}`}
            </Button>
          ))}
          <Button
            className={css.target ?? ''}
            disabled={busy}
            variant="default"
            onClick={() => void settle(typed, typed)}
          >
            {`No, ${typed} is a visitor`}
          </Button>
        </fieldset>
      ))}
      {employees.length > 0 && (
        <fieldset className={css.known} aria-label="Employees without an account">
          {employees.map(({ id, name }) => (
            <Button
              key={id}
              className={css.target ?? ''}
              variant="default"
              disabled={busy || isTaken(name)}
              leftSection={isTaken(name) ? <IconCheck size={16} aria-hidden /> : <IconPlus size={16} aria-hidden />}
              aria-label={isTaken(name) ? `${name} is already on the list` : `Add ${name}, employee`}
              onClick={() => void send([name], id)}
            >
              {name}
            </Button>
          ))}
        </fieldset>
      )}
      {known.length > 0 && (
        <fieldset className={css.known} aria-label="People in the company">
          {/* Chosen people stay in place, so that the buttons don't move. */}
          {known.map(({ id, name }) => (
            <Button
              key={id}
              className={css.target ?? ''}
              variant="default"
              disabled={busy || isTaken(name)}
              leftSection={isTaken(name) ? <IconCheck size={16} aria-hidden /> : <IconPlus size={16} aria-hidden />}
              aria-label={isTaken(name) ? `${name} is already on the list` : `Add ${name}`}
              onClick={() => void add(name)}
            >
              {name}
            </Button>
          ))}
        </fieldset>
      )}
    </form>
  )
}
