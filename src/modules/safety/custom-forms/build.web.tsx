import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/NumberInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { Button, NumberInput, Select, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { FormSchema } from '#kernel/forms/schema.ts'
import { hasPoints } from '#kernel/forms/score.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { AUDIENCES, audienceLabel } from '#modules/documents/types/audience.ts'
import { ApiError, call } from '#web/api/client.ts'
import { recordAt } from '#web/forms/schema/record.ts'
import { useTitle } from '#web/shell/pages/title.ts'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { sentence, toast } from '#web/ui/toast.ts'
import { useUnsaved } from '#web/ui/unsaved.tsx'
import { useOnce } from '#web/ui/use-once.ts'
import { addStep } from './build-form.ts'
import { BuildStep } from './build-step.web.tsx'
import { customForm, customFormVersion } from './custom-form.ts'
import css from './custom-forms.module.css'
import { publishProblems, readCustomForm } from './form-rules.ts'
import { formPath } from './paths.ts'
import { Preview } from './preview.web.tsx'

type Form = RecordOf<typeof customForm>

interface Said {
  readonly title: string
  readonly notes: string
  readonly audience: readonly string[]
  readonly schema: FormSchema
}

interface Props {
  /** As it is stored; a new one without. */
  readonly record?: Form
  readonly etag?: string | null
  readonly begun: Said
  readonly back: { readonly label: string; readonly to: string }
}

const WIDE = '(min-width: 75em)'
const keyOf = (roles: readonly string[]) => roles.toSorted().join(' ')

/** A form in the making, beside what comes of it on a phone. */
export function Build({ record, etag, begun, back }: Props) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [said, setSaid] = useState(begun)
  const [saving, setSaving] = useState<'save' | 'publish'>()
  const [over, setOver] = useState(false)
  const [wrong, setWrong] = useState<readonly string[]>([])
  const [confirming, ask] = useConfirm()
  const wide = useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false })
  const [shown, show] = useState(true)
  const unsaved = useUnsaved(said !== begun && !saving && !over)
  const { title, notes, audience, schema } = said
  useTitle(title || 'New form')
  const change = (to: Partial<Said>) => setSaid({ ...said, ...to })
  const setSchema = (next: FormSchema) => change({ schema: next })

  const store = useOnce(() => save(false))
  const publish = useOnce(() => save(true))
  async function save(isLast: boolean) {
    const { form, wrong: all } = readCustomForm(title.trim(), schema)
    const problems = [...all, ...(isLast ? publishProblems(form) : [])].map((v) => v.message)
    if (!title.trim()) problems.unshift('Please give the form a name')
    setWrong([...new Set(problems)])
    if (problems.length) return
    if (
      isLast &&
      !(await ask({
        title: 'Publish the form',
        question:
          'From now on it is filled in as it stands here. A version that is published never changes: to change it, another is published.',
        action: 'Publish',
      }))
    )
      return
    setSaving(isLast ? 'publish' : 'save')
    try {
      const values = { title: title.trim(), notes, audience: [...audience], schema: form }
      const stored = record
        ? ((await recordAt(record['@id']).save(values, etag ?? null)).record as Form)
        : await call<Form>('POST', customForm.url, values)
      if (isLast) await call('POST', `${stored['@id']}/publish`, {})
      setOver(true)
      await Promise.all([customForm, customFormVersion].map((r) => queries.invalidateQueries({ queryKey: [r.url] })))
      toast.info(isLast ? `Version ${stored.version + 1} is published` : 'The form is saved', 'safe')
      await navigate(formPath(stored.id))
    } catch (e) {
      const told = e instanceof ApiError ? e.violations.map((v) => v.message) : []
      setWrong(told.length ? [...new Set(told)] : [sentence(e)])
      setSaving(undefined)
    }
  }

  return (
    <Page
      title={title || 'New form'}
      back={back}
      actions={
        <>
          {wide && <Switch label="Preview" checked={shown} onChange={(e) => show(e.currentTarget.checked)} />}
          <Button
            variant="default"
            loading={saving === 'save'}
            disabled={saving !== undefined}
            onClick={() => void store()}
          >
            Save
          </Button>
          <Button loading={saving === 'publish'} disabled={saving !== undefined} onClick={() => void publish()}>
            Publish
          </Button>
        </>
      }
    >
      {wrong.length > 0 && (
        <div role="alert">
          {wrong.map((words) => (
            <Text key={words} c="var(--mantine-color-error)" size="sm">
              {words}
            </Text>
          ))}
        </div>
      )}
      <div className={css.builder} data-preview={(wide && shown) || undefined}>
        <div className={css.parts}>
          <section className={page.card} aria-label="About the form">
            <TextInput
              label="Name (Required)"
              required
              maxLength={120}
              placeholder="Weekly scaffold check"
              value={title}
              onChange={(e) => change({ title: e.currentTarget.value })}
              {...(record ? {} : { 'data-autofocus': true, autoFocus: true })}
            />
            <Textarea
              label="What it is for"
              maxLength={2000}
              autosize
              minRows={2}
              value={notes}
              onChange={(e) => change({ notes: e.currentTarget.value })}
            />
            <WhoFills audience={audience} onChange={(next) => change({ audience: next })} />
            {hasPoints(schema) && <PassMark schema={schema} onChange={setSchema} />}
          </section>
          {schema.steps.map((step, i) => (
            <BuildStep key={step.name} form={schema} step={step} at={i} onChange={setSchema} />
          ))}
          <div className={css.buttons}>
            <Button
              variant="default"
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={() => setSchema(addStep(schema))}
            >
              Add a step
            </Button>
          </div>
          {!wide && <Preview title={title} schema={schema} />}
        </div>
        {wide && shown && <Preview title={title} schema={schema} />}
      </div>
      {confirming}
      {unsaved}
    </Page>
  )
}

function WhoFills({
  audience,
  onChange,
}: {
  readonly audience: readonly string[]
  readonly onChange: (roles: string[]) => void
}) {
  const known = AUDIENCES.some((a) => keyOf(a.value) === keyOf(audience))
  const all = known ? AUDIENCES : [...AUDIENCES, { label: audienceLabel(audience), value: audience }]
  return (
    <Select
      label="Who may fill it in"
      data={all.map((a) => ({ value: keyOf(a.value), label: a.label }))}
      value={keyOf(audience)}
      allowDeselect={false}
      onChange={(key) => onChange([...(all.find((a) => keyOf(a.value) === key)?.value ?? [])])}
    />
  )
}

const PassMark = ({
  schema,
  onChange,
}: {
  readonly schema: FormSchema
  readonly onChange: (form: FormSchema) => void
}) => (
  <NumberInput
    label="Pass mark, percent"
    description="Of the points that there are. Empty: the score is shown, and nothing passes or fails."
    min={1}
    max={100}
    allowDecimal={false}
    value={schema.pass ?? ''}
    onChange={(pass) => {
      const { pass: _, ...rest } = schema
      onChange(typeof pass === 'number' ? { ...rest, pass } : rest)
    }}
  />
)
