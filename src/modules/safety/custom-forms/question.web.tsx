import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/NumberInput.layer.css'
import { ActionIcon, Button, Checkbox, NumberInput, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import type { Choice, FormField, FormKind, FormSchema } from '#kernel/forms/schema.ts'
import { choicesIn, nameFor } from '#modules/documents/forms/edit-form.ts'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { answersOf, takenIn, watchable } from './build-form.ts'
import css from './custom-forms.module.css'
import { CHECKED } from './samples.ts'

/** What a question can be answered with, as whoever makes a form chooses it. */
export const KINDS = [
  { value: 'select', label: 'One of a list' },
  { value: 'text', label: 'A line of text' },
  { value: 'longText', label: 'Several lines of text' },
  { value: 'number', label: 'A number' },
  { value: 'date', label: 'A date' },
  { value: 'dateTime', label: 'A day and a time' },
  { value: 'switch', label: 'Yes or no' },
  { value: 'checkbox', label: 'A box to tick' },
  { value: 'combobox', label: 'Several of a list' },
  { value: 'uploads', label: 'Photos and files' },
  { value: 'signature', label: 'A signature' },
  { value: 'rows', label: 'Rows of a table' },
] as const satisfies readonly { readonly value: FormKind; readonly label: string }[]

interface Props {
  readonly form: FormSchema
  /** The question that is changed; a new one without. */
  readonly field?: FormField | undefined
  readonly onDone: (field: FormField) => void
  readonly onClose: () => void
}

interface TypedChoice extends Omit<Choice, 'points'> {
  readonly id: number
  readonly points: number | ''
}

const typed = (all: readonly Choice[]): TypedChoice[] => all.map((o, id) => ({ ...o, id, points: o.points ?? '' }))

/** One question in the making: what it asks, how it is answered, what that counts, and when it is asked. */
export function QuestionDialog({ form, field, onDone, onClose }: Props) {
  const [label, setLabel] = useState(field?.label ?? '')
  const [kind, setKind] = useState<FormKind>(field?.kind ?? 'select')
  const [help, setHelp] = useState(field?.help ?? '')
  const [required, setRequired] = useState(field ? field.required === true : true)
  const [choices, setChoices] = useState(() => typed(field?.options ?? CHECKED))
  const [columns, setColumns] = useState((field?.fields ?? []).map((f) => f.label).join('\n'))
  const [condition] = field?.when ?? []
  const [watch, setWatch] = useState(condition?.watch ?? '')
  const [is, setIs] = useState(condition && 'equals' in condition ? String(condition.equals) : '')
  const [tried, setTried] = useState(false)
  // Conditions that a builder can't say stay as they are.
  const further = (field?.when?.length ?? 0) > 1 || (condition !== undefined && !('equals' in condition))
  const chosen = kind === 'select' || kind === 'combobox'
  const given = choices.filter((c) => c.label.trim())
  const watched = watchable(form, field?.name)
  const of = watched.find((f) => f.name === watch)
  const problems = {
    label: label.trim() ? undefined : 'Field required, please enter text',
    choices: chosen && !given.length ? 'Please give something to choose from' : undefined,
    twice:
      chosen && new Set(given.map((c) => c.label.trim())).size < given.length ? 'A choice is there twice' : undefined,
    columns: kind === 'rows' && !choicesIn(columns).length ? 'Please say what each row holds' : undefined,
    is: of && !is ? 'Field required, select an option' : undefined,
  }
  const done = (e: FormEvent) => {
    e.preventDefault()
    setTried(true)
    if (Object.values(problems).some(Boolean)) return
    const answer = of && answersOf(of).find((a) => a.value === is)
    const {
      help: _,
      required: __,
      options: ___,
      when,
      fields: ____,
      ...kept
    } = field ?? {
      name: nameFor(label, takenIn(form)),
      kind,
      label,
    }
    const asked = further ? when : answer && [{ watch, equals: answer.is }]
    onDone({
      ...kept,
      kind,
      label: label.trim(),
      ...(help.trim() ? { help: help.trim() } : {}),
      ...(required ? { required: true } : {}),
      ...(asked?.length ? { when: asked } : {}),
      ...(chosen ? { options: given.map((c) => optionOf(c, kind === 'select')) } : {}),
      ...(kind === 'rows' ? { fields: columnsOf(field, columns), add: field?.add ?? 'Add a row' } : {}),
    })
  }
  const shown = (message: string | undefined) => (tried ? message : undefined)
  return (
    <Dialog opened onClose={onClose} title={field ? `Change “${field.label}”` : 'Add a question'} size="36rem">
      <form onSubmit={done} noValidate>
        <Stack gap="md">
          <TextInput
            label="Question (Required)"
            required
            maxLength={120}
            value={label}
            onChange={(e) => setLabel(e.currentTarget.value)}
            error={shown(problems.label)}
            data-autofocus
          />
          <Select
            label="Answered with"
            data={[...KINDS]}
            value={kind}
            allowDeselect={false}
            onChange={(next) => setKind((next ?? 'text') as FormKind)}
          />
          {chosen && (
            <Choices
              all={choices}
              counts={kind === 'select'}
              onChange={setChoices}
              error={shown(problems.choices ?? problems.twice)}
            />
          )}
          {kind === 'rows' && (
            <Textarea
              label="What each row holds"
              description="One on each line."
              autosize
              minRows={3}
              value={columns}
              onChange={(e) => setColumns(e.currentTarget.value)}
              error={shown(problems.columns)}
            />
          )}
          <Checkbox
            label={kind === 'checkbox' ? 'It must be ticked' : 'It must be answered'}
            checked={required}
            onChange={(e) => setRequired(e.currentTarget.checked)}
          />
          {further ? (
            <Text size="sm" c="dimmed">
              It is asked under several conditions, which stay as they are.
            </Text>
          ) : (
            watched.length > 0 && (
              <Select
                label="Asked only where"
                placeholder="Always asked"
                clearable
                data={watched.map((f) => ({ value: f.name, label: f.label }))}
                value={watch || null}
                onChange={(next) => {
                  setWatch(next ?? '')
                  setIs('')
                }}
              />
            )
          )}
          {!further && of && (
            <Select
              label="is answered with"
              data={answersOf(of).map(({ value, label: called }) => ({ value, label: called }))}
              value={is || null}
              onChange={(next) => setIs(next ?? '')}
              error={shown(problems.is)}
            />
          )}
          <Textarea
            label="Help"
            description="Opens beside the question."
            maxLength={1000}
            autosize
            minRows={2}
            value={help}
            onChange={(e) => setHelp(e.currentTarget.value)}
          />
        </Stack>
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit">{field ? 'Change' : 'Add'}</Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

interface ChoicesProps {
  readonly all: readonly TypedChoice[]
  /** Do they have points? */
  readonly counts: boolean
  readonly onChange: (all: TypedChoice[]) => void
  readonly error: string | undefined
}

function Choices({ all, counts, onChange, error }: ChoicesProps) {
  const change = (id: number, to: Partial<TypedChoice>) => onChange(all.map((c) => (c.id === id ? { ...c, ...to } : c)))
  const next = Math.max(-1, ...all.map((c) => c.id)) + 1
  return (
    <fieldset className={css.group}>
      <legend>Choices</legend>
      {counts && (
        <Text size="sm" c="dimmed">
          A choice without points leaves its question out of the score.
        </Text>
      )}
      {all.map((choice, i) => (
        <div key={choice.id} className={css.choice}>
          <TextInput
            aria-label={`Choice ${i + 1}`}
            maxLength={120}
            value={choice.label}
            onChange={(e) => change(choice.id, { label: e.currentTarget.value })}
          />
          {counts ? (
            <NumberInput
              aria-label={`Points of choice ${i + 1}`}
              placeholder="Points"
              min={0}
              max={1000}
              allowDecimal={false}
              allowNegative={false}
              hideControls
              value={choice.points}
              onChange={(points) => change(choice.id, { points: typeof points === 'number' ? points : '' })}
            />
          ) : (
            <span />
          )}
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            aria-label={`Remove choice ${i + 1}`}
            onClick={() => onChange(all.filter((c) => c.id !== choice.id))}
          >
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      {error && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {error}
        </Text>
      )}
      <div className={css.buttons}>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => onChange([...all, { id: next, value: '', label: '', points: '' }])}
        >
          Add a choice
        </Button>
      </div>
    </fieldset>
  )
}

/** Choices that were there keep what is stored for them. */
const optionOf = ({ value, label, points }: TypedChoice, counts: boolean): Choice => ({
  value: value || label.trim(),
  label: label.trim(),
  ...(counts && points !== '' ? { points } : {}),
})

/** Columns that were there stay what they are; new ones are lines of text. */
function columnsOf(field: FormField | undefined, lines: string): FormField[] {
  const taken = new Set((field?.fields ?? []).map((f) => f.name))
  return choicesIn(lines).map(({ label }) => {
    const there = field?.fields?.find((f) => f.label === label)
    const name = there?.name ?? nameFor(label, taken)
    taken.add(name)
    return there ?? { name, kind: 'text', label: label.slice(0, 120) }
  })
}
