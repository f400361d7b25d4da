import { useState } from 'react'
import type { Resource } from '#kernel/resource.ts'
import { ApiError } from '#web/api/client.ts'
import { useSaveRecord } from '#web/api/resources.ts'
import { errorSentence, toast } from '#web/ui/toast.ts'

type Values = Readonly<Record<string, unknown>>

/** A row of a settings card: the document type, its stored setting if there is one, and the values. */
export interface DocumentTypeSettingRow<V extends Values> {
  readonly kind: string
  readonly id: number | null
  readonly stored: V
}

/**
 * Returns the form state of a settings card with a row per document type. Saving sends the changed rows one after
 * another. Rejected rows keep their input and show the error.
 */
export function useDocumentTypeSettingRows<V extends Values>(
  r: Resource,
  rows: readonly DocumentTypeSettingRow<V>[],
  what: string,
  again: () => Promise<unknown>,
) {
  const save = useSaveRecord(r)
  const [typed, setTyped] = useState<Readonly<Record<string, V>>>({})
  const [refused, setRefused] = useState<Readonly<Record<string, ApiError | Error>>>({})
  const [saving, setSaving] = useState(false)
  const isChanged = ({ kind, stored }: DocumentTypeSettingRow<V>) =>
    typed[kind] !== undefined && Object.keys(stored).some((name) => stored[name] !== typed[kind]?.[name])
  const changed = rows.filter(isChanged)
  const without = <T>(of: Readonly<Record<string, T>>, kind: string) =>
    Object.fromEntries(Object.entries(of).filter(([name]) => name !== kind))
  const submit = async () => {
    setSaving(true)
    setRefused({})
    let failed: unknown
    const done: string[] = []
    for (const { kind, id, stored } of changed) {
      const values = typed[kind] ?? stored
      try {
        await save.mutateAsync(id === null ? { values: { kind, ...values } } : { id, values })
        done.push(kind)
      } catch (e) {
        failed = e
        setRefused((all) => ({ ...all, [kind]: e as Error }))
      }
    }
    await again()
    // Discards the input of saved rows, because the server may have normalised it, for example to capitals.
    setTyped((all) => done.reduce(without<V>, all))
    setSaving(false)
    if (failed === undefined) toast.saved(what)
    else toast.failed(failed)
  }
  return {
    valueOf: ({ kind, stored }: DocumentTypeSettingRow<V>): V => typed[kind] ?? stored,
    type: ({ kind }: DocumentTypeSettingRow<V>, values: V) => {
      setTyped((all) => ({ ...all, [kind]: values }))
      setRefused((all) => without(all, kind))
    },
    /** Returns the reason why a row was not saved: the error for the given field or, without a field, for the row. */
    refusalOf: ({ kind }: DocumentTypeSettingRow<V>, field?: string): string | undefined => {
      const e = refused[kind]
      if (!e) return undefined
      const found = e instanceof ApiError ? e.violations : []
      const named = found.find((v) => v.propertyPath === field)?.message
      return field === undefined ? (found.length ? undefined : errorSentence(e)) : named
    },
    dirty: changed.length > 0,
    saving,
    submit,
  }
}
