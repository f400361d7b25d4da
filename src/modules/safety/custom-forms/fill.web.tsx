import { Alert, Button, Text } from '@mantine/core'
import { IconHistory, IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { can, isBlockedByImpersonation } from '#kernel/can.ts'
import { formFieldsIn } from '#kernel/forms/fields-in.ts'
import { type FineAnswers, pickFineAnswers } from '#kernel/forms/fine.ts'
import { formCompletionProblems } from '#kernel/forms/problems.ts'
import { clearHiddenFields } from '#kernel/forms/read-answers.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'
import { uploadsInAnswer } from '#kernel/forms/uploads.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { idFromAnyIri } from '#kernel/iri.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { ApiError } from '#web/api/client.ts'
import { createRandomKey } from '#web/api/idempotency.ts'
import { useActor } from '#web/api/me.ts'
import { useApiRecord } from '#web/api/resources.ts'
import { session } from '#web/api/session.ts'
import { formatIsoAsUkDateTime } from '#web/dates/uk-dates.ts'
import { SchemaForm } from '#web/forms/schema/schema-form.tsx'
import { type FormStore, useFormStore } from '#web/forms/schema/store.ts'
import { draftStore } from '#web/offline/drafts.ts'
import { getQueuedRequests, QUEUED_RESULT, sendOrQueue } from '#web/offline/outbox/outbox.ts'
import { ownerKeyOf } from '#web/offline/owner.ts'
import { placeholderForRequest } from '#web/offline/requests.ts'
import { usePageTitle } from '#web/shell/pages/title.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows, OfflineNotice } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { useSingleFlight } from '#web/ui/use-single-flight.ts'
import { FormUploadsContext, FormUploadsField, formUploadsKey, inspectionFields } from './answer-fields.web.tsx'
import { customForm, customFormAnswer, customFormVersion } from './custom-form.ts'
import css from './custom-forms.module.css'
import {
  createFineAnswersStore,
  FillContext,
  FineAnswersButton,
  type FineAnswersStore,
  FormSent,
  LastAnswer,
  ScoreLine,
  useLastAnswers,
} from './fill-parts.web.tsx'
import { completedFormPath, customFormPath } from './paths.ts'

const NameInput = lazyComponent(() => import('#modules/documents/named-employees/name-input.web.tsx'))

/** Answers in progress, saved on this device until they are sent. */
interface FormAnswersDraft {
  /** `@id` of the form version for which the answers were started. */
  readonly version: string
  /** Key of these answers, used to keep their queued pictures apart from the pictures of other answers. */
  readonly key: string
  readonly answers: Values
  /** Answers that were entered together; missing in older drafts. */
  readonly together?: readonly FineAnswers[]
  /** Start time, in milliseconds since 1970. */
  readonly begunAt: number
}

const NAME = 'filling'
const keyOf = (form: number) => `${ownerKeyOf(session.me())}/custom-form/${form}`

const isFilling = (value: unknown): value is FormAnswersDraft =>
  value !== null && typeof value === 'object' && 'version' in value && 'key' in value && 'answers' in value

async function readAnswersDraft(form: number): Promise<FormAnswersDraft | null> {
  const kept = (await draftStore.read(keyOf(form)))[NAME]?.value
  return isFilling(kept) ? kept : null
}

type BegunAnswers = Pick<FormAnswersDraft, 'answers' | 'together'>

const newFilling = (version: string, begun: BegunAnswers = { answers: {} }): FormAnswersDraft => ({
  version,
  key: createRandomKey(),
  ...begun,
  begunAt: Date.now(),
})

const draftOf = (value: FormAnswersDraft) => ({ [NAME]: { value, base: null, at: Date.now() } })
const storeFilling = (form: number, filling: FormAnswersDraft): Promise<void> =>
  draftStore.write(keyOf(form), draftOf(filling))
/** Saves the answers on this device as the page closes. */
const storeFillingNow = (form: number, filling: FormAnswersDraft): void =>
  draftStore.writeNow(keyOf(form), draftOf(filling))

/** Deletes the answers in progress from this device, after they are sent or before the user starts again. */
async function removeFilling(form: number): Promise<void> {
  const kept = await readAnswersDraft(form)
  if (kept) await draftStore.remove(keyOf(form), { [NAME]: kept })
}

type Form = RecordOf<typeof customForm>

/** Page to complete a form, mainly on a phone, online or offline. */
export default function CompleteFormPage() {
  const { slug = '' } = useParams()
  const form = useApiRecord(customForm, slug)
  const kept = useQuery({
    queryKey: ['filling', slug],
    queryFn: () => readAnswersDraft(Number(slug)),
    gcTime: 0,
    networkMode: 'always',
    staleTime: Number.POSITIVE_INFINITY,
  })
  usePageTitle(form.data?.title)
  const back = { label: 'Form', to: customFormPath(slug) }
  if (form.data && kept.data !== undefined)
    return <FillingScreen key={form.data.id} form={form.data} kept={kept.data} back={back} />
  return (
    <Page title="Complete form" back={back}>
      {form.error ? <ErrorState error={form.error} onRetry={() => void form.refetch()} /> : <LoadingRows rows={6} />}
    </Page>
  )
}

interface Back {
  readonly label: string
  readonly to: string
}

function FillingScreen({
  form,
  kept,
  back,
}: {
  readonly form: Form
  readonly kept: FormAnswersDraft | null
  readonly back: Back
}) {
  const actor = useActor()
  const [filling, setFilling] = useState(() => kept ?? newFilling(form.current ?? ''))
  const [sent, setSent] = useState(false)
  const version = useApiRecord(customFormVersion, idFromAnyIri(filling.version))
  const again = (begun?: BegunAnswers) => {
    setSent(false)
    setFilling(newFilling(form.current ?? '', begun))
  }
  if (!form.current || form.retired)
    return (
      <Page title={form.title} back={back}>
        <EmptyState title="This form is not available">
          {form.retired ? 'The form has been deleted.' : 'The form has not been published yet.'}
        </EmptyState>
      </Page>
    )
  if (!can(actor, 'create', customFormAnswer))
    return (
      <Page title={form.title} back={back}>
        <EmptyState title="You can’t complete this form">
          {isBlockedByImpersonation(actor, 'create', customFormAnswer)
            ? 'Forms must be completed under your own account. You can’t do this while working as another user.'
            : 'With your role, you can read forms but not complete them.'}
        </EmptyState>
      </Page>
    )
  if (sent) return <FormSent form={form} back={back} onAgain={() => again()} />
  if (!version.data)
    return (
      <Page title={form.title} back={back}>
        {version.error ? (
          <ErrorState error={version.error} onRetry={() => void version.refetch()} />
        ) : (
          <LoadingRows rows={6} />
        )}
      </Page>
    )
  return (
    <FillForm
      key={filling.key}
      form={form}
      schema={version.data.schema as FormSchema}
      filling={filling}
      restored={kept?.key === filling.key}
      back={back}
      onAgain={async (begun) => {
        await removeFilling(form.id)
        again(begun)
      }}
      onKept={() => setSent(true)}
    />
  )
}

interface Props {
  readonly form: Form
  readonly schema: FormSchema
  readonly filling: FormAnswersDraft
  /** True if the answers were restored from this device. */
  readonly restored: boolean
  readonly back: Back
  readonly onAgain: (begun?: BegunAnswers) => Promise<void>
  readonly onKept: () => void
}

function FillForm({ form, schema, filling, restored, back, onAgain, onKept }: Props) {
  const navigate = useNavigate()
  const store = useFormStore(schema, filling.answers)
  const [busy, setBusy] = useState(false)
  const [underway, setUnderway] = useState<ReadonlySet<string>>(new Set())
  const [fine] = useState(() => createFineAnswersStore(schema, store, filling.together ?? []))
  useEffect(() => fine.follow(), [fine])
  const over = useStoredFilling(form.id, filling, store, fine)
  const last = useLastAnswers(form.id, store)
  const fill = useMemo(() => ({ store, fine, last }), [store, fine, last])
  const choices = useMemo(() => inspectionFields(schema), [schema])
  const context = useMemo(
    () => ({
      key: filling.key,
      onBusy: (at: string, is: boolean) =>
        setUnderway((was) =>
          was.has(at) === is ? was : new Set(is ? [...was, at] : [...was].filter((w) => w !== at)),
        ),
    }),
    [filling.key],
  )
  const send = useSingleFlight(async () => {
    store.check()
    const { answers, parts } = withPictures(schema, filling.key, store.values())
    const wrong = formCompletionProblems(schema, answers)
    if (wrong.length) return
    setBusy(true)
    try {
      const made = await sendOrQueue<{ id: number; number: string }>(
        'POST',
        customFormAnswer.url,
        {
          form: form['@id'],
          version: filling.version,
          answers,
          together: pickFineAnswers(schema, answers, fine.list()),
        },
        {
          idempotencyKey: filling.key,
          parts,
          description: { what: form.title, at: customFormPath(form.id), about: [form['@id']] },
        },
      )
      over()
      await removeFilling(form.id)
      if (made === QUEUED_RESULT) return onKept()
      toast.info(`Sent as ${made.number}`, 'safe')
      await navigate(completedFormPath(made.id), { replace: true })
    } catch (e) {
      const said = e instanceof ApiError ? e.violations : []
      if (said.length) store.refuse(said.map((v) => ({ ...v, propertyPath: v.propertyPath.replace(/^answers\./, '') })))
      else toast.failed(e)
      setBusy(false)
    }
  })
  const newer = filling.version !== form.current
  return (
    <FormUploadsContext value={context}>
      <Page title={form.title} back={back} about={form.notes || undefined}>
        <OfflineNotice>
          You are offline. Your answers are saved on this device and sent when you are online again.
        </OfflineNotice>
        {restored && (
          <Alert color="signal" role="status" title="Your saved answers" icon={<IconHistory aria-hidden />}>
            <Text size="sm">{`You started this form on ${formatIsoAsUkDateTime(new Date(filling.begunAt).toISOString())} and have not sent it yet.`}</Text>
            <Button size="xs" mt="xs" variant="default" onClick={() => void onAgain()}>
              Start again
            </Button>
          </Alert>
        )}
        {newer && (
          <Alert color="signal" role="status" title="There is a newer version of this form">
            <Text size="sm">You can finish the version that you started or continue with the newer one.</Text>
            <Button
              size="xs"
              mt="xs"
              variant="default"
              onClick={() => void onAgain({ answers: store.values(), together: fine.list() })}
            >
              Use the newer version
            </Button>
          </Alert>
        )}
        <FillContext value={fill}>
          <SchemaForm
            store={store}
            custom={choices}
            uploads={FormUploadsField}
            person={NameInput}
            note={LastAnswer}
            stepEnd={FineAnswersButton}
            stepIn="here"
          />
        </FillContext>
        <div className={css.send}>
          <ScoreLine schema={schema} store={store} />
          <Button
            leftSection={<IconSend size={16} aria-hidden />}
            loading={busy}
            disabled={underway.size > 0}
            onClick={() => void send()}
          >
            {underway.size ? 'Pictures are being uploaded' : 'Send'}
          </Button>
        </div>
      </Page>
    </FormUploadsContext>
  )
}

/**
 * Saves the answers on this device shortly after each change and when the page closes. Returns a function that stops
 * saving.
 */
function useStoredFilling(
  form: number,
  filling: FormAnswersDraft,
  store: FormStore,
  fine: FineAnswersStore,
): () => void {
  const over = useRef(false)
  const now = useCallback(
    (): FormAnswersDraft => ({ ...filling, answers: store.values(), together: fine.list() }),
    [filling, store, fine],
  )
  useEffect(() => {
    let changed = false
    const keep = () => {
      if (!over.current) void storeFilling(form, now())
    }
    const leave = () => {
      if (!over.current && changed) storeFillingNow(form, now())
    }
    const stop = store.onDerived(keep)
    const mark = store.onAny(() => {
      changed = true
    })
    addEventListener('pagehide', leave)
    return () => {
      stop()
      mark()
      removeEventListener('pagehide', leave)
      if (changed) keep()
    }
  }, [form, now, store])
  return () => {
    over.current = true
  }
}

/** Returns the answers to send. Pictures that are queued but not uploaded yet are represented by placeholders. */
function withPictures(schema: FormSchema, key: string, values: Values): { answers: Values; parts: string[] } {
  const parts: string[] = []
  const kept = Object.fromEntries(
    formFieldsIn(schema).flatMap((field) => {
      if (field.kind !== 'uploads') return []
      const place = `${location.pathname} ${formUploadsKey(key, field.name)}`
      const waiting = getQueuedRequests().flatMap((p) =>
        p.file && !p.refused && p.about.includes(place) ? [p.key] : [],
      )
      parts.push(...waiting)
      const all = [
        ...uploadsInAnswer(values[field.name]),
        ...waiting.map((waitingKey) => placeholderForRequest(waitingKey)),
      ]
      return all.length ? [[field.name, all] as const] : []
    }),
  )
  const asked = new Set(formFieldsIn(schema).map((f) => f.name))
  const all = { ...values, ...kept }
  const shown = { ...all, ...clearHiddenFields(schema, all) }
  const answers = Object.fromEntries(Object.entries(shown).filter(([name, v]) => asked.has(name) && v !== null))
  return { answers, parts }
}
