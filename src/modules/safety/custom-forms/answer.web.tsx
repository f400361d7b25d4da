import { Button, Text } from '@mantine/core'
import { IconDownload, IconFileTypePdf } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { type FineAnswers, isDefect } from '#kernel/forms/fine.ts'
import { toPlainObject, toRowObjects } from '#kernel/forms/rows.ts'
import type { FormField, FormSchema } from '#kernel/forms/schema.ts'
import { uploadsInAnswer } from '#kernel/forms/uploads.ts'
import { visibleForm } from '#kernel/forms/visible.ts'
import { idFromAnyIri } from '#kernel/iri.ts'
import { iriOf, type RecordOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { parseSignature } from '#kernel/signature.ts'
import { AuditChain } from '#modules/documents/audit-chain/seals.web.tsx'
import { DOCUMENT_AUTHOR_ROLES } from '#modules/documents/rights.ts'
import { useActor } from '#web/api/me.ts'
import { openPdf, savePdf } from '#web/api/pdf.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { useApiRecord } from '#web/api/resources.ts'
import { formatIsoAsUkDateTime } from '#web/dates/uk-dates.ts'
import { RichTextView } from '#web/forms/inputs/rich-text-view.tsx'
import { getListReturnPath } from '#web/lists/pager/list-position.ts'
import { usePageTitle } from '#web/shell/pages/title.ts'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { StoredSignature } from '#web/ui/stored-signature.tsx'
import { toast } from '#web/ui/toast.ts'
import { UploadsView } from '#web/uploads/view.tsx'
import { AnswerActions } from './answer-actions.web.tsx'
import { DefectText, FormResultChip } from './chips.web.tsx'
import { customFormAnswer } from './custom-form.ts'
import css from './custom-forms.module.css'
import { customFormPath } from './paths.ts'
import { fineAnswersOfStep, fineAnswersText, formAnswerText, formScoreText, linkRespondentText } from './pdf-body.ts'

type CustomFormAnswerRecord = RecordOf<typeof customFormAnswer>

interface FormOfAnswer {
  readonly number: number
  readonly schema: FormSchema
}

export default function CompletedFormPage() {
  const { slug = '' } = useParams()
  const answer = useApiRecord(customFormAnswer, slug)
  const iri = iriOf(customFormAnswer, slug)
  const form = useQuery({
    queryKey: [customFormAnswer.url, 'form', slug],
    ...urlQueryOptions<FormOfAnswer>(`${iri}/form`),
    staleTime: Number.POSITIVE_INFINITY,
  })
  usePageTitle(answer.data && `${answer.data.number} ${answer.data.title}`)
  if (answer.data && form.data) return <Filled answer={answer.data} form={form.data} />
  const error = answer.error ?? form.error
  const again = () => void Promise.all([answer.refetch(), form.refetch()])
  return (
    <Page title="Completed form" back={{ label: 'Form', to: getListReturnPath('/safety/custom-form/list') }}>
      {error ? <ErrorState error={error} onRetry={again} /> : <LoadingRows rows={8} />}
    </Page>
  )
}

function Filled({ answer, form }: { readonly answer: CustomFormAnswerRecord; readonly form: FormOfAnswer }) {
  const actor = useActor()
  const paper = `${answer['@id']}/pdf`
  const open = () => void openPdf(paper).catch((e: unknown) => toast.failed(e))
  const save = () => void savePdf(paper).catch((e: unknown) => toast.failed(e))
  const values = toPlainObject(answer.answers)
  const score = formScoreText(answer)
  const together = answer.together as readonly FineAnswers[]
  const fine = new Set(together.flatMap((press) => press.questions))
  return (
    <Page
      title={answer.title}
      beside={<FormResultChip result={answer.result} />}
      back={{ label: 'All completed forms', to: customFormPath(idFromAnyIri(answer.form) ?? '') }}
      actions={
        <>
          <Button variant="default" leftSection={<IconFileTypePdf size={16} aria-hidden />} onClick={open}>
            View PDF
          </Button>
          <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} onClick={save}>
            Download PDF
          </Button>
        </>
      }
    >
      <Text size="sm">
        {`${answer.number} · completed ${formatIsoAsUkDateTime(answer.createdAt)} by\u0020`}
        {linkRespondentText(answer) || <PersonName username={answer.author} clientId={actor.clientId} />}
        {` · version ${form.number} of the form`}
        {score && ` · ${score}`}
      </Text>
      {visibleForm(form.schema, values).steps.map(({ step, groups }) => (
        <section key={step.name} className={page.card} aria-labelledby={`step-${step.name}`}>
          <h2 id={`step-${step.name}`}>{step.title}</h2>
          <dl className={css.answers}>
            {groups.flatMap(({ fields }) =>
              fields.map((field) => (
                <div key={field.name}>
                  <dt>{field.label}</dt>
                  <dd>
                    <Value field={field} value={values[field.name]} />
                    {fine.has(field.name) && <span className={css.together}>Entered together</span>}
                  </dd>
                </div>
              )),
            )}
          </dl>
          {fineAnswersOfStep(groups, together).map((press) => (
            <Text key={press.questions.join()} size="sm" c="dimmed">
              {fineAnswersText(press)}
            </Text>
          ))}
        </section>
      ))}
      {hasRole(actor, DOCUMENT_AUTHOR_ROLES) && (
        <>
          <AnswerActions answer={answer} schema={form.schema} />
          <AuditChain of={customFormAnswer} id={answer.id} />
        </>
      )}
    </Page>
  )
}

function Value({ field, value }: { readonly field: FormField; readonly value: unknown }) {
  if (field.kind === 'uploads' && uploadsInAnswer(value).length) return <UploadsView value={uploadsInAnswer(value)} />
  if (field.kind === 'richText' && typeof value === 'string') return <RichTextView html={value} />
  if (field.kind === 'signature') {
    const given = parseSignature(value)
    if (given) return <Signed given={given} />
  }
  if (field.kind === 'rows' && toRowObjects(value).length) return <Rows field={field} value={value} />
  if (isDefect(field, value)) return <DefectText>{formAnswerText(field, value)}</DefectText>
  return formAnswerText(field, value) || <span className={css.none}>Not answered</span>
}

const Signed = ({ given }: { readonly given: NonNullable<ReturnType<typeof parseSignature>> }) => (
  <>
    <StoredSignature strokes={given.method === 'finger' ? given : undefined} name={given.name} />
    {given.method === 'finger' && <div>{given.name}</div>}
  </>
)

function Rows({ field, value }: { readonly field: FormField; readonly value: unknown }) {
  const columns = field.fields ?? []
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the scrollable area must be reachable by keyboard
    <section className={css.rows} tabIndex={0} aria-label={field.label}>
      <table>
        <thead>
          <tr>
            {columns.map((f) => (
              <th key={f.name} scope="col">
                {f.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {toRowObjects(value).map((row, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
            <tr key={i}>
              {columns.map((f) => (
                <td key={f.name}>
                  {isDefect(f, row[f.name]) ? (
                    <DefectText>{formAnswerText(f, row[f.name])}</DefectText>
                  ) : (
                    formAnswerText(f, row[f.name])
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
