import '@mantine/core/styles/NumberInput.layer.css'
import { ActionIcon, Button, NumberInput, Text, TextInput } from '@mantine/core'
import { type Icon, IconArrowDown, IconArrowUp, IconCopy, IconPlus, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { formFieldsIn } from '#kernel/forms/fields-in.ts'
import { type DeclaredForm, isPinnedField } from '#kernel/forms/read-form.ts'
import type { FormField, FormGroup, FormSchema, FormStep } from '#kernel/forms/schema.ts'
import page from '../../ui/page.module.css'
import {
  addField,
  addGroup,
  addStep,
  changeStep,
  copyField,
  type FormGroupPosition,
  findOmittedFields,
  moveField,
  moveStep,
  omitField,
  removeField,
  removeGroup,
  removeStep,
  replaceField,
  setDefectPhoto,
  setGroupTitle,
} from './edit-form.ts'
import css from './form-builder.module.css'
import { QuestionDialog } from './question-dialog.tsx'
import { describeQuestion, type FormBuilderRules } from './questions.ts'

interface Props {
  readonly form: FormSchema
  readonly rules: FormBuilderRules
  readonly onChange: (form: FormSchema) => void
}

/** Target of the open question dialog: a new question in a group, or an existing question. */
type Editing = { readonly group: FormGroupPosition } | { readonly field: FormField }

interface PartProps extends Props {
  readonly onEdit: (editing: Editing) => void
}

/** Editor for the steps, groups and questions of a form. */
export function FormBuilder({ form, rules, onChange }: Props) {
  const [editing, setEditing] = useState<Editing>()
  const part = { form, rules, onChange, onEdit: setEditing }
  return (
    <>
      {form.steps.map((step, at) =>
        rules.declared ? (
          <DeclaredStep key={step.name} {...part} step={step} at={at} declared={rules.declared} />
        ) : (
          <OwnStep key={step.name} {...part} step={step} at={at} />
        ),
      )}
      {!rules.declared && (
        <div className={css.buttons}>
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => onChange(addStep(form))}
          >
            Add a step
          </Button>
        </div>
      )}
      {editing && (
        <QuestionDialog
          form={form}
          rules={rules}
          field={'field' in editing ? editing.field : undefined}
          onClose={() => setEditing(undefined)}
          onDone={(field, hasPhoto) => {
            const changed = 'group' in editing ? addField(form, editing.group, field) : replaceField(form, field)
            const former = 'field' in editing ? editing.field : undefined
            onChange(setDefectPhoto(changed, field, { wanted: hasPhoto, former }))
            setEditing(undefined)
          }}
        />
      )}
    </>
  )
}

/** Read-only list of a form's questions. */
export const FormOutline = ({ form }: { readonly form: FormSchema }) =>
  form.steps.map((step) => (
    <StepOutline key={step.name} step={step}>
      {formFieldsIn({ steps: [step] }).map((field) => (
        <Question key={field.name} form={form} field={field} />
      ))}
    </StepOutline>
  ))

const StepOutline = ({ step, children }: { readonly step: FormStep; readonly children: ReactNode }) => (
  <section className={page.card} aria-labelledby={`step-${step.name}`}>
    <h2 id={`step-${step.name}`}>{step.title}</h2>
    <ul className={css.questions}>{children}</ul>
  </section>
)

interface StepProps extends PartProps {
  readonly step: FormStep
  /** Zero-based position of the step. */
  readonly at: number
}

/** Step of a declared form. Its questions can be moved, changed, omitted and included again. */
function DeclaredStep({ form, step, at, declared, onChange, onEdit }: StepProps & { readonly declared: DeclaredForm }) {
  const group = { step: at, group: Math.max(0, step.groups.length - 1) }
  return (
    <StepOutline step={step}>
      {step.groups.flatMap(({ fields }) =>
        fields.map((field, i) => (
          <Question key={field.name} form={form} field={field}>
            {fields.length > 1 && (
              <MoveButtons
                label={field.label}
                isFirst={i === 0}
                isLast={i === fields.length - 1}
                onMove={(by) => onChange(moveField(form, field.name, by))}
              />
            )}
            <ChangeButton field={field} onEdit={onEdit} />
            {isPinnedField(field, declared.title) ? (
              <Text span size="sm" c="dimmed">
                Always asked
              </Text>
            ) : (
              <Button
                size="compact-sm"
                variant="subtle"
                aria-label={`Leave out ${field.label}`}
                onClick={() => onChange(omitField(form, field.name))}
              >
                Leave out
              </Button>
            )}
          </Question>
        )),
      )}
      {findOmittedFields(declared.schema, form)
        .filter((left) => left.step === at)
        .map(({ field }) => (
          <li key={field.name} className={css.question}>
            <Text span c="dimmed">{`${field.label}: left out`}</Text>
            <Button
              size="compact-sm"
              variant="subtle"
              aria-label={`Include again: ${field.label}`}
              onClick={() => onChange(addField(form, group, field))}
            >
              Include again
            </Button>
          </li>
        ))}
      <li className={css.question}>
        <AddQuestionButton to={step.title} onClick={() => onEdit({ group })} />
      </li>
    </StepOutline>
  )
}

