import { Button, Text } from '@mantine/core'
import { IconCopy, IconDownload, IconPencil, IconPlus, IconQrcode } from '@tabler/icons-react'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { z } from 'zod'
import { can, isBlockedByImpersonation } from '#kernel/can.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'
import { idFromAnyIri } from '#kernel/iri.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { AuditChain } from '#modules/documents/audit-chain/seals.web.tsx'
import { audienceLabel } from '#modules/documents/types/audience.ts'
import { callApi, queryString } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { useApiRecord } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { londonToday } from '#web/dates/uk-dates.ts'
import { FormPreview } from '#web/forms/builder/form-preview.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { getListReturnPath } from '#web/lists/pager/list-position.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { RecordPanels } from '#web/shell/manifest/panels.tsx'
import { usePageTitle } from '#web/shell/pages/title.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { downloadFile } from '#web/uploads/fetch.ts'
import {
  FORM_LINK_DAYS,
  formLinkProblem,
  listQuestionsNotByLink,
  MAX_DAILY_LINK_ANSWERS,
} from '../form-links/form-link.ts'
import { isSystemTemplate } from '../statements/selection.ts'
import { choiceButtonFields } from './answer-fields.web.tsx'
import { CustomFormStatusChip, DefectsChip, FormResultChip } from './chips.web.tsx'
import {
  customForm,
  customFormAnswer,
  customFormVersion,
  FORM_RESULT_OPTIONS,
  type FormResults,
} from './custom-form.ts'
import { CUSTOM_FORM_LIST_PATH, completedFormPath, completeFormPath, formBuilderPath } from './paths.ts'
import { formScoreText, linkRespondentText } from './pdf-body.ts'

type Form = RecordOf<typeof customForm>

/** Page of a custom form, with completed forms, exports and actions. */
export default function CustomFormPage() {
  const { slug } = useParams()
  const { data, error, refetch } = useApiRecord(customForm, slug)
  usePageTitle(data?.title)
  const back = { label: 'Custom forms', to: getListReturnPath(CUSTOM_FORM_LIST_PATH) }
  if (data) return <OneForm key={data.id} form={data} back={back} />
  return (
    <Page title="Custom form" back={back}>
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingRows rows={6} />}
    </Page>
  )
}

const FORMATS = [
  ['xlsx', 'Answers as XLSX'],
  ['csv', 'Answers as CSV'],
] as const
const LIST = listUrlSchema({
  result: z.enum(['', 'passed', 'failed']).default(''),
  subject: z.string().max(1000).default(''),
})

const PosterLinkDialog = lazyComponent(() => import('#modules/documents/signoff/link-dialog.web.tsx'))
const FormResultCharts = lazyComponent(() => import('./results.web.tsx'), 'silent')

function OneForm({ form, back }: { readonly form: Form; readonly back: { label: string; to: string } }) {
  const actor = useActor()
  const [state, set] = useUrlState(LIST)
  const address = `${form['@id']}/results${queryString({ subject: state.subject })}`
  const results = useQuery({
    queryKey: [customFormAnswer.url, 'list', address],
    queryFn: ({ signal }) => callApi<FormResults>('GET', address, undefined, { signal }),
    placeholderData: keepPreviousData,
    enabled: form.current !== null,
  }).data
  const subjects = results?.subjects ?? []
  const ready = isSystemTemplate(form) && actor.clientId !== 0
  const may = can(actor, 'create', customForm)
  const fills = form.live && !form.retired && !ready
  const save = (format: (typeof FORMATS)[number][0]) =>
    void downloadFile(`${form['@id']}/answers.${format}`, `${form.title}.${format}`).catch((e: unknown) =>
      toast.failed(e),
    )
  return (
    <Page
      title={form.title}
      beside={<CustomFormStatusChip form={form} />}
      back={back}
      about={form.notes || undefined}
      actions={
        <>
          {may && <CopyButton form={form} main={ready} />}
          {may && !ready && !form.retired && (
            <Button
              variant="default"
              component={Link}
              to={formBuilderPath(form.id)}
              leftSection={<IconPencil size={16} aria-hidden />}
            >
              Edit
            </Button>
          )}
          {fills && may && <FormLinkButton form={form} />}
          {fills && (
            <Button component={Link} to={completeFormPath(form.id)} leftSection={<IconPlus size={16} aria-hidden />}>
              Complete form
            </Button>
          )}
        </>
      }
    >
      {ready ? (
        <>
          <Text>
            This is a ready-made form. You can try it here; nothing is saved. To edit, publish and use the form, copy it
            to your own forms.
          </Text>
          <FormPreview title={form.title} form={form.schema as FormSchema} inputs={choiceButtonFields} />
        </>
      ) : (
        <>
          {may && <Text size="sm" c="dimmed">{`Can be completed by: ${audienceLabel(form.audience)}`}</Text>}
          <DataList
            resource={customFormAnswer}
            label="Completed forms"
            state={state}
            onState={set}
            params={{ form: form.id }}
            search="Search by number or answer"
            filters={[
              { key: 'result', label: 'Result', options: FORM_RESULT_OPTIONS },
              ...(subjects.length || state.subject
                ? [
                    {
                      key: 'subject',
                      label: 'Site or item checked',
                      options: [...new Set([...subjects.map(({ name }) => name), state.subject])]
                        .filter(Boolean)
                        .map((name) => ({ value: name, label: name })),
                    },
                  ]
                : []),
            ]}
            actions={
              may &&
              FORMATS.map(([format, label]) => (
                <Button
                  key={format}
                  variant="default"
                  leftSection={<IconDownload size={16} aria-hidden />}
                  onClick={() => save(format)}
                >
                  {label}
                </Button>
              ))
            }
            columns={[
              'number',
              { key: 'subject', title: 'Site or item checked', render: (a) => a.subject || '—' },
              { key: 'createdAt', title: 'Completed' },
              {
                key: 'author',
                title: 'Completed by',
                fields: ['author', 'byLink', 'name', 'company'],
                render: (a) => linkRespondentText(a) || <PersonName username={a.author} clientId={actor.clientId} />,
              },
              {
                key: 'percent',
                title: 'Score',
                fields: ['points', 'outOf', 'percent'],
                render: (a) => formScoreText(a) || '—',
              },
              {
                key: 'defects',
                title: 'Defects',
                tight: true,
                render: (a) => <DefectsChip defects={a.defects} />,
              },
              {
                key: 'result',
                title: 'Result',
                tight: true,
                render: (a) => (a.result ? <FormResultChip result={a.result} /> : '—'),
              },
            ]}
            href={(a) => completedFormPath(a.id)}
            empty={
              <EmptyState
                title="No completed forms yet"
                action={
                  fills ? (
                    <Button component={Link} to={completeFormPath(form.id)}>
                      Complete form
                    </Button>
                  ) : undefined
                }
              >
                {form.live
                  ? 'Each completed form is listed here and can’t be changed.'
                  : 'Publish the form so that people can complete it.'}
              </EmptyState>
            }
          />
          {results && (
            <Suspense>
              <FormResultCharts {...results} />
            </Suspense>
          )}
        </>
      )}
      <RecordPanels record={form} />
      {may && form.current && <Newest form={form} />}
    </Page>
  )
}

