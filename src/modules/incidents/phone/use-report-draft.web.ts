import { createRandomKey } from '#web/api/idempotency.ts'
import { useDeviceDraft, useStoredDraft } from '../device-draft.web.ts'
import { createReportDraft, type ReportDraft } from './report-draft.ts'

const isReport = (value: unknown): value is ReportDraft =>
  value !== null && typeof value === 'object' && 'key' in value && 'description' in value && 'photos' in value

/** Reads the report in progress under a key of this device; `undefined` while it is read, null if there is none. */
export const useStoredReport = (storeKey: string): ReportDraft | null | undefined => useStoredDraft(storeKey, isReport)

/** Holds a report in progress, and stores each change on this device until the report is sent. */
export function useReportDraft(storeKey: string, stored: ReportDraft | null, nearMiss: boolean) {
  const begin = (isNearMiss: boolean) => createReportDraft(createRandomKey(), isNearMiss)
  const { restart, ...rest } = useDeviceDraft<ReportDraft>(
    storeKey,
    () => stored ?? begin(nearMiss),
    ({ description }) => description !== '',
  )
  return { ...rest, restart: (nextNearMiss: boolean) => restart(begin(nextNearMiss)) }
}
