import { Alert, Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { IconHistory, IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { Link, useParams } from 'react-router'
import { hasAnswer } from '#kernel/forms/has-answer.ts'
import { formCompletionProblems } from '#kernel/forms/problems.ts'
import { clearHiddenFields } from '#kernel/forms/read-answers.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'
import { type Values, visibleForm } from '#kernel/forms/visible.ts'
import { isPersonName } from '#kernel/signature.ts'
import { MAX_SIGNATORY_LENGTHS } from '#modules/documents/signing/hand-words.ts'
import { ApiError, callApi } from '#web/api/client.ts'
import { createRandomKey } from '#web/api/idempotency.ts'
import { useMaybeMe } from '#web/api/me.ts'
import { formatIsoAsUkDate, formatIsoAsUkDateTime } from '#web/dates/uk-dates.ts'
import { firstMessageByField } from '#web/forms/inputs/signature-form.tsx'
import { SchemaForm } from '#web/forms/schema/schema-form.tsx'
import { useFormStore } from '#web/forms/schema/store.ts'
import { draftStore } from '#web/offline/drafts.ts'
import { VISITOR_DRAFT_PREFIX } from '#web/offline/owner.ts'
import { PublicLinkPage } from '#web/shell/pages/link-page.tsx'
import { FormErrorText } from '#web/ui/error-text.tsx'
import page from '#web/ui/page.module.css'
import { LoadingRows, OfflineNotice } from '#web/ui/states.tsx'
import { errorSentence } from '#web/ui/toast.ts'
import { useSingleFlight } from '#web/ui/use-single-flight.ts'
import { choiceButtonFields } from '../custom-forms/answer-fields.web.tsx'
import css from '../custom-forms/custom-forms.module.css'
import { formAnswerText } from '../custom-forms/pdf-body.ts'
import { assignAnswerKey, type LinkAnswerReceipt, type SentAnswers, type SharedForm } from './form-link.ts'

/** Maximum number of omitted questions that are listed by name. */
const MOST_OMITTED = 3

/** Public page for the link of a form, which needs no sign-in: the form is answered under the name given. */
export default function FormLinkPage() {
  const { token = '' } = useParams()
  const at = `/api/safety/shared_forms/${token}`
  return (
    <PublicLinkPage<SharedForm>
      at={at}
      title="Form"
      titleOf={({ form }) => form?.title}
      closedTitle="This form can’t be answered"
      narrow
    >
      {({ form, company }) => <FormToAnswer key={token} {...{ at, token, company }} latest={form} />}
    </PublicLinkPage>
  )
}

interface LinkProps {
  readonly at: string
  readonly token: string
  readonly company: string
}

type LinkedForm = NonNullable<SharedForm['form']>

/** Answers in progress, stored in this tab until they are sent. */
interface LinkDraft {
  /** Key of this draft. */
  readonly key: string
  /** Undefined until these answers are first sent. */
  readonly sent: SentAnswers | undefined
  /** ID of the form version for which the answers were started. */
  readonly version: number
  /** The questions of that version. */
  readonly schema: FormSchema
  readonly answers: Values
  readonly name: string
  readonly company: string
  /** Start time, in milliseconds since 1970. */
  readonly begunAt: number
}

const DRAFT = 'answering'
/** The secret, the last part of the token, is not stored in the browser. */
const draftKeyOf = (token: string) => `${VISITOR_DRAFT_PREFIX}form-link/${token.split('-').slice(0, 2).join('-')}`

const isDraft = (value: unknown): value is LinkDraft =>
  value !== null && typeof value === 'object' && 'key' in value && 'schema' in value && 'answers' in value

async function readDraft(token: string): Promise<LinkDraft | null> {
  const kept = (await draftStore.read(draftKeyOf(token)))[DRAFT]?.value
  return isDraft(kept) ? kept : null
}

const fieldsOf = (value: LinkDraft) => ({ [DRAFT]: { value, base: null, at: Date.now() } })

async function removeDraft(token: string): Promise<void> {
  const kept = await readDraft(token)
  if (kept) await draftStore.remove(draftKeyOf(token), { [DRAFT]: kept })
}

const newDraft = ({ version, schema }: LinkedForm, begun: Partial<LinkDraft> = {}): LinkDraft => ({
  answers: {},
  name: '',
  company: '',
  ...begun,
  key: createRandomKey(),
  sent: undefined,
  version,
  schema,
  begunAt: Date.now(),
})

/**
 * The form as it was opened. It remains on the screen while it is answered, so that answers aren't lost when the link
 * ends.
 */
function FormToAnswer({ latest, ...props }: LinkProps & { readonly latest: SharedForm['form'] }) {
  const { token } = props
  const me = useMaybeMe()
  const [opened, setOpened] = useState(latest)
  if (latest && latest !== opened) setOpened(latest)
  const kept = useQuery({
    queryKey: ['answering by link', draftKeyOf(token)],
    queryFn: () => readDraft(token),
    gcTime: 0,
    networkMode: 'always',
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!opened) return kept.data ? <UnsentAnswers draft={kept.data} /> : null
  if (me && String(me.client.id) === token.split('-')[0])
    return (
      <Text>
        {'You are signed in to the portal. Please answer the form under your own account. '}
        <Anchor component={Link} to="/dashboard">
          Open the portal
        </Anchor>
      </Text>
    )
  return kept.data === undefined ? <LoadingRows rows={6} /> : <Answering {...props} form={opened} kept={kept.data} />
}

/** Answers that were given but not sent before the link was closed, to copy or show. */
function UnsentAnswers({ draft: { schema, answers } }: { readonly draft: LinkDraft }) {
  const fields = visibleForm(schema, answers).steps.flatMap(({ groups }) => groups.flatMap((group) => group.fields))
  const given = fields.filter((field) => hasAnswer(field, answers[field.name]))
  if (!given.length) return null
  return (
    <section className={page.card} aria-labelledby="unsent">
      <h2 id="unsent">Your answers have not been sent</h2>
      <Text>They stay here until you close this tab, so that you can copy them or show them.</Text>
      <dl className={css.answers}>
        {given.map((field) => (
          <div key={field.name}>
            <dt>{field.label}</dt>
            <dd>{formAnswerText(field, answers[field.name])}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

interface AnsweringProps extends LinkProps {
  readonly form: LinkedForm
  readonly kept: LinkDraft | null
}

function Answering({ form, kept, ...props }: AnsweringProps) {
  const [draft, setDraft] = useState(() => kept ?? newDraft(form))
  const [receipt, setReceipt] = useState<LinkAnswerReceipt>()
  const again = async (begun?: Partial<LinkDraft>) => {
    await removeDraft(props.token)
    setReceipt(undefined)
    setDraft(newDraft(form, begun))
  }
  if (receipt)
    return <Confirmation receipt={receipt} company={props.company} title={form.title} onAgain={() => void again()} />
  return (
    <AnswerForm
      key={draft.key}
      {...props}
      form={form}
      draft={draft}
      restored={draft.key === kept?.key}
      onAgain={(begun) => void again(begun)}
      onSent={(sent) => {
        void removeDraft(props.token)
        setReceipt(sent)
      }}
    />
  )
}

interface FormProps extends LinkProps {
  readonly form: LinkedForm
  readonly draft: LinkDraft
  /** True if the answers were restored from this tab. */
  readonly restored: boolean
  readonly onAgain: (begun?: Partial<LinkDraft>) => void
  readonly onSent: (receipt: LinkAnswerReceipt) => void
}

const ANSWERS = /^answers\./

function AnswerForm({ at, token, company: ours, form, draft, restored, onAgain, onSent }: FormProps) {
  const { schema } = draft
  const store = useFormStore(schema, draft.answers)
  const custom = useMemo(() => choiceButtonFields(schema), [schema])
  const [said, setSaid] = useState({ name: draft.name, company: draft.company })
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const [error, setError] = useState('')
  const [busy, setBusy] = useState(false)
  const top = useRef<HTMLDivElement>(null)
  const sent = useRef(draft.sent)
  const current = useCallback(
    (): LinkDraft => ({ ...draft, ...said, answers: store.values(), sent: sent.current }),
    [draft, said, store],
  )
  const over = useStoredDraft(token, current, store.onDerived)
  const refuse = (found: Readonly<Record<string, string>>) => {
    setWrong(found)
    const [first] = Object.keys(found)
    if (first) top.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus()
  }
  const send = useSingleFlight(async () => {
    setError('')
    store.check()
    const found: Record<string, string> = isPersonName(said.name) ? {} : { name: 'Please enter your full name' }
    const all = store.values()
    const shown = { ...all, ...clearHiddenFields(schema, all) }
    const answers = Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== null))
    refuse(found)
    if (Object.keys(found).length || formCompletionProblems(schema, answers).length)
      return setError('Your answers have not been sent. Please correct the marked fields.')
    setBusy(true)
    try {
      const body = { ...said, version: draft.version, answers }
      const content = JSON.stringify(body)
      sent.current = assignAnswerKey(sent.current, content, createRandomKey())
      void draftStore.write(draftKeyOf(token), fieldsOf(current()))
      const receipt = await callApi<LinkAnswerReceipt>('POST', `${at}/answers`, { ...body, key: sent.current.key })
      over()
      onSent(receipt)
    } catch (e) {
      const violations = e instanceof ApiError ? e.violations : []
      const inForm = violations.filter((v) => ANSWERS.test(v.propertyPath))
      if (inForm.length) store.refuse(inForm.map((v) => ({ ...v, propertyPath: v.propertyPath.replace(ANSWERS, '') })))
      refuse(firstMessageByField(violations.filter((v) => !ANSWERS.test(v.propertyPath))))
      const why = violations.length ? 'Please correct the marked fields.' : errorSentence(e)
      setError(`Your answers have not been sent, and stay here until you close this tab. ${why}`)
      setBusy(false)
    }
  })
  const field = (name: 'name' | 'company', label: string, autoComplete: string) => (
    <TextInput
      name={name}
      label={label}
      autoComplete={autoComplete}
      maxLength={MAX_SIGNATORY_LENGTHS[name]}
      value={said[name]}
      error={wrong[name]}
      onChange={(e) => setSaid({ ...said, [name]: e.currentTarget.value })}
    />
  )
  return (
    <>
      {form.notes && <Text>{form.notes}</Text>}
      <Text>{`This link works until the end of ${formatIsoAsUkDate(form.until)}. You don’t need an account.`}</Text>
      {form.omitted.length > 0 && (
        <Text>
          {form.omitted.length > MOST_OMITTED
            ? `Photos and files can’t be sent by link, so ${form.omitted.length} questions are not asked here.`
            : `Photos and files can’t be sent by link, so these questions are not asked here: ${form.omitted.map((label) => `“${label}”`).join(', ')}.`}
        </Text>
      )}
      <OfflineNotice>
        You are offline. Your answers stay here until you close this tab. Please send them when the connection is back.
      </OfflineNotice>
      {restored && (
        <Alert color="signal" role="status" title="Your saved answers" icon={<IconHistory aria-hidden />}>
          <Text size="sm">{`You started this form on ${formatIsoAsUkDateTime(new Date(draft.begunAt).toISOString())} and have not sent it yet.`}</Text>
          <Button mt="xs" variant="default" onClick={() => onAgain()}>
            Start again
          </Button>
        </Alert>
      )}
      {draft.version !== form.version && (
        <Alert color="signal" role="status" title="There is a newer version of this form">
          <Text size="sm">You can finish the version that you started or continue with the newer one.</Text>
          <Button mt="xs" variant="default" onClick={() => onAgain({ answers: store.values(), ...said })}>
            Use the newer version
          </Button>
        </Alert>
      )}
      <section className={page.card} aria-labelledby="person" ref={top}>
        <h2 id="person">You</h2>
        <Stack gap="md">
          {field('name', 'Full name (Required)', 'name')}
          {field('company', 'Company', 'organization')}
        </Stack>
      </section>
      <SchemaForm store={store} custom={custom} stepIn="here" />
      <Text size="sm">
        {`${ours} stores your name, your answers and the time. The completed form states that you answered by link.`}
      </Text>
      {error && <FormErrorText>{error}</FormErrorText>}
      <div className={css.send}>
        <Button leftSection={<IconSend size={16} aria-hidden />} loading={busy} onClick={() => void send()}>
          Send
        </Button>
      </div>
    </>
  )
}

/**
 * Saves the answers in this tab shortly after each change and when the page closes. Returns a function that stops
 * saving.
 */
function useStoredDraft(
  token: string,
  current: () => LinkDraft,
  onDerived: (listener: () => void) => () => void,
): () => void {
  const over = useRef(false)
  const opened = useRef(current)
  useEffect(() => {
    const isTouched = () => !over.current && current !== opened.current
    const store = () => {
      if (!over.current) void draftStore.write(draftKeyOf(token), fieldsOf(current()))
    }
    const leave = () => {
      if (!over.current && hasInput(current())) draftStore.writeNow(draftKeyOf(token), fieldsOf(current()))
    }
    if (isTouched()) store()
    const stop = onDerived(store)
    addEventListener('pagehide', leave)
    return () => {
      stop()
      removeEventListener('pagehide', leave)
    }
  }, [token, current, onDerived])
  return () => {
    over.current = true
  }
}

const hasInput = ({ name, company, answers }: LinkDraft): boolean =>
  Boolean(name || company) || Object.values(answers).some((value) => value !== null && value !== '')

interface ConfirmationProps {
  readonly receipt: LinkAnswerReceipt
  readonly company: string
  readonly title: string
  readonly onAgain: () => void
}

/** Confirmation of the sent answers. Receives the focus, because the form that had it has been removed. */
function Confirmation({ receipt, company, title, onAgain }: ConfirmationProps) {
  const words = useRef<HTMLDivElement>(null)
  useEffect(() => words.current?.focus(), [])
  return (
    <div ref={words} tabIndex={-1} role="status">
      <Stack gap="sm" align="start">
        <Text fw={650}>{`${receipt.name}, your answers have been sent.`}</Text>
        <Text>{`${company} received “${title}” as ${receipt.number} on ${formatIsoAsUkDateTime(receipt.createdAt)}. You can close this page.`}</Text>
        <Button variant="default" onClick={onAgain}>
          Complete this form again
        </Button>
      </Stack>
    </div>
  )
}
