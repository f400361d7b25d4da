import { ActionIcon, Button, Text, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { fieldsIn } from '#kernel/forms/fields-in.ts'
import { isPinned } from '#kernel/forms/read-form.ts'
import type { FormField, FormSchema, FormStep } from '#kernel/forms/schema.ts'
import { riskIndustry } from '#modules/safety/industry.ts'
import { ApiError } from '#web/api/client.ts'
import { useSave } from '#web/api/resources.ts'
import { RemoteSelect } from '#web/forms/remote-select.tsx'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { sentence, toast } from '#web/ui/toast.ts'
import { useUnsaved } from '#web/ui/unsaved.tsx'
import { formVersion } from '../types/form-version.ts'
import type { DocumentKind } from '../types/kind.ts'
import { addField, leaveOut, leftOutOf, moveField, replaceField } from './edit-form.ts'
import css from './forms.module.css'
import { Outline } from './outline.web.tsx'
import { formPaths } from './paths.ts'
import { Question } from './question.web.tsx'

interface Props {
  readonly kind: DocumentKind
  readonly title: string
  readonly back: { readonly label: string; readonly to: string }
  /** The form that the next version begins as. */
  readonly begun: FormSchema
}

/** The next version of a form in the making: questions are added, left out, moved and called otherwise, then it is published. */
export function FormEditor({ kind, title, back, begun }: Props) {
  const navigate = useNavigate()
  const save = useSave(formVersion)
  const [confirming, ask] = useConfirm()
  const [schema, setSchema] = useState(begun)
  const [asked, setAsked] = useState<{ readonly step: string; readonly field?: FormField }>()
  const [notes, setNotes] = useState('')
  const [industry, setIndustry] = useState<string | null>(null)
  const [failures, setFailures] = useState<readonly string[]>([])
  const unsaved = useUnsaved(schema !== begun && !save.isPending && !save.isSuccess)
  const taken = new Set([
    ...Object.keys(kind.resource.fields),
    ...[...fieldsIn(kind.schema), ...fieldsIn(schema)].map((f) => f.name),
  ])
  const left = leftOutOf(kind.schema, schema)
  const publish = async () => {
    if (!notes.trim()) return setFailures(['Please say what is new: authors are told so.'])
    const yes = await ask({
      title: 'Publish the form',
      question: `New documents begin with it, and authors of drafts are told. A version that is published stands: to change it, another is published.`,
      action: 'Publish',
    })
    if (!yes) return
    setFailures([])
    try {
      const { title: called, steps } = schema
      const version = await save.mutateAsync({
        values: { kind: kind.kind, schema: { title: called, steps }, notes: notes.trim(), industry },
      })
      toast.info(`Version ${version.number} is published`, 'safe')
      await navigate(formPaths(kind).list)
    } catch (e) {
      const said = e instanceof ApiError ? e.violations.map((v) => v.message) : []
      setFailures(said.length ? [...new Set(said)] : [sentence(e)])
    }
  }
  const actions = (field: FormField, step: FormStep) => (
    <FieldButtons
      field={field}
      fixed={isPinned(field, kind.title.field)}
      moves={step.groups.some((g) => g.fields.length > 1 && g.fields.includes(field))}
      onMove={(by) => setSchema(moveField(schema, step.name, field.name, by))}
      onChange={() => setAsked({ step: step.name, field })}
      onLeaveOut={() => setSchema(leaveOut(schema, step.name, field.name))}
    />
  )
  const foot = (step: FormStep) => (
    <>
      {left
        .filter((l) => l.step === step.name)
        .map(({ field }) => (
          <div key={field.name} className={css.field}>
            <Text span c="dimmed">{`${field.label}: left out`}</Text>
            <Button
              size="compact-sm"
              variant="subtle"
              onClick={() => setSchema(addField(schema, step.name, field))}
              aria-label={`Ask again for ${field.label}`}
            >
              Ask again
            </Button>
          </div>
        ))}
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => setAsked({ step: step.name })}
        aria-label={`Add a question to ${step.title}`}
      >
        Add a question
      </Button>
    </>
  )
  return (
    <Page title={title} back={back} about="What has been written stays as it is, in the form that it was written by.">
      <Outline schema={schema} actions={actions} foot={foot} />
      <section className={page.card} aria-labelledby="publish">
        <h2 id="publish">Publish</h2>
        <TextInput
          label="What is new (Required)"
          description="Authors read it where they are offered the new form."
          required
          maxLength={500}
          value={notes}
          onChange={(e) => setNotes(e.currentTarget.value)}
        />
        <RemoteSelect
          target={riskIndustry}
          label="Industry"
          description="For documents of this industry only; for all of them where nothing is chosen."
          value={industry}
          onChange={setIndustry}
        />
        {failures.length > 0 && (
          <div role="alert">
            {failures.map((words) => (
              <Text key={words} c="var(--mantine-color-error)" size="sm">
                {words}
              </Text>
            ))}
          </div>
        )}
        <Button loading={save.isPending} disabled={schema === begun} onClick={() => void publish()}>
          Publish
        </Button>
      </section>
      {asked && (
        <Question
          {...(asked.field ? { field: asked.field, pinned: isPinned(asked.field, kind.title.field) } : {})}
          taken={taken}
          onClose={() => setAsked(undefined)}
          onDone={(field) => {
            setSchema(asked.field ? replaceField(schema, asked.step, field) : addField(schema, asked.step, field))
            setAsked(undefined)
          }}
        />
      )}
      {confirming}
      {unsaved}
    </Page>
  )
}

interface ButtonsProps {
  readonly field: FormField
  /** Is it asked for whatever a version says? */
  readonly fixed: boolean
  /** Does its group hold others? */
  readonly moves: boolean
  readonly onMove: (by: -1 | 1) => void
  readonly onChange: () => void
  readonly onLeaveOut: () => void
}

const FieldButtons = ({ field, fixed, moves, onMove, onChange, onLeaveOut }: ButtonsProps) => (
  <div className={css.buttons}>
    {moves && (
      <>
        <ActionIcon variant="subtle" aria-label={`Move ${field.label} up`} onClick={() => onMove(-1)}>
          <IconArrowUp size={16} aria-hidden />
        </ActionIcon>
        <ActionIcon variant="subtle" aria-label={`Move ${field.label} down`} onClick={() => onMove(1)}>
          <IconArrowDown size={16} aria-hidden />
        </ActionIcon>
      </>
    )}
    <Button size="compact-sm" variant="subtle" aria-label={`Change ${field.label}`} onClick={onChange}>
      Change
    </Button>
    {fixed ? (
      <Text span size="sm" c="dimmed">
        Always asked
      </Text>
    ) : (
      <Button size="compact-sm" variant="subtle" aria-label={`Leave out ${field.label}`} onClick={onLeaveOut}>
        Leave out
      </Button>
    )}
  </div>
)
