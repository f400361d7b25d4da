import { Button, Skeleton, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import type { FormSchema } from '#kernel/forms/schema.ts'
import { iriOf } from '#kernel/resource.ts'
import { riskIndustry } from '#modules/safety/industry.ts'
import { callApi } from '#web/api/client.ts'
import { useSaveRecord } from '#web/api/resources.ts'
import { FormBuilder } from '#web/forms/builder/form-builder.tsx'
import { FormProblemList, formProblemsOf } from '#web/forms/builder/problem-list.tsx'
import type { FormBuilderRules } from '#web/forms/builder/questions.ts'
import { RemoteSelect } from '#web/forms/remote-select.tsx'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { ErrorState } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { useUnsavedChangesGuard } from '#web/ui/unsaved.tsx'
import { formVersion } from '../types/document-fields.ts'
import type { DocumentKind } from '../types/kind.ts'
import type { DocumentScreenProps } from '../types/kind.web.ts'
import { formPaths } from './labels.ts'

interface Props {
  readonly kind: DocumentKind
  readonly title: string
  readonly back: { readonly label: string; readonly to: string }
  /** The form on which the next version is based. */
  readonly start: FormSchema
}

const rulesOf = (kind: DocumentKind): FormBuilderRules => ({
  kinds: ['text', 'longText', 'number', 'date', 'select', 'switch', 'checkbox'],
  blank: { kind: 'text', additional: true },
  requiredLabel: () => 'Required to complete the document',
  declared: { schema: kind.schema, title: kind.title.field, taken: Object.keys(kind.resource.fields) },
})

/** Editor that creates and publishes the next version of a document type's form. */
function FormEditor({ kind, title, back, start }: Props) {
  const navigate = useNavigate()
  const save = useSaveRecord(formVersion)
  const [confirming, ask] = useConfirm()
  const [form, setForm] = useState(start)
  const [notes, setNotes] = useState('')
  const [industry, setIndustry] = useState<string | null>(null)
  const [problems, setProblems] = useState<readonly string[]>([])
  const unsaved = useUnsavedChangesGuard(form !== start && !save.isPending && !save.isSuccess)
  const publish = async () => {
    if (!notes.trim()) return setProblems(['Please describe what is new. Authors will see your description.'])
    const yes = await ask({
      title: 'Publish form',
      question:
        'New documents will use this version, and authors of drafts are notified. A published version can’t be changed; to change the form again, publish another version.',
      action: 'Publish',
    })
    if (!yes) return
    setProblems([])
    try {
      const schema = { title: form.title, steps: form.steps }
      const version = await save.mutateAsync({ values: { kind: kind.kind, schema, notes: notes.trim(), industry } })
      toast.info(`Version ${version.number} published`, 'safe')
      await navigate(formPaths(kind).list)
    } catch (e) {
      setProblems(formProblemsOf(e))
    }
  }
  return (
    <Page title={title} back={back} about="Existing documents keep the form they were written with.">
      <FormBuilder form={form} rules={rulesOf(kind)} onChange={setForm} />
      <section className={page.card} aria-labelledby="publish">
        <h2 id="publish">Publish</h2>
        <TextInput
          label="What is new (Required)"
          description="Shown to authors when the new form is offered."
          required
          maxLength={500}
          value={notes}
          onChange={(e) => setNotes(e.currentTarget.value)}
        />
        <RemoteSelect
          target={riskIndustry}
          label="Industry"
          description="Only for documents in this industry. Leave empty for all industries."
          value={industry}
          onChange={setIndustry}
        />
        <FormProblemList problems={problems} />
        <Button loading={save.isPending} disabled={form === start} onClick={() => void publish()}>
          Publish
        </Button>
      </section>
      {confirming}
      {unsaved}
    </Page>
  )
}

/** Page to create the next version of a form, based on the current version or on the version in the URL. */
export default function NewFormVersionPage({ parts: { kind } }: DocumentScreenProps) {
  const paths = formPaths(kind)
  const [search] = useSearchParams()
  const from = search.get('from')
  const start = useQuery({
    queryKey: ['changing a form', kind.kind, from],
    queryFn: ({ signal }) =>
      from
        ? callApi<{ schema: FormSchema }>('GET', iriOf(formVersion, from), undefined, { signal }).then((v) => v.schema)
        : callApi<FormSchema>('GET', `${kind.resource.url}/schema`, undefined, { signal }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
  })
  const title = `Edit form questions: ${kind.nav.title.toLowerCase()}`
  const back = { label: 'Versions', to: paths.list }
  if (!start.data)
    return (
      <Page title={title} back={back}>
        {start.isError ? <ErrorState error={start.error} onRetry={() => void start.refetch()} /> : <Skeleton h={320} />}
      </Page>
    )
  return <FormEditor key={from} kind={kind} title={title} back={back} start={start.data} />
}
