export const LEAVE_PATHS = {
  root: '/ffh',
  calendar: '/ffh/calendar',
  request: '/ffh/calendar/event/new',
  report: '/ffh/report',
  settings: '/ffh/settings',
  massUpdate: '/ffh/mass-update',
} as const

/** Path of the calendar with a request opened. */
export const leaveRequestPath = (id: number): string => `${LEAVE_PATHS.calendar}?request=${id}`
