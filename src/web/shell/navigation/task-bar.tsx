import { IconArrowLeft } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { TASK_SITE_PATH } from '#kernel/roles.ts'
import type { Me } from '../../api/session.ts'
import { ReadAloudButton } from '../../ui/reading/read-aloud.tsx'
import css from './task-bar.module.css'
import { leaveTaskSite, needsPortal } from './task-site.ts'

interface Props {
  readonly me: Me
  /** Element that shows the connection status. */
  readonly connection: ReactNode
}

/** Bar above a page that was opened from My-Task: the way back, and no navigation of the portal. */
export default function TaskBar({ me, connection }: Props) {
  return (
    <header className={css.bar} data-no-print>
      <a className={css.entry} href={TASK_SITE_PATH}>
        <IconArrowLeft size={22} aria-hidden />
        My-Task
      </a>
      {connection}
      <ReadAloudButton className={css.entry} />
      {needsPortal(me) && (
        <a className={css.entry} href="/dashboard" onClick={leaveTaskSite}>
          Portal
        </a>
      )}
    </header>
  )
}
