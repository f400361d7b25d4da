import { useEffect, useId, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { fieldAt } from '#kernel/errors.ts'
import { type Fields, labelOf, readRoles } from '#kernel/fields.ts'
import { isSameValue } from '#kernel/forms/same.ts'
import type { RecordOf, Resource } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { textOf } from '#kernel/text.ts'
import { ApiError, call, isOvertaken } from '../api/client.ts'
import { idempotencyKeys } from '../api/idempotency.ts'
import { useActor } from '../api/me.ts'
import { session } from '../api/session.ts'
import { QUEUED, QUEUED_MESSAGE } from '../offline/outbox/outbox.ts'
import { useSaveOrQueue } from '../offline/outbox/use-save-or-queue.ts'
import { ownTabValue } from '../offline/owner.ts'
import { sentence, toast } from '../ui/toast.ts'
import type { FormError } from './error-summary.tsx'
import { placeErrors, problemsIn } from './form-errors.ts'
import { describeValues } from './queued-changes.ts'
import { ifAsShown } from './store/change-seen.ts'
import { createValueStore } from './store/value-store.ts'
import { sentValue, startValue } from './values.ts'

type Values = Record<string, unknown>

/** What was saved, where it has no name. */
const YOURS = 'your changes'

export interface FormSettings<R extends Resource> {
  readonly resource: R
  /** Which fields, in this order; all that can be written unless given. They stay the same for as long as the form is open. */
  readonly fields?: readonly (keyof R['fields'] & string)[]
  /** The record to change; without it, one is created. */
  readonly record?: RecordOf<R>
  /** What a new record begins with. */
  readonly defaults?: Readonly<Values>
  /** Stands in the form whatever was typed there before: it was asked for in the page's address. */
  readonly prefill?: Readonly<Values>
  /** Names what is typed, to keep it in the browser's tab until it is saved: a page that is left by accident loses nothing. */
  readonly keep?: string
  /** Sent along with what is typed. */
  readonly extra?: Readonly<Values>
  /** Shows what will be, before the server has answered; what it gives back hears of the answer, and takes that away again for an error. */
  readonly atOnce?: (sent: Readonly<Values>) => (error?: unknown) => void
  readonly onSaved?: (saved: RecordOf<R>) => void
  /** It waits for a connection, and there is nothing more to do here. */
  readonly onKept?: (() => void) | undefined
  /** It is decided on what stands now: without a connection it does not wait. */
  readonly decided?: boolean
  /** Saves by the function it is given, and again with an answer where it has to ask for one; `undefined` where nobody gave it. */
  readonly asks?: <T>(save: (answer: Readonly<Values>) => Promise<T>) => Promise<T | undefined>
  /** The button's verb: "Create user". */
  readonly action?: string
  /** What is said once it is saved, where that is more than saving. */
  readonly done?: (saved: RecordOf<R>) => string
}

/** The state of a form over a declaration: what is typed, what is wrong with it, how saving it goes. */
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
  decided = false,
  asks = (save) => save({}),
  done,
  action = 'Save',
}: FormSettings<R>) {
  const actor = useActor()
  const save = useSaveOrQueue(resource)
  const prefix = useId()
  const keys = useMemo(() => idempotencyKeys(), [])
  const root = useRef<HTMLFormElement>(null)
  const [rest, setRest] = useState<readonly string[]>([])
  const [overtaken, setOvertaken] = useState(false)
  const [lost, setLost] = useState(false)
  /** Something that is there is called the same: the server's sentence, and its address. */
  const [there, setThere] = useState<{ readonly message: string; readonly existing: string }>()
  const [{ shown, store, start, kept }] = useState(() => {
    const names = fields ?? Object.keys(resource.fields).filter((n) => !resource.fields[n]?.readonly)
    const shown: Fields = Object.fromEntries(
      names.flatMap((n) => {
        const f = resource.fields[n]
        return f && hasRole(actor, readRoles(f) ?? 'member') ? [[n, f]] : []
      }),
    )
    const given: Values = { ...defaults, ...record }
    const start: Values = Object.fromEntries(Object.entries(shown).map(([n, f]) => [n, startValue(f, given[n])]))
    const kept = keep === undefined ? undefined : ownTabValue<Values>(session.me(), keep)
    const store = createValueStore({ ...start, ...kept?.read(), ...prefill }, (values) => ({
      problems: problemsIn(shown, values),
    }))
    return { shown, store, start, kept }
  })
  useEffect(() => (kept ? store.onAny(() => kept.write(store.values())) : undefined), [kept, store])
  // What was there when one began: another person's change in between is not undone by ours.
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
        const sent = sentValue(f, values[n])
        const changed = !record || !isSameValue(sent, sentValue(f, before[n]))
        return changed && !f.readonly ? [[n, sent]] : []
      }),
    )
    const all = { ...(record ? {} : extra), ...body, ...more }
    const answered = atOnce?.(all)
    try {
      const sent = { ...all, ...extra }
      const words = decided
        ? undefined
        : {
            what: action,
            of: textOf(({ ...record, ...sent } as Values)[resource.title ?? 'name']),
            text: describeValues(shown, body),
            at: record && location.pathname,
          }
      const saved = await asks((answer) =>
        save.mutateAsync(
          record
            ? {
                id: record.id,
                values: { ...sent, ...answer },
                ...ifAsShown(resource.fields, record['@id'], seen, sent),
                description: words,
              }
            : { values: { ...all, ...answer }, key: keys.keyFor(all), description: words },
        ),
      )
      if (saved === undefined) return answered?.(new Error('nobody answered'))
      answered?.()
      keys.forget()
      kept?.write(undefined)
      setBefore(values)
      setSeen(saved === QUEUED ? { ...seen, ...sent } : saved)
      if (saved === QUEUED) {
        toast.info(QUEUED_MESSAGE, 'attention')
        if (!record) store.replace(start)
        setBefore(store.values())
        return onKept?.()
      }
      if (done) toast.info(done(saved), 'safe')
      else toast.saved(textOf((saved as Values)[resource.title ?? '']) || YOURS)
      onSaved?.(saved)
    } catch (e) {
      answered?.(e)
      if (e instanceof ApiError && e.code === 'already_there')
        return setThere({ message: e.message, existing: textOf(e.more.existing) })
      const { wrong, rest: others } = placeErrors(e, shown, sentence)
      setRest(others)
      setOvertaken(isOvertaken(e))
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
    if (problemsIn(shown, store.values()).length) store.check()
    else await send()
  }
  /** Takes what is there in the place of what was typed. */
  const takeThere = async (existing: string) => {
    try {
      const found = await call<RecordOf<R>>('GET', existing)
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
  const told = new Set(refused.map((v) => fieldAt(v.propertyPath)))
  const violations = [...refused, ...store.derived().problems.filter((v) => !told.has(fieldAt(v.propertyPath)))]
  const errors: FormError[] = [
    ...rest.map((message) => ({ message })),
    ...Object.entries(shown).flatMap(([n, field]) =>
      violations
        .filter((v) => fieldAt(v.propertyPath) === n)
        .slice(0, 1)
        .map(({ message }) => ({ id: idOf(n), label: labelOf(n, field), message })),
    ),
  ]
  return {
    store,
    root,
    shown,
    submit,
    /** Something is typed that leaving would lose. */
    dirty: dirty && !kept,
    /** Throws away what was typed and kept. */
    clear:
      kept &&
      (() => {
        store.replace(start)
        kept.write(undefined)
      }),
    errors: attempt ? errors : [],
    attempt,
    /** It was refused for what has become of the record meanwhile. */
    overtaken,
    there: there && {
      message: there.message,
      keep: () => void send({ keepBoth: true }),
      use: record ? undefined : () => void takeThere(there.existing),
    },
    /** No answer came: nobody knows whether it was done. */
    lost,
    idOf,
    actor,
    saving: save.isPending,
  }
}