/** The current version, with its audit chain entries. Renders nothing if the form has not been published. */
function Newest({ form }: { readonly form: Form }) {
  const id = idFromAnyIri(form.current)
  const version = useApiRecord(customFormVersion, id)
  if (id === undefined || !version.data) return null
  return (
    <section className={page.card} aria-labelledby="newest">
      <h2 id="newest">{`Version ${version.data.number}`}</h2>
      <Text size="sm">
        Published <DateTimeText at={version.data.createdAt} />
      </Text>
      <AuditChain of={customFormVersion} id={id} />
    </section>
  )
}

/** Button that opens the dialog with the link and QR code by which people without an account answer the form. */
function FormLinkButton({ form }: { readonly form: Form }) {
  const actor = useActor()
  const [open, setOpen] = useState(false)
  const version = useApiRecord(customFormVersion, open ? idFromAnyIri(form.current) : undefined)
  const queries = useQueryClient()
  if (isBlockedByImpersonation(actor, 'create', customFormAnswer)) return null
  const schema = version.data?.schema as FormSchema | undefined
  const omitted = schema ? listQuestionsNotByLink(schema).map((label) => `“${label}”`) : []
  const url = `${form['@id']}/link`
  const after = (days: number) => Temporal.PlainDate.from(londonToday()).add({ days }).toString()
  const about = `People without an account can answer this form on their own phone. They enter their name, and their answers are listed as given by link. The link always opens the newest published version, and takes up to ${MAX_DAILY_LINK_ANSWERS} answers a day. Anyone with the link can read the form and answer it.`
  return (
    <>
      <Button variant="default" leftSection={<IconQrcode size={16} aria-hidden />} onClick={() => setOpen(true)}>
        Answer by link or QR code
      </Button>
      {open && schema && (
        <Suspense>
          <PosterLinkDialog
            url={url}
            poster={`${url}/poster`}
            title="Answer by link or QR code"
            about={
              omitted.length
                ? `${about} Photos and files can’t be sent by link, so these questions are not asked there: ${omitted.join(', ')}.`
                : about
            }
            refusal={formLinkProblem(schema)}
            invite="Scan this code with a phone and answer the form there."
            used={({ signed }) => `Answers with this link: ${signed}.`}
            days={{ min: londonToday(), max: after(FORM_LINK_DAYS.most), usual: after(FORM_LINK_DAYS.usual) }}
            onClose={() => {
              setOpen(false)
              void queries.invalidateQueries({ queryKey: [customFormAnswer.url] })
            }}
          />
        </Suspense>
      )}
    </>
  )
}

function CopyButton({ form, main }: { readonly form: Form; readonly main: boolean }) {
  const navigate = useNavigate()
  const copy = useMutation({
    mutationFn: () => callApi<Form>('POST', `${form['@id']}/copy`, {}),
    onSuccess: (made) => navigate(formBuilderPath(made.id)),
    onError: (e) => toast.failed(e),
  })
  return (
    <Button
      variant={main ? 'filled' : 'default'}
      leftSection={<IconCopy size={16} aria-hidden />}
      loading={copy.isPending}
      onClick={() => copy.mutate()}
    >
      {main ? 'Copy to our forms' : 'Copy'}
    </Button>
  )
}
