import { ActionIcon, Button, Text, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconCopy, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { FormField, FormGroup, FormSchema, FormStep } from '#kernel/forms/schema.ts'
import page from '#web/ui/page.module.css'
import {
  addGroup,
  conditionWords,
  copyField,
  headGroup,
  inStep,
  moveField,
  moveStep,
  type Place,
  putField,
  removeField,
  removeGroup,
  removeStep,
} from './build-form.ts'
import css from './custom-forms.module.css'
import { KINDS, QuestionDialog } from './question.web.tsx'

interface Props {
  readonly form: FormSchema
  readonly step: FormStep
  /** Which one it is, from 0. */
  readonly at: number
  readonly onChange: (form: FormSchema) => void
}

/** One step of a form in the making: its groups, and what they ask. */
export function BuildStep({ form, step, at, onChange }: Props) {
  const [asked, setAsked] = useState<Place>()
  const field = asked?.field === undefined ? undefined : step.groups[asked.group]?.fields[asked.field]
  const name = step.title || `step ${at + 1}`
  return (
    <section className={page.card} aria-label={name}>
      <div className={css.stepHead}>
        <TextInput
          label={`Step ${at + 1}`}
          maxLength={120}
          value={step.title}
          onChange={(e) => onChange(inStep(form, at, (s) => ({ ...s, title: e.currentTarget.value })))}
        />
        <Move
          what={name}
          first={at === 0}
          last={at === form.steps.length - 1}
          onMove={(by) => onChange(moveStep(form, at, by))}
        />
        <ActionIcon
          variant="subtle"
          color="gray"
          size={36}
          aria-label={`Remove ${name}`}
          disabled={form.steps.length === 1}
          onClick={() => onChange(removeStep(form, at))}
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </div>
      {step.groups.map((group, i) => (
        <Group
          // biome-ignore lint/suspicious/noArrayIndexKey: groups have no name, and stay in their order
          key={i}
          form={form}
          group={group}
          place={{ step: at, group: i }}
          only={step.groups.length === 1}
          onChange={onChange}
          onAsk={setAsked}
        />
      ))}
      <div className={css.buttons}>
        <Button variant="subtle" size="compact-sm" onClick={() => onChange(addGroup(form, at))}>
          {`Add a group of questions to “${name}”`}
        </Button>
      </div>
      {asked && (
        <QuestionDialog
          form={form}
          field={field}
          onClose={() => setAsked(undefined)}
          onDone={(done) => {
            onChange(putField(form, asked, done))
            setAsked(undefined)
          }}
        />
      )}
    </section>
  )
}

interface GroupProps {
  readonly form: FormSchema
  readonly group: FormGroup
  readonly place: Place
  readonly only: boolean
  readonly onChange: (form: FormSchema) => void
  readonly onAsk: (place: Place) => void
}

function Group({ form, group, place, only, onChange, onAsk }: GroupProps) {
  return (
    <div className={css.group}>
      {(!only || group.title) && (
        <div className={css.stepHead}>
          <TextInput
            label="Heading of the group"
            maxLength={120}
            value={group.title ?? ''}
            onChange={(e) => onChange(headGroup(form, place, e.currentTarget.value))}
          />
          {!only && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={`Remove the group ${group.title ?? ''}`}
              onClick={() => onChange(removeGroup(form, place))}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          )}
        </div>
      )}
      <ul className={css.questions}>
        {group.fields.map((field, i) => (
          <Question
            key={field.name}
            form={form}
            field={field}
            first={i === 0}
            last={i === group.fields.length - 1}
            place={{ ...place, field: i }}
            onChange={onChange}
            onAsk={onAsk}
          />
        ))}
      </ul>
      <div className={css.buttons}>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          aria-label={`Add a question to ${group.title || form.steps[place.step]?.title || 'the step'}`}
          onClick={() => onAsk(place)}
        >
          Add a question
        </Button>
      </div>
    </div>
  )
}

interface QuestionProps extends Pick<GroupProps, 'form' | 'place' | 'onChange' | 'onAsk'> {
  readonly field: FormField
  readonly first: boolean
  readonly last: boolean
}

function Question({ form, field, place, first, last, onChange, onAsk }: QuestionProps) {
  const when = conditionWords(form, field.when)
  return (
    <li className={css.question}>
      <div className={css.words}>
        <span>{field.label}</span>
        <Text span size="sm" c="dimmed">
          {[
            KINDS.find((k) => k.value === field.kind)?.label ?? 'Formatted text',
            field.required ? 'required' : '',
            field.options?.some((o) => o.points !== undefined) ? 'counts' : '',
            when && `asked where ${when}`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </div>
      <div className={css.buttons}>
        <Move what={field.label} first={first} last={last} onMove={(by) => onChange(moveField(form, place, by))} />
        <ActionIcon
          variant="subtle"
          color="gray"
          size={36}
          aria-label={`Copy ${field.label}`}
          onClick={() => onChange(copyField(form, place))}
        >
          <IconCopy size={16} aria-hidden />
        </ActionIcon>
        <Button size="compact-sm" variant="subtle" aria-label={`Change ${field.label}`} onClick={() => onAsk(place)}>
          Change
        </Button>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={36}
          aria-label={`Remove ${field.label}`}
          onClick={() => onChange(removeField(form, place))}
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </div>
    </li>
  )
}

interface MoveProps {
  readonly what: string
  readonly first: boolean
  readonly last: boolean
  readonly onMove: (by: -1 | 1) => void
}

const Move = ({ what, first, last, onMove }: MoveProps) => (
  <>
    <ActionIcon
      variant="subtle"
      color="gray"
      size={36}
      aria-label={`Move ${what} up`}
      disabled={first}
      onClick={() => onMove(-1)}
    >
      <IconArrowUp size={16} aria-hidden />
    </ActionIcon>
    <ActionIcon
      variant="subtle"
      color="gray"
      size={36}
      aria-label={`Move ${what} down`}
      disabled={last}
      onClick={() => onMove(1)}
    >
      <IconArrowDown size={16} aria-hidden />
    </ActionIcon>
  </>
)
