import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/NumberInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { Button, Select, Skeleton, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Navigate, useNavigate, useParams } from 'react-router'
import type { FormSchema } from '#kernel/forms/schema.ts'
import { isScoredForm } from '#kernel/forms/score.ts'
import { iriOf, type RecordOf } from '#kernel/resource.ts'
import { AUDIENCE_CHOICES, audienceLabel } from '#modules/documents/types/audience.ts'
import { callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { FormBuilder, PassMarkInput } from '#web/forms/builder/form-builder.tsx'
import { FormPreview } from '#web/forms/builder/form-preview.tsx'
import { FormProblemList, formProblemsOf } from '#web/forms/builder/problem-list.tsx'
import type { FormBuilderRules } from '#web/forms/builder/questions.ts'
import { recordEndpoint } from '#web/forms/schema/record.ts'
import { RestoredInputNotice, useStoredInput } from '#web/forms/stored-input.tsx'
import { usePageTitle } from '#web/shell/pages/title.ts'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { ErrorState } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { useSingleFlight } from '#web/ui/use-single-flight.ts'
import { isSystemTemplate } from '../statements/selection.ts'
import { choiceButtonFields } from './answer-fields.web.tsx'
import { customForm, customFormVersion } from './custom-form.ts'
import css from './custom-forms.module.css'
import { formPublishingProblems, NEW_FORM_STEPS, parseCustomForm } from './form-rules.ts'
import { CUSTOM_FORM_LIST_PATH, customFormPath } from './paths.ts'
import { INSPECTION_CHOICES } from './samples.ts'

type Form = RecordOf<typeof customForm>

const RULES: FormBuilderRules = {
  kinds: [
    'select',
    'text',
    'person',
    'longText',
    'number',
    'date',
    'dateTime',
    'switch',
    'checkbox',
    'combobox',
    'uploads',
    'signature',
    'rows',
  ],
  blank: { kind: 'select', required: true, options: INSPECTION_CHOICES },
  requiredLabel: (kind) => (kind === 'checkbox' ? 'Must be ticked' : 'Answer required'),
  scoring: true,
}

export default function FormBuilderPage() {
  const { slug } = useParams()
  const actor = useActor()
  const iri = slug === undefined ? undefined : iriOf(customForm, slug)
  // Loaded once, because a refetch would overwrite the user's edits.
  const opened = useQuery({
    queryKey: ['building', slug],
    queryFn: () => recordEndpoint(iri ?? '').load(),
    enabled: iri !== undefined,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
  })
  if (iri === undefined)
    return (
      <FormEditor
        start={{ title: '', notes: '', audience: [], schema: { title: '', steps: NEW_FORM_STEPS } }}
        back={{ label: 'Custom forms', to: CUSTOM_FORM_LIST_PATH }}
      />
    )
  const back = { label: 'Form', to: customFormPath(slug ?? '') }
  if (!opened.data)
    return (
      <Page title="Edit form" back={back}>
        {opened.isError ? (
          <ErrorState error={opened.error} onRetry={() => void opened.refetch()} />
        ) : (
          <Skeleton h={320} />
        )}
      </Page>
    )
  const record = opened.data.record as Form
  // A company can't edit a ready-made form. Redirects to the form's page, where the form can be copied.
  if (isSystemTemplate(record) && actor.clientId !== 0) return <Navigate to={customFormPath(record.id)} replace />
  const { title, notes, audience } = record
  return (
    <FormEditor
      key={iri}
      record={record}
      etag={opened.data.etag}
      start={{ title, notes, audience, schema: record.schema as FormSchema }}
      back={back}
    />
  )
}

interface FormValues {
  readonly title: string
  readonly notes: string
  readonly audience: readonly string[]
  readonly schema: FormSchema
}

interface Props {
  /** Stored form; undefined for a new form. */
  readonly record?: Form
  readonly etag?: string | null
  readonly start: FormValues
  readonly back: { readonly label: string; readonly to: string }
}

const WIDE = '(min-width: 75em)'

/** Form editor with a preview beside it. */
function FormEditor({ record, etag, start, back }: Props) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const input = useStoredInput(`form ${record?.['@id'] ?? 'new'}`, () => start, etag)
  const [saving, setSaving] = useState<'save' | 'publish'>()
  const [problems, setProblems] = useState<readonly string[]>([])
  const [confirming, ask] = useConfirm()
  const isWide = useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false })
  const [hasPreview, setHasPreview] = useState(true)
  const { title, notes, audience, schema } = input.input
  usePageTitle(title || 'New form')
  const change = (to: Partial<FormValues>) => input.change((now) => ({ ...now, ...to }))
  const setSchema = (next: FormSchema) => change({ schema: next })

  const store = useSingleFlight(() => save('save'))
  const publish = useSingleFlight(() => save('publish'))
  async function save(how: 'save' | 'publish') {
    const publishes = how === 'publish'
    const { form, wrong } = parseCustomForm(title.trim(), schema)
    const messages = [...wrong, ...(publishes ? formPublishingProblems(form) : [])].map((v) => v.message)
    if (!title.trim()) messages.unshift('Please enter a name')
    setProblems([...new Set(messages)])
    if (messages.length) return
    if (
      publishes &&
      !(await ask({
        title: 'Publish form',
        question:
          'From now on, people will complete this version. A published version can’t be changed; to change the form, publish a new version.',
        action: 'Publish',
      }))
    )
      return
    setSaving(how)
    try {
      const body = { title: title.trim(), notes, audience: [...audience], schema: form }
      const stored = record
        ? ((await recordEndpoint(record['@id']).save(body, etag ?? null)).record as Form)
        : await callApi<Form>('POST', customForm.url, body)
      if (publishes) await callApi('POST', `${stored['@id']}/publish`, {})
      input.setDirty(false)
      await Promise.all([customForm, customFormVersion].map((r) => queries.invalidateQueries({ queryKey: [r.url] })))
      toast.info(publishes ? `Version ${stored.version + 1} published` : 'Form saved', 'safe')
      await navigate(customFormPath(stored.id))
    } catch (e) {
      setProblems(formProblemsOf(e))
      setSaving(undefined)
    }
  }

  return (
    <Page
      title={title || 'New form'}
      back={back}
      actions={
        <>
          {isWide && (
            <Switch label="Preview" checked={hasPreview} onChange={(e) => setHasPreview(e.currentTarget.checked)} />
          )}
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
      <RestoredInputNotice of={input} isSaved={record !== undefined} />
      <Text size="sm" c="dimmed" role="status">
        {input.kept && 'Draft kept on this device'}
      </Text>
      <FormProblemList problems={problems} />
      <div className={css.builder} data-preview={(isWide && hasPreview) || undefined}>
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
              label="Purpose"
              maxLength={2000}
              autosize
              minRows={2}
              value={notes}
              onChange={(e) => change({ notes: e.currentTarget.value })}
            />
            <AudienceSelect audience={audience} onChange={(next) => change({ audience: next })} />
            {isScoredForm(schema) && <PassMarkInput form={schema} onChange={setSchema} />}
          </section>
          <FormBuilder form={schema} rules={RULES} onChange={setSchema} />
          {!isWide && <FormPreview title={title} form={schema} inputs={choiceButtonFields} />}
        </div>
        {isWide && hasPreview && <FormPreview title={title} form={schema} inputs={choiceButtonFields} />}
      </div>
      {confirming}
    </Page>
  )
}

const keyOf = (roles: readonly string[]) => roles.toSorted().join(' ')

interface AudienceProps {
  readonly audience: readonly string[]
  readonly onChange: (roles: string[]) => void
}

function AudienceSelect({ audience, onChange }: AudienceProps) {
  const isListed = AUDIENCE_CHOICES.some((a) => keyOf(a.value) === keyOf(audience))
  const all = isListed ? AUDIENCE_CHOICES : [...AUDIENCE_CHOICES, { label: audienceLabel(audience), value: audience }]
  return (
    <Select
      label="Who can complete the form"
      data={all.map((a) => ({ value: keyOf(a.value), label: a.label }))}
      value={keyOf(audience)}
      allowDeselect={false}
      onChange={(key) => onChange([...(all.find((a) => keyOf(a.value) === key)?.value ?? [])])}
    />
  )
}
