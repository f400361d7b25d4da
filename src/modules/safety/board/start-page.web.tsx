import { Navigate } from 'react-router'
import { isNavigationEntryShown } from '#kernel/packs.ts'
import { useActor } from '#web/api/me.ts'
import { safetyNav } from '../nav.ts'

/**
 * Start page of the safety section: the overview for users who can see the safety board, the documents in force for
 * everybody else.
 */
export default function SafetyStartPage() {
  const actor = useActor()
  return (
    <Navigate replace to={isNavigationEntryShown(actor, safetyNav.overview) ? safetyNav.overview.path : '/sfp/view'} />
  )
}