/** Step of a form that has no declared schema. Everything in the step can be edited. */
function OwnStep({ form, rules, step, at, onChange, onEdit }: StepProps) {
  const name = step.title || `step ${at + 1}`
  return (
    <section className={page.card} aria-label={name}>
      <div className={css.heading}>
        <TextInput
          label={`Step ${at + 1}`}
          maxLength={120}
          value={step.title}
          onChange={(e) => onChange(changeStep(form, at, (s) => ({ ...s, title: e.currentTarget.value })))}
        />
        <MoveButtons
          label={name}
          isFirst={at === 0}
          isLast={at === form.steps.length - 1}
          onMove={(by) => onChange(moveStep(form, at, by))}
        />
        <IconButton
          label={`Remove ${name}`}
          icon={IconTrash}
          disabled={form.steps.length === 1}
          onClick={() => onChange(removeStep(form, at))}
        />
      </div>
      {step.groups.map((group, i) => (
        <Group
          // biome-ignore lint/suspicious/noArrayIndexKey: groups have no name and stay in order
          key={i}
          {...{ form, rules, group, onChange, onEdit }}
          path={{ step: at, group: i }}
          isOnly={step.groups.length === 1}
        />
      ))}
      <div className={css.buttons}>
        <Button variant="subtle" size="compact-sm" onClick={() => onChange(addGroup(form, at))}>
          {`Add a group of questions to “${name}”`}
        </Button>
      </div>
    </section>
  )
}

interface GroupProps extends PartProps {
  readonly group: FormGroup
  readonly path: FormGroupPosition
  /** Whether this is the only group in the step. */
  readonly isOnly: boolean
}

function Group({ form, group, path, isOnly, onChange, onEdit }: GroupProps) {
  return (
    <div className={css.group}>
      {(!isOnly || group.title) && (
        <div className={css.heading}>
          <TextInput
            label="Group heading"
            maxLength={120}
            value={group.title ?? ''}
            onChange={(e) => onChange(setGroupTitle(form, path, e.currentTarget.value))}
          />
          {!isOnly && (
            <IconButton
              label={`Remove the group ${group.title ?? ''}`}
              icon={IconTrash}
              onClick={() => onChange(removeGroup(form, path))}
            />
          )}
        </div>
      )}
      <ul className={css.questions}>
        {group.fields.map((field, i) => (
          <Question key={field.name} form={form} field={field}>
            <MoveButtons
              label={field.label}
              isFirst={i === 0}
              isLast={i === group.fields.length - 1}
              onMove={(by) => onChange(moveField(form, field.name, by))}
            />
            <IconButton
              label={`Copy ${field.label}`}
              icon={IconCopy}
              onClick={() => onChange(copyField(form, field.name))}
            />
            <ChangeButton field={field} onEdit={onEdit} />
            <IconButton
              label={`Remove ${field.label}`}
              icon={IconTrash}
              onClick={() => onChange(removeField(form, field.name))}
            />
          </Question>
        ))}
      </ul>
      <div className={css.buttons}>
        <AddQuestionButton
          to={group.title || form.steps[path.step]?.title || 'the step'}
          onClick={() => onEdit({ group: path })}
        />
      </div>
    </div>
  )
}

interface QuestionProps {
  readonly form: FormSchema
  readonly field: FormField
  /** Buttons beside the question. */
  readonly children?: ReactNode
}

const Question = ({ form, field, children }: QuestionProps) => (
  <li className={css.question}>
    <div className={css.words}>
      <span>{field.label}</span>
      <Text span size="sm" c="dimmed">
        {describeQuestion(form, field)}
      </Text>
    </div>
    {children && <div className={css.buttons}>{children}</div>}
  </li>
)

const AddQuestionButton = ({ to, onClick }: { readonly to: string; readonly onClick: () => void }) => (
  <Button
    variant="default"
    size="xs"
    leftSection={<IconPlus size={14} aria-hidden />}
    aria-label={`Add a question to ${to}`}
    onClick={onClick}
  >
    Add a question
  </Button>
)

const ChangeButton = ({ field, onEdit }: Pick<PartProps, 'onEdit'> & { readonly field: FormField }) => (
  <Button size="compact-sm" variant="subtle" aria-label={`Edit ${field.label}`} onClick={() => onEdit({ field })}>
    Edit
  </Button>
)

interface MoveProps {
  readonly label: string
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly onMove: (by: -1 | 1) => void
}

const MoveButtons = ({ label, isFirst, isLast, onMove }: MoveProps) => (
  <>
    <IconButton label={`Move ${label} up`} icon={IconArrowUp} disabled={isFirst} onClick={() => onMove(-1)} />
    <IconButton label={`Move ${label} down`} icon={IconArrowDown} disabled={isLast} onClick={() => onMove(1)} />
  </>
)

interface IconButtonProps {
  readonly label: string
  readonly icon: Icon
  readonly disabled?: boolean
  readonly onClick: () => void
}

const IconButton = ({ label, icon: Picture, disabled = false, onClick }: IconButtonProps) => (
  <ActionIcon variant="subtle" color="gray" size={36} aria-label={label} disabled={disabled} onClick={onClick}>
    <Picture size={16} aria-hidden />
  </ActionIcon>
)

/** Input for the percentage of points needed to pass, for a form whose choices have points. */
export const PassMarkInput = ({ form, onChange }: Omit<Props, 'rules'>) => (
  <NumberInput
    label="Pass mark (%)"
    description="Percentage of the available points. If empty, the score is shown without a pass or fail result."
    min={1}
    max={100}
    allowDecimal={false}
    value={form.pass ?? ''}
    onChange={(pass) => {
      const { pass: _, ...rest } = form
      onChange(typeof pass === 'number' ? { ...rest, pass } : rest)
    }}
  />
)
