import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { createRandomKey } from '#web/api/idempotency.ts'
import { draftStore } from '#web/offline/drafts.ts'
import { newReport, type ReportDraft } from './report-draft.ts'

const NAME = 'report'

const isReport = (value: unknown): value is ReportDraft =>
  value !== null && typeof value === 'object' && 'key' in value && 'description' in value && 'photos' in value

const fieldsOf = (value: ReportDraft) => ({ [NAME]: { value, base: null, at: Date.now() } })

async function readReport(storeKey: string): Promise<ReportDraft | null> {
  const stored = (await draftStore.read(storeKey))[NAME]?.value
  return isReport(stored) ? stored : null
}

/** Reads the report in progress under a key of this device; `undefined` while it is read, null if there is none. */
export const useStoredReport = (storeKey: string): ReportDraft | null | undefined =>
  useQuery({
    queryKey: ['incident report', storeKey],
    queryFn: () => readReport(storeKey),
    gcTime: 0,
    networkMode: 'always',
    staleTime: Number.POSITIVE_INFINITY,
  }).data

/** Holds a report in progress, and stores each change on this device until the report is sent. */
export function useReportDraft(storeKey: string, stored: ReportDraft | null, nearMiss: boolean) {
  const [draft, setDraft] = useState(() => stored ?? newReport(createRandomKey(), nearMiss))
  const latest = useRef(draft)
  const isOver = useRef(false)
  useEffect(() => {
    const leave = () => {
      if (!isOver.current && latest.current.description) draftStore.writeNow(storeKey, fieldsOf(latest.current))
    }
    addEventListener('pagehide', leave)
    return () => removeEventListener('pagehide', leave)
  }, [storeKey])
  const change = (values: Partial<ReportDraft> | ((now: ReportDraft) => Partial<ReportDraft>)) => {
    const next = { ...latest.current, ...(typeof values === 'function' ? values(latest.current) : values) }
    latest.current = next
    setDraft(next)
    if (!isOver.current) void draftStore.write(storeKey, fieldsOf(next))
  }
  /** Deletes the report from this device, and starts another. */
  const restart = async (nextNearMiss: boolean) => {
    const last = await readReport(storeKey)
    if (last) await draftStore.remove(storeKey, { [NAME]: last })
    isOver.current = false
    latest.current = newReport(createRandomKey(), nextNearMiss)
    setDraft(latest.current)
  }
  /** Stops storing the report, once it has been sent or queued, and deletes it from this device. */
  const finish = async () => {
    isOver.current = true
    const last = await readReport(storeKey)
    if (last) await draftStore.remove(storeKey, { [NAME]: last })
  }
  return { draft, change, restart, finish }
}
