import { Button, Text } from '@mantine/core'
import { IconArrowBackUp, IconChecks } from '@tabler/icons-react'
import { useQueries } from '@tanstack/react-query'
import { createContext, use, useMemo, useRef, useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import { formFieldsIn } from '#kernel/forms/fields-in.ts'
import { type FineAnswers, fineOptionOf, isDefect, pickFineAnswers, questionsLeftForFine } from '#kernel/forms/fine.ts'
import { isProposable } from '#kernel/forms/read-answers.ts'
import { toPlainObject } from '#kernel/forms/rows.ts'
import type { FormField, FormSchema, FormStep } from '#kernel/forms/schema.ts'
import { calculateScore, isScoredForm } from '#kernel/forms/score.ts'
import { isSameValue, type Values } from '#kernel/forms/visible.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { recordQueryOptions, useApiRecord, useList } from '#web/api/resources.ts'
import { formatIsoAsUkDateTime } from '#web/dates/uk-dates.ts'
import type { SchemaFieldProps } from '#web/forms/schema/parts.ts'
import type { FormStore } from '#web/forms/schema/store.ts'
import { useDerivedValue, useValueAt } from '#web/forms/store/use-value-store.ts'
import { QUEUED_MESSAGE, useQueuedRequestsForUrl } from '#web/offline/outbox/outbox.ts'
import { LazyQueuedRequestList } from '#web/offline/screens/queued-requests.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { DefectText } from './chips.web.tsx'
import { type customForm, customFormAnswer } from './custom-form.ts'
import css from './custom-forms.module.css'
import { customFormPath } from './paths.ts'
import { formAnswerText } from './pdf-body.ts'

/** Answers that were entered together while a form is filled in. An answer changed by hand is no longer among them. */
export interface FineAnswersStore {
  readonly list: () => readonly FineAnswers[]
  readonly subscribe: (listener: () => void) => () => void
  /** Answers the unanswered questions of a section that have a fine option. */
  readonly press: (step: string) => void
  /** Clears the answers of the section's last press, except those changed since. */
  readonly undo: (press: FineAnswers) => void
  /** Starts following changes by hand. Returns a function that stops following them. */
  readonly follow: () => () => void
}

export function createFineAnswersStore(
  schema: FormSchema,
  store: FormStore,
  begun: readonly FineAnswers[],
): FineAnswersStore {
  let presses = pickFineAnswers(schema, store.values(), begun)
  const listeners = new Set<() => void>()
  const become = (next: readonly FineAnswers[]) => {
    presses = next
    for (const listener of listeners) listener()
  }
  return {
    list: () => presses,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    press: (step) => {
      const fields = questionsLeftForFine(schema, step, store.values())
      if (!fields.length) return
      become([...presses, { at: new Date().toISOString(), questions: fields.map((f) => f.name) }])
      store.replace(Object.fromEntries(fields.map((f) => [f.name, fineOptionOf(f)?.value])))
    },
    undo: (press) => {
      become(presses.filter((one) => one !== press))
      store.replace(Object.fromEntries(press.questions.map((name) => [name, null])))
    },
    follow: () =>
      store.onAny(() => {
        if (!presses.length) return
        const left = pickFineAnswers(schema, store.values(), presses)
        if (left.length !== presses.length || left.some((press, i) => press !== presses[i])) become(left)
      }),
  }
}

/** State of the form that is being filled in, for the parts shown in its sections and questions. */
export const FillContext = createContext<
  | {
      readonly store: FormStore
      readonly fine: FineAnswersStore
      /** Answers of the last completed form, by question, that can be proposed. */
      readonly last: Values
    }
  | undefined
>(undefined)

const labelForAll = (fields: readonly FormField[]): string => {
  const [label, ...others] = new Set(fields.map((f) => fineOptionOf(f)?.label))
  return others.length
    ? `Answer the remaining ${fields.length} as fine`
    : `Answer the remaining ${fields.length} “${label}”`
}

/**
 * Button that answers the rest of a section as fine, then the number of answers entered, with a button to undo them.
 */
export function FineAnswersButton({ step }: { readonly step: FormStep }) {
  const filled = use(FillContext)
  return filled && <FineButton {...filled} step={step} />
}

interface Props {
  readonly store: FormStore
  readonly fine: FineAnswersStore
  readonly step: FormStep
}

function FineButton({ store, fine, step }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const label = useSyncExternalStore(store.onDerived, () => {
    const left = questionsLeftForFine(store.schema, step.name, store.settled())
    return left.length > 1 ? labelForAll(left) : ''
  })
  const presses = useSyncExternalStore(fine.subscribe, fine.list)
  const names = new Set(step.groups.flatMap((group) => group.fields.map((f) => f.name)))
  const last = presses.findLast((press) => press.questions.some((name) => names.has(name)))
  // The pressed button disappears, so the focus moves to the next element.
  const act = (work: () => void) => {
    work()
    place.current?.focus()
  }
  return (
    <div ref={place} tabIndex={-1} className={css.fine}>
      {label && (
        <Button
          variant="light"
          leftSection={<IconChecks size={16} aria-hidden />}
          onClick={() => act(() => fine.press(step.name))}
        >
          {label}
        </Button>
      )}
      <Text size="sm" role="status">
        {last && fineText(last)}
      </Text>
      {last && (
        <Button
          variant="subtle"
          leftSection={<IconArrowBackUp size={16} aria-hidden />}
          onClick={() => act(() => fine.undo(last))}
        >
          Undo
        </Button>
      )}
    </div>
  )
}

const fineText = ({ at, questions }: FineAnswers): string =>
  `${questions.length} ${questions.length === 1 ? 'answer' : 'answers'} entered together${at ? ` at ${formatIsoAsUkDateTime(at).slice(-5)}` : ''}.`

/** Number of former completed forms searched for the last one for the same site or vehicle. */
const MAX_FORMER = 100
/** Number of sites or vehicles whose last answers are stored on this device, to be proposed without a connection. */
const MAX_STORED_SUBJECTS = 10

const sameSubject = (text: string) => text.trim().replace(/\s+/g, ' ').toLowerCase()

/**
 * Returns the answers of the company's last completed form that can be proposed. If the form asks for a subject, they
 * are those of the last form for the same subject. Only forms that the user can read count.
 */
export function useLastAnswers(form: number, store: FormStore): Values {
  const { schema } = store
  const subject = formFieldsIn(schema).find((f) => f.subject)
  const listed = useList(customFormAnswer, { form, itemsPerPage: MAX_FORMER }).data?.['hydra:member'] ?? []
  const named = useDerivedValue(store, () =>
    subject ? sameSubject(formAnswerText(subject, store.settled()[subject.name])) : '',
  )
  const matching = subject ? listed.find((a) => named !== '' && sameSubject(a.subject ?? '') === named) : listed[0]
  const id = (matching ?? listed[0])?.id
  const newest = new Map(listed.toReversed().map((a) => [sameSubject(a.subject ?? ''), a.id]))
  const stored = subject ? [...newest.values()].toSorted((a, b) => b - a).slice(0, MAX_STORED_SUBJECTS) : []
  useQueries({ queries: stored.map((one) => recordQueryOptions(customFormAnswer, one)) })
  const { data } = useApiRecord(customFormAnswer, id)
  const isSame = matching !== undefined
  return useMemo(() => {
    const former = data ? toPlainObject(data.answers) : {}
    const fields = formFieldsIn(schema).filter((f) => isSame || f === subject)
    return Object.fromEntries(
      fields.flatMap((f) => (isProposable(f, former[f.name]) ? [[f.name, former[f.name]] as const] : [])),
    )
  }, [data, schema, subject, isSame])
}

/** Last time's answer beside its question, with a button that enters it. */
export function LastAnswer({ field, path }: SchemaFieldProps) {
  const filled = use(FillContext)
  const value = filled?.last[field.name]
  return filled && value !== undefined && path.length === 1 ? (
    <LastAnswerNote store={filled.store} field={field} value={value} />
  ) : null
}

interface LastAnswerProps {
  readonly store: FormStore
  readonly field: FormField
  readonly value: unknown
}

function LastAnswerNote({ store, field, value }: LastAnswerProps) {
  const now = useValueAt(store, [field.name])
  const text = formAnswerText(field, value)
  return (
    <div className={css.last}>
      <Text size="sm" component="span">
        {'Last time: '}
        {isDefect(field, value) ? <DefectText>{text}</DefectText> : text}
      </Text>
      {!isSameValue(now, value) && (
        <Button
          size="compact-sm"
          variant="subtle"
          aria-label={`Use last time’s answer to ${field.label}`}
          onClick={() => store.set([field.name], value)}
        >
          Use
        </Button>
      )}
    </div>
  )
}

/** Score of the answers so far. */
export function ScoreLine({ schema, store }: { readonly schema: FormSchema; readonly store: FormStore }) {
  const words = useSyncExternalStore(store.onDerived, () => {
    const { points, outOf } = calculateScore(schema, store.settled())
    return isScoredForm(schema) && outOf ? `${points} of ${outOf} points so far` : ''
  })
  return (
    <Text size="sm" className={css.score ?? ''}>
      {words}
    </Text>
  )
}

interface Back {
  readonly label: string
  readonly to: string
}

/** Message that a completed form is stored on this device until it can be sent, or that it has been sent. */
export function FormSent({
  form,
  back,
  onAgain,
}: {
  readonly form: RecordOf<typeof customForm>
  readonly back: Back
  readonly onAgain: () => void
}) {
  const parcels = useQueuedRequestsForUrl(form['@id'])
  return (
    <Page title={form.title} back={back}>
      <EmptyState
        title={parcels.length ? 'Waiting to be sent' : 'Sent'}
        action={
          <Button variant="default" onClick={onAgain}>
            Complete this form again
          </Button>
        }
      >
        {parcels.length
          ? QUEUED_MESSAGE
          : 'The completed form has been numbered and sealed, and is listed with the other completed forms.'}
      </EmptyState>
      <LazyQueuedRequestList label="Waiting to be sent" requests={parcels} />
      {!parcels.length && (
        <Button component={Link} to={customFormPath(form.id)}>
          All completed forms
        </Button>
      )}
    </Page>
  )
}
