import { useEffect, useId, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { type Violation, violationFieldName } from '#kernel/errors.ts'
import { type Fields, labelOf, rolesAllowedToRead } from '#kernel/fields.ts'
import { isSameValue } from '#kernel/forms/visible.ts'
import type { RecordOf, Resource } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { toText } from '#kernel/text.ts'
import { fieldViolations } from '#kernel/validate.ts'
import { ApiError, callApi, isConflictError } from '../api/client.ts'
import { createIdempotencyKeys } from '../api/idempotency.ts'
import { useActor } from '../api/me.ts'
import { session } from '../api/session.ts'
import { QUEUED_MESSAGE, QUEUED_RESULT } from '../offline/outbox/outbox.ts'
import { useSaveOrQueue } from '../offline/outbox/use-save-or-queue.ts'
import { tabValueForPerson } from '../offline/owner.ts'
import type { RequestDescription } from '../offline/requests.ts'
import { errorSentence, toast } from '../ui/toast.ts'
import type { FormError } from './error-summary.tsx'
import { formatFieldValueLines } from './queued-changes.ts'
import { conditionalSaveOptions } from './store/change-if-unchanged.ts'
import { createValueStore } from './store/value-store.ts'
import { getInitialInputValue, getValueToSend } from './values.ts'

type Values = Record<string, unknown>

/** Finds problems in a form according to its declaration. The messages are the same as the server's. */
export const findFormProblems = (fields: Fields, values: Readonly<Record<string, unknown>>): Violation[] =>
  fieldViolations(
    fields,
    Object.fromEntries(Object.entries(fields).map(([name, f]) => [name, getValueToSend(f, values[name])])),
  ).map((v) => ({ ...v, propertyPath: violationFieldName(v.propertyPath) }))

/** Splits an error response from the server into one message for each field of the form, and all other messages. */
export function assignFormErrors(
  error: unknown,
  fields: Fields,
  words: (e: unknown) => string,
): { wrong: Violation[]; rest: string[] } {
  const violations = error instanceof ApiError ? error.violations : []
  if (violations.length === 0) return { wrong: [], rest: [words(error)] }
  const wrong = new Map<string, Violation>()
  const rest: string[] = []
  for (const v of violations) {
    const name = violationFieldName(v.propertyPath)
    const field = fields[name]
    if (field && !wrong.has(name)) wrong.set(name, { ...v, propertyPath: name })
    else rest.push(field ? `${labelOf(name, field)}: ${v.message}` : v.message)
  }
  return { wrong: [...wrong.values()], rest }
}

/** Text shown instead of a saved record's title, if the record has no title. */
const YOURS = 'your changes'

export interface ResourceFormSettings<R extends Resource> {
  readonly resource: R
  /**
   * Names of the fields to show, in this order. The default is all writable fields. The list must not change while the
   * form is open.
   */
  readonly fields?: readonly (keyof R['fields'] & string)[]
  /** Record to change. If not set, a record is created. */
  readonly record?: RecordOf<R>
  /** Initial values of a new record. */
  readonly defaults?: Readonly<Values>
  /** Values from the page's URL. They override stored input. */
  readonly prefill?: Readonly<Values>
  /**
   * Name under which input is stored in the tab until it is saved, so that nothing is lost if the person leaves the
   * page by accident.
   */
  readonly keep?: string
  /** Values sent in addition to the input. */
  readonly extra?: Readonly<Values>
  /**
   * Shows the expected result before the server has responded. The returned function is called with the outcome, and
   * undoes the change if there is an error.
   */
  readonly atOnce?: (sent: Readonly<Values>) => (error?: unknown) => void
  readonly onSaved?: (saved: RecordOf<R>) => void
  /** Called with the key of the request if it is queued, and there is nothing more to do in this form. */
  readonly onKept?: ((key: string) => void) | undefined
  /**
   * Describes a new record while its request, which has this key, is queued. Other requests may then refer to the record
   * before it is created.
   */
  readonly queuedAs?: (key: string) => Omit<RequestDescription, 'about'>
  /** True if the change depends on the record's current state. Such a change is never queued. */
  readonly decided?: boolean
  /**
   * Calls the given save function. If the server needs an answer from the person, calls the save function again with
   * that answer. Resolves to `undefined` if the person gave none.
   */
  readonly asks?: <T>(save: (answer: Readonly<Values>) => Promise<T>) => Promise<T | undefined>
  /** Label of the button, starting with a verb: “Create user”. */
  readonly action?: string
  /** Returns the message shown after saving. If it is not set, the usual “saved” message is shown. */
  readonly done?: (saved: RecordOf<R>) => string
}

/** Manages the state of a form for a declaration's fields: values, problems and saving. */
export function useResourceForm<R extends Resource>({
  resource,
  fields,
  record,
  defaults,
  prefill,
  keep,
  extra,
  atOnce,
  onSaved,
  onKept,
  queuedAs,
  decided = false,
  asks = (save) => save({}),
  done,
  action = 'Save',
}: ResourceFormSettings<R>) {
  const actor = useActor()
  const save = useSaveOrQueue(resource)
  const prefix = useId()
  const keys = useMemo(() => createIdempotencyKeys(), [])
  const root = useRef<HTMLFormElement>(null)
  const [rest, setRest] = useState<readonly string[]>([])
  const [overtaken, setOvertaken] = useState(false)
  const [lost, setLost] = useState(false)
  /** Set if a record with the same name exists: the server's message, and the IRI of the existing record. */
  const [there, setThere] = useState<{ readonly message: string; readonly existing: string }>()
  const [{ shown, store, start, kept }] = useState(() => {
    const names = fields ?? Object.keys(resource.fields).filter((n) => !resource.fields[n]?.readonly)
    const shown: Fields = Object.fromEntries(
      names.flatMap((n) => {
        const f = resource.fields[n]
        return f && hasRole(actor, rolesAllowedToRead(f) ?? 'member') ? [[n, f]] : []
      }),
    )
    const given: Values = { ...defaults, ...record }
    const start: Values = Object.fromEntries(
      Object.entries(shown).map(([n, f]) => [n, getInitialInputValue(f, given[n])]),
    )
    const kept = keep === undefined ? undefined : tabValueForPerson<Values>(session.me(), keep)
    const store = createValueStore({ ...start, ...kept?.read(), ...prefill }, (values) => ({
      problems: findFormProblems(shown, values),
    }))
    return { shown, store, start, kept }
  })
  useEffect(() => (kept ? store.onAny(() => kept.write(store.values())) : undefined), [kept, store])
  // Values when the form was opened. Fields that others have changed since are not overwritten.
  const [before, setBefore] = useState(store.values)
  const [seen, setSeen] = useState<Values>(record ?? {})
  const dirty = useSyncExternalStore(store.onAny, () => !isSameValue(store.values(), before))
  const attempt = useSyncExternalStore(store.onDerived, store.attempts)
  useSyncExternalStore(store.onDerived, store.derived)

  const send = async (more: Readonly<Values> = {}) => {
    setThere(undefined)
    const values = store.values()
    const body = Object.fromEntries(
      Object.entries(shown).flatMap(([n, f]) => {
        const sent = getValueToSend(f, values[n])
        const changed = !record || !isSameValue(sent, getValueToSend(f, before[n]))
        return changed && !f.readonly ? [[n, sent]] : []
      }),
    )
    const all = { ...(record ? {} : extra), ...body, ...more }
    const answered = atOnce?.(all)
    try {
      const sent = { ...all, ...extra }
      const key = record ? '' : keys.keyFor(all)
      const words = decided
        ? undefined
        : {
            what: action,
            of: toText(({ ...record, ...sent } as Values)[resource.title ?? 'name']),
            text: formatFieldValueLines(shown, body),
            at: record && location.pathname,
            ...(record ? {} : queuedAs?.(key)),
          }
      const saved = await asks((answer) =>
        save.mutateAsync(
          record
            ? {
                id: record.id,
                values: { ...sent, ...answer },
                ...conditionalSaveOptions(resource.fields, record['@id'], seen, sent),
                description: words,
              }
            : { values: { ...all, ...answer }, key, description: words, shared: queuedAs !== undefined },
        ),
      )
      if (saved === undefined) return answered?.(new Error('nobody answered'))
      answered?.()
      keys.forget()
      kept?.write(undefined)
      setBefore(values)
      setSeen(saved === QUEUED_RESULT ? { ...seen, ...sent } : saved)
      if (saved === QUEUED_RESULT) {
        toast.info(QUEUED_MESSAGE, 'attention')
        if (!record) store.replace(start)
        setBefore(store.values())
        return onKept?.(key)
      }
      if (done) toast.info(done(saved), 'safe')
      else toast.saved(toText((saved as Values)[resource.title ?? '']) || YOURS)
      onSaved?.(saved)
    } catch (e) {
      answered?.(e)
      if (e instanceof ApiError && e.code === 'already_there')
        return setThere({ message: e.message, existing: toText(e.more.existing) })
      const { wrong, rest: others } = assignFormErrors(e, shown, errorSentence)
      setRest(others)
      setOvertaken(isConflictError(e))
      setLost(e instanceof ApiError && e.status === 0)
      store.refuse(wrong)
      if (!wrong.length) store.check()
    }
  }
  const submit = async () => {
    const half = [...(root.current?.querySelectorAll('input') ?? [])].find((i) => i.validity.customError)
    if (half) return half.focus()
    setRest([])
    store.refuse([])
    if (findFormProblems(shown, store.values()).length) store.check()
    else await send()
  }
  /** Uses the existing record instead of creating a new one. */
  const takeThere = async (existing: string) => {
    try {
      const found = await callApi<RecordOf<R>>('GET', existing)
      setThere(undefined)
      kept?.write(undefined)
      setBefore(store.values())
      onSaved?.(found)
    } catch (e) {
      toast.failed(e)
    }
  }
  const idOf = (name: string) => `${prefix}-${name}`
  const refused = store.refused()
  const told = new Set(refused.map((v) => violationFieldName(v.propertyPath)))
  const violations = [
    ...refused,
    ...store.derived().problems.filter((v) => !told.has(violationFieldName(v.propertyPath))),
  ]
  const errors: FormError[] = [
    ...rest.map((message) => ({ message })),
    ...Object.entries(shown).flatMap(([n, field]) =>
      violations
        .filter((v) => violationFieldName(v.propertyPath) === n)
        .slice(0, 1)
        .map(({ message }) => ({ id: idOf(n), label: labelOf(n, field), message })),
    ),
  ]
  return {
    store,
    root,
    shown,
    submit,
    /** Whether leaving the page would lose input. */
    dirty: dirty && !kept,
    /** Discards stored input. */
    clear:
      kept &&
      (() => {
        store.replace(start)
        kept.write(undefined)
      }),
    errors: attempt ? errors : [],
    attempt,
    /** Whether the save was rejected because the record has changed. */
    overtaken,
    there: there && {
      message: there.message,
      keep: () => void send({ keepBoth: true }),
      use: record ? undefined : () => void takeThere(there.existing),
    },
    /** Whether the server did not respond, so that the record may have been saved. */
    lost,
    idOf,
    actor,
    saving: save.isPending,
  }
}
