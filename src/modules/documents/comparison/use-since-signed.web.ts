import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { iriOf } from '#kernel/resource.ts'
import { callApi } from '#web/api/client.ts'
import type { RecordForm } from '../forms/record-form.ts'
import { useRecordForm } from '../forms/record-form.web.ts'
import type { DocumentTypeComponents } from '../types/kind.web.ts'
import type { DocumentRecord } from '../types/record.web.ts'
import { compareRevisionsByForm } from './differences.ts'

/** Loads the signed revision, and the changes since the viewer signed it. */
export function useChangesSinceSigned(parts: DocumentTypeComponents, record: DocumentRecord | undefined) {
  const { kind } = parts
  const signed = useQuery({
    queryKey: [kind.resource.url, 'signed', record?.id],
    queryFn: ({ signal }) =>
      callApi<DocumentRecord & { readonly writtenBy: RecordForm }>(
        'GET',
        `${iriOf(kind.resource, record?.id ?? 0)}/signed`,
        undefined,
        { signal },
      ),
    enabled: record !== undefined,
  })
  const form = useRecordForm(kind, record?.id)
  const found = useMemo(
    () =>
      signed.data &&
      form.data &&
      record &&
      compareRevisionsByForm(parts, { record: signed.data, form: signed.data.writtenBy }, { record, form: form.data }),
    [parts, signed.data, record, form.data],
  )
  return { found, signed: signed.data, isError: signed.isError || form.isError }
}
