import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { iriOf } from '#kernel/resource.ts'
import { callApi } from '#web/api/client.ts'
import type { DocumentKind } from '../types/kind.ts'
import type { DocumentTypeComponents } from '../types/kind.web.ts'
import type { RecordForm } from './record-form.ts'
import { documentTypeWithForm } from './type-with-form.ts'

const recordFormOptions = (kind: DocumentKind, id: number | string) =>
  queryOptions({
    queryKey: [kind.resource.url, 'form', String(id)] as const,
    queryFn: ({ signal }) => callApi<RecordForm>('GET', `${iriOf(kind.resource, id)}/form`, undefined, { signal }),
  })

/** Loads the form of the displayed record. */
export const useRecordForm = (kind: DocumentKind, id: number | string | undefined) =>
  useQuery({ ...recordFormOptions(kind, id ?? 0), enabled: id !== undefined })

export const useComponentsWithForm = (
  parts: DocumentTypeComponents,
  form: Pick<RecordForm, 'schema'> | undefined,
): DocumentTypeComponents | undefined =>
  useMemo(() => form && { ...parts, kind: documentTypeWithForm(parts.kind, form.schema) }, [parts, form])
