import { showMoment } from '#web/dates/uk-dates.ts'
import page from '#web/ui/page.module.css'
import type { Changed } from './kinds.web.ts'

/** Author and time of a setting's last change. */
export const ChangedBy = ({ changed }: { readonly changed: Changed | null }) =>
  changed && (
    <p className={page.quiet}>
      Changed by {changed.by}, {showMoment(changed.at)}
    </p>
  )
