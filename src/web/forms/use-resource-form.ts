import { useId, useMemo, useRef, useState } from 'react'
import { type FieldErrors, useForm } from 'react-hook-form'
import { type Fields, labelOf, seenBy } from '#kernel/fields.ts'
import type { RecordOf, Resource } from '#kernel/resource.ts'
import { holds } from '#kernel/roles.ts'
import { useActor } from '../api/me.ts'
import { useSave } from '../api/resources.ts'
import { say, sentence } from '../ui/say.ts'
import type { FormError } from './error-summary.tsx'
import { placed, wrongWith } from './form-errors.ts'
import { idempotencyKeys } from './idempotency.ts'
import { same, sentValue, startValue } from './values.ts'

type Values = Record<string, unknown>

export interface FormSettings<R extends Resource> {
  readonly resource: R
  /** Which fields, in this order; all that can be written unless given. */
  readonly fields?: readonly (keyof R['fields'] & string)[]
  /** The record to change; without it, one is created. */
  readonly record?: RecordOf<R>
  /** What a new record begins with. */
  readonly defaults?: Readonly<Values>
  /** Sent along with what is typed. */
  readonly extra?: Readonly<Values>
  readonly onSaved?: (saved: RecordOf<R>) => void
}

/** The state of a form over a declaration: what is typed, what is wrong with it, how saving it goes. */
export function useResourceForm<R extends Resource>({
  resource,
  fields,
  record,
  defaults,
  extra,
  onSaved,
}: FormSettings<R>) {
  const actor = useActor()
  const save = useSave(resource)
  const prefix = useId()
  const keys = useMemo(() => idempotencyKeys(), [])
  const root = useRef<HTMLFormElement>(null)
  const [rest, setRest] = useState<readonly string[]>([])
  const [attempt, setAttempt] = useState(0)

  const shown: Fields = useMemo(() => {
    const names = fields ?? Object.keys(resource.fields).filter((n) => !resource.fields[n]?.readonly)
    return Object.fromEntries(
      names.flatMap((n) => {
        const f = resource.fields[n]
        return f && holds(actor, seenBy(f) ?? 'member') ? [[n, f]] : []
      }),
    )
  }, [resource, fields, actor])
  const start: Values = useMemo(() => {
    const given = { ...defaults, ...(record as Values | undefined) }
    return Object.fromEntries(Object.entries(shown).map(([n, f]) => [n, startValue(f, given[n])]))
  }, [shown, record, defaults])

  const form = useForm<Values>({
    defaultValues: start,
    mode: 'onTouched',
    resolver: (values) => {
      const errors = wrongWith(shown, values) as FieldErrors<Values>
      return Object.keys(errors).length ? { values: {}, errors } : { values, errors: {} }
    },
  })

  // What was there when one began: another person's change in between is not undone by ours.
  const before = form.formState.defaultValues as Values | undefined

  const send = async (values: Values) => {
    setRest([])
    const body = Object.fromEntries(
      Object.entries(shown).flatMap(([n, f]) => {
        const sent = sentValue(f, values[n])
        const changed = !record || !same(sent, sentValue(f, before?.[n]))
        return changed && !f.readonly ? [[n, sent]] : []
      }),
    )
    const all = record ? body : { ...extra, ...body }
    try {
      const saved = await save.mutateAsync(
        record ? { id: record.id, values: { ...all, ...extra } } : { values: all, key: keys.keyFor(all) },
      )
      keys.forget()
      form.reset(values)
      say.saved()
      onSaved?.(saved)
    } catch (e) {
      const { wrong, rest: others } = placed(e, shown, sentence)
      for (const [n, error] of Object.entries(wrong)) form.setError(n, error)
      setRest(others)
      setAttempt((n) => n + 1)
    }
  }
  const submit = () => {
    const half = [...(root.current?.querySelectorAll('input') ?? [])].find((i) => i.validity.customError)
    if (half) return half.focus()
    return form.handleSubmit(send, () => setAttempt((n) => n + 1))()
  }
  const idOf = (name: string) => `${prefix}-${name}`
  const errors: FormError[] = [
    ...rest.map((message) => ({ message })),
    ...Object.entries(form.formState.errors).flatMap(([n, e]) =>
      shown[n] ? [{ id: idOf(n), label: labelOf(n, shown[n]), message: String(e?.message ?? '') }] : [],
    ),
  ]
  return {
    form,
    root,
    shown,
    submit,
    errors: attempt ? errors : [],
    attempt,
    idOf,
    actor,
    saving: save.isPending && !save.isPaused,
    /** Offline: it is sent when the connection is back. */
    waiting: save.isPaused,
  }
}
