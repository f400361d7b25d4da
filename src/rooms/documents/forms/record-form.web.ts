import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { answersIn } from '#kernel/forms/answers.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { iriOf } from '#kernel/resource.ts'
import { call } from '#web/api/client.ts'
import type { DocumentKind } from '../kinds/kind.ts'
import type { KindParts } from '../kinds/kind.web.ts'
import { kindIn } from './kind-in.ts'

/** The form that a record is written by, as the server tells of it. */
export interface RecordForm {
  /** Its address; nothing where no version is stored. */
  readonly version: string | null
  readonly schema: FormSchema
  /** What the record keeps under fields that only this form knows. */
  readonly additional: Values | null
  /** What a draft could have instead. */
  readonly newer: { readonly version: string; readonly number: number } | null
}

export const recordFormOptions = (kind: DocumentKind, id: number | string) =>
  queryOptions({
    queryKey: [kind.resource.url, 'form', String(id)] as const,
    queryFn: ({ signal }) => call<RecordForm>('GET', `${iriOf(kind.resource, id)}/form`, undefined, { signal }),
  })

/** The form of a record that is being looked at. */
export const useRecordForm = (kind: DocumentKind, id: number | string | undefined) =>
  useQuery({ ...recordFormOptions(kind, id ?? 0), enabled: id !== undefined })

export const usePartsIn = (parts: KindParts, form: Pick<RecordForm, 'schema'> | undefined): KindParts | undefined =>
  useMemo(() => form && { ...parts, kind: kindIn(parts.kind, form.schema) }, [parts, form])

/** A record's values by the names of its form. */
export const answersBy = <R extends Values>(form: Pick<RecordForm, 'schema' | 'additional'>, record: R): R =>
  ({
    ...record,
    ...answersIn(form.schema, { ...record, ...(form.additional ? { additional: form.additional } : {}) }),
  }) as R
