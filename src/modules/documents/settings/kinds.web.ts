import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { SettingSource } from '#kernel/effective-setting.ts'
import { iriOf } from '#kernel/resource.ts'
import { callApi } from '#web/api/client.ts'
import type { DocumentKind } from '../types/kind.ts'
import { clientIdOf, type DocumentRecord } from '../types/record.web.ts'
import { safetySettings } from './safety-settings.ts'

/** Author and time of a setting's last change. */
export interface SettingChange {
  readonly by: string
  readonly at: string
}

interface Setting {
  /** ID of the company's own setting, if there is one. */
  readonly id: number | null
  readonly from: SettingSource
  readonly changed: SettingChange | null
}

/** A company's review and numbering settings for a document type; `otherwise` is the default. */
export interface DocumentTypeSettings {
  readonly kind: string
  readonly name: string
  readonly review: Setting & { readonly months: number; readonly own: number | null; readonly otherwise: number }
  readonly numbering: Setting & {
    readonly prefix: string
    readonly digits: number
    readonly own: { readonly prefix: string | null; readonly digits: number | null }
    readonly otherwise: { readonly prefix: string; readonly digits: number }
    readonly nextNumber: number
  }
}

const keyOf = (clientId: number | undefined) => [safetySettings.url, 'kinds', clientId]

export const useDocumentTypeSettings = (clientId: number | undefined) =>
  useQuery({
    queryKey: keyOf(clientId),
    queryFn: ({ signal }) =>
      callApi<{ readonly kinds: readonly DocumentTypeSettings[] }>(
        'GET',
        `${iriOf(safetySettings, clientId ?? 0)}/kinds`,
        undefined,
        { signal },
      ),
    enabled: clientId !== undefined,
  })

export function useRefetchDocumentTypeSettings(clientId: number) {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: keyOf(clientId) })
}

/**
 * Returns the number of months from approval to the next review, as set by the document's company. Until the settings
 * have loaded, returns the type's default.
 */
export function useReviewMonths(kind: DocumentKind, record: DocumentRecord): number {
  const found = useDocumentTypeSettings(clientIdOf(record))
  return found.data?.kinds.find((k) => k.kind === kind.kind)?.review.months ?? kind.reviewMonths
}
