import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { useMaybeMe } from '../../api/me.ts'
import type { Me } from '../../api/session.ts'
import { recentRecordsFor } from '../../offline/owner.ts'
import { usePage, usePages } from '../pages/known-pages.ts'
import { useCustomPageTitle } from '../pages/title.ts'

export interface RecentRecord {
  readonly path: string
  /** Title and record type: "Harbour Roofing Ltd", "Lead". */
  readonly title: string
  readonly kind: string
  /** Icon name from `icons.ts`. */
  readonly icon: string
}

const MAX_RECENT = 8

/**
 * Returns recently opened records, latest first. While impersonating, returns only the records opened during the
 * impersonation.
 */
export function readRecentRecords(me: Me): readonly RecentRecord[] {
  const stored = recentRecordsFor(me).read()
  return Array.isArray(stored) ? stored.filter(isRecent).slice(0, MAX_RECENT) : []
}

const isRecent = (one: unknown): one is RecentRecord =>
  typeof one === 'object' &&
  one !== null &&
  ['path', 'title', 'kind', 'icon'].every((name) => typeof (one as Record<string, unknown>)[name] === 'string')

/** Milliseconds for which a page must stay open before its record is listed as recently opened. */
const STAYED = 500

/** Stores each opened record under the title set by its page. */
export function RecentRecordTracker(): null {
  const me = useMaybeMe()
  const page = usePage()
  const title = useCustomPageTitle()
  const { pathname } = useLocation()
  const pages = usePages()
  const record = page?.path.includes(':') && /\/[^/]*\d[^/]*$/.test(pathname) ? page : undefined
  useEffect(() => {
    if (!me || !record || !title) return undefined
    const icon = pages.find(({ path }) => path === record.under)?.nav?.icon ?? 'point'
    const timer = setTimeout(() => remember(me, { path: pathname, title, kind: record.title, icon }), STAYED)
    return () => clearTimeout(timer)
  }, [me, record, title, pathname, pages])
  return null
}

function remember(me: Me, one: RecentRecord): void {
  const others = readRecentRecords(me).filter(({ path }) => path !== one.path)
  recentRecordsFor(me).write([one, ...others].slice(0, MAX_RECENT))
}
