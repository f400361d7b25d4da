import '@mantine/core/styles/Combobox.layer.css'
import { Button, Checkbox, Select, Stack, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { FormField } from '#kernel/forms/schema.ts'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { choicesIn, nameFor, QUESTION_KINDS } from './edit-form.ts'

interface Props {
  /** The question that is changed; a new one without. */
  readonly field?: FormField
  /** Is it asked for whatever a version says? */
  readonly pinned?: boolean
  /** Names that a new one can't have. */
  readonly taken: ReadonlySet<string>
  readonly onDone: (field: FormField) => void
  readonly onClose: () => void
}

type Added = (typeof QUESTION_KINDS)[number]['value']
const isAdded = (kind: unknown): kind is Added => QUESTION_KINDS.some((k) => k.value === kind)

/** What one question of a form says: new ones choose what they are answered with, others stay what they are. */
export function Question({ field, pinned = false, taken, onDone, onClose }: Props) {
  const [label, setLabel] = useState(field?.label ?? '')
  const [kind, setKind] = useState<Added>('text')
  const [help, setHelp] = useState(field?.help ?? '')
  const [required, setRequired] = useState(field?.required === true)
  const [choices, setChoices] = useState((field?.options ?? []).map((o) => o.label).join('\n'))
  const [tried, setTried] = useState(false)
  const chosen = field ? field.kind === 'select' : kind === 'select'
  const named = label.trim() !== ''
  const enough = !chosen || choicesIn(choices).length > 0
  const done = (e: FormEvent) => {
    e.preventDefault()
    setTried(true)
    if (!named || !enough) return
    const {
      help: _,
      required: __,
      options,
      ...kept
    } = field ?? {
      name: nameFor(label, taken),
      kind,
      label,
      additional: true as const,
    }
    onDone({
      ...kept,
      label: label.trim(),
      ...(help.trim() ? { help: help.trim() } : {}),
      ...(required ? { required: true } : {}),
      ...(chosen ? { options: keepChoices(field, choices) } : options ? { options } : {}),
    })
  }
  return (
    <Dialog opened onClose={onClose} title={field ? `Change “${field.label}”` : 'Add a question'} size="34rem">
      <form onSubmit={done} noValidate>
        <Stack gap="md">
          <TextInput
            label={field ? 'What it is called (Required)' : 'Question (Required)'}
            required
            maxLength={120}
            value={label}
            onChange={(e) => setLabel(e.currentTarget.value)}
            error={tried && !named && 'Field required, please enter text'}
            data-autofocus
          />
          {!field && (
            <Select
              label="Answered with"
              data={[...QUESTION_KINDS]}
              value={kind}
              allowDeselect={false}
              onChange={(next) => isAdded(next) && setKind(next)}
            />
          )}
          {chosen && (
            <Textarea
              label="Choices"
              description="One on each line."
              autosize
              minRows={3}
              value={choices}
              onChange={(e) => setChoices(e.currentTarget.value)}
              error={tried && !enough && 'Please give something to choose from'}
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
          {!pinned && (
            <Checkbox
              label="It must be answered before the document is complete"
              checked={required}
              onChange={(e) => setRequired(e.currentTarget.checked)}
            />
          )}
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

/** Choices that were there keep what is stored for them. */
const keepChoices = (field: FormField | undefined, lines: string) =>
  choicesIn(lines).map((choice) => field?.options?.find((o) => o.label === choice.label) ?? choice)
