import { useSearchParams } from 'react-router'
import ForbiddenPage from '#web/shell/pages/forbidden.tsx'

/** Error page that names the missing role, for example `/error/403?right=ROLE_STAFF`. */
export default function NoAccessPage() {
  const [query] = useSearchParams()
  const needs = query.getAll('right').filter((r) => /^ROLE_[A-Z_]{1,60}$/.test(r))
  return <ForbiddenPage {...(needs.length ? { needs } : {})} />
}
