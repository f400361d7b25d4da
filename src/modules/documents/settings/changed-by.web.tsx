import { formatIsoAsUkDateTime } from '#web/dates/uk-dates.ts'
import page from '#web/ui/page.module.css'
import { PersonName } from '#web/ui/people/person-name.tsx'
import type { SettingChange } from './kinds.web.ts'

export const SettingChangeNote = ({ changed }: { readonly changed: SettingChange | null }) =>
  changed && (
    <p className={page.quiet}>
      Changed by <PersonName username={changed.by} />, {formatIsoAsUkDateTime(changed.at)}
    </p>
  )
