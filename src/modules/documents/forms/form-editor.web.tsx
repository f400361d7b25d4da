import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { FormSchema } from '#kernel/forms/schema.ts'
import { riskIndustry } from '#modules/safety/industry.ts'
import { useSave } from '#web/api/resources.ts'
import { FormBuilder } from '#web/forms/builder/form-builder.tsx'
import { ProblemList, problemsOf } from '#web/forms/builder/problem-list.tsx'
import type { BuilderRules } from '#web/forms/builder/questions.ts'
import { RemoteSelect } from '#web/forms/remote-select.tsx'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { toast } from '#web/ui/toast.ts'
import { useUnsaved } from '#web/ui/unsaved.tsx'
import { formVersion } from '../types/form-version.ts'
import type { DocumentKind } from '../types/kind.ts'
import { formPaths } from './paths.ts'

interface Props {
  readonly kind: DocumentKind
  readonly title: string
  readonly back: { readonly label: string; readonly to: string }
  /** The form on which the next version is based. */
  readonly start: FormSchema
}

const rulesOf = (kind: DocumentKind): BuilderRules => ({
  kinds: ['text', 'longText', 'number', 'date', 'select', 'switch', 'checkbox'],
  blank: { kind: 'text', additional: true },
  requiredLabel: () => 'It must be answered before the document is complete',
  declared: { schema: kind.schema, title: kind.title.field, taken: Object.keys(kind.resource.fields) },
})

/** Makes the next version of a document type's form, and publishes it. */
export function FormEditor({ kind, title, back, start }: Props) {
  const navigate = useNavigate()
  const save = useSave(formVersion)
  const [confirming, ask] = useConfirm()
  const [form, setForm] = useState(start)
  const [notes, setNotes] = useState('')
  const [industry, setIndustry] = useState<string | null>(null)
  const [problems, setProblems] = useState<readonly string[]>([])
  const unsaved = useUnsaved(form !== start && !save.isPending && !save.isSuccess)
  const publish = async () => {
    if (!notes.trim()) return setProblems(['Please say what is new: authors are told so.'])
    const yes = await ask({
      title: 'Publish the form',
      question: `New documents begin with it, and authors of drafts are told. A version that is published stands: to change it, another is published.`,
      action: 'Publish',
    })
    if (!yes) return
    setProblems([])
    try {
      const schema = { title: form.title, steps: form.steps }
      const version = await save.mutateAsync({ values: { kind: kind.kind, schema, notes: notes.trim(), industry } })
      toast.info(`Version ${version.number} is published`, 'safe')
      await navigate(formPaths(kind).list)
    } catch (e) {
      setProblems(problemsOf(e))
    }
  }
  return (
    <Page title={title} back={back} about="What has been written stays as it is, in the form that it was written by.">
      <FormBuilder form={form} rules={rulesOf(kind)} onChange={setForm} />
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
        <ProblemList problems={problems} />
        <Button loading={save.isPending} disabled={form === start} onClick={() => void publish()}>
          Publish
        </Button>
      </section>
      {confirming}
      {unsaved}
    </Page>
  )
}
