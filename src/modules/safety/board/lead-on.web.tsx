import { Navigate } from 'react-router'
import { isShown } from '#kernel/navigation.ts'
import { useActor } from '#web/api/me.ts'
import { nav } from '../nav.ts'

/** The front door of safety: how everything stands, for who answers for it; for everybody else what they work by. */
export default function LeadOn() {
  const actor = useActor()
  return <Navigate replace to={isShown(actor, nav.overview) ? nav.overview.path : '/sfp/view'} />
}
