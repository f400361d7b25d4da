import { hasTaskSiteOnly } from '#kernel/roles.ts'
import type { Me } from '../../api/session.ts'
import { tabStorage } from '../../offline/browser-storage.ts'

const opened = tabStorage.text('stanchion-task-site')

/** True in a tab in which My-Task was opened: pages have its bar instead of the portal's navigation. */
export const isTaskSite = (): boolean => opened.read() !== undefined

export const enterTaskSite = (): void => void opened.write('1')

/** Shows the portal's navigation again in this tab. */
export const leaveTaskSite = (): void => void opened.write(undefined)

/** True for users who need the rest of the portal: those with another role, and the real person of an impersonation. */
export const needsPortal = (me: Me): boolean => me.isImpersonating || !hasTaskSiteOnly(me)
