import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/NumberInput.layer.css'
import { ActionIcon, Button, Checkbox, NumberInput, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { formFieldsIn } from '#kernel/forms/fields-in.ts'
import { defectPhotoOf } from '#kernel/forms/fine.ts'
import { isPinnedField } from '#kernel/forms/read-form.ts'
import type { FormField, FormFieldKind, FormSchema } from '#kernel/forms/schema.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { fieldNamesInForm } from './edit-form.ts'
import css from './form-builder.module.css'
import {
  answersForConditions,
  type EditedChoice,
  type FormBuilderRules,
  fieldsForConditions,
  makeFieldName,
  parseTableColumns,
  proposeMeanings,
  QUESTION_KIND_LABELS,
  setMeaning,
  toEditedChoices,
  toFormChoices,
} from './questions.ts'

interface Props {
  readonly form: FormSchema
  readonly rules: FormBuilderRules
  /** Question to change; undefined for a new question. */
  readonly field: FormField | undefined
  /** `hasPhoto`: whether a photo of a defect is asked for. */
  readonly onDone: (field: FormField, hasPhoto: boolean) => void
  readonly onClose: () => void
}

/** Dialog to edit one question: its label, its answer type, its choices and their points, and when it is shown. */
export function QuestionDialog({ form, rules, field, onDone, onClose }: Props) {
  const { declared, blank, scoring = false } = rules
  const [label, setLabel] = useState(field?.label ?? '')
  const [kind, setKind] = useState<FormFieldKind>(field?.kind ?? blank.kind)
  const [help, setHelp] = useState(field?.help ?? '')
  const [required, setRequired] = useState((field ?? blank).required === true)
  const [choices, setChoices] = useState(() => toEditedChoices(field?.options ?? blank.options ?? []))
  const [columns, setColumns] = useState((field?.fields ?? []).map((f) => f.label).join('\n'))
  const [condition] = field?.when ?? []
  const [watch, setWatch] = useState(condition?.watch ?? '')
  const [answer, setAnswer] = useState(condition && 'equals' in condition ? String(condition.equals) : '')
  const [subject, setSubject] = useState(field?.subject === true)
  const [photo, setPhoto] = useState(field === undefined || defectPhotoOf(form, field) !== undefined)
  const [tried, setTried] = useState(false)

  // The type of a question in a declared form can't be changed. Only the question's label, choices and conditions can.
  const isKindFixed = declared !== undefined && field !== undefined
  const pinned = declared !== undefined && field !== undefined && isPinnedField(field, declared.title)
  const hasChoices = kind === 'select' || (kind === 'combobox' && (!isKindFixed || field.options !== undefined))
  const hasColumns = kind === 'rows' && !isKindFixed
  // This dialog can edit only a single condition with a single answer. All other conditions are retained unchanged.
  const keepsConditions =
    pinned || (field?.when?.length ?? 0) > 1 || (condition !== undefined && !('equals' in condition))
  const watchable = fieldsForConditions(form, field?.name)
  const watched = keepsConditions ? undefined : watchable.find((f) => f.name === watch)
  const hasPoints = scoring && kind === 'select'
  const canBeSubject = scoring && (kind === 'text' || kind === 'select')
  const formerSubject = formFieldsIn(form).find((f) => f.subject && f.name !== field?.name)
  const options = toFormChoices(choices, { points: hasPoints || !scoring })
  const hasDefect = hasPoints && options.some((o) => o.means === 'defect')
  const problems = {
    label: label.trim() ? undefined : 'Field required, please enter text',
    choices: !hasChoices
      ? undefined
      : !options.length
        ? 'Please enter at least one choice'
        : new Set(options.map((o) => o.label)).size < options.length
          ? 'Please remove the duplicate choice'
          : undefined,
    columns: hasColumns && !parseTableColumns(columns).length ? 'Please enter at least one column' : undefined,
    answer: watched && !answer ? 'Field required, select an option' : undefined,
  }
  const shown = (problem: string | undefined) => (tried ? problem : undefined)

  const submit = (e: FormEvent) => {
    e.preventDefault()
    setTried(true)
    if (Object.values(problems).some(Boolean)) return
    const equals = watched && answersForConditions(watched).find((a) => a.key === answer)
    const when = keepsConditions ? field?.when : equals && [{ watch, equals: equals.value }]
    const taken = new Set([
      ...fieldNamesInForm(form),
      ...(declared ? [...fieldNamesInForm(declared.schema), ...declared.taken] : []),
    ])
    const before: FormField = field ?? {
      name: makeFieldName(label, taken),
      kind,
      label,
      ...(blank.additional ? { additional: blank.additional } : {}),
    }
    const { help: _, required: __, when: ___, subject: ____, options: formerOptions, fields, add, ...rest } = before
    const done: FormField = {
      ...rest,
      kind,
      label: label.trim(),
      ...(help.trim() ? { help: help.trim() } : {}),
      ...(required ? { required: true } : {}),
      ...(canBeSubject && subject ? { subject: true } : {}),
      ...(when?.length ? { when } : {}),
      ...(hasChoices ? { options } : isKindFixed && formerOptions ? { options: formerOptions } : {}),
      ...(hasColumns
        ? { fields: parseTableColumns(columns, fields), add: add ?? 'Add a row' }
        : isKindFixed
          ? { ...(fields ? { fields } : {}), ...(add ? { add } : {}) }
          : {}),
    }
    onDone(done, hasDefect && photo)
  }
  return (
    <Dialog opened onClose={onClose} title={field ? `Change “${field.label}”` : 'Add question'} size="36rem">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <TextInput
            label={isKindFixed ? 'Label (Required)' : 'Question (Required)'}
            required
            maxLength={120}
            value={label}
            onChange={(e) => setLabel(e.currentTarget.value)}
            error={shown(problems.label)}
            data-autofocus
          />
          {!isKindFixed && (
            <Select
              label="Answer type"
              data={rules.kinds.map((value) => ({ value, label: QUESTION_KIND_LABELS[value] }))}
              value={kind}
              allowDeselect={false}
              onChange={(next) => setKind(rules.kinds.find((one) => one === next) ?? kind)}
            />
          )}
          {hasChoices && (
            <Choices choices={choices} hasPoints={hasPoints} onChange={setChoices} error={shown(problems.choices)} />
          )}
          {hasDefect && (
            <Checkbox
              label="Offer a photo with a defect"
              checked={photo}
              onChange={(e) => setPhoto(e.currentTarget.checked)}
            />
          )}
          {hasColumns && (
            <Textarea
              label="Columns in each row"
              description="One per line."
              autosize
              minRows={3}
              value={columns}
              onChange={(e) => setColumns(e.currentTarget.value)}
              error={shown(problems.columns)}
            />
          )}
          {!pinned && (
            <Checkbox
              label={rules.requiredLabel(kind)}
              checked={required}
              onChange={(e) => setRequired(e.currentTarget.checked)}
            />
          )}
          {canBeSubject && (
            <Checkbox
              label="Names what is checked, such as the site or the vehicle"
              description={
                formerSubject
                  ? `At the moment, “${formerSubject.label}” does.`
                  : 'Completed forms show it, and last time’s answers for the same one are offered.'
              }
              disabled={formerSubject !== undefined}
              checked={subject}
              onChange={(e) => setSubject(e.currentTarget.checked)}
            />
          )}
          {!pinned && keepsConditions && (
            <Text size="sm" c="dimmed">
              This question has several conditions, which can’t be changed here.
            </Text>
          )}
          {!keepsConditions && watchable.length > 0 && (
            <Select
              label="Only ask if"
              placeholder="Always asked"
              clearable
              data={watchable.map((f) => ({ value: f.name, label: f.label }))}
              value={watch || null}
              onChange={(next) => {
                setWatch(next ?? '')
                setAnswer('')
              }}
            />
          )}
          {watched && (
            <Select
              label="is answered with"
              data={answersForConditions(watched).map((a) => ({ value: a.key, label: a.label }))}
              value={answer || null}
              onChange={(next) => setAnswer(next ?? '')}
              error={shown(problems.answer)}
            />
          )}
          <Textarea
            label="Help"
            description="Shown when the help next to the question is opened."
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

const MEANINGS = [
  { value: '', label: 'Neither' },
  { value: 'fine', label: 'Fine' },
  { value: 'defect', label: 'Defect' },
] as const

interface ChoicesProps {
  readonly choices: readonly EditedChoice[]
  readonly hasPoints: boolean
  readonly onChange: (choices: EditedChoice[]) => void
  readonly error: string | undefined
}

function Choices({ choices, hasPoints, onChange, error }: ChoicesProps) {
  const change = (id: number, to: Partial<EditedChoice>) =>
    onChange(choices.map((c) => (c.id === id ? { ...c, ...to } : c)))
  const proposed = hasPoints ? proposeMeanings(choices) : undefined
  const nextId = Math.max(-1, ...choices.map((c) => c.id)) + 1
  return (
    <fieldset className={css.group}>
      <legend>Choices</legend>
      {hasPoints && (
        <Text size="sm" c="dimmed">
          If a choice has no points, its question is left out of the score. The choice that stands for “Fine” can be
          entered for the rest of a section at once; a defect is shown in red.
        </Text>
      )}
      {choices.map((choice, i) => (
        <div key={choice.id} className={css.choice} data-points={hasPoints || undefined}>
          <TextInput
            aria-label={`Choice ${i + 1}`}
            maxLength={120}
            value={choice.label}
            onChange={(e) => change(choice.id, { label: e.currentTarget.value })}
          />
          {hasPoints && (
            <NumberInput
              aria-label={`Points for choice ${i + 1}`}
              placeholder="Points"
              min={0}
              max={1000}
              allowDecimal={false}
              allowNegative={false}
              hideControls
              value={choice.points}
              onChange={(points) => change(choice.id, { points: typeof points === 'number' ? points : '' })}
            />
          )}
          {hasPoints && (
            <Select
              aria-label={`Choice ${i + 1} stands for`}
              data={MEANINGS}
              value={choice.means ?? ''}
              allowDeselect={false}
              onChange={(value) => {
                const means = value === 'fine' || value === 'defect' ? value : undefined
                onChange(setMeaning(choices, choice.id, means))
              }}
            />
          )}
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            aria-label={`Remove choice ${i + 1}`}
            onClick={() => onChange(choices.filter((c) => c.id !== choice.id))}
          >
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      {proposed && (
        <div className={css.buttons}>
          <Text size="sm">{`Suggestion: ${proposed.flatMap((c) => (c.means ? [`“${c.label.trim()}” stands for ${c.means === 'fine' ? 'fine' : 'a defect'}`] : [])).join(', ')}.`}</Text>
          <Button variant="default" size="xs" onClick={() => onChange(proposed)}>
            Accept suggestion
          </Button>
        </div>
      )}
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
          onClick={() => onChange([...choices, { id: nextId, label: '', points: '' }])}
        >
          Add a choice
        </Button>
      </div>
    </fieldset>
  )
}
